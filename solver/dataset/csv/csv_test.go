package csv

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
)

func read(text string) (*Table, error) {
	return Read(strings.NewReader(text), int64(len(text)), "t.csv")
}

// arrays reads the arrays of a table.
func arrays(t testing.TB, text string) (all []npy.Named) {
	t.Helper()
	table, err := read(text)
	if err != nil || table == nil {
		t.Errorf("%q: got %v, %v, want a table", text, table, err)
		return make([]npy.Named, 3)
	}
	for _, m := range table.Members() {
		a, err := m.Array()
		filetest.NoError(t, err)
		all = append(all, npy.Named{Name: m.Name, Array: a})
	}
	return all
}

func TestTablesOfNumbers(t *testing.T) {
	all := []float64{1, -2.5, 3e-3, 4, 5, 6}
	for what, text := range map[string]string{
		"commas": "1,-2.5,3e-3\n4,5,6\n", "no last end": "1,-2.5,3e-3\n4,5,6", "CRLF": "1, -2.5, 3e-3\r\n4, 5, 6\r\n",
		"semicolons": "1;-2.5;3e-3\n4;5;6\n", "decimal commas": "1;-2,5;3e-3\n4;5;6\n", "tabs": "1\t-2.5\t3e-3\n4\t5\t6\n",
		"savetxt": "1.0e+00 -2.5e+00 3.0e-03\n4 5 6\n", "blanks": "  1   -2.5 3e-3 \n  4 5    6\n",
		"comments": "# written by hand\n1,-2.5,3e-3\n# more\n4,5,6\n", "mark": "\ufeff1,-2.5,3e-3\n4,5,6\n",
		"quotes": "\"1\",\"-2.5\",\"3e-3\"\n4,5,6\n", "empty lines": "\n1,-2.5,3e-3\n\n4,5,6\n\n",
		"comments of MATLAB": "% one\n% two\n1,-2.5,3e-3\n4,5,6\n", "trailing separators": "1,-2.5,3e-3,\n4,5,6,\n",
		"exponents of Fortran":      " 1.0D+00 -2.5D0 3.0d-03\n 4 5 6\n",
		"decimal commas and blanks": "1,0 -2,5 3,0e-3\n4,0 5,0 6,0\n", "a title": "Measured on Monday\n1,-2.5,3e-3\n4,5,6\n",
	} {
		found := arrays(t, text)
		if len(found) != 1 || found[0].Name != "" || !slices.Equal(found[0].Shape, []int{2, 3}) ||
			!slices.Equal(found[0].Data, all) {
			t.Errorf("%s: got %+v, want one array without a name: %v in shape (2, 3)", what, found, all)
		}
	}
}

func TestNamesMakeArrays(t *testing.T) {
	for what, header := range map[string]string{"first line": "x,a_1,a_2,u_1_1,u_1_2,u_2_1,u_2_2",
		"comment": "# x,a_1,a_2,u_1_1,u_1_2,u_2_1,u_2_2", "other forms": "x,a1,a2,u[0_0],u[0_1],u[1_0],u[1_1]",
		"after comments": "# by hand\n# in 2020\nx,a_1,a_2,u_1_1,u_1_2,u_2_1,u_2_2", "trailing": "x,a_1,a_2,u_1_1,u_1_2,u_2_1,u_2_2,",
		"units below": "x,a_1,a_2,u_1_1,u_1_2,u_2_1,u_2_2\ns,N,N,mm,mm,mm,mm",
		"units":       "x,a_1 [N],a_2 [N],u_1_1 (mm),u_1_2 (mm),u_2_1 (mm),u_2_2 (mm)"} {
		end := ""
		if what == "trailing" {
			end = ","
		}
		table := arrays(t, header+"\n1,2,3,4,5,6,7"+end+"\n11,12,13,14,15,16,17"+end+"\n")
		if len(table) != 3 {
			t.Errorf("%s: got %+v, want three arrays", what, table)
			continue
		}
		for i, want := range []struct {
			name   string
			shape  []int
			values []float64
		}{{"x", []int{2}, []float64{1, 11}}, {"a", []int{2, 2}, []float64{2, 3, 12, 13}},
			{"u", []int{2, 2, 2}, []float64{4, 5, 6, 7, 14, 15, 16, 17}}} {
			a := table[i]
			if a.Name != want.name || !slices.Equal(a.Shape, want.shape) || !slices.Equal(a.Data, want.values) {
				t.Errorf("%s: got %+v, want %+v", what, a, want)
			}
		}
	}
}

