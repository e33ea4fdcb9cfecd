// This file computes work units: claims are files that name the process at a unit, so that work is not done twice.

package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/progress"
)

const (
	// released ends a claim whose unit was not made, which the next process makes at once.
	released = "released\n"
	// beatInterval is the time between two beats of a claim. Patience is the time without a beat after which other
	// processes take the claim over, measured by the clock of the waiting process: clocks are not compared.
	beatInterval  = 5 * time.Second
	leasePatience = time.Minute
)

// Workers control how units are computed.
type Workers struct {
	Shared   bool          // other processes may compute the same units
	Pause    time.Duration // the work of a process that is alone may be lost for so long: units are held back until then
	Patience time.Duration // time without a beat after which a claim is taken over; 0 means the default
	Beat     time.Duration // time between this process's beats; 0 means the default
	// Report, unless nil, is called after each unit that was made here, whose name is the note.
	Report progress.Func
}

// Progress counts units.
type Progress = progress.Progress

// ErrComplete is the cause of a worker's error if another process has completed or removed the run meanwhile.
var ErrComplete = errors.New("another process has completed the run, or removed it")

// Do computes the missing units of the run until all exist, whichever process makes them. The error is one of Make, a
// *fault.Data or ctx.Err(): then the current unit is released, and all others are stored. Without an error, a process
// that is alone may still hold back those of its last Pause: their product is about to be stored.
func (u Units) Do(ctx context.Context, units []Unit, o Workers) error {
	there, err := u.names()
	if err != nil {
		return err
	}
	p := progress.Progress{
		Unit:   "units",
		Total:  len(units),
		Before: count(units, there),
		Began:  time.Now(),
	}
	made := func(name string, there map[string]bool) {
		if o.Report == nil {
			return
		}
		p.Done = count(units, there)
		p.Now = time.Now()
		p.Note = name
		o.Report(p)
	}
	if !o.Shared {
		return u.alone(ctx, units, there, o.Pause, made)
	}
	err = u.shared(ctx, units, newClaims(filepath.Dir(u.Path), o), made)
	if err != nil && u.gone() {
		return &fault.Data{
			Where: filepath.Dir(u.Path),
			What:  "has no place for units",
			Err:   ErrComplete,
		}
	}
	return err
}

// alone implements Do for a process that shares the units with nobody.
func (u Units) alone(ctx context.Context, units []Unit, there map[string]bool, pause time.Duration,
	made func(string, map[string]bool)) error {
	begin := time.Now()
	held := &heldBack{
		units:   u,
		pause:   pause,
		written: begin,
		added:   begin,
	}
	for _, one := range units {
		if there[one.Name] {
			continue
		}
		write, err := one.Make(ctx)
		if err != nil {
			if failure := held.flush(); failure != nil {
				return failure // this one first, because the units that were held back are lost by it
			}
			return err
		}
		there[one.Name] = true
		made(one.Name, there)
		err = held.add(one.Name, write)
		if err != nil {
			return err
		}
	}
	return nil
}

// heldBack writes units with pauses between them: a unit that is part of a product which will soon be written as a
// whole need not be written at all.
type heldBack struct {
	units   Units
	pause   time.Duration
	writes  []func() error
	written time.Time // the last time
	added   time.Time // the last time
}

// add takes a unit, and writes it with all others that are held back if the pause is over, or will be over before another
// unit like it is made: a process that is killed loses the work of a pause, or of one unit if that takes longer.
func (h *heldBack) add(name string, content func(io.Writer) error) error {
	h.writes = append(h.writes, func() error {
		return h.units.Write(name, content)
	})
	now := time.Now()
	unit := now.Sub(h.added)
	h.added = now
	if now.Add(unit).Sub(h.written) < h.pause {
		return nil
	}
	return h.flush()
}

// flush writes all units that are held back.
func (h *heldBack) flush() error {
	for _, write := range h.writes {
		if err := write(); err != nil {
			return err
		}
	}
	h.writes = nil
	h.written = time.Now()
	return nil
}

// shared implements Do for several processes.
func (u Units) shared(ctx context.Context, units []Unit, claims *claims, made func(string, map[string]bool)) error {
	if u.gone() {
		return fs.ErrNotExist
	}
	defer func() {
		if u.gone() { // a claim may have been made while another process removed those of the complete run
			_ = files.RemoveAll(claims.directory)
		}
	}()
	if err := files.Mkdir(claims.directory); err != nil && !errors.Is(err, fs.ErrExist) {
		return u.unwritten(err)
	}
	units = slices.Clone(units)
	rand.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] }) // workers begin at others
	for {
		complete, idle, err := u.pass(ctx, units, claims, made)
		if err != nil || complete {
			return err
		}
		if idle {
			select {
			case <-ctx.Done():
			case <-time.After(min(time.Second, claims.patience/4)):
			}
		}
	}
}

// pass makes the missing units that no other process is at. It reports whether none was missing, and whether other
// processes had all that were.
func (u Units) pass(ctx context.Context, units []Unit, claims *claims,
	made func(string, map[string]bool)) (complete, idle bool, err error) {
	there, err := u.names()
	if err != nil {
		return false, false, err
	}
	complete = true
	idle = true
	for _, one := range units {
		if there[one.Name] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return false, false, err
		}
		complete = false
		own, err := claims.take(one.Name)
		if err != nil {
			return false, false, u.unwritten(err)
		}
		if own == nil { // another process is at it
			continue
		}
		idle = false
		there, err = u.makeClaimed(ctx, one, made)
		own.end(err == nil)
		if err != nil {
			return false, false, err
		}
	}
	return complete, idle, nil
}

