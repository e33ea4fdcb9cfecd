// A search outlives the program: it is kept on disk as the command keeps it.

package screen

import (
	"os"
	"strings"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/tune"
)

// searching starts a search and waits until it has evaluated a few models.
func (p *person) searching(models int) {
	p.t.Helper()
	p.press("6")
	p.begin("enter")
	for end := time.Now().Add(patience); len(p.m.tuning.evaluated()) < models; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatal("the search evaluates nothing")
		}
	}
}

// Leaving in the middle of a search keeps it, says so, and counts as an interruption; the next session and the command go
// on from there.
func TestInterruptedSearchIsKept(t *testing.T) {
	t.Chdir(t.TempDir())
	c, err := config.PresetByName("quick")
	if err != nil {
		t.Fatal(err)
	}
	c = with(t, c, "data.train=40", "data.grid=257", "train.grid=33")
	p := newPerson(t, Options{Config: c, Workers: 2, Runs: "runs"})
	p.searching(3)
	if err := p.m.Close(); err != nil { // as after a signal
		t.Fatal(err)
	}
	done := len(p.m.tuning.search.state.Evaluations)
	if !p.m.Interrupted() || !strings.Contains(p.m.Epilogue(), "rfm tune burgers") || !strings.Contains(p.m.Epilogue(), "--out burgers-tuned.toml") || !strings.Contains(p.m.Epilogue(), "data.train=40") {
		t.Errorf("interrupted %t, epilogue %q", p.m.Interrupted(), p.m.Epilogue())
	}
	if state, found, err := tune.JournalOf("burgers-tuned.toml").Load(c, c.Seed); err != nil || !found || len(state.Evaluations) != done {
		t.Errorf("the journal has %d evaluations of %d, %v", len(state.Evaluations), done, err)
	}

	q := newPerson(t, Options{Config: c, Workers: 2, Runs: "runs"})
	q.settle(q.m.session.findKept())
	q.see("a search for better features was")
	q.press("6")
	q.see("interrupted after", "enter go on")
	q.searching(done + 1)
	for i, e := range p.m.tuning.search.state.Evaluations {
		if got := q.m.tuning.evaluated()[i]; got.Error != e.Error || got.Stage != e.Stage {
			t.Fatalf("evaluation %d is another one", i)
		}
	}
	q.press("esc", "f")
	if _, err := os.Stat("burgers-tuned.toml.search"); !os.IsNotExist(err) {
		t.Errorf("the journal is left although its features were taken: %v", err)
	}
}

// While it runs, the search is stored again and again: a killed process loses little.
func TestRunningSearchIsStored(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Chdir(t.TempDir())
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: "runs"})
	p.searching(1)
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat("burgers-tuned.toml.search"); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nothing is stored")
		}
	}
	p.press("esc")
}

// Nothing is written if nothing is to be stored, and the journal of another search is left alone.
func TestSearchesLeaveEachOtherAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.searching(1)
	p.press("esc")
	if list, _ := os.ReadDir("."); len(list) != 0 {
		t.Errorf("%v was written with nothing to be stored", list)
	}
	for _, c := range []config.Config{tiny(t), tiny(t, "seed=5")} {
		p := newPerson(t, Options{Config: c, Workers: 2, Runs: "runs"})
		p.searching(1)
		p.press("esc")
	}
	for _, name := range []string{"burgers-tuned.toml.search", "burgers-tuned-2.toml.search"} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}
