package pairs

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

var noError = filetest.NoError

// waves returns count smooth periodic functions on K points, both ends counted.
func waves(count, K int, phase float64) grid.Batch {
	b := grid.NewBatch(grid.Torus, K, count)
	for i := range count {
		for x := range K {
			b.At(i)[x] = float64(1+i*7%5) * math.Sin(2*math.Pi*float64(x%(K-1))/float64(K-1)+phase+2.4*float64(i))
		}
	}
	return b
}

// ramps returns smooth functions on K points that are not periodic.
func ramps(count, K int, phase float64) grid.Batch {
	b := waves(count, K, phase)
	for i := range b.Data {
		b.Data[i] += 20 * float64(i%K) / float64(K-1)
	}
	return b
}

// even returns n functions on n points that are the same with both exchanged.
func even(n int) grid.Batch {
	b := grid.NewBatch(grid.Torus, n, n)
	for i := range b.Data {
		b.Data[i] = math.Cos(2 * math.Pi * float64(i/n*(i%n)) / float64(n*n))
	}
	return b
}

// rough returns n functions of n independent values.
func rough(n int) grid.Batch {
	source := rand.New(rand.NewPCG(1, 2))
	b := grid.NewBatch(grid.Torus, n, n)
	for i := range b.Data {
		b.Data[i] = source.NormFloat64()
	}
	return b
}

func zeroAt(b grid.Batch, i int) grid.Batch {
	b = grid.BatchOf(b.Domain, b.Points, slices.Clone(b.Data))
	clear(b.At(i))
	return b
}

// without omits the right end of each function.
func without(b grid.Batch) grid.Batch {
	short := grid.NewBatch(grid.Torus, b.Values()-1, b.Count)
	for i := range b.Count {
		copy(short.At(i), b.At(i))
	}
	return short
}

// archive stores batches in an .npz file; names[i] has shapes[i].
func archive(t *testing.T, names string, shape []int, batches ...grid.Batch) string {
	t.Helper()
	arrays := map[string]npy.Array{}
	for i, name := range strings.Fields(names) {
		arrays[name] = npy.Array{Shape: shape, Data: batches[i].Data}
	}
	return saved(t, arrays)
}

func equal(a, b dataset.Pairs) bool { return reflect.DeepEqual(a, b) }

// Any number of pairs is read, from arrays with any names.
func TestNumbersAndNamesOfPairs(t *testing.T) {
	const count, K = 4, 9
	want := dataset.Pairs{Inputs: waves(count, K, 0), Outputs: waves(count, K, 1)}
	shortA, shortU := without(want.Inputs), without(want.Outputs)
	for name, source := range map[string]Source{
		"authors":             {File: write(t, want.Inputs, want.Outputs), Endpoint: true},
		"npz without the end": {File: archive(t, "u a", []int{count, K - 1}, shortU, shortA)},
		"names": {File: archive(t, "a u in out", []int{count, K}, want.Outputs, want.Inputs, want.Inputs, want.Outputs),
			Input: "in", Output: "out", Endpoint: true},
	} {
		if info, err := StatPairs(t.Context(), source, 1); err != nil || info.Count != count || info.Grid != K {
			t.Errorf("%s: got %+v, %v, want %d pairs on K = %d", name, info, err, count, K)
		}
		for n, all := range map[int]int{0: count, 1: 1, count: count} {
			if got, err := ReadPairs(t.Context(), source, n); err != nil || !equal(got, want.Range(0, all)) {
				t.Errorf("%s, %d pairs: %v, %v", name, n, got, err)
			}
		}
	}
}

// The checksum of an archive's member covers all its numbers, so all are read, even if only some are wanted.
func TestDamageBehindThePairsThatAreReadIsFound(t *testing.T) {
	const count, K = 200, 65
	name := archive(t, "a u", []int{count, K}, waves(count, K, 0), waves(count, K, 1))
	content, err := os.ReadFile(name)
	noError(t, err)
	content[8*count*K-100] ^= 1 // in one of the last functions of a
	damaged := writeText(t, string(content))
	for _, n := range []int{1, count} {
		if _, err := ReadPairs(t.Context(), Source{File: name, Endpoint: true}, n); err != nil {
			t.Errorf("%d pairs of an intact file: %v", n, err)
		}
		_, err := ReadPairs(t.Context(), Source{File: damaged, Endpoint: true}, n)
		var data *fault.Data
		if !errors.As(err, &data) || !strings.Contains(err.Error(), `"a"`) || !strings.Contains(err.Error(), "checksum") {
			t.Errorf("%d pairs: %v", n, err)
		}
	}
}

