package engine_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/store"
	"rfm/model/run/sweep"
	"rfm/model/run/tune"
	"rfm/solver/base/files"
	"rfm/solver/base/parallel/detector"
)

var kills = flag.Int("kills", 25, "how often TestKilledProcessesCostOnlyTime kills a process")

const coarse = "data.grid=129 tolerance=1e-4 "

// victims are works that several processes begin or resume in a directory with a configuration.
var victims = []struct {
	name, preset string
	assignments  string
	processes    int
	work         func(ctx context.Context, root string, c config.Config) error
}{
	{"burgers", "quick", coarse + "data.train=96 data.test=160 features.count=192 train.lambda=1e-3", 1, runWhole},
	{"darcy", "darcy-quick", "data.grid=33 data.train=24 data.test=40 features.count=64", 1, runWhole},
	{"split", "quick", coarse + "data.train=96 data.test=160 features.count=192", 3, runSplit},
	{"sweep", "quick", coarse + "data.train=24 data.test=16 features.count=24", 2, runSweep},
	{"tune", "quick", coarse + "data.train=32 data.test=16 features.count=32", 1, runSearch},
}

func init() {
	engine.Child = func(work, root string) error {
		if work == "work" {
			return engine.Work(context.Background(), root, engine.Options{Workers: 1}, engine.Impatient)
		}
		for _, v := range victims {
			if v.name != work {
				continue
			}
			c, err := config.PresetByName(v.preset)
			more := strings.Fields(v.assignments + " train.grid=33 evaluation.baselines=no")
			err = errors.Join(err, config.Assign(&c, more...))
			return errors.Join(err, v.work(context.Background(), root, c))
		}
		return errors.New("no work is called " + work)
	}
}

func runWhole(ctx context.Context, root string, c config.Config) error {
	e, err := engine.New(ctx, c, engine.Eager.In(root, "run", true))
	if err != nil {
		return err
	}
	return errors.Join(e.Run(ctx), e.Close())
}

// runSplit makes units as `rfm work` does; the last worker merges them.
func runSplit(ctx context.Context, root string, c config.Config) error {
	path := filepath.Join(root, "run")
	err := store.Alone(filepath.Join(root, "lock"), func() error {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		e, err := engine.New(ctx, c, engine.Eager.In(root, "run", false))
		if err == nil {
			err = e.Close()
		}
		return err
	})
	complete := func() bool { m, err := store.Read(path); return err == nil && m.Complete() }
	if err != nil {
		return err
	}
	if complete() { // perhaps a process was killed while it removed the units
		return runWhole(ctx, root, c)
	}
	if _, err = engine.Split(ctx, path, 8, engine.Eager); err == nil {
		err = engine.Work(ctx, path, engine.Options{Workers: 1}, engine.Impatient)
	}
	if err == nil {
		err = runWhole(ctx, root, c)
	}
	var use *store.InUse // another worker merges
	if errors.As(err, &use) || errors.Is(err, store.ErrComplete) || complete() {
		return nil
	}
	return err
}

func runSweep(ctx context.Context, root string, c config.Config) error {
	axis, err := sweep.ParseAxis(c, "seed=1..3")
	if err != nil {
		return err
	}
	s, err := sweep.Begin(root, "run", c, []sweep.Axis{axis})
	if err != nil {
		return err
	}
	did, err := s.Run(ctx, s.Groups(), engine.Eager, func(ctx context.Context, _ sweep.Cell, e *engine.Experiment) error {
		return e.Run(ctx)
	}, func(string) {})
	return errors.Join(err, did.First)
}

func runSearch(ctx context.Context, root string, c config.Config) error {
	file, s := filepath.Join(root, "best.toml"), &tune.Session{Asked: c}
	err := s.Check(ctx)
	if err == nil {
		_, err = s.KeepBeside(ctx, file)
	}
	if _, missing := os.Stat(file); missing == nil {
		return errors.Join(err, s.Forget())
	}
	if err == nil {
		err = s.Obtain(ctx, nil, 2)
	}
	if err == nil {
		_, err = s.Begin(tune.Options{Evaluations: 80, Seed: 1, Workers: 2})
	}
	if err != nil {
		return err
	}
	found, err := s.Run(ctx)
	if err == nil {
		err = s.Save(found.Config)
	}
	return errors.Join(err, s.Forget())
}

// Processes that are killed at any moment leave sound files. Those that resume produce the files of processes that were
// not killed, for runs, for those of several workers, for sweeps and for searches.
func TestKilledProcessesCostOnlyTime(t *testing.T) {
	detector.Skip(t, detector.Stored)
	random := rand.New(rand.NewPCG(uint64(*kills), 1))
	const most = 5 // kills of one work
	killed, seen := 0, map[string]int{}
	want, durations := map[string]map[string]string{}, map[string]time.Duration{}
	// session starts the processes of a work, kills each within a time if that is positive, and counts the killed ones.
	session := func(name string, processes int, root string, within time.Duration) (dead int) {
		var all []*exec.Cmd
		for range processes {
			cmd := engine.Start(t, name, root)
			if within > 0 {
				life := time.Duration(random.Float64() * float64(within))
				defer time.AfterFunc(life, func() { _ = cmd.Process.Kill() }).Stop() // it may have ended
			}
			all = append(all, cmd)
		}
		for _, cmd := range all {
			err := cmd.Wait()
			if out := cmd.Stderr.(*bytes.Buffer).String(); err != nil && out != "" {
				t.Fatalf("%s: %v: %s", name, err, out)
			}
			if err != nil {
				dead++
			}
		}
		return dead
	}
	for try := 0; killed < *kills; try++ {
		v := victims[try%len(victims)]
		if want[v.name] == nil {
			root, begin := t.TempDir(), time.Now()
			session(v.name, v.processes, root, 0)
			durations[v.name], want[v.name] = time.Since(begin), sound(t, root)
			if len(want[v.name]) == 0 {
				t.Fatalf("%s: no files", v.name)
			}
		}
		root := t.TempDir()
		for dead := 0; ; {
			within := durations[v.name] * 11 / 10
			if dead >= most {
				within = 0
			}
			now := session(v.name, v.processes, root, within)
			if now == 0 {
				break
			}
			dead, killed, seen[v.name] = dead+now, killed+now, seen[v.name]+now
			sound(t, root)
		}
		got := sound(t, root)
		for name, text := range want[v.name] {
			if got[name] != text {
				t.Errorf("%s: %s differs after kills", v.name, name)
			}
			delete(got, name)
		}
		for name := range got {
			t.Errorf("%s: %s is left after kills", v.name, name)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d kills: %v", killed, seen)
}

// sound verifies all runs below a directory and returns the files that do not depend on time or place.
func sound(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		relative, _ := filepath.Rel(root, path)
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && files.Temporary(name): // of a process killed while it made the directory
			return fs.SkipDir
		case d.IsDir():
		case files.Temporary(name): // the next process removes it once it is old
			all[relative] = ""
			return os.Chtimes(path, time.Time{}, time.Now().Add(-2*time.Hour))
		case name == store.ProgramFile:
			for _, fault := range store.Verify(t.Context(), filepath.Dir(path)) {
				t.Error(fault)
			}
		case name != store.TimingsFile && name != store.SumsFile && name != "lock" && name != ".lock":
			text, err := os.ReadFile(path)
			all[relative] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return all
}
