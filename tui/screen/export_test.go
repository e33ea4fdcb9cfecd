// Copying and exporting the screen.

package screen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/config"
	"rfm/tui/tuitest"
)

// All screens and tabs of functions, of fields, and of a method without coefficients are exported; the numbers of a
// sample are those of its four curves.
func TestEveryScreenExportsWhatItShows(t *testing.T) {
	for name, c := range map[string]config.Config{"functions": tuitest.Tiny(t), "fields": tinyDarcy(t),
		"kernel": tuitest.Tiny(t, "train.method=kernel")} {
		t.Chdir(t.TempDir())
		p := newPerson(t, Options{Config: c, Workers: 2})
		p.Press("ctrl+r", "2", "e", "tab", "e", "3")
		for range 10 {
			p.Press("e")
			p.See("wrote screen-")
			p.Press("tab")
		}
		for _, want := range []string{"screen-pair.svg", "screen-sample.svg", "screen-errors.csv", "screen-transfer.svg",
			"screen-cost.csv", "screen-training.csv"} {
			if _, err := os.Stat(want); err != nil && (name != "kernel" || want != "screen-training.csv") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if name == "fields" {
			continue
		}
		numbers, err1 := os.ReadFile("screen-sample.csv")
		picture, err2 := os.ReadFile("screen-sample.svg")
		const values = 4 * 33
		if n := strings.Count("\n"+string(numbers), "\ncurve,"); n != values || !strings.Contains(string(picture), "predict") {
			t.Errorf("%s: %d rows of numbers, want %d, and a legend: %v, %v", name, n, values, err1, err2)
		}
	}
}

// An exported plot has the axes of the screen, also where they were exchanged.
func TestExportsHaveTheAxesOfTheScreen(t *testing.T) {
	t.Chdir(t.TempDir())
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2})
	p.Press("ctrl+r")
	p.open("errors")
	p.Press("e", "L", "e")
	for name, logarithmic := range map[string]bool{"screen-errors.svg": true, "screen-errors-2.svg": false} {
		picture, err := os.ReadFile(name)
		noError(t, err)
		if strings.Contains(string(picture), "at most (log)") != logarithmic {
			t.Errorf("%s: logarithmic is not %t", name, logarithmic)
		}
	}
}

// Files go to the run; a failure is shown until the next key.
func TestExportsGoToTheRunOrFailInPlace(t *testing.T) {
	root := t.TempDir()
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2, Runs: root, Name: "gone"})
	p.Press("ctrl+r", "e")
	if _, err := os.Stat(filepath.Join(root, "gone", "screen-sample.svg")); err != nil {
		t.Errorf("the export is not in the run: %v:\n%s", err, p.Screen())
	}
	noError(t, os.Rename(filepath.Join(root, "gone"), filepath.Join(root, "elsewhere")))
	p.Press("e")
	p.See("cannot be written", "median of 24")
	p.Press("home")
	if strings.Contains(p.Screen(), "cannot be written") {
		t.Error("the message stays after the next key")
	}
}
