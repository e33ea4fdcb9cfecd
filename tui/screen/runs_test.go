// Stored runs in the interface: interrupted, continued, opened.

package screen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/store"
	"rfm/tui/session"
	"rfm/tui/shell"
)

// list lets the person look at the runs that are stored.
func (p *person) list() {
	p.T.Helper()
	p.Run(p.S.ListRuns())
	p.Settle()
}

// leave quits as a signal does: the program ends, whatever runs.
func (p *person) leave() {
	p.T.Helper()
	if err := p.M.Close(); err != nil {
		p.T.Fatal(err)
	}
}

func TestLeavingStoresWhatIsDone(t *testing.T) {
	runs := t.TempDir()
	p := newPerson(t, Options{Config: tiny(t, "data.test=100000"), Workers: 2, Runs: runs, Name: "long"})
	p.Begin("enter")
	p.See("100040 pairs")
	p.leave()
	if !p.M.Interrupted() {
		t.Error("nothing is said to be interrupted")
	}
	if text := p.M.Epilogue(); !strings.Contains(text, "generate is not complete") ||
		!strings.Contains(text, "rfm resume "+filepath.Join(runs, "long")) {
		t.Errorf("epilogue %q", text)
	}
	list, err := store.List(runs)
	if err != nil || len(list) != 1 || !session.CanContinue(list[0]) {
		t.Errorf("runs %+v, %v", list, err)
	}
}

// The end of the job may arrive after the key that leaves and before the program has ended.
func TestLeavingTellsTheEndOfTheJobOnce(t *testing.T) {
	for runs, check := range map[string]func(*shell.Model) bool{"": (*shell.Model).Cancelled,
		t.TempDir(): (*shell.Model).Interrupted} {
		p := newPerson(t, Options{Config: tiny(t, "data.test=100000"), Workers: 2, Runs: runs})
		p.Begin("enter")
		p.See("100040 pairs")
		p.Press("ctrl+c") // and the end of the job comes
		p.leave()
		if !check(p.M) {
			t.Errorf("runs in %q: interrupted %t, cancelled %t", runs, p.M.Interrupted(), p.M.Cancelled())
		}
	}
}

func TestLeavingWithoutWorkInterruptsNothing(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: t.TempDir()})
	p.leave()
	if p.M.Interrupted() || p.M.Epilogue() != "" {
		t.Errorf("epilogue %q", p.M.Epilogue())
	}
	p.Press("enter") // the data only
	p.leave()
	if p.M.Interrupted() || !strings.Contains(p.M.Epilogue(), "train is not complete") {
		t.Errorf("epilogue %q", p.M.Epilogue())
	}
}

func TestUnfinishedRunIsContinued(t *testing.T) {
	runs := t.TempDir()
	first := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: runs, Name: "half"})
	first.Press("enter")
	first.leave()

	p := newPerson(t, Options{Config: tiny(t, "data.train=17"), Workers: 2, Runs: runs})
	p.list()
	if p.S.Unfinished() == nil {
		t.Fatal("the run is not offered")
	}
	p.Press("r")
	p.See("runs in", "half", "before train", "enter continue")
	p.Press("esc", "c")
	p.See("expected relative")
	if n := p.S.Config().Data.Train; n != 40 || p.S.Stored() != filepath.Join(runs, "half") {
		t.Errorf("n = %d, stored in %s", n, p.S.Stored())
	}
	p.Press("1")
	if p.S.Unfinished() != nil {
		t.Error("the complete run is still offered")
	}
}

func TestCompleteRunIsOpened(t *testing.T) {
	runs := t.TempDir()
	first := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: runs, Name: "whole"})
	first.Press("a")
	want := first.S.Experiment().Evaluation().Test.ExpectedRelative
	first.leave()

	p := newPerson(t, Options{Config: tiny(t, "data.train=17"), Workers: 2, Runs: runs})
	p.list()
	p.Press("r")
	p.See("whole", "test error", "enter open")
	p.Press("enter")
	p.Resize(120, 40)
	p.See("expected relative", "whole")
	if got := p.S.Experiment().Evaluation().Test.ExpectedRelative; got != want {
		t.Errorf("error %g, was %g", got, want)
	}
	p.Press("3")
	p.See("rank", "eigenvalues of G")
	p.Press("2")
	p.See("training pair 1 of 40")
}

