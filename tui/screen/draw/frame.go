package draw

import (
	"context"
	"math"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/engine"
	"rfm/model/show/report"
)

// answers are what model and solver say about one version of the input.
type answers struct {
	version  int
	predicts bool           // a prediction is to come
	answer   *engine.Answer // of the model; nil before it is known
	predErr  error
	solves   bool      // a solution is to come
	solution []float64 // nil before it is known
	solveErr error
	distance float64 // of the prediction from the solution, relative to it; NaN if one of them is not known
}

// complete reports whether nothing is to come.
func (a answers) complete() bool { return !a.predicts && !a.solves }

// A frame is a sketch as it is shown, with the answers to it. It does not change once it is shown.
type frame struct {
	sketch      sketch // a copy
	answers     answers
	inputScale  scale
	outputScale scale
}

// The results of work in the background. Each names the version of the input that it is about: once another frame is made
// it is stale, and nothing happens.
type (
	predicted struct {
		screen  *Screen
		version int
		answer  engine.Answer
		err     error
	}

	solved struct {
		screen   *Screen
		version  int
		solution []float64
		err      error
	}

	// outOfPatience shows a frame without its solution, which follows.
	outOfPatience struct {
		screen  *Screen
		version int
	}

	// rested ends the pause after a frame.
	rested struct{ screen *Screen }

	// written asks the terminal to answer once it has drawn what was written to it.
	written struct{ screen *Screen }

	// unanswered ends the wait for that answer, which not every terminal gives.
	unanswered struct {
		screen *Screen
		asked  int
	}
)

const (
	// bytesPerSecond bounds what changing pictures write to the terminal.
	bytesPerSecond = 7500
	// slowBytesPerSecond bounds it on a line that may be slow, to a terminal that does not say what it has drawn.
	slowBytesPerSecond = 2000
	// leastPause is the time between two frames: a terminal gets at most 30 a second.
	leastPause = 33 * time.Millisecond
	// patience is how long a frame waits for its answers. Those that come later follow.
	patience = 50 * time.Millisecond
	// untilWritten is the time until a frame has been written.
	untilWritten = 40 * time.Millisecond
	// longestSilence is how long a terminal may take to draw a frame and to answer.
	longestSilence = 4 * time.Second
)

// edited is called after every change of the sketch: it makes the next frame, unless one is being made, or a pause is.
func (s *Screen) edited(now time.Time) tea.Cmd {
	s.changed = true
	return s.begin(now)
}

// begin makes the next frame if the sketch has changed and nothing has to be waited for: the frame before, the pause after
// it, or a terminal that has not drawn it.
func (s *Screen) begin(now time.Time) tea.Cmd {
	if !s.changed || s.making != nil || s.pausing || s.awaiting {
		return nil
	}
	rest := s.rest() - now.Sub(s.shownAt)
	if rest > 0 {
		s.pausing = true
		return tea.Tick(rest, func(time.Time) tea.Msg { return rested{s} })
	}
	s.changed = false
	f := &frame{sketch: *s.sketch}
	if s.shown != nil && s.shown.sketch.version == f.sketch.version { // the cursor has moved
		f.answers = s.shown.answers
		return s.show(f, now)
	}
	s.stop()
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	t := s.sketch.trial
	f.answers = answers{
		version:  f.sketch.version,
		predicts: t.Predicts(),
		solves:   t.Solves(),
		distance: math.NaN(),
	}
	s.making = f
	version := f.sketch.version
	values := f.sketch.values
	wait := tea.Tick(patience, func(time.Time) tea.Msg { return outOfPatience{s, version} })
	predict := func() tea.Msg {
		answer, err := t.Predict(ctx, values)
		return predicted{s, version, answer, err}
	}
	solve := func() tea.Msg {
		solution, err := t.Solve(ctx, values)
		return solved{s, version, solution, err}
	}
	cmds := []tea.Cmd{wait}
	if t.Predicts() {
		cmds = append(cmds, predict)
	}
	if t.Solves() {
		cmds = append(cmds, solve)
	}
	return tea.Batch(cmds...)
}

// rest returns the pause after a frame, in proportion to the bytes that it took.
func (s *Screen) rest() time.Duration {
	rate := time.Duration(bytesPerSecond)
	if s.remote && !s.answered {
		rate = slowBytesPerSecond
	}
	return max(leastPause, time.Duration(s.picture.Change())*time.Second/rate)
}

