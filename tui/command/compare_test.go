package command

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"rfm/model/compare"
)

// testErrors returns a run's errors on its test inputs.
func testErrors(t *testing.T, run string) (errors []float64) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(run, "errors.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(strings.TrimSpace(line), ","); cells[0] == "test" {
			e, err := strconv.ParseFloat(cells[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			errors = append(errors, e)
		}
	}
	return errors
}

func TestCompareAgreesWithTheErrorsOfTheRuns(t *testing.T) {
	root := t.TempDir()
	one := storeRun(t, root, "one")
	done(t, "run", filepath.Join(one, "config.toml"), "--name", "two", "--runs", root, "-m", "24",
		"--quiet")
	interruptRun(t, root, "half")
	done(t, with(tinyArgs, "--name", "others", "--runs", root, "--seed", "7", "--quiet")...)

	c := answer[compare.Comparison](t, "show", "one", "two", "half", "others", "--runs", root)
	if len(c.Runs) != 4 {
		t.Fatalf("%+v", c)
	}
	if r := c.Runs[0]; *r.TestError != r.Result.Test.ExpectedRelative || r.M != 16 || r.Bytes == 0 {
		t.Errorf("%+v", r)
	}
	first, second := testErrors(t, one), testErrors(t, filepath.Join(root, "two"))
	better, product := 0, 0.0
	for i, e := range second {
		if e < first[i] {
			better++
		}
		product += math.Log(first[i] / e)
	}
	want := math.Exp(product / float64(len(second)))
	if g := c.Runs[1].Gain; g == nil || g.Better != better || g.Of != len(second) ||
		math.Abs(g.Geometric-want) > 1e-12*want {
		t.Errorf("gain %+v, want %d of %d and %g", g, better, len(second), want)
	}
	if c.Runs[0].Gain != nil || c.Runs[2].Gain != nil || c.Runs[2].Result != nil || c.Runs[3].Gain != nil ||
		c.Runs[3].Result == nil {
		t.Errorf("a gain of the first run, of one without a result, or of one tested on other pairs: %+v", c.Runs)
	}
	differ := map[string]bool{}
	for _, d := range c.Configuration {
		differ[d.Key] = true
	}
	if !differ["features.count"] || !differ["seed"] || differ["data.grid"] {
		t.Errorf("the configurations differ in %v", differ)
	}

	gives(t, exitDone, "one|two|test error|better than the first on|"+
		strconv.FormatFloat(*c.Runs[1].TestError, 'f', 6, 64), "show", "one", "two", "--runs", root)
}
