package reading

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// table writes a table with a line of heads and the values of functions at places in [0, 1], one in each line.
func table(t *testing.T, name string, head func(place float64) string, phase float64, places []float64) string {
	t.Helper()
	var lines []string
	var cells []string
	for _, x := range places {
		cells = append(cells, head(x))
	}
	lines = append(lines, strings.Join(cells, ","))
	for i := range tried {
		cells = cells[:0]
		for _, x := range places {
			cells = append(cells, fmt.Sprint(phase+smooth(i, x)))
		}
		lines = append(lines, strings.Join(cells, ","))
	}
	file := filepath.Join(t.TempDir(), name)
	err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// Places of columns are coordinates, in two tables as well: uneven ones make functions at points.
func TestPlacesAboveColumnsAreCoordinates(t *testing.T) {
	plain := func(x float64) string { return fmt.Sprintf("%.4f", x) }
	var even, uneven []float64
	for i := range points {
		even = append(even, at(i, points))
		uneven = append(uneven, at(i, points)*at(i, points))
	}
	for what, test := range map[string]struct {
		places []float64
		says   string
	}{
		"even":   {even, fmt.Sprintf("%d pairs of functions on an interval on K=%d", tried, points)},
		"uneven": {uneven, fmt.Sprintf("%d pairs, %d points on a line", tried, points)},
	} {
		a := table(t, "in.csv", plain, 0, test.places)
		u := table(t, "out.csv", plain, 3, test.places)
		_, notes, err := readingOfFile(t, a+","+u)
		if err != nil || !strings.Contains(notes, test.says) || !strings.Contains(notes, "line 1 holds the places") {
			t.Errorf("%s: got %v, want notes with %q and \"line 1 holds the places\"; notes:\n%s", what, err, test.says, notes)
		}
	}
}

// A table of so many numbers that their names are too long for a setting is refused, not read as a field.
func TestManyNamedNumbersAreRefused(t *testing.T) {
	var places []float64
	for i := range 100 {
		places = append(places, at(i, 100))
	}
	count := 0
	words := func(float64) string {
		count++
		side := "a"
		if count > len(places)/2 {
			side = "u"
		}
		letter := string(rune('a' + count%26))
		return side + "(" + strings.Repeat(letter, 3+count/26) + ")"
	}
	file := table(t, "words.csv", words, 0, places)
	if _, notes, err := readingOfFile(t, file); err == nil {
		t.Errorf("a table of %d named numbers is read: %s", len(places), notes)
	}
}

// Uneven places in a table with a line for each of them are those of points, not of an even grid.
func TestUnevenPlacesInTidyTables(t *testing.T) {
	var lines, fields []string
	for i := range tried {
		for j := range points {
			x := at(j, points) * at(j, points)
			lines = append(lines, fmt.Sprintf("%d,%.6f,%g,%g\n", i, x, smooth(i, x), smooth(i, 1-x)))
			for _, y := range []float64{0, 0.25, 0.5, 1} {
				fields = append(fields, fmt.Sprintf("%d,%.6f,%g,%g,%g\n", i, x, y, smooth(i, x*y), smooth(i, x-y)))
			}
		}
	}
	withoutSample := func(lines []string) (all string) {
		for _, line := range lines {
			_, rest, _ := strings.Cut(line, ",")
			all += rest
		}
		return all
	}
	onLine := fmt.Sprintf("%d pairs, %d points on a line", tried, points)
	inPlane := fmt.Sprintf("%d pairs, %d points in the plane", tried, 4*points)
	for what, test := range map[string]struct{ text, says string }{
		"with a sample":            {"sample,x,a,u\n" + strings.Join(lines, ""), onLine},
		"without a sample":         {"x,a,u\n" + withoutSample(lines), onLine},
		"fields":                   {"sample,x,y,a,u\n" + strings.Join(fields, ""), inPlane},
		"fields without a sample":  {"x,y,a,u\n" + withoutSample(fields), inPlane},
		"of which none has a name": {withoutSample(lines), onLine},
	} {
		file := filepath.Join(t.TempDir(), "tidy.csv")
		err := os.WriteFile(file, []byte(test.text), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, notes, err := readingOfFile(t, file); err != nil || !strings.Contains(notes, test.says) {
			t.Errorf("%s: got %v, want notes with %q; notes:\n%s", what, err, test.says, notes)
		}
	}
}

// Places beside functions are never the numbers that are learned from them.
func TestPlacesAreNoOutputs(t *testing.T) {
	var uneven []float64
	for i := range points {
		uneven = append(uneven, at(i, points)*at(i, points))
	}
	file := table(t, "one.csv", func(x float64) string { return fmt.Sprintf("%.4f", x) }, 0, uneven)
	if _, notes, err := readingOfFile(t, file); err == nil {
		t.Errorf("inputs without outputs are read as pairs: %s", notes)
	}
}