func TestReadInputs(t *testing.T) {
	b, short := waves(3, 10, 0), without(waves(3, 10, 0))
	single := func(shape ...int) string { return writeArray(t, npy.Array{Shape: shape, Data: b.At(0)}) }
	field := grid.BatchOf(grid.Square, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9})
	for name, test := range map[string]struct {
		source Source
		dims   int
		want   grid.Batch
	}{
		"several":     {Source{File: writeArray(t, npy.Array{Shape: []int{3, 10}, Data: b.Data}), Endpoint: true}, 1, b},
		"without end": {Source{File: writeArray(t, npy.Array{Shape: []int{3, 9}, Data: short.Data})}, 1, b},
		"one":         {Source{File: single(10), Endpoint: true}, 1, b.First(1)},
		"row":         {Source{File: single(1, 10), Endpoint: true}, 1, b.First(1)},
		"column":      {Source{File: single(10, 1), Endpoint: true}, 1, b.First(1)},
		"named":       {Source{File: archive(t, "u x", []int{3, 10}, waves(3, 10, 1), b), Input: "x", Endpoint: true}, 1, b},
		"field": {Source{File: writeArray(t, npy.Array{Shape: []int{3, 3}, Data: field.Data}), Endpoint: true}, 2,
			field},
		"fields": {Source{File: writeArray(t, npy.Array{Shape: []int{1, 3, 3}, Data: field.Data}), Endpoint: true}, 2,
			field},
		"named fields": {Source{File: archive(t, "a", []int{1, 3, 3}, field), Endpoint: true}, 2, field},
	} {
		if got, _, err := ReadInputs(t.Context(), test.source, test.dims); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, test.want)
		}
	}
}

