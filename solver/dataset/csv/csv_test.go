package csv

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
)

func read(text string) (*Table, error) {
	return Read(strings.NewReader(text), int64(len(text)), "t.csv")
}

func TestTablesOfNumbers(t *testing.T) {
	all := []float64{1, -2.5, 3e-3, 4, 5, 6}
	for what, text := range map[string]string{
		"commas": "1,-2.5,3e-3\n4,5,6\n", "no last end": "1,-2.5,3e-3\n4,5,6", "CRLF": "1, -2.5, 3e-3\r\n4, 5, 6\r\n",
		"semicolons": "1;-2.5;3e-3\n4;5;6\n", "decimal commas": "1;-2,5;3e-3\n4;5;6\n", "tabs": "1\t-2.5\t3e-3\n4\t5\t6\n",
		"savetxt": "1.0e+00 -2.5e+00 3.0e-03\n4 5 6\n", "blanks": "  1   -2.5 3e-3 \n  4 5    6\n",
		"comments": "# written by hand\n1,-2.5,3e-3\n# more\n4,5,6\n", "mark": "\ufeff1,-2.5,3e-3\n4,5,6\n",
		"quotes": "\"1\",\"-2.5\",\"3e-3\"\n4,5,6\n", "empty lines": "\n1,-2.5,3e-3\n\n4,5,6\n\n",
	} {
		table, err := read(text)
		if err != nil || len(table.Arrays) != 1 || table.Arrays[0].Name != "" ||
			!slices.Equal(table.Arrays[0].Shape, []int{2, 3}) || !slices.Equal(table.Arrays[0].Data, all) {
			t.Errorf("%s: %+v, %v", what, table, err)
		}
	}
}

func TestNamesMakeArrays(t *testing.T) {
	for what, header := range map[string]string{"first line": "x,a_1,a_2,u_1_1,u_1_2,u_2_1,u_2_2",
		"comment": "# x,a_1,a_2,u_1_1,u_1_2,u_2_1,u_2_2", "other forms": "x,a1,a2,u[0_0],u[0_1],u[1_0],u[1_1]"} {
		table, err := read(header + "\n1,2,3,4,5,6,7\n11,12,13,14,15,16,17\n")
		if err != nil || len(table.Arrays) != 3 {
			t.Fatalf("%s: %+v, %v", what, table, err)
		}
		for i, want := range []struct {
			name   string
			shape  []int
			values []float64
		}{{"x", []int{2}, []float64{1, 11}}, {"a", []int{2, 2}, []float64{2, 3, 12, 13}},
			{"u", []int{2, 2, 2}, []float64{4, 5, 6, 7, 14, 15, 16, 17}}} {
			a := table.Arrays[i]
			if a.Name != want.name || !slices.Equal(a.Shape, want.shape) || !slices.Equal(a.Data, want.values) {
				t.Errorf("%s: %+v", what, a)
			}
		}
	}
}

// A first column without a name that counts lines, or has the points of a grid, is an array of its own.
func TestFirstColumnsThatCount(t *testing.T) {
	for text, want := range map[string]string{"0,5,6\n1,7,8\n2,9,1\n": "line", "1 5 6\n2 7 8\n3 9 1\n": "line",
		"0,5,6\n0.5,7,8\n1,9,1\n": "points", "0,5,6\n0.3333333,7,8\n0.6666667,9,1\n": "points",
		"0,5,6\n1,7,8\n3,9,1\n": "", "0,5,6\n0.4,7,8\n0.8,9,1\n": "", "0,5,6\nnan,7,8\n2,9,1\n": "", "0,5\n1,7\n2,9\n": ""} {
		table, err := read(text)
		if err != nil || table.Arrays[len(table.Arrays)-1].Name != want {
			t.Errorf("%q: %+v, %v", text, table, err)
		}
		if want == "" || err != nil {
			continue
		}
		if a := table.Arrays[0]; a.Name != "a" || !slices.Equal(a.Data, []float64{5, 6, 7, 8, 9, 1}) {
			t.Errorf("%q: %+v", text, a)
		}
	}
}

// Errors name the line and the value.
func TestRefusals(t *testing.T) {
	for what, test := range map[string]struct{ text, want string }{
		"word": {"1,2\n3,x\n", `line 2: value 2 is "x"`},
		"long word": {"1,2\n3," + strings.Repeat("x", 41) + "\n",
			`line 2: value 2 is "` + strings.Repeat("x", 40) + `...", a number`},
		"hole":              {"a,b\n1,2\n3,\n", `line 3: value 2 is ""`},
		"short line":        {"1,2,3\n4,5\n", "has 2 values in line 2, 3 in the lines before"},
		"quote":             {"1,2\n3,\"4\n", "line 2"},
		"too large":         {"1,1e999\n1,2\n1,1e999\n", `line 3: value 2 is "1e999"`},
		"a column of words": {"set,index,error\ntrain,0,0.5\n", `line 2: value 1 is "train"`},
		"long line":         {"1," + strings.Repeat("1", maxLine), "a line has more than"},
	} {
		_, err := read(test.text)
		filetest.Refused(t, what, err, "t.csv: ")
		filetest.Refused(t, what, err, test.want)
	}
	for _, text := range []string{"Dear Sir,\nit rains.\n", "Dear Sir,\nit, again, rains.\n", "a,b\nc,d\n", "a,b\n",
		"# nothing\n"} {
		if table, err := read(text); table != nil || err != nil {
			t.Errorf("%q: %v, %v", text, table, err)
		}
	}
	if _, err := Read(strings.NewReader(""), maxFile+1, "t.csv"); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a large file: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"1,2\n3,4\n", "a_1;a_2\n1,5;2\n", "# x y\n1 2\n 3  4", "\ufeff\"1\"\t2\n", "u_1_1,u_1_2\n1,nan\n",
		"\v\n\x0e", "\v\n1 2\n3 4\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var table *Table
		var err error
		if used := filetest.Allocated(func() { table, err = Read(bytes.NewReader(text), int64(len(text)), "t.csv") }); used >
			1<<20+200*uint64(len(text)) {
			t.Fatalf("%d bytes are allocated for %d", used, len(text))
		}
		if table == nil || err != nil {
			return
		}
		for _, a := range table.Arrays {
			if len(a.Data) != npy.Count(a.Shape) {
				t.Fatalf("%v: %d values", a.Shape, len(a.Data))
			}
		}
	})
}
