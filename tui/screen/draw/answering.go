// The order of answers: a sketch that changes is predicted and solved in the background, and becomes a frame as soon as both
// are there, or patience is at its end.

package draw

import (
	"context"
	"math"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/engine"
)

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
	passed := now.Sub(s.shownAt)
	rest := s.rest() - passed
	if rest > 0 {
		s.pausing = true
		return tea.Tick(rest, func(time.Time) tea.Msg { return rested{s} })
	}
	s.changed = false
	f := &frame{sketch: *s.sketch}
	isSame := s.shown != nil && s.shown.sketch.version == f.sketch.version
	if isSame { // the cursor has moved
		f.answers = s.shown.answers
		return s.show(f, now)
	}
	return s.ask(f)
}

// ask has a frame predicted and solved in the background. What was asked before is stopped.
func (s *Screen) ask(f *frame) tea.Cmd {
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
	bytes := time.Duration(s.picture.Change())
	return max(leastPause, bytes*time.Second/rate)
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