// makeClaimed makes a unit that this process has claimed, unless another process has made it since. It returns the
// names of the units that then exist.
func (u Units) makeClaimed(ctx context.Context, one Unit, made func(string, map[string]bool)) (map[string]bool, error) {
	there, err := u.names()
	if err != nil || there[one.Name] {
		return there, err
	}
	write, err := one.Make(ctx)
	if err != nil {
		return nil, err
	}
	err = u.Write(one.Name, write)
	if err != nil {
		return nil, err
	}
	there, err = u.names()
	made(one.Name, there)
	return there, err
}

// gone reports whether the run no longer accepts units.
func (u Units) gone() bool {
	_, err := files.Stat(u.Path)
	return errors.Is(err, fs.ErrNotExist)
}

// names returns the names of the existing units.
func (u Units) names() (map[string]bool, error) {
	list, err := u.List()
	there := map[string]bool{}
	for _, s := range list {
		there[s.Name] = true
	}
	return there, err
}

// count returns the number of units that exist.
func count(units []Unit, there map[string]bool) (n int) {
	for _, one := range units {
		if there[one.Name] {
			n++
		}
	}
	return n
}

// claims is the state of a run's claims as observed by one worker.
type claims struct {
	directory string
	patience  time.Duration       // see Workers
	beat      time.Duration       // see Workers
	seen      map[string]sighting // by the name of the file
}

// sighting is the size of a claim, and the time since which it has not changed.
type sighting struct {
	size  int64
	since time.Time
}

func newClaims(path string, o Workers) *claims {
	return &claims{
		directory: filepath.Join(path, ClaimsDirectory),
		patience:  cmp.Or(o.Patience, leasePatience),
		beat:      cmp.Or(o.Beat, beatInterval),
		seen:      map[string]sighting{},
	}
}

// claim is a unit claimed by this process.
type claim struct {
	file files.Handle
	stop context.CancelFunc
	done sync.WaitGroup
}

// take claims a unit, if need be from a process without beats; it returns nil if another process has the unit. A claim
// that is taken over stays, and the next one has the next number: only one of many processes can make that file.
func (c *claims) take(unit string) (*claim, error) {
	next := 0
	if last := newest(c.directory, unit); last >= 0 {
		if !c.stale(unit, last) {
			return nil, nil
		}
		next = last + 1
	}
	name := filepath.Join(c.directory, numbered(unit, next))
	f, err := files.Create(name)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(f, "%v\n", thisProcess()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	ctx, stop := context.WithCancel(context.Background())
	own := &claim{file: f, stop: stop}
	own.done.Go(func() { own.live(ctx, c.beat) })
	return own, nil
}

// live adds a beat to the claim now and then, until ctx ends.
func (c *claim) live(ctx context.Context, beat time.Duration) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(beat):
			if _, err := io.WriteString(c.file, "."); err == nil {
				_ = c.file.Sync() // because other machines may not see it before
			}
		}
	}
}

// numbered returns the file name of a claim.
func numbered(unit string, number int) string { return fmt.Sprintf("%s.%d", unit, number) }

// newest returns the number of the last claim to a unit; -1 if none exists.
func newest(directory, unit string) int {
	for number := 0; ; number++ {
		if _, err := files.Lstat(filepath.Join(directory, numbered(unit, number))); err != nil {
			return number - 1
		}
	}
}

// stale reports whether a claim was released, or has not changed for longer than the patience.
func (c *claims) stale(unit string, number int) bool {
	name := filepath.Join(c.directory, numbered(unit, number))
	if _, ended, err := holding(name); err == nil && ended {
		return true
	}
	info, err := files.Stat(name)
	if err != nil {
		return false
	}
	before, ok := c.seen[name]
	if !ok || before.size != info.Size() {
		c.seen[name] = sighting{size: info.Size(), since: time.Now()}
		return false
	}
	return time.Since(before.since) > c.patience
}

// end stops the beats, and releases the unit unless it is made.
func (c *claim) end(made bool) {
	c.stop()
	c.done.Wait()
	if !made {
		_, _ = io.WriteString(c.file, released) // a claim without it becomes stale
	}
	_ = c.file.Close()
}

// working returns the processes that claim missing units, by unit.
func (u Units) working() map[string]string {
	directory := filepath.Join(filepath.Dir(u.Path), ClaimsDirectory)
	entries, _ := files.ReadDir(directory) // none if nobody shares the run
	there, _ := u.names()
	all := map[string]string{}
	for _, e := range entries {
		unit, _, _ := strings.Cut(e.Name(), ".")
		if there[unit] {
			continue
		}
		last := numbered(unit, newest(directory, unit))
		process, ended, err := holding(filepath.Join(directory, last))
		if err == nil && !ended {
			all[unit] = process
		}
	}
	return all
}

// holding returns the process that makes a claim, and whether it has released the unit.
func holding(name string) (process string, ended bool, err error) {
	const most = 1 << 20 // the beats of two months
	text, err := files.ReadFile(name, most)
	process, beats, _ := strings.Cut(string(text), "\n")
	return process, strings.HasSuffix(beats, released), err
}
