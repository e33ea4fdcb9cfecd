package csv

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/filetest"
)

// Columns of an array are put together and in order wherever they stand: in turn with those of others, or sorted as words.
func TestColumnsOfAnArrayStandAnywhere(t *testing.T) {
	for what, test := range map[string]struct {
		text string
		want map[string][]float64
	}{
		"in turn":             {"a_1,u_1,a_2,u_2\n1,2,3,4\n5,6,7,8\n", map[string][]float64{"a": {1, 3, 5, 7}, "u": {2, 4, 6, 8}}},
		"sorted as words":     {"a_1,a_10,a_2\n1,3,2\n4,6,5\n", map[string][]float64{"a": {1, 2, 3, 4, 5, 6}}},
		"the last one first":  {"a_3,a_2,a_1\n3,2,1\n", map[string][]float64{"a": {1, 2, 3}}},
		"two numbers in turn": {"u_1_1,u_2_1,u_1_2,u_2_2\n1,3,2,4\n", map[string][]float64{"u": {1, 2, 3, 4}}},
		"places in turn": {"a(0),u(0),a(0.5),u(0.5),a(1),u(1)\n1,2,3,4,5,6\n",
			map[string][]float64{"a": {1, 3, 5}, "u": {2, 4, 6}, "x": {0, 0.5, 1}}},
		"places beside x": {"x,a(0),a(0.5),a(1)\n7,1,2,3\n",
			map[string][]float64{"a": {1, 2, 3}, "x": {7}, "x_a": {0, 0.5, 1}}},
		"one name":       {"a,a,a,u,u,u\n1,2,3,4,5,6\n", map[string][]float64{"a": {1, 2, 3}, "u": {4, 5, 6}}},
		"a name again":   {"x,a,x,u\n1,2,3,4\n", map[string][]float64{"x": {1}, "a": {2}, "x.1": {3}, "u": {4}}},
		"between others": {"T1,P,T2\n1,2,3\n", map[string][]float64{"T": {1, 3}, "P": {2}}},
	} {
		found := named(arrays(t, test.text))
		if len(found) != len(test.want) {
			t.Errorf("%s: %v", what, found)
		}
		for name, values := range test.want {
			if !slices.Equal(found[name].Data, values) {
				t.Errorf("%s: %s is %v, want %v", what, name, found[name].Data, values)
			}
		}
	}
	_, err := read("a_1,a_2,a_1\n1,2,3\n")
	filetest.Refused(t, "a number again", err, `has two columns named "a_1"`)
}

// Sweeps of COMSOL have the values of parameters in the names of columns.
func TestColumnsOfASweep(t *testing.T) {
	const start = "% Model:  m.mph\n% Nodes:  3\n% x          "
	for what, test := range map[string]struct {
		names      string
		shape      []int // of u
		parameters []float64
		times      []float64
	}{
		"of numbered solutions": {"u (m) @ 1: a=0.5   u (m) @ 2: a=2   u (m) @ 3: a=1   u (m) @ 4: a=4",
			[]int{3, 4}, []float64{0.5, 2, 1, 4}, nil},
		"of two parameters": {"u (m) @ a=1, b=2   u (m) @ a=1, b=3[m]   u (m) @ a=2, b=2   u (m) @ a=2, b=4",
			[]int{3, 4}, []float64{1, 2, 1, 3, 2, 2, 2, 4}, nil},
		"of times": {"u (m) @ t=0   u (m) @ t=0.1   u (m) @ t=0.2   u (m) @ t=0.5", []int{3, 4}, nil, []float64{0, 0.1, 0.2, 0.5}},
		"of a parameter and times": {"u (m) @ a=1, t=0   u (m) @ a=1, t=2   u (m) @ a=3, t=0   u (m) @ a=3, t=2",
			[]int{3, 2, 2}, []float64{1, 3}, []float64{0, 2}},
		"of times of their own": {"u (m) @ t=0, a=1   u (m) @ t=2, a=1   u (m) @ t=0, a=3   u (m) @ t=3, a=3",
			[]int{3, 4}, []float64{1, 0, 1, 2, 3, 0, 3, 3}, nil},
	} {
		found := named(arrays(t, start+test.names+"\n0 1 2 3 4\n1 5 6 7 8\n2 9 10 11 12\n"))
		u := found["u (m)"]
		if !slices.Equal(u.Shape, test.shape) || !slices.Equal(u.Data, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}) {
			t.Errorf("%s: %v", what, found)
		}
		if !slices.Equal(found["parameters"].Data, test.parameters) || !slices.Equal(found["t"].Data, test.times) {
			t.Errorf("%s: %v", what, found)
		}
	}
	table, err := read(start + "u @ a=1   u @ a=2\n0 1 2\n1 5 6\n")
	if err != nil || !strings.Contains(table.Members()[0].Note, "parameters are the values of a") {
		t.Errorf("got %v, %v, want a note that parameters are the values of a", table, err)
	}
	two := named(arrays(t, start+"u @ 1: a=1   v @ 1: a=1   u @ 2: a=3   v @ 2: a=3\n0 1 2 3 4\n1 5 6 7 8\n"))
	if !slices.Equal(two["u"].Data, []float64{1, 3, 5, 7}) || !slices.Equal(two["v"].Data, []float64{2, 4, 6, 8}) ||
		!slices.Equal(two["parameters"].Data, []float64{1, 3}) {
		t.Errorf("two quantities: %v", two)
	}
	_, err = read(start + "u @ a=1   u @ a=2   v @ a=3   v @ a=4\n0 1 2 3 4\n1 5 6 7 8\n")
	filetest.Refused(t, "other parameters", err, "for different parameters")
}

