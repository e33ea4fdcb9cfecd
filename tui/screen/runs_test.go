// Stored runs in the interface: interrupted, resumed, opened.

package screen

import (
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/compare"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/solver/progress"
	"rfm/tui/chart"
	"rfm/tui/session"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
)

// list reads the list of stored runs.
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

// storeRuns makes complete runs, one for each list of assignments, named a, b, ...
func storeRuns(t *testing.T, runs string, assignments ...[]string) {
	t.Helper()
	for i, of := range assignments {
		p := newPerson(t, Options{Config: tuitest.Tiny(t, of...), Workers: 2, Runs: runs, Name: string(rune('a' + i))})
		p.Press("ctrl+r")
		p.leave()
	}
}

// exhibited returns the data of the active screen.
func (p *person) exhibited() report.Page {
	p.T.Helper()
	i := slices.IndexFunc(p.M.Screens, func(s ui.Screen) bool { return s.Name() == p.S.Shown() })
	return p.M.Screens[i].Exhibit(ui.Canvas{Width: 80, Height: 20})
}

// The numbers and the overlaid errors of marked runs equal those of the commands.
func TestMarkedRunsAreCompared(t *testing.T) {
	runs := t.TempDir()
	storeRuns(t, runs, nil, []string{"features.count=24"}, []string{"seed=2"})
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2, Runs: runs})
	p.list()
	p.Press("r", "right", "home") // by name
	p.See("name↓", "enter open")
	p.Press("x", "x", "x")
	p.See("3 marked", "enter compare")
	p.Press("enter")
	p.See("›numbers‹", "test error", "features", "48", "24")

	var paths []string
	for _, name := range []string{"a", "b", "c"} {
		paths = append(paths, filepath.Join(runs, name))
	}
	c, err := compare.Compare(paths) // as printed by `rfm show`
	if err != nil {
		t.Fatal(err)
	}
	want, _ := chart.Comparison(c, 80)
	if got := p.exhibited().Tables[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("the table is %v, `rfm show` has %v", got, want)
	}
	p.Press("tab")
	p.See("›errors‹", "part of the test inputs")
	for i, curve := range p.exhibited().Figures[0].Curves {
		sum := 0.0
		for _, e := range curve.Y {
			sum += e
		}
		mean, of := sum/float64(len(curve.Y)), *c.Runs[i].TestError
		if curve.Name != c.Runs[i].Name || math.Abs(mean-of) > 1e-12 {
			t.Errorf("the errors of %s have mean %g, the run has %g", curve.Name, mean, of)
		}
	}
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		p.fits("comparison", size[0], size[1])
	}
}

// A run in use is neither renamed nor deleted.
func TestRunsInUseStay(t *testing.T) {
	t.Chdir(t.TempDir()) // a long path would be cut
	const runs = "runs"
	p := newPerson(t, Options{Config: tuitest.Tiny(t, "data.test=100000"), Workers: 1, Runs: runs, Name: "long"})
	p.Begin("enter")
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
	p.Begin("enter")
	p.Until("the first pairs", func() bool { e := p.S.Experiment(); return e != nil && e.Progress().Done > 1000 })
	p.leave() // which stores them
	p = long("")
	p.Press("r")
	p.Begin("enter")
	q := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 1, Runs: runs})
	q.list()
	q.Press("r")
	q.See("● long", "enter follow")
	q.Send(keyPress("enter")) // it reads again and again
	q.See("generate  partial", "of 100024 pairs", "Read only", "was stored", "solution u")
	q.Send(keyPress("enter"))
	q.See("✗ it is not complete")
	p.leave()
	q.See("Nobody works on it now", "enter continue")
	q.followed()
	q.Send(keyPress("esc"))
	q.See("○ long", "enter continue")
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
	p.Press("enter") // the data
	p.leave()
	if _, err := engine.Split(t.Context(), filepath.Join(runs, "s"), 0, engine.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	q := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 1, Runs: runs})
	q.list()
	q.Press("r")
	q.Send(keyPress("enter"))
	q.See("train", "pending")
	if err := engine.Work(t.Context(), filepath.Join(runs, "s"), engine.Options{Workers: 1}, store.Workers{}); err != nil {
		t.Fatal(err)
	}
	q.See("40 of 40 samples")
	q.followed()
	q.Send(keyPress("esc"))
	q.See("enter follow")
}

// A stopped step resumes with the pairs that it has made.
func TestStoppedStepsResume(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t, "data.test=1500"), Workers: 2, Runs: t.TempDir()})
	p.Begin("ctrl+r")
	p.See("1540 pairs")
	for p.S.Experiment().Progress().Done == 0 {
		time.Sleep(time.Millisecond)
	}
	p.Press("esc")
	p.See("finished work is stored")
	same := p.S.Experiment()
	p.Press("ctrl+r")
	p.See("expected relative")
	if p.S.Experiment() != same {
		t.Error("the experiment began from scratch")
	}
}

// someRuns returns invented runs, as of a fixed time.
func someRuns() session.Runs {
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
	return session.Runs{List: list, At: now}
}

var errTorn = errors.New("runs/torn/program.json: is torn")
