package reading

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lineOf returns a line of a table.
func lineOf(values []float64) string {
	var cells []string
	for _, v := range values {
		cells = append(cells, fmt.Sprintf("%.6f", v))
	}
	return strings.Join(cells, ",") + "\n"
}

// A table without names is divided into inputs and outputs only where values, or their slopes, jump in the middle: other
// lines are functions of one side.
func TestTablesWithoutNamesAreDividedWhereValuesJump(t *testing.T) {
	numbered := func(base string) string {
		var names []string
		for i := range 2 * points {
			names = append(names, fmt.Sprint(base, i+1))
		}
		return strings.Join(names, ",") + "\n"
	}
	input := func(i int, x float64) float64 { return smooth(i, x) }
	output := func(i int, x float64) float64 { return 5 + smooth(i+91, x) }
	arch := func(i int, x float64) float64 { return (1 + coefficient(i, 1)) * x * (1 - x) }
	for what, test := range map[string]struct {
		head  string
		value func(sample, column int) float64
		input string // empty: refused
	}{
		"two functions": {"", func(i, k int) float64 {
			if k < points {
				return input(i, at(k, points))
			}
			return output(i, at(k-points, points))
		}, "[:, :24]"},
		"two that are 0 at their ends": {"", func(i, k int) float64 {
			if k < points {
				return arch(i, at(k, points))
			}
			return arch(i+7, at(k-points, points))
		}, "[:, :24]"},
		"names of R": {numbered("V"), func(i, k int) float64 {
			if k < points {
				return input(i, at(k, points))
			}
			return output(i, at(k-points, points))
		}, "V[:, :24]"},
		"one function":           {"", func(i, k int) float64 { return input(i, at(k, 2*points)) }, ""},
		"one below its places":   {lineOf(at48()), func(i, k int) float64 { return input(i, at(k, 2*points)) }, ""},
		"columns, behind places": {"", func(i, k int) float64 { return columnsBehindPlaces(i, k) }, ""},
	} {
		text := test.head
		for i := range tried {
			var values []float64
			for k := range 2 * points {
				values = append(values, test.value(i, k))
			}
			text += lineOf(values)
		}
		file := filepath.Join(t.TempDir(), "table.csv")
		noError(t, os.WriteFile(file, []byte(text), 0o600))
		c, _, err := readingOfFile(t, file)
		if test.input == "" && err == nil || test.input != "" && c.Data.Input != test.input {
			t.Errorf("%s: got %q -> %q, %v, want the input %q (empty: an error)",
				what, c.Data.Input, c.Data.Output, err, test.input)
		}
	}
}

// at48 returns the places of all columns.
func at48() (places []float64) {
	for k := range 2 * points {
		places = append(places, at(k, 2*points))
	}
	return places
}

func columnsBehindPlaces(i, k int) float64 {
	if k == 0 {
		return at(i, tried)
	}
	return smooth(k, at(i, tried))
}

// Parameters of a sweep are the inputs of all quantities that have been computed.
func TestParametersOfASweepAreInputs(t *testing.T) {
	for _, quantities := range [][]string{{"u (m)"}, {"u (m)", "v (m)"}} {
		head := "% x"
		for i := range tried {
			for _, name := range quantities {
				head += fmt.Sprintf("     %s @ %d: p=%.5f, T0=%.5f", name, i+1, coefficient(i, 1), coefficient(i, 2))
			}
		}
		text := head + "\n"
		for k := range points {
			text += fmt.Sprintf("%.6f", at(k, points))
			for i := range tried {
				for range quantities {
					text += fmt.Sprintf(" %.6f", coefficient(i, 1)*at(k, points)+coefficient(i, 2))
				}
			}
			text += "\n"
		}
		file := filepath.Join(t.TempDir(), "sweep.txt")
		noError(t, os.WriteFile(file, []byte(text), 0o600))
		c, _, err := readingOfFile(t, file)
		if err != nil || c.Data.Input != "parameters" || c.Data.Output != strings.Join(quantities, ",") {
			t.Errorf("%q: %q -> %q, axes %q, %v", quantities, c.Data.Input, c.Data.Output, c.Data.Axes, err)
		}
	}
}
