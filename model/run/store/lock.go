// This file prevents two processes from working on the same run. The operating system holds a lock, on a file that
// names the process, for as long as the process lives. The file stays until the run is complete, so that nobody locks a
// file that another process is removing. The lock is advisory: where other machines do not see it
// (BeeGFS, NFS with local locks), two processes may make the same files.

package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
)

// Identity identifies a process that uses a run.
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

// InUse is the cause of the *fault.Data that refuses a run that another process uses.
type InUse struct{ Holder Identity }

func (e *InUse) Error() string { return "is in use by " + e.Holder.String() }

// thisProcess returns the identity of this process.
func thisProcess() Identity {
	words := []string{filepath.Base(os.Args[0])}
	for _, arg := range os.Args[1:] {
		words = append(words, printable.Quote(arg))
	}
	host, _ := os.Hostname()
	u, _ := user.Current()
	return Identity{PID: os.Getpid(), Host: cmp.Or(host, "unknown host"),
		User:  cmp.Or(u, &user.User{Username: "unknown user"}).Username,
		Since: time.Now().UTC().Truncate(time.Second), Command: strings.Join(words, " ")}
}

// patience is the time to wait for a lock: listing runs takes locks for a moment.
const patience = 200 * time.Millisecond

// obtain locks a file for this process, which it makes if necessary; it waits for some time. The error is files.ErrHeld or
// files.ErrNoLocks, both with the open file, or another one.
func obtain(name string, wait time.Duration) (f files.Handle, err error) {
	begin := time.Now()
	for {
		f, err := files.OpenInside(name, os.O_RDWR|os.O_CREATE)
		if err != nil {
			return nil, err
		}
		err = files.Lock(f, true)
		held := errors.Is(err, files.ErrHeld)
		switch {
		case err == nil, errors.Is(err, files.ErrNoLocks), held && time.Since(begin) > wait:
			return f, err
		case !held:
			return nil, errors.Join(err, f.Close())
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
		time.Sleep(patience / 20)
	}
}

// acquire locks the run in the directory path for this process. locked is false if the file system has no locks. The
// error is a *fault.Data, caused by an *InUse if another process has the lock.
func acquire(path string) (f files.Handle, locked bool, err error) {
	name := filepath.Join(path, LockFile)
	f, err = obtain(name, patience)
	if errors.Is(err, files.ErrHeld) {
		defer f.Close()
		return nil, false, &fault.Data{
			Where: path,
			Err:   &InUse{identity(f)},
			Do:    "wait until it has finished, or stop it",
		}
	}
	locked = err == nil
	if f != nil {
		err = sign(f)
		if err == nil {
			return f, locked, nil
		}
		err = errors.Join(err, f.Close())
	}
	if _, other := errors.AsType[*files.Error](err); other {
		return nil, false, fault.Unwritten(name, err, "and move it away: no run has made it")
	}
	return nil, false, fault.Unwritten(name, err, writable)
}

// sign makes this process the holder in a lock file.
func sign(f files.Handle) error {
	line, err := json.Marshal(thisProcess())
	if err != nil {
		panic("store: " + err.Error()) // it is plain data
	}
	line = append(line, '\n')
	if _, err := f.WriteAt(line, 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(line)))
}

// identity returns the holder in the first line of a lock file; zero if the line has none.
func identity(f files.Handle) Identity {
	const limit = 1 << 16
	text, err := io.ReadAll(io.NewSectionReader(f, 0, limit))
	line, _, _ := bytes.Cut(text, []byte("\n"))
	var i Identity
	if err != nil || json.Unmarshal(line, &i) != nil {
		return Identity{}
	}
	return i
}

// holder returns the process that uses the run in the directory path; nil if none does, or if it is unknown.
func holder(path string) *Identity {
	f, err := files.OpenInside(filepath.Join(path, LockFile), os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer f.Close() // releases the trial lock
	i := identity(f)
	if errors.Is(files.Lock(f, false), files.ErrHeld) {
		return &i
	}
	return nil
}

// Alone calls do while no other process is in a call of Alone with the same file, which it makes if necessary. It waits
// at most ten seconds; then the error is a *fault.Data, as for a file that cannot be made. Where files cannot be locked
// it calls do without a lock.
func Alone(path string, do func() error) error {
	f, err := obtain(path, 50*patience)
	if f != nil {
		defer f.Close() // releases the lock
	}
	switch {
	case err == nil, errors.Is(err, files.ErrNoLocks):
		return do()
	case errors.Is(err, files.ErrHeld):
		return &fault.Data{
			Where: path,
			What:  "is locked by another process",
			Do:    "wait until it has finished, or stop it",
		}
	}
	return fault.Unwritten(path, err, "and run it again")
}
