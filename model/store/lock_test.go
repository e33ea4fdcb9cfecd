package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rfm/config"
)

// childRoot names the environment variable that makes the test binary begin a run without a name in a directory.
const childRoot = "RFM_TEST_CREATE"

// childRun names the environment variable that makes the test binary hold the run that it names until its standard
// input ends.
const childRun = "RFM_TEST_HOLD"

func TestMain(m *testing.M) {
	if root := os.Getenv(childRoot); root != "" {
		c, err := config.PresetByName("quick")
		if err != nil {
			panic(err)
		}
		d, err := Create(root, "", c, self, now)
		if err == nil {
			err = d.Close()
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	if path := os.Getenv(childRun); path != "" {
		if _, err := Open(context.Background(), path, self, time.Now()); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	os.Exit(m.Run())
}

func TestOneProcessAtATime(t *testing.T) {
	path := closed(t, create(t, t.TempDir(), "x"))
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(executable)
	cmd.Env = append(os.Environ(), childRun+"="+path)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 5)
	if _, err := io.ReadFull(stdout, said); err != nil || string(said) != "held\n" {
		t.Fatalf("the process said %q, %v", said, err)
	}
	_, err = Open(t.Context(), path, self, now)
	isData(t, err, "is in use by process ")
	var use *InUse
	if !errors.As(err, &use) || use.Holder.PID != cmd.Process.Pid || use.Holder.Command != filepath.Base(executable) ||
		use.Holder.Host == "" || time.Since(use.Holder.Since) > time.Minute {
		t.Errorf("held by %+v", use)
	}
	if h := Holder(path); h == nil || h.PID != cmd.Process.Pid {
		t.Errorf("list: held by %v", h)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = stdin.Close()
	_ = cmd.Wait() // killed
	if _, err := os.Stat(filepath.Join(path, LockFile)); err != nil {
		t.Fatalf("the killed process has left no lock file to take over: %v", err)
	}
	if h := Holder(path); h != nil {
		t.Errorf("still held by %v", h)
	}
	d, err := Open(t.Context(), path, self, now)
	if err != nil {
		t.Fatal(err)
	}
	closed(t, d)
}

func TestSimultaneousProcessesHaveDirectoriesOfTheirOwn(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	const processes = 4
	failures := make([]error, processes)
	var group sync.WaitGroup
	for i := range processes {
		group.Go(func() {
			cmd := exec.Command(executable)
			cmd.Env = append(os.Environ(), childRoot+"="+root)
			text, err := cmd.CombinedOutput()
			if err != nil {
				failures[i] = fmt.Errorf("%w: %s", err, text)
			}
		})
	}
	group.Wait()
	list, err := List(root)
	if err := errors.Join(append(failures, err)...); err != nil || len(list) != processes {
		t.Errorf("%d runs of %d processes, %v", len(list), processes, err)
	}
	for _, e := range list {
		if faults := Verify(e.Path); len(faults) > 0 {
			t.Error(faults)
		}
	}
}

func TestCompleteRunsAreOpenToAll(t *testing.T) {
	d := create(t, t.TempDir(), "x")
	if err := d.Commit(func(m *Manifest) { m.Evaluating.State = Complete }); err != nil {
		t.Fatal(err)
	}
	path := closed(t, d)
	// of a process that was killed at its end
	if err := os.WriteFile(filepath.Join(path, LockFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := Open(t.Context(), path, self, now); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(path, LockFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock file is left: %v", err)
	}
}

// elsewhere is a process on another machine, whose locks are not seen here.
var elsewhere = Identity{PID: 7, Host: "elsewhere.test", User: "u", Since: now, Command: "rfm run"}

// Where locks do not reach other machines, a holder's beat keeps others away.
func TestBeatsOfAnotherMachineKeepTheLock(t *testing.T) {
	path := closed(t, create(t, t.TempDir(), "x"))
	const interval = 50 * time.Millisecond
	name := filepath.Join(path, LockFile)
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	holder, err := hold(f, elsewhere, interval) // without the lock of the file system
	if err != nil {
		t.Fatal(err)
	}
	if h := Holder(path); h == nil || *h != elsewhere {
		t.Errorf("list: held by %v", h)
	}
	const words = "waiting up to 20s for a sign of life of process 7 of u on elsewhere.test since "
	if text := Doubt(path); !strings.HasPrefix(text, words) {
		t.Errorf("while it may be dead: %q", text)
	}
	_, _, _, err = acquireAs(t.Context(), path, Self(now), 10*time.Second) // which waits for one beat only
	isData(t, err, "process 7 of u on elsewhere.test")
	holder.stop() // as kill -9, or the loss of the machine
	holder.beats.Wait()
	l, locked, after, err := acquireAs(t.Context(), path, Self(now), interval)
	if err != nil || !locked || after == nil || *after != elsewhere {
		t.Fatalf("after the holder's death: %v, locked %v, after %v", err, locked, after)
	}
	if text := Doubt(path); text != "" {
		t.Errorf("of a process of this machine: %q", text)
	}
	if who := holder.lost(); who == nil || who.PID != os.Getpid() {
		t.Errorf("the old holder finds that it has lost the lock to %v", who)
	}
	if err := holder.release(); err != nil { // a process that was only frozen
		t.Error(err)
	}
	if _, err := os.Stat(name); err != nil {
		t.Errorf("the old holder has removed the new one's lock: %v", err)
	}
	if err := l.release(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock is left: %v", err)
	}
}

// A process that others took for dead writes nothing any more.
func TestWhoHasLostTheLockCommitsNothing(t *testing.T) {
	d := create(t, t.TempDir(), "x")
	before, err := os.ReadFile(d.File(ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.File(LockFile),
		[]byte(`{"pid":7,"host":"elsewhere.test","user":"u","since":"2026-01-02T03:04:05Z","command":"rfm run"}`+"\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	isData(t, d.Commit(func(m *Manifest) { m.Generating.State = Partial }),
		"was taken over by process 7 of u on elsewhere.test")
	if after, err := os.ReadFile(d.File(ManifestFile)); err != nil || string(after) != string(before) {
		t.Errorf("the manifest has changed, %v", err)
	}
	closed(t, d)
}

func TestWaitingForBeatsEndsWithTheContext(t *testing.T) {
	path := closed(t, create(t, t.TempDir(), "x"))
	if err := os.WriteFile(filepath.Join(path, LockFile), []byte(`{"pid":7,"host":"elsewhere.test"}`+"\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, _, err := acquireAs(ctx, path, Self(now), time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