// A first column without a name that counts lines, or has the points of a grid, is an array of its own.
// Comments above a table name its columns if the first is that of a coordinate, as COMSOL and NumPy write them.
func TestCommentsNameColumns(t *testing.T) {
	for what, header := range map[string]string{
		"blanks": "% Nodes:   2\n% x          y         Q (W/m^3)      T (K)",
		"commas": "% Expressions: 2\n% x,y,Q (W/m^3),T (K)",
	} {
		var names []string
		for _, a := range arrays(t, header+"\n0,1,2,3\n4,5,6,7\n") {
			names = append(names, a.Name)
		}
		if !slices.Equal(names, []string{"x", "y", "Q (W/m^3)", "T (K)"}) {
			t.Errorf("%s: names are %q", what, names)
		}
	}
}

func TestCoordinatesHaveShortNames(t *testing.T) {
	for name, want := range map[string]string{
		"x": "x", " X Location (m)": "x", "y-coordinate": "y", "z [mm]": "z", "x_pos": "x", "Lon (deg)": "lon",
		"x velocity": "x velocity", "T (K)": "t", "pressure": "pressure",
	} {
		if got := Coordinate(name); got != want {
			t.Errorf("%q is short for %q, want %q", got, name, want)
		}
	}
}

func TestFirstColumnsThatCount(t *testing.T) {
	for text, want := range map[string]string{"0,5,6\n1,7,8\n2,9,1\n": "line", "1 5 6\n2 7 8\n3 9 1\n": "line",
		"0,5,6\n0.5,7,8\n1,9,1\n": "points", "0,5,6\n0.3333333,7,8\n0.6666667,9,1\n": "points",
		"0,5,6\n1,7,8\n3,9,1\n": "", "0,5,6\n0.4,7,8\n0.8,9,1\n": "", "0,5,6\nnan,7,8\n2,9,1\n": "", "0,5\n1,7\n2,9\n": ""} {
		table := arrays(t, text)
		if table[len(table)-1].Name != want {
			t.Errorf("%q: got %+v, want the last array to be %q", text, table, want)
		}
		if want == "" {
			continue
		}
		if a := table[0]; a.Name != "a" || !slices.Equal(a.Data, []float64{5, 6, 7, 8, 9, 1}) {
			t.Errorf("%q: got %+v, want a = 5 6 7 8 9 1", text, a)
		}
	}
}

