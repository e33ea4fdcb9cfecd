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
)

// list lets the person look at the runs that are stored.
func (p *person) list() {
	p.t.Helper()
	p.m.Update(p.m.session.listRuns()())
}

// leave quits as a signal does: the program ends, whatever runs.
func (p *person) leave() {
	p.t.Helper()
	if err := p.m.Close(); err != nil {
		p.t.Fatal(err)
	}
}

func TestLeavingStoresWhatIsDone(t *testing.T) {
	runs := t.TempDir()
	p := newPerson(t, Options{Config: tiny(t, "data.test=100000"), Workers: 2, Runs: runs, Name: "long"})
	p.begin("enter")
	p.see("100040 pairs")
	p.leave()
	if !p.m.Interrupted() {
		t.Error("nothing is said to be interrupted")
	}
	if text := p.m.Epilogue(); !strings.Contains(text, "generate is not complete") || !strings.Contains(text, "rfm resume "+filepath.Join(runs, "long")) {
		t.Errorf("epilogue %q", text)
	}
	list, err := store.List(runs)
	if err != nil || len(list) != 1 || !canContinue(list[0]) {
		t.Errorf("runs %+v, %v", list, err)
	}
}

// The end of the job may arrive after the key that leaves and before the program has ended.
func TestLeavingTellsTheEndOfTheJobOnce(t *testing.T) {
	for runs, check := range map[string]func(*Model) bool{"": (*Model).Cancelled, t.TempDir(): (*Model).Interrupted} {
		p := newPerson(t, Options{Config: tiny(t, "data.test=100000"), Workers: 2, Runs: runs})
		p.begin("enter")
		p.see("100040 pairs")
		p.m.Update(key("ctrl+c"))
		<-p.m.session.job.done
		p.m.Update(p.m.session.job.result)
		p.leave()
		if !check(p.m) {
			t.Errorf("runs in %q: interrupted %t, cancelled %t", runs, p.m.Interrupted(), p.m.Cancelled())
		}
	}
}

func TestLeavingWithoutWorkInterruptsNothing(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: t.TempDir()})
	p.leave()
	if p.m.Interrupted() || p.m.Epilogue() != "" {
		t.Errorf("epilogue %q", p.m.Epilogue())
	}
	p.press("enter") // the data only
	p.leave()
	if p.m.Interrupted() || !strings.Contains(p.m.Epilogue(), "train is not complete") {
		t.Errorf("epilogue %q", p.m.Epilogue())
	}
}

func TestUnfinishedRunIsContinued(t *testing.T) {
	runs := t.TempDir()
	first := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: runs, Name: "half"})
	first.press("enter")
	first.leave()

	p := newPerson(t, Options{Config: tiny(t, "data.train=17"), Workers: 2, Runs: runs})
	p.list()
	if p.m.session.unfinished() == nil {
		t.Fatal("the run is not offered")
	}
	p.press("r")
	p.see("runs in", "half", "before train", "enter continue")
	p.press("esc", "c")
	p.see("expected relative")
	if s := p.m.session; s.config.Data.Train != 40 || s.stored != filepath.Join(runs, "half") {
		t.Errorf("n = %d, stored in %s", s.config.Data.Train, s.stored)
	}
	p.press("1")
	if p.m.session.unfinished() != nil {
		t.Error("the complete run is still offered")
	}
}

func TestCompleteRunIsOpened(t *testing.T) {
	runs := t.TempDir()
	first := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: runs, Name: "whole"})
	first.press("a")
	want := first.m.session.experiment.Evaluation().Test.ExpectedRelative
	first.leave()

	p := newPerson(t, Options{Config: tiny(t, "data.train=17"), Workers: 2, Runs: runs})
	p.list()
	p.press("r")
	p.see("whole", "test error", "enter open")
	p.press("enter")
	p.resize(120, 40)
	p.see("expected relative", "whole")
	if got := p.m.session.experiment.Evaluation().Test.ExpectedRelative; got != want {
		t.Errorf("error %g, was %g", got, want)
	}
	p.press("3")
	p.see("rank", "eigenvalues of G")
	p.press("2")
	p.see("training pair 1 of 40")
}

func TestPlaceThatCannotBeWrittenIsKnownBeforeAnythingIsComputed(t *testing.T) {
	t.Chdir(t.TempDir())
	const occupied = "file"
	if err := os.WriteFile(occupied, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: occupied})
	p.press("a")
	p.see("enter goes on without storing")
	p.press("a")
	p.see("expected relative")
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
	p.press("r")
	p.see("torn", "cannot be read", store.ManifestFile)
	_, cmd := p.m.Update(key("enter"))
	p.m.Update(cmd())
	if p.m.session.preparing != "" || !p.m.session.notice.bad {
		t.Error("the run is opened")
	}
}

func TestCancelledStepGoesOn(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "data.test=1500"), Workers: 2, Runs: t.TempDir()})
	p.begin("enter")
	p.see("1540 pairs")
	for p.m.session.experiment.Progress().Done == 0 {
		time.Sleep(time.Millisecond)
	}
	p.press("esc")
	p.see("what is done is stored")
	same := p.m.session.experiment
	p.press("a")
	p.see("expected relative")
	if p.m.session.experiment != same {
		t.Error("the experiment began anew")
	}
}

func TestPausedStepGoesOnToTheEnd(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "data.test=1500"), Workers: 2, Runs: t.TempDir()})
	p.begin("a")
	p.see("space pause")
	p.press(" ")
	p.see("paused; space goes on", "space go on")
	p.press(" ")
	p.see("expected relative") // all steps were asked for
}

func TestOnlyStoredStepsPause(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "data.test=1500"), Workers: 2})
	p.begin("a")
	if p.m.pauses() {
		t.Error("a step that would begin anew can be paused")
	}
	p.leave()
}

// someRuns are made up, as of a fixed time.
func someRuns() tea.Msg {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	testError := 0.0312
	entry := func(name string, age time.Duration, generate, train, evaluate store.Stage) store.Entry {
		return store.Entry{Name: name, Path: filepath.Join("runs", name), Manifest: store.Manifest{Program: store.Program{Version: "v1.0.0"}, Problem: "burgers", Seed: 1, Train: 512, Features: 1024, Grid: 129, Test: 4000,
			Created: now.Add(-2 * age), Updated: now.Add(-age), Generating: generate, Training: train, Evaluating: evaluate, Files: []store.File{{Name: "train.npy", Size: 3 << 20}}}}
	}
	complete := store.Stage{State: store.Complete}
	list := []store.Entry{
		entry("20261120-115500-burgers-1a2b3c4d", 90*time.Second, store.Stage{State: store.Partial, Done: 1500, Total: 4512}, store.Stage{State: store.Pending}, store.Stage{State: store.Pending}),
		entry("night", 8*time.Hour, complete, store.Stage{State: store.Partial, Done: 100, Total: 512}, store.Stage{State: store.Pending}),
		entry("best", 50*time.Hour, complete, complete, complete),
		{Name: "torn", Path: "runs/torn", Fault: errTorn},
	}
	list[1].Holder = &store.Identity{PID: 4711, Host: "node7", User: "ada", Since: now.Add(-9 * time.Hour), Command: "rfm run burgers"}
	list[2].Manifest.TestError = &testError
	return runsMsg{storedRuns{list: list, at: now}}
}

type tornError struct{}

func (tornError) Error() string { return "runs/torn/manifest.json: is torn" }

var errTorn = tornError{}
