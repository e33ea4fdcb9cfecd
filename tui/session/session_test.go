package session

import (
	"context"
	"errors"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/solver/dataset/filetest"
	"rfm/tui/tuitest"
)

var noError = filetest.NoError

// An experiment that comes after its preparation was cancelled leaves nothing behind.
func TestCancellingIsObeyedWhilePreparing(t *testing.T) {
	root := t.TempDir()
	s := New(Options{Config: tuitest.Tiny(t), Workers: 1, Runs: root, Every: time.Millisecond})
	tuitest.Settle(s.Hear, s.Runner.Begin(false))
	shown := s.Runner.Experiment()
	cmd := s.Runner.prepare("preparing the experiment", func(ctx context.Context) (ready, error) {
		<-ctx.Done()
		late, err := engine.New(context.Background(), tuitest.Tiny(t), engine.Options{Runs: root, Name: "late"})
		return ready{experiment: late}, err
	})
	if !s.Runner.Preparing() || s.Runner.Begin(false) != nil {
		t.Errorf("in state %d something else can be begun", s.Runner.State())
	}
	s.Runner.Cancel()
	tuitest.Settle(s.Hear, cmd)
	if s.Runner.State() != Cancelled || s.Runner.Experiment() != shown {
		t.Fatalf("state %d", s.Runner.State())
	}
	tuitest.Settle(s.Hear, s.Runner.Begin(false)) // something else can begin
	if s.Runner.Reached() != Train {
		t.Errorf("%s is reached, not %s", s.Runner.Reached(), Train)
	}
	// the directory is gone
	again, err := engine.New(t.Context(), tuitest.Tiny(t), engine.Options{Runs: root, Name: "late"})
	noError(t, err)
	noError(t, errors.Join(again.Close(), s.Close()))
}

// Leaving does not wait for files either.
func TestLeavingEndsPreparing(t *testing.T) {
	s := New(Options{Config: tuitest.Tiny(t)})
	s.Runner.prepare("opening a run", func(ctx context.Context) (ready, error) {
		<-ctx.Done()
		return ready{}, ctx.Err()
	})
	s.Leave()
	noError(t, s.Close())
}

func TestEndsOfOldJobsAreIgnored(t *testing.T) {
	s := New(Options{Config: tuitest.Tiny(t), Workers: 1, Every: time.Millisecond})
	tuitest.Settle(s.Hear, s.Runner.Begin(false))
	old := &task{Job: Job{Seen: func() { t.Error("its progress is copied") }}, err: errors.New("stale")}
	if cmd := s.Runner.finish(old); cmd != nil || s.Runner.Failure() != nil || s.Runner.Reached() != Generate {
		t.Error("the end of a job that was replaced changed the session")
	}
	tuitest.Settle(s.Hear, s.Runner.poll(old))
}

// A job ends in the state that its error implies, and a Beside job is replaced by any other.
func TestStatesOfJobs(t *testing.T) {
	failure := errors.New("full")
	for _, test := range []struct {
		err  error
		want State
	}{{nil, Idle}, {context.Canceled, Idle}, {failure, Failed}} {
		s := New(Options{Config: tuitest.Tiny(t), Every: time.Millisecond})
		cmd := s.Runner.Run(Job{Name: "a study", Work: func(context.Context) error { return test.err }})
		if s.Runner.State() != Running || s.Runner.Doing() != "a study" || s.Runner.Run(Job{Name: "another"}) != nil {
			t.Errorf("state %d while a job runs", s.Runner.State())
		}
		if tuitest.Settle(s.Hear, cmd); s.Runner.State() != test.want || !errors.Is(s.Runner.Failure(), test.err) {
			t.Errorf("after %v state %d, want %d", test.err, s.Runner.State(), test.want)
		}
		if said := s.Notice().Text; (said == "a study is stopped") != (test.err == context.Canceled) {
			t.Errorf("after %v: %q", test.err, said)
		}
	}
	s := New(Options{Config: tuitest.Tiny(t), Every: time.Millisecond})
	ended := false
	beside := s.Runner.Run(Job{Name: "probe", Beside: true,
		Work: func(ctx context.Context) error { <-ctx.Done(); ended = true; return ctx.Err() },
		Done: func(error) tea.Cmd { t.Error("nobody waits for it any more"); return nil }})
	if s.Runner.Busy() || s.Runner.State() != Idle {
		t.Error("what runs beside occupies the session")
	}
	cmd := s.Runner.Run(Job{Name: "study", Work: func(context.Context) error {
		if !ended {
			t.Error("two jobs work at a time")
		}
		return nil
	}})
	tuitest.Settle(s.Hear, cmd)
	tuitest.Settle(s.Hear, beside)
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
		k, err := s.Draft.Config().Lookup(name)
		if err == nil {
			err = s.Draft.Set(k, text)
		}
		noError(t, err)
	}
	s := New(Options{Config: c})
	set(s, "data.test_file", "tests.npz")
	if d := s.Draft.Config().Data; d.Train != 0 || d.Test != 0 || d.Split != 0 {
		t.Errorf("%d pairs for training, %d for testing, split %d", d.Train, d.Test, d.Split)
	}
	s = New(Options{Config: c})
	set(s, "data.train", "8")
	set(s, "data.test_file", "tests.npz")
	if d := s.Draft.Config().Data; d.Train != 8 || d.TestFile != "tests.npz" {
		t.Errorf("%d pairs for training", d.Train)
	}
}

// Until an experiment has an error, the one of the model of the same problem before it is known.
func TestTheErrorBeforeIsOfTheSameProblem(t *testing.T) {
	s := New(Options{Config: tuitest.Tiny(t), Workers: 1, Every: time.Millisecond})
	of := []Result{{Config: config.Config{Problem: config.Darcy}, Error: 0.3}, {Config: tuitest.Tiny(t), Error: 0.2}}
	for i, want := range []float64{0, 0.2} {
		s.Runner.results = of[:i+1]
		if now, before := s.Runner.Tested(); now != 0 || before != want {
			t.Errorf("errors %v and %v, not 0 and %v", now, before, want)
		}
	}
	s.Runner.results[1].Config.Data.TrainFile = "other.npz"
	_, before := s.Runner.Tested()
	if before != 0 {
		t.Errorf("error %v of pairs from another file", before)
	}
	s.Runner.results[1].Config.Data.TrainFile = ""
	tuitest.Settle(s.Hear, s.Runner.Begin(false))
	if now, before := s.Runner.Tested(); now != 0.2 || before != 0 {
		t.Errorf("errors %v and %v of the experiment with this configuration", now, before)
	}
}
