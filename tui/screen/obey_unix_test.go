// Whatever runs, esc ends it at once.

//go:build unix

package screen

import (
	"context"
	"syscall"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/engine"
)

// processorTime is what this process has computed so far, on all cores together.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// pace is what this machine computes a fixed sum in, the race detector included: some 20 ms on a usual one.
func pace(t *testing.T) time.Duration {
	before, values := processorTime(t), make([]float64, 1000)
	for i := range 10_000_000 {
		values[i%1000] = 0.5*values[(i+1)%1000] + 1
	}
	return processorTime(t) - before
}

// The time that a stop takes is counted as what is computed until then, which other programs do not change, and compared
// with the pace of the machine.
func TestEscapeIsObeyedAtOnce(t *testing.T) {
	most := max(300*time.Millisecond, 15*pace(t))
	at := func(stage engine.Stage) func(*Model) bool {
		return func(m *Model) bool {
			e := m.session.experiment
			return e != nil && e.Progress().Stage == stage
		}
	}
	comparison := func(m *Model) bool {
		e := m.evaluate.gain.retraining.experiment.Load()
		return e != nil && e.Progress().Stage == engine.Solving
	}
	studied := func(m *Model) bool { p := m.studies.pane.library.shelf().session.Progress(); return p.Done > 0 }
	searched := func(m *Model) bool {
		tuner := m.tuning.search.tuner.Load()
		return tuner != nil && tuner.Snapshot() != nil && tuner.Snapshot().Evaluations > 0
	}
	large := func(assignments ...string) config.Config {
		return tiny(t, append([]string{"data.grid=257", "train.grid=65", "data.train=48", "data.test=4"}, assignments...)...)
	}
	for name, c := range map[string]struct {
		config config.Config
		first  []string // keys that are carried out to their end
		key    string   // begins
		there  func(*Model) bool
	}{
		"generating":      {large("data.train=8192", "data.grid=4097", "tolerance=1e-9"), nil, "a", at(engine.Generating)},
		"generating maps": {tinyDarcy(t, "data.train=512", "data.grid=257"), nil, "a", at(engine.Generating)},
		"training":        {large("features.count=4096"), nil, "a", at(engine.Training)},
		"solving":         {large("features.count=1536"), nil, "a", at(engine.Solving)},
		"damped":          {large("features.count=2048", "train.lambda=1e-4"), nil, "a", at(engine.Solving)},
		"choosing":        {large("features.count=1024", "choice=loo"), nil, "a", at(engine.Choosing)},
		"selecting":       {large("features.count=256", "pool=2048", "train.lambda=1e-4"), nil, "a", at(engine.Solving)},
		"evaluating":      {large("features.count=512", "data.test=4096"), []string{"enter", "enter"}, "a", at(engine.Evaluating)},
		"comparing":       {large("features.count=32", "data.train=2048", "baselines=yes"), nil, "a", at(engine.Comparing)},
		"a comparison":    {large("features.count=1024", "features.delta=0.01", "train.lambda=1e-4"), []string{"a", "T"}, "enter", comparison},
		"a study":         {large(), []string{"5"}, "enter", studied},
		"studies":         {large(), []string{"5", "right", "down"}, "a", studied},
		"a search":        {large(), []string{"6"}, "enter", searched},
	} {
		p := newPerson(t, Options{Config: c.config, Workers: 2})
		p.press(c.first...)
		p.begin(c.key)
		for end := time.Now().Add(patience); !c.there(p.m); time.Sleep(time.Millisecond) {
			select {
			case <-p.m.session.job.done:
				_, cmd := p.m.Update(p.m.session.job.result)
				if p.m.session.job == nil {
					t.Fatalf("%s: ended before it was there: %v, %v", name, p.m.session.failure, cmd)
				}
			default:
			}
			if time.Now().After(end) {
				t.Fatalf("%s is not reached:\n%s", name, p.screen())
			}
		}
		j := p.m.session.job
		time.Sleep(20 * time.Millisecond) // into the middle of it
		before := processorTime(t)
		p.press("esc") // and waits for the end
		took := processorTime(t) - before
		t.Logf("%-16s %v", name, took)
		if took > most {
			t.Errorf("%s goes on for %v of a core after esc", name, took)
		}
		if err := j.result.err; err != nil && !isCancelled(err) {
			t.Errorf("%s: %v", name, err)
		}
		if err := p.m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// While an experiment is got hold of esc is obeyed at once, and what comes of it later leaves nothing behind.
func TestEscapeIsObeyedWhilePreparing(t *testing.T) {
	root := t.TempDir()
	p := newPerson(t, Options{Config: tiny(t), Workers: 1, Runs: root})
	p.press("enter")
	shown := p.m.session.experiment
	var late *engine.Experiment
	wait := make(chan struct{})
	cmd := p.m.prepare("preparing the experiment", func(ctx context.Context) preparedMsg {
		<-ctx.Done()
		<-wait // files that are slow to read
		var err error
		late, err = engine.Create(context.Background(), root, "late", tiny(t), time.Now(), engine.Options{})
		return preparedMsg{experiment: late, err: err}
	})
	p.see("preparing the experiment", "esc cancel")
	p.m.Update(key("esc"))
	if p.m.session.preparing != "" || p.m.session.experiment != shown {
		t.Fatalf("esc is not obeyed:\n%s", p.screen())
	}
	p.see("preparing the experiment was cancelled")
	p.press("enter") // and something else can be begun
	if p.m.session.reached != training {
		t.Errorf("%s is reached, not %s:\n%s", stepNames[p.m.session.reached], stepNames[training], p.screen())
	}
	close(wait)
	p.settle(cmd)
	if late == nil || p.m.session.experiment == late {
		t.Fatal("what comes too late is not put away")
	}
	again, err := engine.Create(t.Context(), root, "late", tiny(t), time.Now(), engine.Options{}) // its directory is gone
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	if err := p.m.Close(); err != nil {
		t.Error(err)
	}
}

// Leaving does not wait for files either.
func TestLeavingEndsPreparing(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	p.m.prepare("opening a run", func(ctx context.Context) preparedMsg {
		<-ctx.Done()
		return preparedMsg{err: ctx.Err()}
	})
	p.m.Update(key("ctrl+c"))
	if err := p.m.Close(); err != nil {
		t.Error(err)
	}
}
