// This file does units: claims are files that say who is at which one, so that work is not done twice.

package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"rfm/solver/fault"
	"rfm/solver/progress"
)

const (
	doneWord = "done\n"
	backWord = "given back\n"
	// beatInterval is the time between two beats of a claim, Patience that without one after which others take it over. It
	// is measured by the clock of who waits: clocks are not compared.
	beatInterval = 5 * time.Second
	Patience     = time.Minute
)

// Unit is a part of the work on a run: Make writes the content of its file, which its name determines.
type Unit struct {
	Name string
	Make func(ctx context.Context, w io.Writer) error
}

// Workers say who does units.
type Workers struct {
	Shared   bool          // other processes may be at the same units
	Patience time.Duration // after which the unit of a process without a sign of life is taken over; 0 is Patience
	Beat     time.Duration // between signs of life of one's own; 0 is as usual
	Report   progress.Func // may be nil
}

// Do makes the units of the run in the directory path that are not there until all are, whoever makes them. Errors are
// those of Make, *fault.Data, ctx's: then the unit at hand is given back.
func (u Units) Do(ctx context.Context, units []Unit, o Workers) error {
	o = o.usual()
	began, claims := time.Now(), newClaims(filepath.Dir(u.path), o.Patience)
	if o.Shared && !u.gone() {
		if err := os.Mkdir(claims.directory, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return u.unwritten(err)
		}
	}
	if o.Shared { // workers that start together begin in different places
		units = slices.Clone(units)
		rand.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
	}
	before := -1
	for {
		if u.gone() {
			return &fault.Data{Where: filepath.Dir(u.path), What: "has no place for units", Err: ErrComplete}
		}
		there, err := u.names()
		if err != nil {
			return err
		}
		left, made := 0, 0
		for _, one := range units {
			if there[one.Name] {
				continue
			}
			left++
			if err := ctx.Err(); err != nil {
				return err
			}
			did, err := u.one(ctx, one, claims, o)
			if err != nil && u.gone() {
				break
			}
			if err != nil {
				return err
			}
			if !did {
				continue
			}
			made++
			if there, err = u.names(); err != nil {
				return err
			}
			if done := count(units, there); o.Report != nil {
				if before < 0 {
					before = done - 1
				}
				o.Report(progress.Progress{Stage: "work", Unit: "units", Done: done, Total: len(units), Before: before,
					Began: began, Now: time.Now(), Note: one.Name})
			}
		}
		if left == 0 {
			return nil
		}
		if made > 0 {
			continue
		}
		select { // others are at what is left
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(time.Second, o.Patience/4)):
		}
	}
}

// ErrComplete is the cause of an error of workers whose run another process has completed meanwhile.
var ErrComplete = errors.New("another process has completed the run, or removed it")

// gone reports whether the run has no place for units any more.
func (u Units) gone() bool {
	_, err := os.Stat(u.path)
	return errors.Is(err, fs.ErrNotExist)
}

// usual fills in what is not set.
func (o Workers) usual() Workers {
	o.Patience, o.Beat = cmp.Or(o.Patience, Patience), cmp.Or(o.Beat, beatInterval)
	return o
}

// Claim claims something of the run in the directory path that one process of many has to do. release, which gives it
// back, is nil if another process is at it: Claim waits until that one has made a sign of life, or takes over. Errors are
// *fault.Data, and ctx's.
func Claim(ctx context.Context, path, name string, o Workers) (release func(), err error) {
	o = o.usual()
	c := newClaims(path, o.Patience)
	for first := int64(-1); ; {
		own, err := c.take(name, o.Beat)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &fault.Data{Where: path, What: "has no place for claims", Err: ErrComplete}
		}
		if err != nil {
			return nil, fault.Unwritten(path, err, "")
		}
		if own != nil {
			return func() { own.end(false) }, nil
		}
		if size := c.seen[name].size; first < 0 {
			first = size
		} else if size != first {
			return nil, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(min(time.Second, o.Patience/4)):
		}
	}
}

// one makes a unit; did is false if somebody else is at it.
func (u Units) one(ctx context.Context, one Unit, claims *claims, o Workers) (did bool, err error) {
	write := func() error { return u.Write(one.Name, func(w io.Writer) error { return one.Make(ctx, w) }) }
	if !o.Shared {
		return true, write()
	}
	own, err := claims.take(one.Name, o.Beat)
	if err != nil {
		return false, u.unwritten(err)
	}
	if own == nil {
		return false, nil
	}
	there, err := u.names()
	if err == nil && !there[one.Name] { // nobody has made it since
		err = write()
	}
	own.end(err == nil)
	return true, err
}

// names are those of the units there are.
func (u Units) names() (map[string]bool, error) {
	list, err := u.List()
	there := map[string]bool{}
	for _, s := range list {
		there[s.Name] = true
	}
	return there, err
}

// count is how many units are there.
func count(units []Unit, there map[string]bool) (n int) {
	for _, one := range units {
		if there[one.Name] {
			n++
		}
	}
	return n
}

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
	return &claims{filepath.Join(path, ClaimsDirectory), patience, map[string]sighting{}}
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
	if _, err := fmt.Fprintf(f, "%v\n", Self(time.Now())); err != nil {
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

// Who is the process that claims a unit, and whether it is at work still, as far as the claim says.
func Who(path, unit string) (name string, working bool) {
	directory := filepath.Join(path, ClaimsDirectory)
	text, err := os.ReadFile(filepath.Join(directory, numbered(unit, max(0, newest(directory, unit)))))
	if err != nil {
		return "", false
	}
	line, beats, _ := strings.Cut(string(text), "\n")
	return line, !strings.HasSuffix(beats, doneWord) && !strings.HasSuffix(beats, backWord)
}