func TestUnusableSourcesAreRefused(t *testing.T) {
	a, u := waves(40, 17, 0), waves(40, 17, 1)
	shortA, shortU := without(a), without(u)
	named := archive(t, "a u", []int{40, 17}, a, u)
	other := archive(t, "x y", []int{40, 17}, a, u)
	infinite := grid.BatchOf(grid.Torus, 17, slices.Clone(u.Data))
	infinite.At(3)[2] = math.Inf(1)
	differ := saved(t, map[string]npy.Array{"a": {Shape: []int{40, 17}, Data: a.Data},
		"u": {Shape: []int{32, 17}, Data: a.Data[:32*17]}})
	jump := waves(40, 17, 0)
	jump.At(7)[16] = 50
	bad := fields(1, 5, 1)
	bad.Data[7] = math.Inf(1)
	shaped := func(n ...int) Source {
		count := 1
		for _, k := range n {
			count *= k
		}
		return Source{File: writeArray(t, npy.Array{Shape: n, Data: make([]float64, count)}), Endpoint: true}
	}
	for name, test := range map[string]struct {
		source Source
		count  int
		want   string
	}{
		"no such array":  {Source{File: other, Endpoint: true}, 0, `has no array "a", only "x" and "y"`},
		"no such output": {Source{File: other, Input: "x", Endpoint: true}, 0, `has no array "u"`},
		"shapes differ":  {Source{File: differ, Endpoint: true}, 0, `set data.input=a[:32] and data.output=u[:32]`},
		"names of test pairs": {Source{File: other, Test: true, Endpoint: true}, 0,
			"name them with data.test_input and data.test_output"},
		"shapes of test pairs": {Source{File: differ, Test: true, Endpoint: true}, 0,
			`set data.test_input=a[:32] and data.test_output=u[:32]`},
		"too few": {Source{File: named, Endpoint: true}, 41, "has 40 pairs, want 41"},
		"none": {Source{File: archive(t, "a u", []int{0, 17}, grid.Batch{}, grid.Batch{}), Endpoint: true},
			0, "has no pairs"},
		"shape": {Source{File: archive(t, "a u", []int{10, 2, 2, 17}, a, u), Endpoint: true}, 0,
			"has shape (10, 2, 2, 17), want (count, K), (count, K, channels) or (K, count)"},
		"two points": {Source{File: archive(t, "a u", []int{340, 2}, a, u), Endpoint: true,
			Layout: config.FunctionsFirst}, 0, "has shape (340, 2), want (count, K)"},
		"infinite": {Source{File: archive(t, "a u", []int{40, 17}, a, infinite), Endpoint: true}, 0,
			"output: function 3 has the value +Inf"},
		"even says what to set": {Source{File: archive(t, "a u", []int{40, 16}, shortA, shortU), Endpoint: true}, 0,
			"data.endpoint = excluded"},
		"open at any grid": {Source{File: archive(t, "a u", []int{40, 17}, ramps(40, 17, 0), ramps(40, 17, 1)),
			Endpoint: true}, 0, "is not periodic"},
		"open without its end": {Source{File: archive(t, "a u", []int{40, 17}, ramps(40, 17, 0), ramps(40, 17, 1))}, 0,
			"functions that are not periodic"},
		"zero output": {Source{File: archive(t, "a u", []int{40, 17}, a, zeroAt(u, 5)), Endpoint: true}, 0,
			"output: function 5 is zero"},
		"rows or columns": {Source{File: archive(t, "a u", []int{16, 16}, even(16), even(16))}, 0,
			"set data.layout = functions-first for (count, K), points-first for (K, count)"},
		"nodes of a mesh": {Source{File: archive(t, "a u", []int{16, 16}, rough(16), rough(16))}, 0,
			"16 functions, whose 16 values are smooth along no axis"},
		"looks open": {Source{File: archive(t, "a u", []int{40, 17}, without(waves(40, 18, 0)), without(waves(40, 18, 1))),
			Endpoint: true}, 0,
			"the values look like those of a grid that leaves out the right end: set data.endpoint = excluded"},
		"not periodic": {Source{File: archive(t, "a u", []int{40, 17}, jump, u), Endpoint: true}, 0,
			"function 7 is not periodic: at point 0 it begins with"},
		"looks closed": {Source{File: archive(t, "a u", []int{40, 18}, waves(40, 18, 0), waves(40, 18, 1))}, 0,
			"set data.endpoint = included"},
		"missing":     {Source{File: "no such file.npy"}, 1, "does not exist"},
		"rank":        {shaped(3, 2), 0, "want (count, 2, K) or (K, count, 2)"},
		"third index": {shaped(9, 1, 3), 0, "want (count, 2, K) or (K, count, 2)"},
		"text": {Source{File: writeText(t, "problem = 'burgers'\n"), Endpoint: true}, 0,
			"is TOML and holds no arrays"},
	} {
		_, err := ReadPairs(t.Context(), test.source, test.count)
		filetest.Refused(t, name, err, test.want)
	}
	_, err := ReadFieldPairs(t.Context(), Source{File: writeArray(t, arranged("nsxy", dataset.Pairs{Inputs: fields(1, 5, 0),
		Outputs: bad}, 5)), Endpoint: true}, 1)
	filetest.Refused(t, "infinite field", err, "output: function 0 has the value +Inf")
	_, err = ReadFieldPairs(t.Context(), shaped(25, 1, 2), 1)
	filetest.Refused(t, "rank of fields", err, "(r, r, count, 2)")
}

// Fields whose right ends the file omits repeat their first values there.
func TestFieldsWithoutTheirRightEndsAreWrapped(t *testing.T) {
	const n, rows, columns = 2, 3, 4
	b := grid.NewBatch(grid.Torus, rows*columns, n)
	for i := range b.Data {
		b.Data[i] = float64(i*i%97 + 1)
	}
	file := archive(t, "a u", []int{n, rows, columns}, b, b)
	pairs, err := ReadFieldPairs(t.Context(), Source{File: file}, 0)
	noError(t, err)
	if pairs.Inputs.Values() != (rows+1)*(columns+1) {
		t.Fatalf("%d values", pairs.Inputs.Values())
	}
	for i := range n {
		for x, v := range pairs.Outputs.At(i) {
			if want := b.At(i)[x/(columns+1)%rows*columns+x%(columns+1)%columns]; v != want {
				t.Errorf("field %d, value %d: %g, want %g", i, x, v, want)
			}
		}
	}
	info, err := StatInputs(t.Context(), Source{File: file, Input: "a"}, 2)
	noError(t, err)
	if got := info.Arrange(pairs.Inputs); !slices.Equal(got.Data, b.Data) ||
		!slices.Equal(got.Shape, []int{n, rows, columns}) {
		t.Errorf("arranged again they are %v of shape %v", got.Data, got.Shape)
	}
}

