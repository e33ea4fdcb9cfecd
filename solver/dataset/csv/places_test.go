package csv

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/npy"
)

// named are arrays by their names.
func named(all []npy.Named) map[string]npy.Array {
	byName := map[string]npy.Array{}
	for _, a := range all {
		byName[a.Name] = a.Array
	}
	return byName
}

// A line of numbers above functions holds their places or the numbers of their columns, as pandas writes them, with or
// without a column that numbers the lines. It is none of the functions.
func TestLinesOfPlacesAreNoValues(t *testing.T) {
	const (
		values  = "3.5,1.5,2.5,1\n2,4.5,1,3\n"
		indexed = "0,3.5,1.5,2.5,1\n1,2,4.5,1,3\n"
	)
	want := []float64{3.5, 1.5, 2.5, 1, 2, 4.5, 1, 3}
	for what, test := range map[string]struct {
		text   string
		array  string
		places []float64 // nil if there is no array of them
	}{
		"numbers of columns":                {"0,1,2,3\n" + values, "", nil},
		"numbers of columns from 1":         {"1,2,3,4\n" + values, "", nil},
		"numbers of columns in a comment":   {"# 0 1 2 3\n" + values, "", nil},
		"places in a comment":               {"# 0.0 0.1 0.5 0.75\n" + values, "a", []float64{0, 0.1, 0.5, 0.75}},
		"numbers of columns and of lines":   {",0,1,2,3\n" + indexed, "", nil},
		"places":                            {"0.0,0.25,0.5,0.75\n" + values, "a", []float64{0, 0.25, 0.5, 0.75}},
		"places, and numbers of lines":      {",0.0,0.25,0.5,0.75\n" + indexed, "a", []float64{0, 0.25, 0.5, 0.75}},
		"unequal places, with an index":     {",0.0,0.1,0.5,0.75\n" + indexed, "a", []float64{0, 0.1, 0.5, 0.75}},
		"places below one name":             {",f,f,f,f\n,0.0,0.25,0.5,0.75\n" + indexed, "f", []float64{0, 0.25, 0.5, 0.75}},
		"an index with a name":              {",f,f,f,f\n,0.0,0.25,0.5,0.75\nrun,,,,\n" + indexed, "f", []float64{0, 0.25, 0.5, 0.75}},
		"places in names":                   {"f(0),f(0.25),f(0.5),f(0.75)\n" + values, "f", []float64{0, 0.25, 0.5, 0.75}},
		"places in names with a letter":     {"f(x=0),f(x=0.25),f(x=0.5),f(x=0.75)\n" + values, "f", []float64{0, 0.25, 0.5, 0.75}},
		"places in names with a unit":       {"f[0.0 m],f[0.5 m],f[1.0 m],f[1.5 m]\n" + values, "f", []float64{0, 0.5, 1, 1.5}},
		"places in names, behind a sign":    {"f@-1,f@-0.5,f@0,f@0.5\n" + values, "f", []float64{-1, -0.5, 0, 0.5}},
		"places in names with an exponent":  {"f_1e-3,f_2.5e-3,f_4e-3,f_5.5e-3\n" + values, "f", []float64{1e-3, 2.5e-3, 4e-3, 5.5e-3}},
		"places in names, behind an index":  {",f(0.1),f(0.2),f(0.3),f(0.4)\n" + indexed, "f", []float64{0.1, 0.2, 0.3, 0.4}},
		"semicolons and commas in decimals": {"0,0;0,5;1,0;1,5\n3,5;1,5;2,5;1\n2;4,5;1;3\n", "a", []float64{0, 0.5, 1, 1.5}},
	} {
		found := named(arrays(t, test.text))
		functions := found[test.array]
		if !slices.Equal(functions.Shape, []int{2, 4}) || !slices.Equal(functions.Data, want) {
			t.Errorf("%s: %v", what, found)
		}
		if places := found["x"].Data; !slices.Equal(places, test.places) {
			t.Errorf("%s: places %v, want %v", what, places, test.places)
		}
	}
}

