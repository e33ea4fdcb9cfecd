// Random keys, pastes and sizes: nothing that arrives ends the program.

package screen

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/store"
	"rfm/tui/session"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
)

// fuzzed are the keys that are pressed: those with a purpose more often than letters.
var fuzzed = []string{"enter", "enter", "esc", "esc", "up", "down", "up", "down", "left", "right", "home", "end", "pgup",
	"pgdown", "tab", "shift+tab", "backspace", "space", "?", ":", "/", "1", "2", "3", "4", "5", "6", "0", "r", "p", "o", "s", "e",
	"v", "z", "L", "m", "u", "f", "x", "n", "D", "A", "b", "q", "ctrl+r", "ctrl+r", "ctrl+u", "ctrl+d", "ctrl+p", "ctrl+w", "ctrl+v",
	"ctrl+k", "ctrl+a", "ctrl+e", "-", ".", "9", "^", "*", "(", "é", "漢"}

// pasted are texts of a clipboard.
var pasted = []string{"51", "", "\x1b[31m\x07", "u_t = u_xx", "a\nb\tc", "漢字", "pairs.npy", "1e9999", "-", "\u202e\u200b"}

// A fuzz drives the interface by chance.
type fuzz struct {
	*person
	random *rand.Rand
	events []string // the last ones, for a failure
}

func (f *fuzz) note(format string, values ...any) {
	const most = 40
	f.events = append(f.events, fmt.Sprintf(format, values...))
	f.events = f.events[max(0, len(f.events)-most):]
}

// event makes one thing happen. Jobs and other work in the background go on meanwhile.
func (f *fuzz) event() {
	switch n := f.random.IntN(100); {
	case n < 3:
		f.size(1+f.random.IntN(70), 1+f.random.IntN(20)) // mostly too small
	case n < 7:
		f.size(60+f.random.IntN(140), 15+f.random.IntN(50))
	case n < 10:
		text := pasted[f.random.IntN(len(pasted))]
		f.note("paste %q", text)
		f.Send(tea.PasteMsg{Content: text})
	case n < 12: // the runs are listed again, or another number of them
		list := someRuns()
		list.List = list.List[:f.random.IntN(len(list.List)+1)]
		f.note("list %d", len(list.List))
		f.Send(session.Listed(list))
	default:
		key := fuzzed[f.random.IntN(len(fuzzed))]
		if _, file := f.D.Top().(*ui.Line); file && key == "/" {
			key = "x" // nothing is saved outside of the directory of the test
		}
		f.note("%s", key)
		f.Send(keyPress(key))
	}
	f.Screen()
	for range f.random.IntN(4) {
		select {
		case msg := <-f.came:
			f.take(msg)
			f.Screen()
		default:
		}
	}
	f.Left = false // q is as likely as others
}

func (f *fuzz) size(width, height int) {
	f.note("size %d %d", width, height)
	f.Send(tea.WindowSizeMsg{Width: width, Height: height})
}

// fuzzSeed repeats a failure, as far as it does not depend on when jobs end.
var fuzzSeed = flag.Uint64("fuzzseed", 0, "the seed of random keys; 0 is another one each time")

// Ten thousand events, of which a failure prints the seed and the last ones.
func TestNothingThatArrivesEndsTheInterface(t *testing.T) {
	events := 10000
	if testing.Short() {
		events = 1500
	}
	const sessions = 5
	seed := *fuzzSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	for i := range uint64(sessions) {
		t.Run(fmt.Sprintf("seed %d", seed+i), func(t *testing.T) { fuzzSession(t, seed+i, events/sessions) })
	}
}

// bounded refuses the jobs of a configuration that would take much memory.
func bounded(c config.Config) func(context.Context, session.Job) error {
	return func(context.Context, session.Job) error {
		if c.Data.Train > 1000 || c.Features.Count > 1000 || c.Data.Grid > 1025 {
			return errors.New("too large for a test")
		}
		return nil
	}
}

// fuzzSession makes events happen to an interface of its own.
func fuzzSession(t *testing.T, seed uint64, events int) {
	t.Chdir(t.TempDir())
	random := rand.New(rand.NewPCG(seed, 0))
	o := Options{Config: tuitest.Tiny(t), Workers: 2, Load: learn, Runs: "runs"}
	switch random.IntN(3) {
	case 0:
		o.Start = true
	case 1:
		o.Config = tinyDarcy(t)
	}
	f := &fuzz{person: newPerson(t, o), random: random}
	writeOwn(t, "pairs.npz")
	defer func() {
		if v := recover(); v != nil {
			t.Fatalf("seed %d: %v\nafter %q\n%s", seed, v, f.events, debug.Stack())
		}
	}()
	for range events {
		f.Before = bounded(f.S.Draft.Config())
		f.event()
	}
	f.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	f.within("the end", 80, 24)
	f.leave()
	if _, err := store.List("runs"); err != nil {
		t.Error(err)
	}
}
