// Inputs that a person draws.

package screen

import (
	"bytes"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/show/interchange"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
)

// A curve that is pulled out of the training law is called far outside, the mean of the training inputs brings it nearer,
// and undo brings it back. What is stored is what `rfm predict` makes of it.
func TestDrawingLeavesTheLawAndSaysSo(t *testing.T) {
	t.Chdir(t.TempDir())
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2, Runs: "runs", Name: "drawn"})
	p.Press("ctrl+r", "d")
	p.See("✓ like the training inputs", "your input a", "↑/↓ bend")
	p.Press("up", "up", "up")
	p.See("✗ far outside the training inputs")
	p.Press("s", "enter")
	p.See("saved; `rfm predict @ drawn.npz`")
	p.Press("u", "u", "u")
	p.See("✓ like the training inputs")
	p.Press("+", "c", "<", ">", "left", "home", "end", "n", "w", "t", "b", "shift+left")
	p.Press("s", "enter")
	p.See("exists already; enter overwrites it")
	p.Press("esc")
	before := p.Screen()
	p.Press("o", "enter")
	p.See("began from drawn.npz", "✗ far outside the training inputs")
	if p.Screen() == before {
		t.Error("the stored input is not shown")
	}
	p.Press("?")
	p.See("pull the curve up at the cursor")
	p.Press("esc") // which leaves the list of keys first
	p.See("your input a")
	p.Press("?", "?", "esc")
	p.See("test error")
	model, err := interchange.FindModel(t.Context(), "runs", "drawn")
	noError(t, err)
	did, err := interchange.Predict(t.Context(), model, interchange.Prediction{In: "drawn.npz", Out: "u.npy", Endpoint: "auto",
		Workers: 1})
	noError(t, err)
	if did.Count != 1 || len(did.Unlike) != 1 {
		t.Errorf("%d inputs, unlike are %v", did.Count, did.Unlike)
	}
}

// Without a model a small one is trained; without a solver only the model answers.
func TestDrawingBeforeARun(t *testing.T) {
	t.Chdir(t.TempDir())
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2})
	p.Press("d")
	p.See("like the training inputs", "● model", "solver")
	writeOwn(t, "own.npz")
	c, err := learn(t.Context(), "own.npz")
	noError(t, err)
	own := newPerson(t, Options{Config: c, Workers: 2})
	own.Press("d", "up")
	own.See("there is no solver to compare with")
}

// The mouse draws only once it is asked for, and only while this mode is open.
func TestMouseDraws(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2})
	p.Press("ctrl+r", "d")
	drag := func() {
		p.Send(tea.MouseClickMsg{X: 10, Y: 8, Button: tea.MouseLeft})
		p.Send(tea.MouseMotionMsg{X: 20, Y: 12, Button: tea.MouseLeft})
		p.Send(tea.MouseReleaseMsg{X: 20, Y: 12, Button: tea.MouseLeft})
		p.Settle()
	}
	before := p.Screen()
	if drag(); p.Screen() != before || p.M.View().MouseMode != tea.MouseModeNone {
		t.Error("the mouse draws although nobody asked for it")
	}
	p.Press("m")
	if p.M.View().MouseMode != tea.MouseModeCellMotion {
		t.Error("the terminal does not report the mouse")
	}
	drag()
	drawn := p.Screen()
	if drawn == before {
		t.Error("the mouse draws nothing")
	}
	if p.Press("u"); p.Screen() == drawn {
		t.Error("a stroke cannot be taken back")
	}
	p.Press("esc")
	if p.M.View().MouseMode != tea.MouseModeNone {
		t.Error("the mouse is still taken")
	}
}

// Sixty edits a second at 120x40 write less than 10 kB a second, and every one counts.
func TestDrawingIsFrugal(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const (
		most    = 10000 // bytes a second
		seconds = 4
		edits   = 60 * seconds
	)
	p, w, stop := startProgram(t, Options{Config: tuitest.Tiny(t), Workers: 1}.model(), 120, 40)
	defer stop()
	w.appears("an input a", true)
	p.Send(keyPress("ctrl+r"))
	w.appears("samples", true)
	p.Send(keyPress("d"))
	w.appears("your input a", true)
	before := w.written.Load()
	begin := time.Now()
	for i := range edits {
		p.Send(keyPress([]string{"up", "right", "up", "right", "down", "right"}[i%6]))
		time.Sleep(time.Until(begin.Add(time.Duration(i+1) * seconds * time.Second / edits)))
	}
	rate := float64(w.written.Load()-before) / time.Since(begin).Seconds()
	t.Logf("%.0f bytes a second", rate)
	if rate > most {
		t.Errorf("%.0f bytes a second, at most %d are allowed", rate, most)
	}
	p.Send(keyPress("?"))
	w.appears("pull the curve up", true)
}

