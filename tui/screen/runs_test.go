// Stored runs in the interface: interrupted, resumed, opened.

package screen

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/solver/base/progress"
	"rfm/tui/session"
	"rfm/tui/tuitest"
)

// list reads the list of stored runs.
func (p *person) list() {
	p.T.Helper()
	p.Run(p.S.Runs.Read())
	p.Settle()
}

// leave quits as a signal does: the program ends, whatever runs.
func (p *person) leave() {
	p.T.Helper()
	if err := p.M.Close(); err != nil {
		p.T.Fatal(err)
	}
}

// A run in use is neither renamed nor deleted.
func TestRunsInUseStay(t *testing.T) {
	t.Chdir(t.TempDir()) // a long path would be cut
	const runs = "runs"
	p := newPerson(t, Options{Config: tuitest.Tiny(t, "data.test=100000"), Workers: 1, Runs: runs, Name: "long"})
	p.Begin("ctrl+r")
	p.See("100040 pairs")
	q := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 1, Runs: runs})
	q.list()
	q.Press("r", "D")
	q.See("is in use by", "● long")
	p.leave()
}

// A run that another process computes is followed, and resumed where it was left.
func TestRunOfAnotherProcessIsFollowed(t *testing.T) {
	runs := t.TempDir()
	long := func(name string) *person {
		p := newPerson(t, Options{Config: tuitest.Tiny(t, "data.train=100000"), Workers: 1, Runs: runs, Name: name})
		p.list()
		return p
	}
	p := long("long")
	p.Begin("ctrl+r")
	p.Until("the first pairs", func() bool { e := p.S.Runner.Experiment(); return e != nil && e.Progress().Done > 1000 })
	p.leave() // which stores them
	p = long("")
	p.Press("r")
	p.See("○ long", "enter/ctrl+r continue")
	p.Begin("ctrl+r") // this run, not the configuration of the screen before
	q := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 1, Runs: runs})
	q.list()
	q.Press("r")
	q.See("● long", "enter/ctrl+r follow")
	q.Send(keyPress("enter")) // it reads again and again
	q.See("generate  partial", "of 100024 pairs", "Read only", "was stored", "solution u")
	q.Send(keyPress("enter"))
	q.See("✗ it is not complete")
	p.leave()
	q.See("Nobody works on it now", "enter/ctrl+r continue")
	q.followed()
	q.Send(keyPress("esc"))
	q.See("○ long", "enter/ctrl+r continue")
}

// followed checks the sizes of a screen that reads a run again and again, so that it never settles.
func (p *person) followed() {
	p.T.Helper()
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		p.M.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		p.within("a followed run", size[0], size[1])
	}
}

// A split run shows its work units and the workers on them.
func TestSplitRunIsFollowed(t *testing.T) {
	runs := t.TempDir()
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 1, Runs: runs, Name: "s"})
	p.Press("2", "enter") // the data
	p.leave()
	if _, err := engine.Split(t.Context(), filepath.Join(runs, "s"), 0, engine.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	q := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 1, Runs: runs})
	q.list()
	q.Press("r")
	q.Send(keyPress("enter"))
	q.See("train", "pending")
	noError(t, engine.Work(t.Context(), filepath.Join(runs, "s"), engine.Options{Workers: 1}, store.Workers{}))
	q.See("40 of 40 samples")
	q.followed()
	q.Send(keyPress("esc"))
	q.See("enter/ctrl+r follow")
}

// someRuns returns invented runs, as of a fixed time.
func someRuns() session.Listing {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	testError := 0.0312
	c, err := config.PresetByName("burgers")
	if err != nil {
		panic(err)
	}
	entry := func(name string, age time.Duration, done ...int) store.Entry { // units of each stage
		return store.Entry{Name: name, Path: filepath.Join("runs", name), Method: "features",
			Run: store.Run{Program: machine.Build{Version: "v1.0.0"}, Created: now.Add(-2 * age),
				Config: c, Updated: now.Add(-age), Bytes: 3 << 20, Stages: [3]progress.Progress{
					{Stage: engine.Generating, Done: done[0], Total: 4512}, {Stage: engine.Training, Done: done[1], Total: 512},
					{Stage: engine.Evaluating, Done: done[2], Total: 4512}}}}
	}
	list := []store.Entry{
		entry("20261120-115500-burgers-1a2b3c4d", 90*time.Second, 1500, 0, 0),
		entry("night", 8*time.Hour, 4512, 100, 0), entry("best", 50*time.Hour, 4512, 512, 4512),
		{Name: "torn", Path: "runs/torn", Fault: errTorn},
	}
	list[1].Holder = &store.Identity{PID: 4711, Host: "node7", User: "ada", Since: now.Add(-9 * time.Hour),
		Command: "rfm run burgers"}
	list[2].Run.TestError, list[2].Run.Sums = &testError, map[string]string{store.TrainFile: "0", store.TestFile: "0",
		store.ModelFile: "0", store.ReportFile: "0"}
	list[2].Note = "the filter of the paper"
	for i := range list {
		list[i].Describe()
	}
	return session.Listing{List: list, At: now}
}

var errTorn = errors.New("runs/torn/program.json: is torn")