func TestPlaceThatCannotBeWrittenIsKnownBeforeAnythingIsComputed(t *testing.T) {
	t.Chdir(t.TempDir())
	const occupied = "file"
	if err := os.WriteFile(occupied, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: occupied})
	p.Press("a")
	p.See("enter goes on without storing")
	p.Press("a")
	p.See("expected relative")
}

func TestUnreadableRunsAreListedWithTheirFault(t *testing.T) {
	t.Chdir(t.TempDir())
	const runs = "runs"
	if err := os.MkdirAll(filepath.Join(runs, "torn"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(runs, "torn", store.ManifestFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: runs})
	p.list()
	p.Press("r")
	p.See("torn", "cannot be read", store.ManifestFile)
	p.Press("enter")
	p.See("✗ " + filepath.Join(runs, "torn"))
	if p.S.Experiment() != nil {
		t.Error("the run is opened")
	}
}

func TestCancelledStepGoesOn(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "data.test=1500"), Workers: 2, Runs: t.TempDir()})
	p.Begin("enter")
	p.See("1540 pairs")
	for p.S.Experiment().Progress().Done == 0 {
		time.Sleep(time.Millisecond)
	}
	p.Press("esc")
	p.See("what is done is stored")
	same := p.S.Experiment()
	p.Press("a")
	p.See("expected relative")
	if p.S.Experiment() != same {
		t.Error("the experiment began anew")
	}
}

func TestPausedStepGoesOnToTheEnd(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "data.test=1500"), Workers: 2, Runs: t.TempDir()})
	p.Begin("a")
	p.See("space pause")
	p.Press(" ")
	p.See("paused; space goes on", "space go on")
	p.Press(" ")
	p.See("expected relative") // all steps were asked for
}

func TestOnlyStoredStepsPause(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "data.test=1500"), Workers: 2})
	p.Begin("a")
	if p.S.CanPause() {
		t.Error("a step that would begin anew can be paused")
	}
	p.leave()
}

// someRuns are made up, as of a fixed time.
func someRuns() tea.Msg {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	testError := 0.0312
	entry := func(name string, age time.Duration, generate, train, evaluate store.Stage) store.Entry {
		return store.Entry{Name: name, Path: filepath.Join("runs", name),
			Manifest: store.Manifest{Program: store.Program{Version: "v1.0.0"}, Problem: "burgers", Seed: 1, Train: 512,
				Features: 1024, Grid: 129, Test: 4000,
				Created: now.Add(-2 * age), Updated: now.Add(-age), Generating: generate, Training: train, Evaluating: evaluate,
				Files: []store.File{{Name: "train.npy", Size: 3 << 20}}}}
	}
	complete := store.Stage{State: store.Complete}
	list := []store.Entry{
		entry("20261120-115500-burgers-1a2b3c4d", 90*time.Second, store.Stage{State: store.Partial, Done: 1500, Total: 4512},
			store.Stage{State: store.Pending}, store.Stage{State: store.Pending}),
		entry("night", 8*time.Hour, complete, store.Stage{State: store.Partial, Done: 100, Total: 512},
			store.Stage{State: store.Pending}),
		entry("best", 50*time.Hour, complete, complete, complete),
		{Name: "torn", Path: "runs/torn", Fault: errTorn},
	}
	list[1].Holder = &store.Identity{PID: 4711, Host: "node7", User: "ada", Since: now.Add(-9 * time.Hour),
		Command: "rfm run burgers"}
	list[2].Manifest.TestError = &testError
	return session.Runs{List: list, At: now}
}

type tornError struct{}

func (tornError) Error() string { return "runs/torn/manifest.json: is torn" }

var errTorn = tornError{}