// Keys that come before an answer make no frame of their own: stale answers are never shown with a newer input.
func TestStaleAnswersAreNotShown(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2})
	p.Press("ctrl+r", "d")
	for range 12 {
		p.begins("up") // without waiting
	}
	p.Settle()
	all := p.Screen()
	p.Press("left", "right")
	if got := p.Screen(); got != all || strings.Contains(got, "solving") {
		t.Errorf("the last answers are not those of the last input:\n%s\n%s", all, got)
	}
}

// A run with bands shows the band of the prediction that follows.
func TestDrawingShowsTheBand(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t, "evaluation.bands=yes", "data.train=80"), Workers: 2})
	p.Press("ctrl+r", "d")
	p.See("90%", "solver", "model")
}

// Numbers are sliders; a value beyond the training range is marked, and called unlike the training inputs.
func TestNumbersAreSliders(t *testing.T) {
	t.Chdir(t.TempDir())
	const n, points = 60, 33
	knobs := npy.Array{Shape: []int{n, 2}}
	outputs := npy.Array{Shape: []int{n, points}}
	for i := range n {
		height := 1 + math.Sin(float64(7*i))
		waves := 2 + math.Cos(float64(3*i))
		knobs.Data = append(knobs.Data, height, waves)
		for x := range points {
			outputs.Data = append(outputs.Data, height*math.Sin(waves*float64(x)/points))
		}
	}
	arraytest.NPZ(t, "knobs.npz", map[string]npy.Array{"p": knobs, "u": outputs})
	c, err := learn(t.Context(), "knobs.npz")
	noError(t, err)
	p := newPerson(t, Options{Config: c, Workers: 2})
	p.Press("ctrl+r", "d")
	p.See("your input: numbers", "›number 1", "←/→ value")
	p.Press("down")
	p.See("›number 2")
	for range 60 {
		p.Press("right")
	}
	p.See("→", "the training inputs")
	if strings.Contains(p.Screen(), "✓ like the training inputs") {
		t.Error("a number far beyond its range is like the training inputs")
	}
}

// slowLine is a terminal behind a line of some bytes a second, which buffers the rest. It answers questions about its cursor
// once it has drawn what was written before.
type slowLine struct {
	window
	rate    float64
	answer  func()
	mutex   sync.Mutex
	drained time.Time // when all that was written is drawn
	most    float64   // bytes that were in the buffer at a time
}

func (l *slowLine) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	now := time.Now()
	if l.drained.Before(now) {
		l.drained = now
	}
	l.drained = l.drained.Add(time.Duration(float64(len(p)) / l.rate * float64(time.Second)))
	left := l.drained.Sub(now)
	l.most = max(l.most, left.Seconds()*l.rate)
	for range bytes.Count(p, []byte(ansi.RequestCursorPositionReport)) {
		time.AfterFunc(left, l.answer)
	}
	return l.window.Write(p)
}

// empty returns when all that was written so far is drawn.
func (l *slowLine) empty() time.Time {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.drained
}

// forget begins to measure the buffer.
func (l *slowLine) forget() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.most = 0
	l.drained = time.Time{}
}

// On a line of 2 kB a second keys never queue behind pictures: at most a frame and a half are on their way, although twenty
// keys come each second.
func TestDrawingOnASlowLine(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const (
		rate    = 2000
		allowed = 3500 // bytes: one picture, most of which has changed
		edits   = 80
	)
	m := Options{Config: tuitest.Tiny(t), Workers: 1, Theme: theme.Options{Coarse: true}}.model()
	line := &slowLine{window: window{t, NewTerminal(t, 80, 24), new(atomic.Int64), new(atomic.Bool)}, rate: rate}
	line.window.Write([]byte("\x1b[20h"))
	p := tea.NewProgram(m, tea.WithInput(nil), tea.WithOutput(line), tea.WithWindowSize(80, 24),
		tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithColorProfile(colorprofile.ANSI256), tea.WithoutSignals())
	line.answer = func() { p.Send(tea.CursorPositionMsg{X: 1, Y: 5}) }
	ended := make(chan error, 1)
	go func() { _, err := p.Run(); ended <- err }()
	line.appears("pairs: error", true)
	p.Send(keyPress("ctrl+r"))
	line.appears("samples", true)
	p.Send(keyPress("d"))
	line.appears("your input a", true)
	time.Sleep(time.Until(line.empty()) + time.Second) // a person begins once the pictures are there
	line.forget()
	for i := range edits {
		p.Send(keyPress([]string{"up", "right", "up", "right", "down"}[i%5]))
		time.Sleep(50 * time.Millisecond)
	}
	line.mutex.Lock()
	most := line.most
	line.mutex.Unlock()
	t.Logf("at most %.0f bytes on their way", most)
	if most > allowed {
		t.Errorf("%.0f bytes are on their way to the terminal, at most %d are allowed", most, allowed)
	}
	p.Send(keyPress("ctrl+c"))
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
