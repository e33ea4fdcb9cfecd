// The screens while the data are made and the model is trained, and afterwards.

package screen

import (
	"os"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// A screen keeps its state while another one is shown.
func TestScreensKeepTheirStateWhenTheyAreLeft(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 1})
	p.Visit("input.tau")
	p.Press("v", "ctrl+r", "2", "right", "right", "1")
	p.See("an input a", "2 of 3")
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
