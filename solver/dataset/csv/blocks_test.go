package csv

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// Places that follow each other again and again divide a table into samples, with names, without, and between comments.
func TestPlacesThatRepeatDivideSamples(t *testing.T) {
	places := []float64{0, 0.1, 0.3, 0.7}
	var plain, withComments string
	for sample := range 3 {
		withComments += fmt.Sprintf("# sample %d\n", sample)
		for i, x := range places {
			line := fmt.Sprintf("%g %d %d\n", x, 10*sample+i, 100*sample-i)
			plain += line
			withComments += line
		}
		withComments += "\n"
	}
	for what, test := range map[string]struct{ text, in, out, place string }{
		"without names":    {plain, "a", "u", "x"},
		"with names":       {"x load deflection\n" + plain, "load", "deflection", "x"},
		"names with units": {"time[s] load[N] deflection[m]\n" + plain, "load", "deflection", "t"},
		"with comments":    {withComments, "a", "u", "x"},
	} {
		found := named(arrays(t, test.text))
		in := found[test.in]
		out := found[test.out]
		if what == "names with units" {
			in = found["load[N]"]
			out = found["deflection[m]"]
		}
		if !slices.Equal(in.Shape, []int{3, 4}) || !slices.Equal(in.Data, []float64{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}) ||
			!slices.Equal(out.Data, []float64{0, -1, -2, -3, 100, 99, 98, 97, 200, 199, 198, 197}) {
			t.Errorf("%s: %v", what, found)
		}
		if !slices.Equal(found[test.place].Data, places) {
			t.Errorf("%s: places %v", what, found)
		}
	}
}

// Fields are divided in the same way, whichever coordinate varies fastest.
func TestFieldsThatRepeatDivideSamples(t *testing.T) {
	const (
		samples = 2
		rows    = 3
		columns = 4
	)
	var slow, fast string
	for sample := range samples {
		for i := range rows {
			for j := range columns {
				slow += fmt.Sprintf("%g,%g,%d\n", float64(i)/2, float64(j)/3, 100*sample+10*i+j)
			}
		}
		for j := range columns {
			for i := range rows {
				fast += fmt.Sprintf("%g,%g,%d\n", float64(i)/2, float64(j)/3, 100*sample+10*i+j)
			}
		}
	}
	want := []float64{
		0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23,
		100, 101, 102, 103, 110, 111, 112, 113, 120, 121, 122, 123,
	}
	for what, text := range map[string]string{
		"y fastest": slow, "x fastest": fast, "names, y fastest": "x,y,T\n" + slow, "names, x fastest": "x,y,T\n" + fast,
	} {
		found := arrays(t, text)
		if !slices.Equal(found[0].Shape, []int{samples, rows, columns}) || !slices.Equal(found[0].Data, want) {
			t.Errorf("%s: %v", what, found)
		}
		byName := named(found)
		if !slices.Equal(byName["x"].Data, []float64{0, 0.5, 1}) || len(byName["y"].Data) != columns {
			t.Errorf("%s: places %v", what, found)
		}
	}
}

// Tables of other kinds stay as they are: numbers on a factorial grid, places that do not repeat, one sample.
func TestTablesWithoutRepeatedPlacesStay(t *testing.T) {
	var factorial strings.Builder
	for i := range 12 {
		fmt.Fprintf(&factorial, "%d,%d,%g\n", 1+i%4, i/4, math.Sin(float64(i)))
	}
	for what, text := range map[string]string{
		"numbers on a factorial grid": factorial.String(),
		"one sample":                  "x,u\n0,5\n0.5,6\n1,8\n",
		"other places":                "0,5,6\n0.5,7,8\n1,9,1\n0,2,3\n0.6,7,9\n1,3,2\n",
		"a part of a sample":          "0,5,6\n0.5,7,8\n1,9,1\n0,2,3\n0.5,7,9\n",
		"two places":                  "0,5,6\n1,7,8\n0,9,1\n1,2,3\n",
	} {
		lines := strings.Count(text, "\n")
		if strings.HasPrefix(text, "x") {
			lines--
		}
		table, err := read(text)
		if err != nil || table.Note != "" {
			t.Errorf("%s: got %v, %+v, want a table without a note", what, err, table)
			continue
		}
		for _, m := range table.Members() {
			if m.Shape[0] != lines {
				t.Errorf("%s: %s has shape %v, want %d lines", what, m.Name, m.Shape, lines)
			}
		}
	}
}

// A column that is the same at all places of each sample is one number for each sample, however the samples are told
// apart.
func TestNumbersOfSamplesInTablesOfPlaces(t *testing.T) {
	const (
		samples = 6
		places  = 4
	)
	var without, with, byPlace, onPoints string
	for sample := range samples {
		for i := range places {
			values := fmt.Sprintf("%g,%d", 0.1*float64(sample), 10*sample+i)
			without += fmt.Sprintf("%g,%s\n", float64(i)/4, values)
			with += fmt.Sprintf("%d,%g,%s\n", sample, float64(i)/4, values)
			onPoints += fmt.Sprintf("%d,%g,%g,%s\n", sample, float64(i)/4, float64(i*i), values)
		}
	}
	for i := range places {
		for sample := range samples {
			byPlace += fmt.Sprintf("%d,%g,%g,%d\n", sample, float64(i)/4, 0.1*float64(sample), 10*sample+i)
		}
	}
	for what, text := range map[string]string{
		"without a sample": "x,nu,u\n" + without,
		"with a sample":    "sample,x,nu,u\n" + with,
		"places in turn":   "sample,x,nu,u\n" + byPlace,
		"in any order":     "nu,u,x,sample\n" + turnedRound(with),
		"at points":        "sample,x,y,nu,u\n" + onPoints,
	} {
		found := named(arrays(t, text))
		if nu := found["nu"]; !slices.Equal(nu.Shape, []int{samples}) || math.Abs(nu.Data[5]-0.5) > 1e-12 {
			t.Errorf("%s: nu is %v, want %d numbers, of which number 5 is 0.5", what, nu, samples)
		}
		if u := found["u"]; !slices.Equal(u.Shape, []int{samples, places}) || u.Data[5] != 11 {
			t.Errorf("%s: u is %v, want shape (%d, %d) and 11 as number 5", what, u, samples, places)
		}
	}
}

// turnedRound returns lines with four values: the last two before the first two, in the other order, the last line first.
func turnedRound(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	slices.Reverse(lines)
	for i, line := range lines {
		cells := strings.Split(line, ",")
		lines[i] = strings.Join([]string{cells[2], cells[3], cells[1], cells[0]}, ",")
	}
	return strings.Join(lines, "\n") + "\n"
}
