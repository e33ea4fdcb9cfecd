// This file keeps two processes from working on one run: a lock that the operating system holds for as long as the
// process lives, on a file that says who that is. Not every file system of a cluster tells other machines of such locks
// (BeeGFS, NFS with local locks), so the holder also writes a beat into the file, and who finds the lock of another
// machine free watches for it.

package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/solver/printable"
)

// Identity says which process works on a run.
type Identity struct {
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	User    string    `json:"user"`
	Since   time.Time `json:"since"`
	Command string    `json:"command"`
}

func (i Identity) String() string {
	if i.PID == 0 {
		return "another process"
	}
	return fmt.Sprintf("process %d of %s on %s since %s (%s)", i.PID, i.User, i.Host,
		i.Since.Local().Format("2006-01-02 15:04:05"), i.Command)
}

// InUse is the cause of the *fault.Data that refuses a run on which another process works.
type InUse struct{ Holder Identity }

func (e *InUse) Error() string { return "is in use by " + e.Holder.String() }

// Self is the identity of this process.
func Self(now time.Time) Identity {
	i := Identity{PID: os.Getpid(), Host: "unknown host", User: "unknown user", Since: now.UTC().Truncate(time.Second),
		Command: strings.Join(append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...), " ")}
	if host, err := os.Hostname(); err == nil {
		i.Host = host
	}
	if u, err := user.Current(); err == nil {
		i.User = u.Username
	}
	return i
}

// errHeld says that another process has the lock; errNoLocks that the file system has none.
var (
	errHeld    = errors.New("the lock is held")
	errNoLocks = errors.New("this file system has no locks")
)

// patience is how long a lock is waited for: lists look at locks by taking them for a moment.
const patience = 200 * time.Millisecond

const (
	// beatInterval is the time between two beats of a holder.
	beatInterval = 5 * time.Second
	// beatsMissed is how many beats a holder on another machine must miss to be taken for dead.
	beatsMissed = 4
	// beatSize is the length of a beat: a number and a new line, always in the same place.
	beatSize = 21
)

// lease is the lock of a run in the hands of this process.
type lease struct {
	file  *os.File
	line  []byte // says who holds it
	stop  context.CancelFunc
	beats sync.WaitGroup
}

// hold writes who holds the lock on the file, and goes on with a beat until release. Beats that cannot be written are
// left out: the work is not worse for it. The error is that of writing.
func hold(f *os.File, who Identity, interval time.Duration) (*lease, error) {
	line, err := json.Marshal(who)
	if err != nil {
		return nil, err
	}
	l := &lease{file: f, line: append(line, '\n')}
	if err := f.Truncate(0); err != nil {
		return nil, err
	}
	if _, err := f.WriteAt(fmt.Appendf(l.line[:len(l.line):len(l.line)], "%0*d\n", beatSize-1, 0), 0); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	l.beats.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for n := 1; ; n++ {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if _, err := f.WriteAt(fmt.Appendf(nil, "%0*d\n", beatSize-1, n), int64(len(l.line))); err == nil {
				_ = f.Sync() // until then no other machine sees it
			}
		}
	})
	return l, nil
}

// lost is the process that has taken the lock meanwhile, because it saw no beats; nil if none has.
func (l *lease) lost() *Identity {
	f, err := files.OpenInside(l.file.Name(), os.O_RDONLY)
	if err != nil { // removed by hand, or it cannot be known
		return nil
	}
	defer f.Close()
	found := make([]byte, len(l.line))
	if n, err := f.ReadAt(found, 0); err != nil && err != io.EOF || bytes.Equal(found[:n], l.line) {
		return nil
	}
	who := identity(f)
	return &who
}

// release ends the beats, gives the lock back and removes its file, if it is this process's still.
func (l *lease) release() error {
	l.stop()
	l.beats.Wait()
	if l.lost() != nil {
		return l.file.Close()
	}
	return release(l.file)
}

// acquire locks the run in the directory path for this process. locked is false if the file system has no locks. after
// is a process of another machine that had the lock and has not given it back, but makes no sign of life. Errors:
// ctx's; a *fault.Data, with an *InUse in it if another process has the lock.
func acquire(ctx context.Context, path string, now time.Time) (l *lease, locked bool, after *Identity, err error) {
	return acquireAs(ctx, path, Self(now), beatInterval)
}