func TestRectanglesAreReadInEitherLayout(t *testing.T) {
	const n, rows, columns = 40, 5, 7
	b, turned := grid.NewBatch(grid.Torus, rows*columns, n), grid.NewBatch(grid.Torus, rows*columns, n)
	for i := range n {
		for x := range rows * columns {
			v := math.Sin(float64(7*i*i)) + 0.1*float64(x/columns)*math.Cos(float64(i)) + 0.03*float64(x%columns)
			b.Data[i*rows*columns+x], turned.Data[x*n+i] = v, v
		}
	}
	for _, file := range []string{archive(t, "a u", []int{n, rows, columns}, b, b),
		archive(t, "a u", []int{rows, columns, n}, turned, turned)} {
		source := Source{File: file, Endpoint: true}
		info, err := StatPairs(t.Context(), source, 2)
		noError(t, err)
		pairs, err := ReadFieldPairs(t.Context(), source, 0)
		noError(t, err)
		if info.Grid != rows || info.Columns != columns || !slices.Equal(pairs.Inputs.Data, b.Data) {
			t.Errorf("%s is read as %d x %d", info.Arrays, info.Grid, info.Columns)
		}
	}
}

// Functions with compact support, or steps, agree at both ends on any grid.
func TestFlatEndsAreNoSignOfAClosedGrid(t *testing.T) {
	b := grid.NewBatch(grid.Torus, 16, 5)
	for i := range b.Count {
		b.At(i)[5+i] = 1
	}
	if _, err := ReadPairs(t.Context(), Source{File: archive(t, "a u", []int{5, 16}, b, b), Layout: config.FunctionsFirst},
		0); err != nil {
		t.Error(err)
	}
}

// Functions are periodic if they are as smooth across the ends of the grid as in between, and not if their values
// merely meet there.
func TestPeriodicFunctionsAreSmoothAcrossTheirEnds(t *testing.T) {
	const count, points = 20, 65
	for name, test := range map[string]struct {
		value              func(i int, x float64) float64
		periodic, repeated bool
	}{
		"repeated":     {func(i int, x float64) float64 { return math.Sin(2*math.Pi*x + float64(i)) }, true, true},
		"right end":    {func(i int, x float64) float64 { return math.Sin(2*math.Pi*x*64/65 + float64(i)) }, true, false},
		"independent":  {func(i int, x float64) float64 { return math.Mod(1e6*math.Sin(x+float64(i)), 1) }, true, false},
		"steep ends":   {func(i int, x float64) float64 { return math.Sin((4+float64(i)/5)*x) * math.Exp(-x) }, false, false},
		"zero at ends": {func(i int, x float64) float64 { return math.Sin(math.Pi*x) * (1 + float64(i)*x) }, false, true},
	} {
		line, rows, columns := grid.NewBatch(grid.Interval, points, count), grid.NewBatch(grid.Square, points, count),
			grid.NewBatch(grid.Square, points, count)
		for i := range count {
			for k := range points {
				line.At(i)[k] = test.value(i, float64(k)/(points-1))
			}
			for k := range points * points {
				rows.At(i)[k], columns.At(i)[k] = line.At(i)[k/points], line.At(i)[k%points]
			}
		}
		for _, b := range []grid.Batch{line, rows, columns} {
			periodic, repeated := Ends(dataset.Pairs{Inputs: b, Outputs: b})
			if periodic != test.periodic || repeated != test.repeated {
				t.Errorf("%s: periodic %v, repeated %v", name, periodic, repeated)
			}
		}
	}
}

func TestReadingAllocatesThePairsAndLittleElse(t *testing.T) {
	a, u := waves(50, 4097, 0), waves(50, 4097, 1)
	source := Source{File: archive(t, "a u", []int{50, 4097}, a, u), Endpoint: true}
	var pairs dataset.Pairs
	var err error
	used := filetest.Allocated(func() { pairs, err = ReadPairs(t.Context(), source, 40) })
	if result := uint64(2 * 8 * len(pairs.Inputs.Data)); err != nil || used > result+5<<20 { // with a sample of each array
		t.Errorf("%d bytes for pairs of %d, %v", used, result, err)
	}
}

// counting is content that counts the bytes read.
type counting struct {
	*bytes.Reader
	bytes int64
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.Reader.ReadAt(p, at)
	c.bytes += int64(n)
	return n, err
}

