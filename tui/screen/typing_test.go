// What is typed, what is wrong, and what is not stored.

package screen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
)

// write types a text.
func (p *person) write(text string) {
	p.t.Helper()
	for _, r := range text {
		p.press(string(r))
	}
}

// own is the preset for one's own pairs.
func own(t *testing.T, assignments ...string) config.Config {
	t.Helper()
	c, err := config.PresetByName(config.Functions)
	if err != nil {
		t.Fatal(err)
	}
	return with(t, c, assignments...)
}

// A file that cannot be read is no reason not to store: the field is shown, and what is run next is stored.
func TestMistypedFileDoesNotEndStoring(t *testing.T) {
	t.Chdir(t.TempDir())
	c := own(t, "data.train_file=nofile.npz")
	p := newPerson(t, Options{Config: c, Workers: 2, Runs: "runs"})
	p.press("enter")
	p.see("nofile.npz", "no such file")
	if strings.Contains(p.screen(), "without storing") || strings.Contains(p.screen(), "not stored") {
		t.Errorf("storing is given up:\n%s", p.screen())
	}
	if k := p.m.configure.selected(&p.m.session).key; k == nil || k.Name != "data.train_file" {
		t.Error("the field that is wrong is not selected")
	}
	p.m.configure.replace(&p.m.session, edition{config: tiny(t), base: tiny(t)})
	p.press("home", "a")
	p.resize(120, 40)
	p.see("stored in runs")
	if list, err := os.ReadDir("runs"); err != nil || len(list) != 1 {
		t.Errorf("%d runs are stored, %v", len(list), err)
	}
}

// A place that cannot be written is left out once, which the header says all the time; the run after it is stored again.
func TestOneRunIsNotStored(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("runs", nil, 0o600); err != nil { // a file in the place of the directory
		t.Fatal(err)
	}
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: "runs"})
	p.press("enter")
	p.see("enter goes on without storing this run", "not stored")
	p.press("a")
	p.see("expected relative")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}} {
		p.resize(size[0], size[1])
		if head, _, _ := strings.Cut(p.screen(), "\n"); !strings.Contains(head, "not stored") {
			t.Errorf("the header at %dx%d is %q", size[0], size[1], head)
		}
	}
	if !strings.Contains(p.m.Epilogue(), "not stored") {
		t.Errorf("epilogue %q", p.m.Epilogue())
	}
	if err := os.Remove("runs"); err != nil {
		t.Fatal(err)
	}
	p.m.configure.replace(&p.m.session, edition{config: tiny(t, "features.count=24"), base: tiny(t)})
	p.press("a")
	if head, _, _ := strings.Cut(p.screen(), "\n"); strings.Contains(head, "not stored") {
		t.Errorf("the header is still %q", head)
	}
	if list, err := os.ReadDir("runs"); err != nil || len(list) != 1 {
		t.Errorf("%d runs are stored, %v", len(list), err)
	}
}

// Letters on a field for text, and digits on one for a number, are the beginning of a value and not commands.
func TestTypingBeginsToEdit(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("qe?1", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPerson(t, Options{Config: own(t), Workers: 2})
	p.visit("data.train_file")
	p.see("f1 help", "ctrl+c leave")
	p.write("qe?1")
	p.press("enter")
	if got := p.m.session.config.Data.TrainFile; got != "qe?1" || p.m.visible != configuring || p.m.help {
		t.Errorf("file %q", got)
	}
	p.visit("data.test")
	p.write("12")
	p.press("enter")
	if got := p.m.session.config.Data.Test; got != 12 || p.m.visible != configuring {
		t.Errorf("%d test pairs, screen %d", got, p.m.visible)
	}
	p.visit("train.lambda")
	p.write(".5")
	p.press("enter")
	if got := p.m.session.config.Train.Lambda; got != 0.5 {
		t.Errorf("lambda %g", got)
	}
	p.press("up", "5") // on a line that takes no number, or a number again
	p.press("esc", "home", "5")
	if p.m.visible != paperStep {
		t.Error("digits on the line of the preset do not change screens")
	}
	if list, err := filepath.Glob("screen-*"); err != nil || len(list) > 0 {
		t.Errorf("%v was exported, %v", list, err)
	}
}

func leaves(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	_, quits := cmd().(tea.QuitMsg)
	return quits
}

// A configuration that was changed and neither saved nor run is not lost by one key.
func TestQuittingAsksForChanges(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.visit("data.train")
	p.press("right", "home")
	_, cmd := p.m.Update(key("q"))
	if leaves(cmd) {
		t.Fatal("q leaves at once")
	}
	p.see("changed and not saved", "q again")
	p.press("x")
	if strings.Contains(p.screen(), "q again") {
		t.Error("another key does not stay")
	}
	p.m.Update(key("q"))
	if _, cmd = p.m.Update(key("q")); !leaves(cmd) {
		t.Error("q q does not leave")
	}
	p.press("a") // now it was run
	if _, cmd = p.m.Update(key("q")); !leaves(cmd) {
		t.Error("q asks although the configuration was run")
	}
}

// Enter on a form with a mistake goes to it, in the words of the form; there is no picture of nothing.
func TestEnterGoesToTheFault(t *testing.T) {
	for _, problem := range []string{config.Functions, config.Fields} {
		c, err := config.PresetByName(problem)
		if err != nil {
			t.Fatal(err)
		}
		p := newPerson(t, Options{Config: c, Workers: 2})
		p.see("enter correct", "No pairs yet")
		p.press("enter")
		p.see("data.train_file must name a file", "its name there")
		if k := p.m.configure.selected(&p.m.session).key; k == nil || k.Name != "data.train_file" || strings.Contains(p.screen(), "--train-data") {
			t.Errorf("%s: the field is not shown, or a flag is:\n%s", problem, p.screen())
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
	p := newPerson(t, Options{Config: own(t), Workers: 2})
	p.visit("data.train_file")
	p.write("no")
	p.see("is no file that can be read")
	p.press("enter")
	if p.m.session.config.Data.TrainFile != "" {
		t.Error("a file that is not there is taken")
	}
	p.press("esc", "d", "tab")
	p.see("data-a.npz", "data-b.npz")
	if got := p.m.configure.input.Value(); got != "data-" {
		t.Errorf("completed to %q", got)
	}
	p.press("b", "tab", "enter")
	if got := p.m.session.config.Data.TrainFile; got != "data-b.npz" {
		t.Errorf("file %q", got)
	}
}