// Errors name the line and the value.
func TestRefusals(t *testing.T) {
	for what, test := range map[string]struct{ text, want string }{
		"word": {"1,2\n3,x\n", `line 2, value 2: got "x"`},
		"long word": {"1,2\n3," + strings.Repeat("x", 41) + "\n",
			`line 2, value 2: got "` + strings.Repeat("x", 40) + `...", want a number`},
		"short line":               {"1,2,3\n4,5\n", "has 2 values in line 2, 3 in the lines before"},
		"quote":                    {"1,2\n3,\"4\n", "line 2"},
		"too large":                {"1,1e999\n1,2\n1,1e999\n", `line 3, value 2: got "1e999"`},
		"few numbers beside words": {"set,kind,error\ntrain,x,0.5\n", `line 2, value 1: got "train"`},
		"a word above numbers":     {"set,index,error\nx,0,0.5\n1,2,3\n", `line 2, value 1: got "x"`},
		"a word below words":       {"set,index,error\nx,0,0.5\ny,z,3\n", `line 3, value 2: got "z"`},
		"long line":                {"1," + strings.Repeat("1", maxLine), "line 1 has more than"},
	} {
		_, err := read(test.text)
		filetest.Refused(t, what, err, "t.csv")
		filetest.Refused(t, what, err, test.want)
	}
	for _, text := range []string{"Dear Sir,\nit rains.\n", "Dear Sir,\nit, again, rains.\n", "a,b\nc,d\n", "a,b\n",
		"# nothing\n"} {
		if table, err := read(text); table != nil || err != nil {
			t.Errorf("%q: got %v, %v, want neither a table nor an error", text, table, err)
		}
	}
	if _, err := Read(strings.NewReader(""), maxFile+1, "t.csv"); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a large file: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"1,2\n3,4\n", "a_1;a_2\n1,5;2\n", "# x y\n1 2\n 3  4", "\ufeff\"1\"\t2\n", "u_1_1,u_1_2\n1,nan\n",
		"\v\n\x0e", "\v\n1 2\n3 4\n", "x y\n# 2\n2", "u0 0,u0 0\n0,0,0A\n", "0\xa0"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		const cell = 500 // bytes, of all copies
		allowed := 1<<20 + 200*uint64(len(text))
		if bytes.ContainsRune(text, '*') { // which may repeat a number
			allowed += cell * mostRepeated
		}
		var table *Table
		var err error
		used := filetest.Allocated(func() { table, err = Read(bytes.NewReader(text), int64(len(text)), "t.csv") })
		if used > allowed {
			t.Fatalf("%d bytes are allocated for %d", used, len(text))
		}
		if table == nil || err != nil {
			return
		}
		for _, m := range table.Members() {
			if _, err := m.Array(); err != nil {
				t.Fatalf("%v: %v", m.Shape, err)
			}
		}
	})
}

// Cells without a number are missing values, not refusals.
func TestMissingValues(t *testing.T) {
	for _, text := range []string{"a,b\n1,2\n3,\n", "1,2\n3,NaN\n", "1;2\n3;NA\n", "1,2\n3,null\n"} {
		var data []float64
		for _, a := range arrays(t, text) {
			data = append(data, a.Data...)
		}
		missing := slices.IndexFunc(data, math.IsNaN)
		if len(data) != 4 || missing != 3 || slices.ContainsFunc(data[:3], math.IsNaN) {
			t.Errorf("%q: got %v, want four numbers, of which only the last is missing", text, data)
		}
	}
}

// Quoted numbers may have commas after the thousands.
func TestThousands(t *testing.T) {
	a := arrays(t, "a_1,a_2\n\"-2,409.5\",\"1,000,000\"\n\"7\",8\n")[0]
	if !slices.Equal(a.Data, []float64{-2409.5, 1e6, 7, 8}) {
		t.Errorf("%v", a)
	}
}

// Lines of points that form no grid become an array of points, with arrays of their coordinates.
func TestTablesOfPointsInAnyOrder(t *testing.T) {
	at := [][2]float64{{0, 0.5}, {0.25, 1}, {0.75, 0}, {1, 0.25}}
	var lines []string
	for sample := range 3 {
		for i, p := range at {
			lines = append(lines, fmt.Sprintf("%g,%d,%d,%g\n", p[0], 10*sample+i, sample, p[1]))
		}
	}
	for i := range lines {
		j := i * 7 % len(lines)
		lines[i], lines[j] = lines[j], lines[i]
	}
	table := arrays(t, "x,u,sample,y\n"+strings.Join(lines, ""))
	want := map[string][]float64{
		"x": {0, 0.25, 0.75, 1},
		"y": {0.5, 1, 0, 0.25},
		"u": {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23},
	}
	for _, a := range table {
		if !slices.Equal(a.Data, want[a.Name]) {
			t.Errorf("%s is %v, want %v", a.Name, a.Data, want[a.Name])
		}
		delete(want, a.Name)
	}
	if len(want) > 0 {
		t.Errorf("not there: %v", want)
	}
}

