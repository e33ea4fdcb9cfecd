// Typed text, its errors, and places that cannot be written.

package screen

import (
	"os"
	"slices"
	"testing"

	"rfm/config"
)

// A place that cannot be written is an error that names the place and another one.
func TestPlaceThatCannotBeWrittenIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("runs", nil, 0o600); err != nil { // a file in the place of the directory
		t.Fatal(err)
	}
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: "runs"})
	p.Press("ctrl+r")
	p.See("runs: cannot be made", "--runs")
}

// In every dialog in which text is typed, keys that write or edit belong to the text: no command takes them.
func TestNoCommandTakesALetter(t *testing.T) {
	text := []string{"space", "backspace", "delete", "left", "right"}
	for name, press := range map[string][]string{"a value": {"enter"}, "a filter": {"/"}, "a file": {"s"},
		"the filter of presets": {"p", "/"}, "the filter of the help": {"?", "/"}, "the filter of commands": {":"}} {
		p := newPerson(t, Options{Config: tiny(t), Workers: 2})
		p.Visit("data.train")
		p.Press(press...)
		if p.Type("a"); p.D.Top() == nil {
			t.Fatalf("%s: no dialog is open", name)
		}
		for _, c := range p.D.Top().Commands() {
			for _, key := range append(c.Key.Also(), string(c.Key)) {
				if c.Do != nil && (len(key) == 1 || slices.Contains(text, key)) {
					t.Errorf("%s: %s does something else than write", name, key)
				}
			}
		}
	}
}

// The name of a file is checked while it is typed, and tab completes it.
func TestFileFieldIsCheckedAndCompleted(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"data-a.npz", "data-b.npz", "other.npz"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := newPerson(t, Options{Config: of(t, config.Functions), Workers: 2})
	p.Visit("data.train_file")
	p.Press("enter")
	p.Type("no")
	p.See("cannot be read")
	p.Press("enter")
	if p.S.Config().Data.TrainFile != "" {
		t.Error("a file that is not there is taken")
	}
	p.Press("esc", "enter", "d")
	p.See("›data-a.npz‹", "data-b.npz")
	p.Press("down", "tab", "enter")
	if got := p.S.Config().Data.TrainFile; got != "data-b.npz" {
		t.Errorf("file %q", got)
	}
}

// Letters meant for a value start nothing: the footer's key alone runs the configuration, also while a value or a filter
// is typed.
func TestOnlyTheKeyOfTheFooterRuns(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.Visit("data.train")
	p.See(" ctrl+r run ")
	if p.Type("abc"); p.S.Experiment() != nil {
		t.Fatalf("typing abc runs the configuration:\n%s", p.Screen())
	}
	p.See("c does nothing here: enter edit, ctrl+r run, ? lists the keys")
	p.Press("enter")
	p.See(" ctrl+r run ", "enter keep")
	p.Press("0", "ctrl+r")
	if p.S.Experiment() != nil {
		t.Error("a wrong value runs")
	}
	for name, press := range map[string][]string{"a value": {"enter", "1", "6"}, "a filter": {"/", "f"}} {
		p := newPerson(t, Options{Config: tiny(t), Workers: 2})
		p.Visit("data.train")
		p.Press(append(press, "ctrl+r")...)
		if e := p.S.Experiment(); e == nil || e.Evaluation() == nil {
			t.Errorf("ctrl+r does not run while %s is typed:\n%s", name, p.Screen())
		} else if n := e.Config.Data.Train; name == "a value" && n != 16 {
			t.Errorf("run with n=%d, not the typed 16", n)
		}
	}
}
