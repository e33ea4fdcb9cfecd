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

	"rfm/model/store"
)

const (
	claimDirectory = "claim"
	doneWord       = "done\n"
	backWord       = "given back\n"
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

// sighting is the number and the size of somebody's claim, and since when it has them.
type sighting struct {
	number int
	size   int64
	since  time.Time
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

// take claims a unit, from a process that gives no sign of life if need be; it is nil if somebody is at it. A claim that
// is taken over stays, and the next one has the next number: of many that take a claim only one can make that file.
func (c *claims) take(unit string, beat time.Duration) (*claim, error) {
	next := 0
	if last := newest(c.directory, unit); last >= 0 {
		if !c.stale(unit, last) {
			return nil, nil
		}
		next = last + 1
	}
	name := filepath.Join(c.directory, numbered(unit, next))
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o666)
	if errors.Is(err, fs.ErrExist) { // somebody else was faster
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	delete(c.seen, unit)
	if _, err := fmt.Fprintf(f, "%v\n", store.Self(time.Now())); err != nil {
		return nil, errors.Join(err, f.Close())
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

// numbered is the name of a claim's file.
func numbered(unit string, number int) string { return fmt.Sprintf("%s.%d", unit, number) }

// newest is the number of the last claim to a unit; -1 if there is none.
func newest(directory, unit string) int {
	for number := 0; ; number++ {
		if _, err := os.Lstat(filepath.Join(directory, numbered(unit, number))); err != nil {
			return number - 1
		}
	}
}

// stale reports whether a claim was given back, or is somebody's who gives no sign of life, or is at an end without the
// result: it has vanished.
func (c *claims) stale(unit string, number int) bool {
	name := filepath.Join(c.directory, numbered(unit, number))
	if text, err := os.ReadFile(name); err == nil && strings.HasSuffix(string(text), backWord) {
		return true
	}
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	before, ok := c.seen[unit]
	if now := (sighting{number, info.Size(), time.Now()}); !ok || before.number != now.number || before.size != now.size {
		c.seen[unit] = now
		return false
	}
	return time.Since(before.since) > c.patience
}

// end stops the beats, and writes down whether the unit is done or given back.
func (c *claim) end(done bool) {
	c.stop()
	c.done.Wait()
	word := backWord
	if done {
		word = doneWord
	}
	_, _ = c.file.WriteString(word) // nothing is wrong without it
	_ = c.file.Close()
}

// who is the process that claims a unit, and whether it is at work still, as far as the claim says.
func who(path, unit string) (name string, working bool) {
	directory := filepath.Join(part(path), claimDirectory)
	text, err := os.ReadFile(filepath.Join(directory, numbered(unit, max(0, newest(directory, unit)))))
	if err != nil {
		return "", false
	}
	line, beats, _ := strings.Cut(string(text), "\n")
	return line, !strings.HasSuffix(beats, doneWord) && !strings.HasSuffix(beats, backWord)
}