// acquireAs is acquire for the given process and interval of beats.
func acquireAs(ctx context.Context, path string, who Identity, interval time.Duration) (l *lease, locked bool,
	after *Identity, err error) {
	name := filepath.Join(path, LockFile)
	unwritten := func(err error) error {
		do := "runs must be written to go on; check the permissions and the space left"
		var other *files.Error
		if errors.As(err, &other) {
			do = "no run has made it: move it away"
		}
		return fault.Unwritten(name, err, do)
	}
	inUse := func(holder Identity) error {
		return &fault.Data{Where: path, Err: &InUse{holder}, Do: "wait until it has finished, or stop it"}
	}
	for begin := time.Now(); ; time.Sleep(patience / 20) {
		f, err := files.OpenInside(name, os.O_RDWR|os.O_CREATE)
		if err != nil {
			return nil, false, nil, unwritten(err)
		}
		err = lock(f, true)
		if err == nil && !current(f, name) { // removed by its last holder meanwhile
			err = errHeld
		}
		holder := identity(f)
		switch {
		case err == nil, errors.Is(err, errNoLocks):
			locked = err == nil
			if holder.Host != "" && holder.Host != who.Host {
				alive, err := beating(ctx, name, interval)
				if alive {
					err = inUse(holder)
				}
				if err != nil {
					return nil, false, nil, errors.Join(err, f.Close())
				}
				after = &holder
			}
			if l, err = hold(f, who, interval); err != nil {
				return nil, false, nil, errors.Join(unwritten(err), f.Close())
			}
			return l, locked, after, nil
		case !errors.Is(err, errHeld):
			return nil, false, nil, errors.Join(unwritten(err), f.Close())
		}
		if err := f.Close(); err != nil {
			return nil, false, nil, unwritten(err)
		}
		if time.Since(begin) > patience {
			return nil, false, nil, inUse(holder)
		}
	}
}

// beating reports whether the lock file changes within the time of some beats. No clocks are compared. The error is
// ctx's.
func beating(ctx context.Context, name string, interval time.Duration) (bool, error) {
	content := func() string { // opened anew each time, so that file systems with caches ask their server
		text, err := os.ReadFile(name)
		if err != nil {
			return ""
		}
		return string(text)
	}
	first := content()
	for range beatsMissed * 4 {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(interval / 4):
		}
		if content() != first {
			return true, nil
		}
	}
	return false, nil
}

// removeStaleLock removes the lock file of a complete run whose last process was killed before it could. It does not
// matter if that fails: nobody asks for the lock of a complete run.
func removeStaleLock(path string) {
	f, err := files.OpenInside(filepath.Join(path, LockFile), os.O_RDWR)
	if err != nil {
		return
	}
	if lock(f, true) != nil {
		_ = f.Close()
		return
	}
	_ = release(f)
}

// current says whether the open file is the one that has the name.
func current(f *os.File, name string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(name)
	return err == nil && os.SameFile(opened, named)
}

// identity is what the first line of a lock file says about its holder; zero if it says nothing.
func identity(f *os.File) Identity {
	const limit = 1 << 16
	text, err := io.ReadAll(io.NewSectionReader(f, 0, limit))
	line, _, _ := bytes.Cut(text, []byte("\n"))
	var i Identity
	if err != nil || json.Unmarshal(line, &i) != nil {
		return Identity{}
	}
	return i
}

// Doubt says what opening the run in the directory path waits for: a sign of life of a process of another machine,
// which has not given back the lock though it is free here. It is empty if opening does not wait.
func Doubt(path string) string {
	f, err := files.OpenInside(filepath.Join(path, LockFile), os.O_RDONLY)
	if err != nil {
		return ""
	}
	defer f.Close() // releases the lock that was tried
	i := identity(f)
	if host, _ := os.Hostname(); i.Host == "" || i.Host == host || errors.Is(lock(f, false), errHeld) {
		return ""
	}
	return fmt.Sprintf("waiting up to %v for a sign of life of %s, which has not given back this run",
		beatsMissed*beatInterval, printable.Line(i.String()))
}

// Holder is the process that works on the run in the directory path; nil if none does, or if it cannot be known. A list
// cannot wait for beats: a process of another machine whose lock is not held here counts as long as, by the clocks, its
// last beat is young.
func Holder(path string) *Identity {
	f, err := files.OpenInside(filepath.Join(path, LockFile), os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer f.Close() // releases the lock that was tried
	i := identity(f)
	if errors.Is(lock(f, false), errHeld) {
		return &i
	}
	info, err := f.Stat()
	if host, _ := os.Hostname(); err != nil || i.Host == "" || i.Host == host ||
		time.Since(info.ModTime()) > beatsMissed*beatInterval {
		return nil
	}
	return &i
}

// Alone calls do while no other process that calls it with the same file is in do. The file is made if need be. It waits
// for at most ten seconds: then the error is a *fault.Data, as for a file that cannot be made. Where files cannot be
// locked do is called all the same.
func Alone(path string, do func() error) error {
	f, err := files.OpenInside(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return fault.Unwritten(path, err, "check the permissions and the space left")
	}
	defer f.Close() // gives back the lock
	for begin := time.Now(); ; time.Sleep(patience / 20) {
		err := lock(f, true)
		switch {
		case err == nil, errors.Is(err, errNoLocks):
			return do()
		case !errors.Is(err, errHeld):
			return fault.Unwritten(path, err, "")
		case time.Since(begin) > 50*patience:
			return &fault.Data{Where: path, What: "is locked by another process", Do: "wait until it has finished, or stop it"}
		}
	}
}