// A table with one value in each line becomes an array with a line for each sample; others stay as they are.
// Columns of samples and places may have units and further words, and a third column such as T is no place.
func TestNamesOfSamplesAndPlaces(t *testing.T) {
	text := ",run_id,x [m],y [m],q,T\n"
	for i := range 3 {
		for k := range 9 {
			x := float64(k*k%7) / 7
			text += fmt.Sprintf("%d,%d,%g,%g,%d,%d\n", 9*i+k, i, x, float64(k)/9, i+k, i*k)
		}
	}
	for _, a := range arrays(t, text) {
		isPlace := a.Name == "x [m]" || a.Name == "y [m]"
		isValue := a.Name == "q" || a.Name == "T"
		if isValue && !slices.Equal(a.Shape, []int{3, 9}) || isPlace && !slices.Equal(a.Shape, []int{9}) {
			t.Errorf("%s has shape %v", a.Name, a.Shape)
		}
	}
}

func TestTablesOfOneValueInALine(t *testing.T) {
	text := "sample,x,force,disp\n"
	for i := range 3 {
		for j := range 4 {
			text += fmt.Sprintf("%d,%g,%d,%d\n", i, float64(j)/3, 10*i+j, 100*i+j)
		}
	}
	table := arrays(t, text)
	want := []float64{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}
	if len(table) != 3 || table[0].Name != "force" || !slices.Equal(table[0].Shape, []int{3, 4}) || !slices.Equal(table[0].Data, want) {
		t.Errorf("%+v", table)
	}
	byPlace := "sample,x,force\n"
	for j := range 4 {
		for i := range 3 {
			byPlace += fmt.Sprintf("%d,%g,%d\n", i, float64(j)/3, 10*i+j)
		}
	}
	table = arrays(t, byPlace)
	if len(table) != 2 || table[1].Name != "x" || !slices.Equal(table[1].Data, []float64{0, 1. / 3, 2. / 3, 1}) || !slices.Equal(table[0].Shape, []int{3, 4}) || !slices.Equal(table[0].Data, want) {
		t.Errorf("%+v", table)
	}
	fields := "id,x,y,T\n"
	for i := range 2 {
		for j := range 6 {
			fields += fmt.Sprintf("%d,%d,%d,%d\n", i, j/3, j%3, 10*i+j)
		}
	}
	table = arrays(t, fields)
	if len(table) != 1 || !slices.Equal(table[0].Shape, []int{2, 2, 3}) || table[0].Data[7] != 11 {
		t.Errorf("%+v", table)
	}
	for what, other := range map[string]string{"sample 1 has none at 0;": strings.Replace(text, "1,0,10,100\n", "", 1),
		"sample 0 has none at 0.5;": strings.Replace(text, "1,0,10,100\n", "1,0.5,10,100\n", 1),
		"two lines for one place":   strings.Replace(text, "1,0,10,100\n", "0,0,10,100\n", 1)} {
		_, err := Read(strings.NewReader(other), int64(len(other)), "t.csv")
		filetest.Refused(t, what, err, what)
	}
}