// Programs have forms of their own: each of these texts holds the same numbers.
func TestFormsOfOtherPrograms(t *testing.T) {
	want := map[string][]float64{"a": {1, 2.5, 3, 4}, "u": {5, 6, 7, -8e-3}}
	const values = "1,2.5,5,6\n3,4,7,-8e-3\n"
	withIndex := "0,1,2.5,5,6\n1,3,4,7,-8e-3\n"
	for what, text := range map[string]string{
		"R's write.table":          "\"a.1\" \"a.2\" \"u.1\" \"u.2\"\n\"1\" 1 2.5 5 6\n\"2\" 3 4 7 -8e-3\n",
		"R's write.table, blanks":  "\"a.1\" \"a.2\" \"u.1\" \"u.2\"\n\"run 1\" 1 2.5 5 6\n\"run 2\" 3 4 7 -8e-3\n",
		"Mathematica":              "a1,a2,u1,u2\n1,2.5,5,6\n3,4,7,-8*^-3\n",
		"Fortran":                  "a1 a2 u1 u2\n1 2.5 5 6\n3 4 7 -8.D-003\n",
		"Latin-1 above":            "# in \xb0C\na1,a2,u1,u2\n" + values,
		"names in the first block": "a1,a2,u1,u2\n1,2.5,5,6\na1,a2,u1,u2\n3,4,7,-8e-3\n",
		"an index with a name":     "run,a_1,a_2,u_1,u_2\n" + withIndex,
		"Octave": "# Created by Octave 6.4.0, Sun Nov 29 2026 <user@host>\n# name: a\n# type: matrix\n# rows: 2\n# columns: 2\n" +
			" 1 2.5\n 3 4\n\n\n# name: u\n# type: matrix\n# rows: 2\n# columns: 2\n 5 6\n 7 -0.008\n\n\n",
	} {
		found := named(arrays(t, text))
		for name, data := range want {
			if !slices.Equal(found[name].Data, data) {
				t.Errorf("%s: %v", what, found)
			}
		}
	}
	latin := named(arrays(t, "T_\xb0C,u\n1,2\n"))
	if !slices.Equal(latin["T_°C"].Data, []float64{1}) {
		t.Errorf("a name in Latin-1: %v", latin)
	}
	for _, text := range []string{"1 2*0.5 3\n4 5 6 7\n", "4*2 \n 1 2 3 4\n"} {
		if found := arrays(t, text)[0]; !slices.Equal(found.Shape, []int{2, 4}) {
			t.Errorf("%q: got %v, want an array of shape (2, 4)", text, found)
		}
	}
	for _, word := range []string{"-nan(ind)", "1.#QNAN", "-1.#IND00", "********", ".", "--", "<NA>", "missing"} {
		found := arrays(t, "1,"+word+"\n2,3\n")[0]
		if found.Data[1] == found.Data[1] {
			t.Errorf("%s: %v", word, found)
		}
	}
}

