package session

import (
	"context"
	"errors"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/engine"
)

// tiny returns a configuration that runs in a fraction of a second.
func tiny(t *testing.T) config.Config {
	t.Helper()
	c, err := config.PresetByName("quick")
	if err == nil {
		err = config.Assign(&c, "data.train=40", "data.test=24", "features.count=48", "data.grid=257", "train.grid=33",
			"tolerance=1e-6", "baselines=no")
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// settle runs a command and all that follow from it.
func settle(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			settle(c)
		}
	case func() tea.Cmd: // the end of work in the background, see session.Session
		settle(msg())
	}
}

// An experiment that comes after its preparation was cancelled leaves nothing behind.
func TestCancellingIsObeyedWhilePreparing(t *testing.T) {
	root := t.TempDir()
	s := New(Options{Config: tiny(t), Workers: 1, Runs: root, Every: time.Millisecond})
	settle(s.Begin(false))
	shown := s.Experiment()
	cmd := s.prepare("preparing the experiment", func(ctx context.Context) (ready, error) {
		<-ctx.Done()
		late, err := engine.New(context.Background(), tiny(t), engine.Options{Runs: root, Name: "late"})
		return ready{experiment: late}, err
	})
	if !s.Preparing() || s.Begin(false) != nil {
		t.Errorf("in state %d something else can be begun", s.State())
	}
	s.Cancel()
	settle(cmd)
	if s.State() != Cancelled || s.Experiment() != shown {
		t.Fatalf("state %d", s.State())
	}
	settle(s.Begin(false)) // something else can begin
	if s.Reached() != Train {
		t.Errorf("%s is reached, not %s", s.Reached(), Train)
	}
	again, err := engine.New(t.Context(), tiny(t), engine.Options{Runs: root, Name: "late"}) // the directory is gone
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(again.Close(), s.Close()); err != nil {
		t.Error(err)
	}
}

// Leaving does not wait for files either.
func TestLeavingEndsPreparing(t *testing.T) {
	s := New(Options{Config: tiny(t)})
	s.prepare("opening a run", func(ctx context.Context) (ready, error) {
		<-ctx.Done()
		return ready{}, ctx.Err()
	})
	s.Leave()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestEndsOfOldJobsAreIgnored(t *testing.T) {
	s := New(Options{Config: tiny(t), Workers: 1, Every: time.Millisecond})
	settle(s.Begin(false))
	old := &task{Job: Job{Seen: func() { t.Error("its progress is copied") }}, err: errors.New("stale")}
	if cmd := s.finish(old); cmd != nil || s.Failure() != nil || s.Reached() != Generate {
		t.Error("the end of a job that was replaced changed the session")
	}
	settle(s.poll(old))
}

// A job ends in the state that its error implies, and a Beside job is replaced by any other.
func TestStatesOfJobs(t *testing.T) {
	failure := errors.New("full")
	for _, test := range []struct {
		err  error
		want State
	}{{nil, Idle}, {context.Canceled, Cancelled}, {failure, Failed}} {
		s := New(Options{Config: tiny(t), Every: time.Millisecond})
		cmd := s.Run(Job{Name: "a study", Work: func(context.Context) error { return test.err }})
		if s.State() != Running || s.Doing() != "a study" || s.Run(Job{Name: "another"}) != nil {
			t.Errorf("state %d while a job runs", s.State())
		}
		if settle(cmd); s.State() != test.want || !errors.Is(s.Failure(), test.err) {
			t.Errorf("after %v state %d, want %d", test.err, s.State(), test.want)
		}
	}
	s := New(Options{Config: tiny(t), Every: time.Millisecond})
	ended := false
	beside := s.Run(Job{Name: "probe", Beside: true,
		Work: func(ctx context.Context) error { <-ctx.Done(); ended = true; return ctx.Err() },
		Done: func(error) tea.Cmd { t.Error("nobody waits for it any more"); return nil }})
	if s.Busy() || s.State() != Idle {
		t.Error("what runs beside occupies the session")
	}
	cmd := s.Run(Job{Name: "study", Work: func(context.Context) error {
		if !ended {
			t.Error("two jobs work at a time")
		}
		return nil
	}})
	settle(cmd)
	settle(beside)
}

// Numbers that came from a file split its pairs until a file of test pairs is set; a typed number stays.
func TestAFileOfTestPairsLeavesAllOthersForTraining(t *testing.T) {
	c := config.Config{}
	for _, p := range config.Presets() {
		if p.Name == "functions" {
			c = p.Config
		}
	}
	c.Data.TrainFile, c.Data.Train, c.Data.Test, c.Data.Split = "pairs.npz", 19, 5, 7
	set := func(s *Session, name, text string) {
		k, err := s.Config().Lookup(name)
		if err == nil {
			err = s.Set(k, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := New(Options{Config: c})
	set(s, "data.test_file", "tests.npz")
	if d := s.Config().Data; d.Train != 0 || d.Test != 0 || d.Split != 0 {
		t.Errorf("%d pairs for training, %d for testing, split %d", d.Train, d.Test, d.Split)
	}
	s = New(Options{Config: c})
	set(s, "data.train", "8")
	set(s, "data.test_file", "tests.npz")
	if d := s.Config().Data; d.Train != 8 || d.TestFile != "tests.npz" {
		t.Errorf("%d pairs for training", d.Train)
	}
}