// Hear handles the messages of this file.
func (s *Screen) Hear(msg tea.Msg) tea.Cmd {
	now := time.Now()
	switch msg := msg.(type) {
	case predicted:
		if msg.screen == s {
			return s.take(msg.version, now, func(a *answers) {
				a.predicts = false
				a.answer = &msg.answer
				a.predErr = msg.err
			})
		}
	case solved:
		if msg.screen == s {
			return s.take(msg.version, now, func(a *answers) {
				a.solves = false
				a.solution = msg.solution
				a.solveErr = msg.err
			})
		}
	case outOfPatience:
		if msg.screen == s && s.making != nil && s.making.sketch.version == msg.version {
			return s.show(s.making, now)
		}
	case rested:
		if msg.screen == s {
			s.pausing = false
			return s.begin(now)
		}
	case written:
		if msg.screen == s {
			return tea.RequestCursorPosition
		}
	case tea.CursorPositionMsg:
		s.answered = true
		s.asks = s.remote // also if the first answer has taken very long
		s.awaiting = false
		return s.begin(now)
	case unanswered:
		if msg.screen == s && s.awaiting && s.asked == msg.asked {
			s.asks = s.answered // a terminal that has never answered is not asked again
			s.awaiting = false
			return s.begin(now)
		}
	}
	return nil
}

// take adds a result to the frame that waits for it, or to the one that is shown without it. One of another version of the
// input is stale.
func (s *Screen) take(version int, now time.Time, add func(*answers)) tea.Cmd {
	switch {
	case s.making != nil && s.making.sketch.version == version:
		add(&s.making.answers)
		s.making.answers.compare(s.sketch.trial)
		if s.making.answers.complete() {
			return s.show(s.making, now)
		}
	case s.making == nil && s.shown != nil && s.shown.answers.version == version:
		f := *s.shown
		add(&f.answers)
		f.answers.compare(s.sketch.trial)
		return s.show(&f, now)
	}
	return nil
}

// compare measures the prediction once the solution is known.
func (a *answers) compare(t *engine.Trial) {
	isPredicted := a.answer != nil && a.predErr == nil
	if !isPredicted || a.solution == nil {
		return
	}
	prediction := a.answer.Prediction
	if len(prediction) == len(a.solution) {
		a.distance = t.Distance(prediction, a.solution)
	}
}

// show shows a frame, and begins the next one if the sketch has changed meanwhile.
func (s *Screen) show(f *frame, now time.Time) tea.Cmd {
	s.making = nil
	f.inputScale = s.inputScale.around(f.inputCurves()...)
	f.outputScale = s.outputScale.around(f.outputCurves()...)
	if f.answers.complete() { // else the scale would depend on which answer came first
		s.inputScale = f.inputScale
		s.outputScale = f.outputScale
	}
	s.shown = f
	s.shownAt = now
	if s.asks {
		s.awaiting = true
		s.asked++
		asked := s.asked
		ask := tea.Tick(untilWritten, func(time.Time) tea.Msg { return written{s} })
		giveUp := tea.Tick(longestSilence, func(time.Time) tea.Msg { return unanswered{s, asked} })
		return tea.Batch(ask, giveUp, s.begin(now))
	}
	return s.begin(now)
}

// A scale is the vertical range of a picture. It stays while curves change within it, so that nothing but the curves moves,
// and few bytes are written.
type scale struct{ low, high float64 }

// around returns the scale for curves: the same one if they fit and are not small in it.
func (s scale) around(curves ...[]float64) scale {
	const (
		margin   = 0.15 // on each side of a new scale, in lengths of the data
		smallest = 0.3  // the share of the scale that the curves fill at least
	)
	low, high := report.Extent(curves...)
	if !(low <= high) {
		return s
	}
	fits := low >= s.low && high <= s.high
	if fits && high-low >= smallest*(s.high-s.low) {
		return s
	}
	if high == low {
		low -= 1
		high += 1
	}
	length := high - low
	return scale{low - margin*length, high + margin*length}
}

// inputCurves returns the values that the picture of the input shows.
func (f *frame) inputCurves() [][]float64 {
	law := f.sketch.trial.Law
	return [][]float64{
		f.sketch.of(f.sketch.values),
		f.sketch.of(law.Low),
		f.sketch.of(law.High),
	}
}

// outputCurves returns the values that the picture of the output shows.
func (f *frame) outputCurves() [][]float64 {
	curves := [][]float64{f.solution()}
	if p := f.prediction(); p != nil {
		curves = append(curves, p)
	}
	return curves
}

// solution returns the solution; nil if it is not known.
func (f *frame) solution() []float64 { return f.answers.solution }

// prediction returns the prediction of the channel that is shown; nil if it is not known.
func (f *frame) prediction() []float64 {
	if f.answers.answer == nil || f.answers.predErr != nil {
		return nil
	}
	values := f.answers.answer.Prediction
	size := f.sketch.trial.Domain.One().Values(f.sketch.trial.Points)
	channels := len(values) / size
	return channelOf(values, min(f.sketch.channel, channels-1), channels)
}
