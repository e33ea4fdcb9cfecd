// This file is claims: files that say who is at which unit, so that work is not done twice.

package share

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"crypto/rand"

	"rfm/model/store"
)

const (
	claimDirectory = "claim"
	doneWord       = "done\n"
	// beatInterval is the time between two beats of a claim, Patience that without one after which others take it over. It
	// is measured by the clock of who waits: clocks are not compared.
	beatInterval = 5 * time.Second
	Patience     = time.Minute
)

// claims are those of a run, as one worker sees them.
type claims struct {
	directory string
	patience  time.Duration
	seen      map[string]sighting
}

// sighting is the size of somebody's claim, and since when it has it.
type sighting struct {
	size  int64
	since time.Time
}

func newClaims(path string, patience time.Duration) *claims {
	return &claims{filepath.Join(part(path), claimDirectory), patience, map[string]sighting{}}
}

// claim is a unit in the hands of this process.
type claim struct {
	file *os.File
	stop context.CancelFunc
	done sync.WaitGroup
}

// take claims a unit, from a process that gives no sign of life if need be; it is nil if somebody is at it. Only one of
// many that take a claim gets it.
func (c *claims) take(unit string, beat time.Duration) (*claim, error) {
	name := filepath.Join(c.directory, unit)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o666)
	if errors.Is(err, fs.ErrExist) {
		if !c.stale(unit) {
			return nil, nil
		}
		if os.Rename(name, name+".stale-"+rand.Text()[:8]) != nil { // somebody else was faster
			return nil, nil
		}
		delete(c.seen, unit)
		f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o666)
		if errors.Is(err, fs.ErrExist) {
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(f, "%v\n", store.Self(time.Now())); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(name)) // nobody is at it
	}
	ctx, stop := context.WithCancel(context.Background())
	own := &claim{file: f, stop: stop}
	own.done.Go(func() {
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if _, err := f.WriteString("."); err == nil {
					_ = f.Sync() // until then no other machine sees it
				}
			}
		}
	})
	return own, nil
}

// stale reports whether a claim is somebody's who gives no sign of life, or is at an end without the result: it has
// vanished.
func (c *claims) stale(unit string) bool {
	info, err := os.Stat(filepath.Join(c.directory, unit))
	if err != nil {
		return false
	}
	before, ok := c.seen[unit]
	if !ok || before.size != info.Size() {
		c.seen[unit] = sighting{info.Size(), time.Now()}
		return false
	}
	return time.Since(before.since) > c.patience
}

// end stops the beats: with the unit done the claim stays and says so, else it is given back.
func (c *claim) end(done bool) {
	c.stop()
	c.done.Wait()
	if done {
		_, _ = c.file.WriteString(doneWord) // for people
	} else if there, err := os.Stat(c.file.Name()); err == nil {
		if own, err := c.file.Stat(); err == nil && os.SameFile(own, there) {
			_ = os.Remove(c.file.Name())
		}
	}
	_ = c.file.Close()
}

// who is the process that a claim names, and whether it is at work still, as far as the claim says.
func who(path, unit string) (name string, working bool) {
	text, err := os.ReadFile(filepath.Join(part(path), claimDirectory, unit))
	if err != nil {
		return "", false
	}
	line, beats, _ := strings.Cut(string(text), "\n")
	return line, !strings.HasSuffix(beats, doneWord)
}
