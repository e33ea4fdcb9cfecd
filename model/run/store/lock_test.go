package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"
)

// childRun names the environment variable that makes the test binary hold the run that it names until its standard
// input ends.
const childRun = "RFM_TEST_HOLD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childRun); path != "" {
		d, err := Open(context.Background(), path)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = d.Close() // d is in use until then: its finalizer would close the file and release the lock
		return
	}
	debug.SetGCPercent(400) // tests hold little and allocate much: they take a quarter less time
	os.Exit(m.Run())
}

func TestOneProcessAtATime(t *testing.T) {
	path := closed(t, begin(t, t.TempDir(), "x"))
	executable, err := os.Executable()
	noError(t, err)
	cmd := exec.Command(executable, "a file")
	cmd.Env = append(os.Environ(), childRun+"="+path)
	stdin, err := cmd.StdinPipe()
	noError(t, err)
	stdout, err := cmd.StdoutPipe()
	noError(t, err)
	noError(t, cmd.Start())
	said := make([]byte, 5)
	if _, err := io.ReadFull(stdout, said); err != nil || string(said) != "held\n" {
		t.Fatalf("the process said %q, %v", said, err)
	}
	_, err = Open(t.Context(), path)
	isData(t, err, "is in use by process ")
	var use *InUse
	if !errors.As(err, &use) || use.Holder.PID != cmd.Process.Pid ||
		use.Holder.Command != filepath.Base(executable)+" 'a file'" ||
		use.Holder.Host == "" || time.Since(use.Holder.Since) > time.Minute {
		t.Errorf("held by %+v", use)
	}
	if h := holder(path); h == nil || h.PID != cmd.Process.Pid {
		t.Errorf("list: held by %v", h)
	}
	noError(t, cmd.Process.Kill())
	_ = stdin.Close()
	_ = cmd.Wait() // killed
	if _, err := os.Stat(filepath.Join(path, LockFile)); err != nil {
		t.Fatalf("the killed process has left no lock file to take over: %v", err)
	}
	if h := holder(path); h != nil {
		t.Errorf("still held by %v", h)
	}
	d, err := Open(t.Context(), path)
	noError(t, err)
	closed(t, d)
}

func TestCompleteRunsAreOpenToAll(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	complete(t, d)
	path := closed(t, d)
	// of a process that was killed just before its end
	noError(t, os.WriteFile(filepath.Join(path, LockFile), nil, 0o644))
	for range 2 {
		if _, err := Open(t.Context(), path); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(path, LockFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock file is left: %v", err)
	}
}