// A table of a new input for a prediction often has one function below a line of places: this line is not a second
// function.
func TestPlacesAboveOneFunction(t *testing.T) {
	for _, head := range []string{"0,1,2,3\n", "0.0,0.25,0.5,0.75\n"} {
		table, err := read(head + "3.5,1.5,2.5,1\n")
		if err != nil || table.Lines != 1 {
			t.Errorf("%q: got %v, %+v, want a table of one line", head, err, table)
		}
	}
}

// Inputs and outputs may stand next to each other, each with its places above.
func TestPlacesOfTwoSeries(t *testing.T) {
	const values = "5,1,3,2,3,1,4,1,5,9\n2,6,5,3,5,8,9,7,9,3\n"
	for what, text := range map[string]string{
		"without names":   "0,0.25,0.5,0.75,1,0,0.25,0.5,0.75,1\n",
		"with names":      "a,a,a,a,a,u,u,u,u,u\n0,0.25,0.5,0.75,1,0,0.25,0.5,0.75,1\n",
		"places in names": "a(0),a(0.25),a(0.5),a(0.75),a(1),u(0),u(0.25),u(0.5),u(0.75),u(1)\n",
	} {
		found := named(arrays(t, text+values))
		if !slices.Equal(found["a"].Data, []float64{5, 1, 3, 2, 3, 2, 6, 5, 3, 5}) ||
			!slices.Equal(found["u"].Data, []float64{1, 4, 1, 5, 9, 8, 9, 7, 9, 3}) ||
			!slices.Equal(found["x"].Data, []float64{0, 0.25, 0.5, 0.75, 1}) {
			t.Errorf("%s: %v", what, found)
		}
	}
	found := named(arrays(t, "a(0),a(0.5),a(1),u(0),u(0.25),u(1)\n1,2,3,4,5,6\n7,8,9,1,2,3\n"))
	if !slices.Equal(found["x_a"].Data, []float64{0, 0.5, 1}) || !slices.Equal(found["x_u"].Data, []float64{0, 0.25, 1}) {
		t.Errorf("places of their own: %v", found)
	}
}

// The first column of a transposed table holds places, below an empty cell.
func TestPlacesInTheIndex(t *testing.T) {
	found := named(arrays(t, ",0,1,2,3\n0.0,5,1,3,2\n0.1,6,2,1,4\n0.5,3,3,8,1\n"))
	if !slices.Equal(found["x"].Data, []float64{0, 0.1, 0.5}) || !slices.Equal(found["a"].Shape, []int{3, 4}) {
		t.Errorf("%v", found)
	}
}

// A first line whose values increase is a function, and not a line of places, if the lines below increase as well, or
// if it has few values.
func TestValuesThatIncreaseStayValues(t *testing.T) {
	powers := ""
	for power := range 4 {
		var row []string
		for i := range 10 {
			value := 1.0
			for range power + 1 {
				value *= float64(i) / 9
			}
			row = append(row, fmt.Sprintf("%.6f", value))
		}
		powers += strings.Join(row, ",") + "\n"
	}
	for what, text := range map[string]string{
		"powers of x":                  powers,
		"three columns":                "0,0.5,1\n4,2,7\n1,0,1\n",
		"few values in unequal steps":  "0,0.1,0.5,0.6\n4,2,7,1\n1,0,1,3\n",
		"few lines below":              "0,0.1,0.3,0.4,0.6,0.7,0.8,1\n4.5,2,7,1,5,3,6,2\n1,0,2,3,1,5,3,2\n",
		"whole numbers that all count": "0,1,2,3\n1,2,3,4\n5,6,7,8\n",
		"a missing first value":        ",1,2,3\n,2,5,1\n3,1,2,4\n",
	} {
		lines := strings.Count(text, "\n")
		table, err := read(text)
		if err != nil || table.Lines != lines || table.Note != "" {
			t.Errorf("%s: %d lines, %v; %+v", what, lines, err, table)
		}
	}
}
