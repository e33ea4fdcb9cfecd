package command

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"rfm/model/compare"
	"rfm/model/store"
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

func TestCompareAgreesWithTheListOfRunsAndWithTheirErrors(t *testing.T) {
	root := t.TempDir()
	one := storeRun(t, root, "one")
	done(t, "run", filepath.Join(one, "config.toml"), "--name", "two", "--runs", root, "-m", "24",
		"--quiet")
	interruptRun(t, root, "half")
	done(t, with(tinyArgs, "--name", "others", "--runs", root, "--seed", "7", "--quiet")...)

	code, text, errors := call(t, nil, "show", "one", "two", "half", "others", "--runs", root, "--json")
	expect(t, code, exitDone, errors)
	var c compare.Comparison
	if err := json.Unmarshal([]byte(text), &c); err != nil || len(c.Runs) != 4 {
		t.Fatalf("%v: %s", err, text)
	}
	code, text, errors = call(t, nil, "show", "--runs", root, "--json")
	expect(t, code, exitDone, errors)
	var list []store.Entry
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		found := false
		for _, r := range c.Runs {
			if r.Name != l.Name {
				continue
			}
			found = true
			if r.State != l.State || r.M != l.M || r.Bytes != l.Bytes || (r.TestError == nil) != (l.TestError == nil) {
				t.Errorf("%s: %+v in the comparison, %+v in the list", l.Name, r.Entry, l)
			}
			if l.TestError != nil && (*r.TestError != *l.TestError || r.Result.Test.ExpectedRelative != *l.TestError) {
				t.Errorf("%s: test errors %g and %g, %g in the list", l.Name, *r.TestError, r.Result.Test.ExpectedRelative,
					*l.TestError)
			}
		}
		if !found {
			t.Errorf("the comparison lacks %s", l.Name)
		}
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