// Tables with one value in each line may have their lines and columns in any order, words for samples, and a column of
// line numbers in front.
func TestTablesOfOneValueInALineInAnyOrder(t *testing.T) {
	var lines, words, last, counted []string
	for i := range 3 {
		for j := range 4 {
			lines = append(lines, fmt.Sprintf("%d,%g,%d\n", i, float64(j)/3, 10*i+j))
			words = append(words, fmt.Sprintf("run-%c,%g,%d\n", 'a'+i, float64(j)/3, 10*i+j))
			last = append(last, fmt.Sprintf("%g,%d,%d\n", float64(j)/3, 10*i+j, i))
			counted = append(counted, fmt.Sprintf("%d,%d,%g,%d\n", len(counted), i, float64(j)/3, 10*i+j))
		}
	}
	shuffled := slices.Clone(lines)
	for i := range shuffled {
		j := i * 7 % len(shuffled)
		shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
	}
	for what, text := range map[string]string{"shuffled": "sample,x,force\n" + strings.Join(shuffled, ""),
		"words":   "Run,x,force\n" + strings.Join(words, ""),
		"last":    "pos,force,experiment\n" + strings.Join(last, ""),
		"counted": ",sample,x,force\n" + strings.Join(counted, "")} {
		table := arrays(t, text)
		if len(table) != 2 || table[0].Name != "force" || !slices.Equal(table[0].Shape, []int{3, 4}) ||
			table[1].Name != "x" || !slices.Equal(table[0].Data, []float64{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}) {
			t.Errorf("%s: got %+v, want force in shape (3, 4), and x", what, table)
		}
	}
	fields := "x,id,y,T\n"
	for k := range 12 {
		i, j := k%2, k/2
		fields += fmt.Sprintf("%d,%d,%d,%d\n", j%3, i, j/3, 10*i+j%3*2+j/3)
	}
	table := arrays(t, fields)
	if len(table) != 1 || !slices.Equal(table[0].Shape, []int{2, 3, 2}) || table[0].Data[7] != 11 {
		t.Errorf("%+v", table)
	}
}

// Lines may end with a carriage return alone, as old programs for Macintosh wrote them, and bars may separate the
// values.
func TestOtherEndsAndSeparators(t *testing.T) {
	for _, text := range []string{"a_1,a_2\r1.5,2\r3,4\r", "a_1|a_2\n1.5|2\n3|4\n", "a_1|a_2\r1,5|2\r3|4"} {
		table := arrays(t, text)
		if len(table) != 1 || !slices.Equal(table[0].Data, []float64{1.5, 2, 3, 4}) {
			t.Errorf("%q: got %+v, want one array: 1.5 2 3 4", text, table)
		}
	}
}

// A table of any size takes little memory besides its numbers.
func TestTablesTakeLittleMemory(t *testing.T) {
	const rows, columns = 20000, 40
	line := strings.Repeat("0.123456789,", columns-1) + "1\n"
	text := strings.NewReader(strings.Repeat(line, rows))
	var table *Table
	var err error
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	table, err = Read(text, text.Size(), "t.csv")
	runtime.GC()
	runtime.ReadMemStats(&after)
	filetest.NoError(t, err)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 1<<20 {
		t.Errorf("%d bytes are kept of a table of %d", kept, text.Size())
	}
	last := 0.0
	at := npy.Along(0, 0)
	at[0] = at[0].Of(rows-1, 1, 1)
	at[1] = at[1].Of(columns-1, 1, 1)
	filetest.NoError(t, table.Members()[0].Scan(at, func(_ []int, values []float64) bool {
		last = values[len(values)-1]
		return true
	}))
	if last != 1 {
		t.Errorf("the last number is %v", last)
	}
}

// Columns of words, such as dates and materials, are left out with a note.
func TestColumnsOfWordsAreLeftOut(t *testing.T) {
	text := "date,a_1,a_2,material,u_1,u_2\n2024-01-01,1,2,steel,3,4\n2024-01-02,5,6,iron,7,8\n"
	found := named(arrays(t, text))
	if !slices.Equal(found["a"].Data, []float64{1, 2, 5, 6}) || !slices.Equal(found["u"].Data, []float64{3, 4, 7, 8}) || len(found) != 2 {
		t.Errorf("%v", found)
	}
	table, err := read(text)
	filetest.NoError(t, err)
	for _, m := range table.Members() {
		if m.Note != "columns of words are left out: date, material" {
			t.Errorf("%s: got the note %q, want one that date and material are left out", m.Name, m.Note)
		}
	}
}
