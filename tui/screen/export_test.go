// Copying and exporting the screen.

package screen

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/config"
)

func TestExportWritesNumbersAndPicture(t *testing.T) {
	t.Chdir(t.TempDir())
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.Press("ctrl+r")
	p.Press("e")
	p.See("wrote screen-sample.csv .svg")
	f, err := os.Open("screen-sample.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	const functions, K = 4, 33 // the error is the fourth
	rows = slices.DeleteFunc(rows, func(row []string) bool { return row[0] != "curve" })
	if len(rows) != functions*K {
		t.Errorf("%d rows of numbers, want %d", len(rows), functions*K)
	}
	picture, err := os.ReadFile("screen-sample.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(picture), "prediction") {
		t.Error("the picture has no legend")
	}
}

// A method without coefficients has every screen and tab of its results, and all of them are exported.
func TestExportOfMethodsWithoutFeatures(t *testing.T) {
	t.Chdir(t.TempDir())
	p := newPerson(t, Options{Config: tiny(t, "train.method=kernel"), Workers: 2})
	p.Press("ctrl+r")
	p.See("worst")
	for _, key := range []string{"2", "4", "tab", "tab", "tab"} {
		p.Press(key, "e")
		if text := p.Screen(); !strings.Contains(text, "wrote screen-") && !strings.Contains(text, "nothing to write yet") {
			t.Errorf("nothing is written:\n%s", text)
		}
	}
}

func TestExportNeverOverwrites(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("screen-transfer.csv", []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.Press("ctrl+r")
	p.open("transfer")
	p.Press("e")
	p.See("wrote screen-transfer-2.csv")
	p.Press("e")
	p.See("wrote screen-transfer-3.csv")
	if text, err := os.ReadFile("screen-transfer.csv"); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := os.Stat("screen-transfer.svg"); err == nil {
		t.Error("a file of an export that did not happen is left")
	}
}

// Files go to the run; a failure is shown until the next key.
func TestExportsGoToTheRunOrFailInPlace(t *testing.T) {
	root := t.TempDir()
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: root, Name: "gone"})
	p.Press("ctrl+r", "e")
	if _, err := os.Stat(filepath.Join(root, "gone", "screen-sample.svg")); err != nil {
		t.Errorf("the export is not in the run: %v:\n%s", err, p.Screen())
	}
	if err := os.Rename(filepath.Join(root, "gone"), filepath.Join(root, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	p.Press("e")
	p.See("cannot be written", "median of 24")
	p.Press("home")
	if strings.Contains(p.Screen(), "cannot be written") {
		t.Error("the message stays after the next key")
	}
}

func TestEveryScreenExportsWhatItShows(t *testing.T) {
	for name, c := range map[string]config.Config{"functions": tiny(t), "fields": tinyDarcy(t)} {
		t.Chdir(t.TempDir())
		p := newPerson(t, Options{Config: c, Workers: 2})
		p.Press("ctrl+r")
		for _, k := range []string{"2", "3"} {
			p.Press(k)
			p.Press("e")
		}
		p.Press("4")
		for range 10 {
			p.Press("e")
			p.See("wrote screen-")
			p.Press("tab")
		}
		for _, want := range []string{"screen-pair.svg", "screen-training.csv", "screen-sample.svg", "screen-errors.csv",
			"screen-transfer.svg", "screen-cost.csv"} {
			if _, err := os.Stat(want); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestScreensWithoutDataWriteNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.Press("e")
	p.See("there is nothing to write yet")
	if files, err := os.ReadDir("."); err != nil || len(files) != 0 {
		t.Errorf("%d files, %v", len(files), err)
	}
}
