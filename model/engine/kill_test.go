package engine

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/store"
	"rfm/solver/files"
	"rfm/solver/parallel/detector"
)

var kills = flag.Int("kills", 12, "how often TestKilledRunsEndAsIfTheyHadNotBeen kills a process")

// childConfig names the environment variable with a configuration file. The test binary runs its experiment, below the
// directory of the file, with a unit at every opportunity.
const childConfig = "RFM_TEST_CHILD"

func TestMain(m *testing.M) {
	for variable, child := range map[string]func(name string) error{childConfig: runChild,
		childWork: func(path string) error { return work(context.Background(), path) }} {
		if name := os.Getenv(variable); name != "" {
			if err := child(name); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	if os.Getenv("RFM_TEST_MEMORY") == "" { // tests hold little and allocate much: they take a fifth less time
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}

func runChild(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	c, err := config.Parse(text)
	if err != nil {
		return err
	}
	e, err := Continue(context.Background(), filepath.Dir(name), "run", c, time.Now(), eager(2))
	if err != nil {
		return err
	}
	return e.Run(context.Background())
}

// eager returns options with which every step of an array becomes a unit.
func eager(workers int) Options { return Options{Workers: workers, unitTime: time.Nanosecond} }

// child starts a process that begins or resumes the run in root.
func child(t *testing.T, root string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	noError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childConfig+"="+filepath.Join(root, store.ConfigFile))
	cmd.Stderr = new(bytes.Buffer)
	noError(t, cmd.Start())
	return cmd
}

// childRoot returns a directory for the run of a child.
func childRoot(t *testing.T, c config.Config) string {
	t.Helper()
	root := t.TempDir()
	noError(t, os.WriteFile(filepath.Join(root, store.ConfigFile), c.TOML(), 0o644))
	return root
}

// A process that is killed at any moment leaves a sound partial run. A process that resumes it produces the files of an
// uninterrupted run.
func TestKilledRunsEndAsIfTheyHadNotBeen(t *testing.T) {
	detector.Skip(t, detector.Stored)
	random := rand.New(rand.NewPCG(uint64(*kills), 1))
	if testing.Short() {
		*kills = min(*kills, 4)
	}
	killed, seen := 0, map[string]int{}
	configs := map[string]config.Config{"burgers": tiny(t, "data.train=96", "data.test=160", "features.count=192",
		"train.lambda=1e-3"), "darcy": tinyDarcy(t, "data.train=24", "data.test=40", "features.count=64")}
	names := slices.Sorted(maps.Keys(configs))
	want, durations := map[string]map[string][]byte{}, map[string]time.Duration{}
	for _, name := range names {
		root, begin := childRoot(t, configs[name]), time.Now()
		if cmd := child(t, root); cmd.Wait() != nil {
			t.Fatalf("%s: %s", name, cmd.Stderr)
		}
		durations[name], want[name] = time.Since(begin), contents(t, filepath.Join(root, "run"))
	}
	for try := 0; killed < *kills; try++ {
		name := names[try%len(names)]
		root := childRoot(t, configs[name])
		directory := filepath.Join(root, "run")
		const most = 8 // kills in a run
		for sessions := 1; ; sessions++ {
			cmd := child(t, root)
			if sessions <= most && killed < *kills {
				time.Sleep(time.Duration(random.Float64() * 1.1 * float64(durations[name])))
				if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
					t.Fatal(err)
				}
			}
			err := cmd.Wait()
			if err == nil {
				break
			}
			if out := cmd.Stderr.(*bytes.Buffer).String(); out != "" {
				t.Fatalf("%s: session %d: %v: %s", name, sessions, err, out)
			}
			killed++
			seen[stageOf(t, directory)]++
		}
		equalContents(t, name, contents(t, directory), want[name])
		noTemporaryFiles(t, root)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d kills; runs were then at %v", killed, seen)
}

// stageOf checks a run that is not in use and returns its stage.
func stageOf(t *testing.T, directory string) string {
	t.Helper()
	if _, err := os.Stat(directory); errors.Is(err, fs.ErrNotExist) {
		return "nothing"
	}
	for _, fault := range store.Verify(directory) {
		t.Error(fault)
	}
	m, err := store.Read(directory)
	noError(t, err)
	for _, s := range slices.Backward(m.Stages[:]) {
		if s.State != store.Pending {
			return s.Name + " " + s.State
		}
	}
	return "created"
}

func equalContents(t *testing.T, name string, got, want map[string][]byte) {
	t.Helper()
	if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(a, b) {
		t.Errorf("%s: files %v, want %v", name, a, b)
	}
	for file, text := range want {
		if !bytes.Equal(got[file], text) {
			t.Errorf("%s: %s differs from that of an uninterrupted run", name, file)
		}
	}
}

func noTemporaryFiles(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Dir(path) == root && d.IsDir() && files.Temporary(d.Name()) {
			return fs.SkipDir // of a process killed while it made the directory; others keep it for a day
		}
		if err == nil && (strings.HasPrefix(d.Name(), ".") || d.Name() == store.UnitsDirectory ||
			d.Name() == store.LockFile) {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