// Brief reading ends with the last wanted function, also in a packed file.
func TestBriefReadingStops(t *testing.T) {
	const count, K = 200, 257
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for i, name := range []string{"a.npy", "u.npy"} {
		w, err := z.Create(name)
		if err == nil {
			err = npy.Write(w, npy.Array{Shape: []int{count, K}, Data: waves(count, K, float64(i)).Data})
		}
		noError(t, err)
	}
	noError(t, z.Close())
	whole := int64(packed.Len())
	for _, brief := range []bool{false, true} {
		content := &counting{Reader: bytes.NewReader(packed.Bytes())}
		file, err := exchange.OpenContent(t.Context(), "x.npz", content, whole)
		noError(t, err)
		source := Source{File: "x.npz", Open: file, Endpoint: true, Brief: brief}
		pairs, err := ReadChosen(t.Context(), source, 1, []int{2, 5})
		if err != nil || !slices.Equal(pairs.Outputs.At(1), waves(count, K, 1).At(5)) {
			t.Fatalf("brief %t: %v", brief, err)
		}
		if read := content.bytes; brief != (read < 3*whole/4) { // the sample of the first third is read too
			t.Errorf("brief %t: %d bytes of %d are read", brief, read, whole)
		}
	}
}

// zerosAreRefused reads functions of a sparse file of zeros. It expects that the function with the number first is
// refused, within most bytes of memory.
func zerosAreRefused(t *testing.T, shape []int, s Source, dims int, rows []int, first int, most uint64) {
	t.Helper()
	header, values := npy.Preamble(shape), int64(8)
	for _, n := range shape {
		values *= int64(n)
	}
	s.File, s.Endpoint = filepath.Join(t.TempDir(), "zeros.npy"), true
	noError(t, errors.Join(os.WriteFile(s.File, header, 0o600), os.Truncate(s.File, int64(len(header))+values)))
	var err error
	if used := filetest.Allocated(func() { _, err = ReadChosen(t.Context(), s, dims, rows) }); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprintf("function %d is zero", first)) || used > most {
		t.Errorf("%d bytes allocated, %v", used, err)
	}
}

// backwards returns the numbers of all functions, the last one first.
func backwards(count int) []int {
	rows := make([]int, count)
	for i := range rows {
		rows[i] = count - 1 - i
	}
	return rows
}

// A file may have any number of functions: unwanted ones take no memory.
func TestFunctionsThatAreNotWantedTakeNoMemory(t *testing.T) {
	zerosAreRefused(t, []int{1 << 22, 2, 3}, Source{Domain: grid.Interval, Brief: true}, 1, []int{3, 70}, 3, 16<<20)
}

// Large fields are first checked with little memory, and refused if they are zero.
func TestFirstLooksTakeLittleMemory(t *testing.T) {
	zerosAreRefused(t, []int{20, 2, 1025, 1025}, Source{Step: 128}, 2, backwards(20), 0, 3*(8<<22))
}

// The memory of values is known before they are read, also if they are lifted. That of lines of text is not, because a
// line may have any length.
func TestMemoryOfInputsIsKnownFromTheirShape(t *testing.T) {
	for _, test := range []struct {
		shape  []int
		source Source
		dims   int
		want   float64
		refuse string
	}{
		{[]int{30, 17}, Source{Endpoint: true}, 1, 8 * 30 * 17, ""},
		{[]int{30, 17}, Source{Endpoint: true, Target: 9}, 2, 8 * 30 * 17, ""},
		{[]int{30, 17, 19}, Source{Endpoint: true, Target: 9}, 2, 8 * 30 * 17 * 19, ""},
		{[]int{2, 1 << 20}, Source{Endpoint: true, Target: 9}, 2, 0, "want at most 262145"},
	} {
		test.source.File = filepath.Join(t.TempDir(), "a.npy")
		header, count := npy.Preamble(test.shape), 1
		for _, n := range test.shape {
			count *= n
		}
		noError(t, errors.Join(os.WriteFile(test.source.File, header, 0o600),
			os.Truncate(test.source.File, int64(len(header)+8*count))))
		info, err := StatInputs(t.Context(), test.source, test.dims)
		if (err == nil) != (test.refuse == "") || err != nil && !strings.Contains(err.Error(), test.refuse) ||
			err == nil && info.Bytes != test.want {
			t.Errorf("%v: %g bytes, not %g; %v", test.shape, info.Bytes, test.want, err)
		}
	}
}

func writeText(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "text")
	noError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// The first functions of arrays that are missing in some groups do not belong together.
func TestAdviceForMissingFunctions(t *testing.T) {
	for name, want := range map[string]string{"u": "set data.input=a[:2] and data.output=u[:2]", "*/u": exchange.Incomplete,
		"u[:2]": "and data.output=u[:2]"} {
		input := strings.Replace(name, "u", "a", 1)
		filetest.Refused(t, name, Source{}.Unequal([]string{input, name}, []int{3, 2}, true), want)
	}
}
