package exchange

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/solver/pythontest"
)

// tables are beginnings of files with what is said of them, and the part of the line of Python that reads them.
var tables = []struct {
	name, content, says, python string
}{
	{"commas.csv", "1,2.5,3\n4,5,6\n", "2 lines of 3 values; the first: 1, 2.5, 3",
		`loadtxt("commas.csv", delimiter=',')`},
	{"semicolons.csv", "x;y;z\n1;2.5;3\n4;5;6\n", "3 lines of 3 values between semicolons",
		`loadtxt("semicolons.csv", delimiter=';', skiprows=1)`},
	{"tabs.tsv", "1\t2.5\t3\r\n4\t5\t6\r\n", "between tabs", `loadtxt("tabs.tsv", delimiter='\t')`},
	{"blanks.txt", "# of 2020\na b c\n\n  1  2.5 3\n4 5 6 # last\n", "3 lines of 3 values between blanks",
		`loadtxt("blanks.txt", skiprows=2)`},
	{"german.csv", "1;2,5;3\n4;5;6", "between semicolons, with decimal commas; the first: 1; 2,5; 3",
		`loadtxt((l.replace(',', '.') for l in open("german.csv")), delimiter=';')`},
	{"excel.csv", "\ufeffx;y;z\r\n1;2,5;3\r\n4;5;6\r\n", "3 lines of 3 values",
		`open("excel.csv", encoding='utf-8-sig')), delimiter=';', skiprows=1)`},
	{"columns.txt", "1 2,5 3\n4 5 6\n", "between blanks, with decimal commas",
		`loadtxt((l.replace(',', '.') for l in open("columns.txt")))`},
	{"quoted.csv", "\"x\",\"y\",\"z\"\n\"1\",\"2.5\",\"3\"\n\"4\",\"5\",\"6\"\n", "3 lines of 3 values",
		`delimiter=',', skiprows=1, quotechar='"')`},
}

// What is between numbers, decimal commas and lines of names are told, and NumPy reads what the advice says.
func TestAdviceForTables(t *testing.T) {
	directory, program := t.TempDir(), ""
	for _, test := range tables {
		path := filepath.Join(directory, test.name)
		if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(t.Context(), path)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		defer f.Close()
		if f.Kind != CSV || !strings.Contains(f.Table(), test.says) || !strings.Contains(f.Convert(), test.python) {
			t.Errorf("%s: %s, %s: %s", test.name, f.Kind, f.Table(), f.Convert())
		}
		_, lines, _ := strings.Cut(f.Convert(), "\n")
		program += strings.ReplaceAll(strings.ReplaceAll(lines, "'OUTPUTS.csv'", `"`+test.name+`"`), "\n  ", "\n")[2:] +
			"\nfor a in numpy.load('pairs.npz').values():\n    assert a.tolist() == [[1, 2.5, 3], [4, 5, 6]], a\n"
	}
	pythontest.Run(t, directory, program)
}

// Only the beginnings of files of any size are looked at, also of a single line; holes are said.
func TestAdviceForTablesOfAnySize(t *testing.T) {
	for what, test := range map[string]struct{ content, says, python string }{
		"many lines": {"a;b\n" + strings.Repeat("1,25;2\n", 1<<20), "lines of 2 values between semicolons", "skiprows=1)"},
		"long lines": {strings.Repeat("0.125\t", 1<<15) + "1\n2\t3\n", "lines of values between tabs",
			`delimiter='\t')`},
		"holes":          {"a,b\n1,\n2,3\n", "3 lines of 2 values", `delimiter=',', skip_header=1)`},
		"holes, German":  {"a;b\n1,5;\n2;3,5\n", "with decimal commas", `genfromtxt((l.replace(',', '.') for l in open(`},
		"pandas' header": {",0,1\n0,1.5,2\n1,3,4\n", "3 lines of 3 values", `loadtxt("file", delimiter=',', skiprows=1)`},
	} {
		f := open(t, []byte(test.content))
		if f.Kind != CSV || !strings.Contains(f.Table(), test.says) || !strings.Contains(f.Convert(), test.python) {
			t.Errorf("%s: %s, %s: %s", what, f.Kind, f.Table(), f.Convert())
		}
	}
	for what, content := range map[string]string{"lines of different lengths": "1 2\n3 4 5\n", "one number": "x\n5\n",
		"words after numbers": "1 2\nand so on\n", "words": strings.Repeat("words and more, ", 1<<13)} {
		if f, err := Open(t.Context(), save(t, []byte(content))); err == nil {
			t.Errorf("%s: %s", what, f.Kind)
		}
	}
}
