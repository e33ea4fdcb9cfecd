// The screens while the data are made and the model is trained, and afterwards.

package screen

import (
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestGeneratingShowsTheNewestPairsAndTheSpectrum(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 1})
	p.Hold = true
	p.Press("enter")
	p.Resize(120, 40)
	p.See("newest pair", "pair before", "spectrum of a", "mean |a_k|^2", "64 of 64 pairs", "|a|", "spread", "of expected")
}

func TestSpectrumStaysForTheTrainingPairs(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 1})
	p.Press("a", "2")
	p.See("training pair 1 of 40", "spectrum of a", "energy")
	p.Press("left")
	p.See("training pair 40 of 40")
}

func TestGeneratingFieldsShowsTwoPairsWhereTheyFit(t *testing.T) {
	p := newPerson(t, Options{Config: tinyDarcy(t), Workers: 1})
	p.Hold = true
	p.Press("enter")
	for _, test := range []struct{ width, height, maps int }{{120, 40, 2}, {60, 15, 1}} {
		p.Resize(test.width, test.height)
		if got := strings.Count(p.Screen(), "solution u"); got != test.maps {
			t.Errorf("%dx%d: %d solutions, want %d:\n%s", test.width, test.height, got, test.maps, p.Screen())
		}
	}
}

func TestValidationErrorIsDrawnWhileTrainingAndAfter(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "data.train=512", "features.count=16"), Workers: 1})
	p.Press("enter")
	p.Hold = true
	p.Press("enter")
	p.See("validation error, ", "at n=")
	p.Press("esc", "enter", "3")
	p.Resize(120, 40)
	p.See("eigenvalues of G", "|alpha_j|", "validation error")
}

// A screen keeps its state while another one is shown.
func TestScreensKeepTheirStateWhenTheyAreLeft(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 1})
	p.Visit("input.tau")
	p.Press("v", "a", "2", "right", "right", "1")
	p.See("an input a", "2 of 5")
	p.selected("input.tau")
	p.Press("2")
	p.See("training pair 3 of 40")
}

// A paste goes into the text being edited, and nowhere else.
func TestPasteIsText(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("pairs.npy", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPerson(t, Options{Config: tiny(t), Workers: 1})
	p.Send(tea.PasteMsg{Content: "qqq"})
	p.Visit("data.train_file")
	p.Press("enter")
	p.Send(tea.PasteMsg{Content: "pairs.npy"})
	p.Settle()
	p.Press("enter")
	if got := p.S.Config().Data.TrainFile; got != "pairs.npy" {
		t.Errorf("file %q", got)
	}
}