// Names of an index and of levels of columns may stand before places, as pandas writes them.
func TestPlacesBehindTheNameOfAnIndex(t *testing.T) {
	const values = "0,1.5,2,3,4.5\n1,5,2,3,1\n"
	for what, test := range map[string]struct{ text, array string }{
		"places":             {"run,0.0,0.25,0.5,0.75\n" + values, "a"},
		"numbers of columns": {"run,0,1,2,3\n" + values, ""},
		"below one name":     {"field,f,f,f,f\nx,0.0,0.25,0.5,0.75\n" + values, "f"},
		"and of lines":       {"field,f,f,f,f\nx,0.0,0.25,0.5,0.75\nrun,,,,\n" + values, "f"},
		"and of no lines":    {"field,f,f,f,f\nx,0.0,0.25,0.5,0.75\n,,,,\n" + values, "f"},
	} {
		f := named(arrays(t, test.text))[test.array]
		if !slices.Equal(f.Data, []float64{1.5, 2, 3, 4.5, 5, 2, 3, 1}) {
			t.Errorf("%s: %v", what, f)
		}
	}
}

// Values with a word among them are no names.
func TestValuesAreNoNames(t *testing.T) {
	_, err := read("1.5,2,x,4\n5,6,7,8\n")
	filetest.Refused(t, "a word among numbers", err, `has the word "x" among the numbers above the first line, in column 3`)
}

// Variables of Octave that are no matrices are named, and arrays with more axes have them in its order.
func TestVariablesOfOctave(t *testing.T) {
	text := "# Created by Octave\n# name: s\n# type: string\n# elements: 1\n# length: 2\nhi\n\n\n# name: none\n# type: matrix\n# rows: 0\n" +
		"# columns: 0\n\n\n# name: nu\n# type: scalar\n0.5\n\n\n# name: stack\n# type: matrix\n# ndims: 3\n 2 3 2\n"
	for i := range 12 {
		text += fmt.Sprintf(" %d\n", i)
	}
	table, err := read(text + "\n\n")
	filetest.NoError(t, err)
	var names []string
	for _, m := range table.Members() {
		names = append(names, fmt.Sprint(m.Name, m.Shape, m.Readable()))
		if m.Name != "stack" {
			continue
		}
		a, err := m.Array()
		filetest.NoError(t, err)
		if !slices.Equal(a.Data, []float64{0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11}) {
			t.Errorf("%v", a)
		}
	}
	if got := strings.Join(names, " "); got != "nu(1, 1) true stack(2, 3, 2) true s() false" {
		t.Errorf("%s", got)
	}
	for _, end := range []string{"", "# rows: 3\n# columns: 2\n 1 2\n 3 4\n", "# rows: 2\n# columns: 2\n 1 2\n 3\n"} {
		table, err := read("# name: a\n# type: matrix\n" + end)
		if err == nil {
			_, err = table.Members()[0].Array()
		}
		if err == nil {
			t.Errorf("%q: no error", end)
		}
	}
}

// Names of thousands of columns may be longer than the beginning of a file by which its kind is told.
func TestManyColumns(t *testing.T) {
	const columns = 20000
	var names, values []string
	for i := range columns {
		names = append(names, fmt.Sprint("a_", i))
		values = append(values, fmt.Sprint(i))
	}
	found := arrays(t, strings.Join(names, ",")+"\n"+strings.Join(values, ",")+"\n")
	if len(found) != 1 || !slices.Equal(found[0].Shape, []int{1, columns}) || found[0].Data[columns-1] != columns-1 {
		t.Errorf("%d arrays", len(found))
	}
}

// A few bytes cannot stand for more numbers than a line may have.
func TestRepeatedNumbersAreBounded(t *testing.T) {
	text := strings.Repeat(strings.Repeat("200000*1 ", 1000)+"\n", 2)
	used := filetest.Allocated(func() { _, _ = read(text) })
	if used > 1<<28 {
		t.Errorf("%d bytes are allocated for %d", used, len(text))
	}
}

// Texts of Octave that lack numbers, or claim to have more than a line can hold, are refused.
func TestDamagedTextsOfOctave(t *testing.T) {
	for text, want := range map[string]string{
		"# name: a\n# type: matrix\n# rows: 1000000000\n# columns: 1000000000\n 1 2 3\n": "has 3 numbers in line 5",
		"# name: a\n# type: matrix\n# ndims: 3\n 100000 100000 100000\n 1\n":             `has "100000 100000 100000"`,
		"# name: a\n# type: matrix\n# rows: 3\n# columns: 2\n 1 2\n":                     `ends within the variable "a"`,
		"# name: a\n# type: matrix\n# rows: -1\n# columns: 2\n 1 2\n":                    "has 2 numbers in line 5, and -1 x 2",
	} {
		_, err := read(text)
		filetest.Refused(t, text, err, want)
	}
}
