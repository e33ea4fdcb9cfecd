// This file is the tab of the transfer: the trained model predicts on other grids than its own, as soon as they are asked
// for.

package screen

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/solver/fault"
	"rfm/tui/formula"
	"rfm/tui/keys"
	"rfm/tui/widget"
)

// transfer evaluates the model on one grid after another.
type transfer struct {
	*selection
	of      *engine.Evaluation // what everything here belongs to
	grids   []int              // those that the data can be restricted to, ascending
	at      int                // the grid that is asked for
	shown   *engine.Evaluation // the last one that was there when it was asked for
	visits  map[int]visit      // by grid
	probe   *probe             // nil if nothing is computed
	turn    sync.Mutex         // held by the probe that computes: two would count each other's progress
	number  int                // of the newest probe; messages of older ones are dropped
	failure error              // of the last probe
	second  bool               // small terminals: the table rather than the sample
	picture widget.Cache
}

// visit is what is known about the model on a grid. The evaluation is nil if it was forgotten to save memory.
type visit struct {
	train, test float64 // expected relative errors
	evaluation  *engine.Evaluation
}

// probe is an evaluation that runs in the background, with those that are to follow.
type probe struct {
	grid   int
	queue  []int
	cancel context.CancelFunc
}

// probedMsg brings the model's evaluation on a grid.
type probedMsg struct {
	number     int
	grid       int
	evaluation *engine.Evaluation
	err        error
}

// probingMsg asks for a look at the progress.
type probingMsg struct{ number int }

// follow begins anew with the evaluation that the experiment made.
func (t *transfer) follow(s *session) {
	if t.of == t.selection.of {
		return
	}
	t.stop()
	of := t.selection.of
	t.of, t.at, t.shown, t.failure = of, of.Grid, of, nil
	t.visits = map[int]visit{of.Grid: {of.Train.ExpectedRelative, of.Test.ExpectedRelative, of}}
	t.grids = s.experiment.Grids()
}

// missing are the grids that have not been visited.
func (t *transfer) missing() []int {
	return slices.DeleteFunc(slices.Clone(t.grids), func(K int) bool { _, done := t.visits[K]; return done })
}

func (t *transfer) actions(s *session) []keys.Action {
	list := []keys.Action{keys.Left, keys.Right, keys.Up, keys.Down}
	if !besideEachOther(s.width) {
		list = append(list, keys.View)
	}
	switch {
	case s.job != nil:
	case t.probe != nil:
		list = append(list, keys.Cancel)
	case len(t.missing()) > 0:
		list = append([]keys.Action{keys.Accept}, list...)
	}
	return append(list, browsing()...)
}

func (t *transfer) means(_ *session, action keys.Action) string {
	switch action {
	case keys.Accept:
		return "all grids"
	case keys.Left, keys.Right:
		return "grid"
	case keys.Up, keys.Down:
		return "sample"
	}
	return browseMeans(action)
}

func (t *transfer) do(s *session, action keys.Action) tea.Cmd {
	switch action {
	case keys.Accept:
		return t.start(s, t.missing())
	case keys.Cancel:
		t.stop()
	case keys.Left:
		return t.step(s, -1)
	case keys.Right:
		return t.step(s, 1)
	case keys.Up:
		t.move(-1)
	case keys.Down:
		t.move(1)
	case keys.View:
		t.second = !t.second
	default:
		t.browse(action)
	}
	return nil
}

// step goes to a neighbouring grid.
func (t *transfer) step(s *session, direction int) tea.Cmd {
	next := slices.Index(t.grids, t.at) + direction
	if next < 0 || next >= len(t.grids) {
		return nil
	}
	t.at, t.failure = t.grids[next], nil
	if e := t.visits[t.at].evaluation; e != nil {
		t.stop()
		t.shown = e
		return nil
	}
	return t.start(s, []int{t.at})
}

// start evaluates the model on the grids, one after the other, instead of what is being computed.
func (t *transfer) start(s *session, grids []int) tea.Cmd {
	t.stop()
	if len(grids) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.number++
	e, K, number := s.experiment, grids[0], t.number
	t.probe, t.failure, t.at = &probe{K, grids[1:], cancel}, nil, K
	work := func() (msg tea.Msg) {
		t.turn.Lock()
		defer t.turn.Unlock()
		defer cancel()
		defer func() {
			if v := recover(); v != nil {
				msg = probedMsg{number: number, grid: K, err: fault.Recovered(v)}
			}
		}()
		evaluation, err := e.EvaluateOn(ctx, K)
		return probedMsg{number, K, evaluation, err}
	}
	return tea.Batch(work, t.poll(s.pollEvery()))
}

// poll waits for the next look at the progress.
func (t *transfer) poll(every time.Duration) tea.Cmd {
	number := t.number
	return tea.Tick(every, func(time.Time) tea.Msg { return probingMsg{number} })
}

// stop forgets what is being computed.
func (t *transfer) stop() {
	if t.probe != nil {
		t.probe.cancel()
		t.probe = nil
		t.number++
	}
}

func (t *transfer) receive(s *session, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case probingMsg:
		if t.probe != nil && msg.number == t.number {
			return t.poll(s.pollEvery())
		}
	case probedMsg:
		if t.probe != nil && msg.number == t.number {
			return t.arrive(s, msg)
		}
	}
	return nil
}

// arrive keeps and shows the result of a probe, and goes on with the queue.
func (t *transfer) arrive(s *session, msg probedMsg) tea.Cmd {
	queue := t.probe.queue
	t.probe = nil
	if msg.err != nil {
		t.failure = fmt.Errorf("%s: %w", formula.Grid(s.experiment.Config, msg.grid), msg.err)
		return nil
	}
	e := msg.evaluation
	t.visits[msg.grid] = visit{e.Train.ExpectedRelative, e.Test.ExpectedRelative, e}
	t.shown = e
	t.forget()
	return t.start(s, queue)
}

// forget drops evaluations while they take too much memory, those on the finest grids first, but not the one on show.
func (t *transfer) forget() {
	const most = 256 << 20 // bytes
	total := 0
	for _, v := range t.visits {
		total += evaluationBytes(v.evaluation)
	}
	for _, K := range slices.Backward(t.grids) {
		v := t.visits[K]
		if total <= most {
			return
		}
		if v.evaluation != nil && v.evaluation != t.shown && v.evaluation != t.of {
			total -= evaluationBytes(v.evaluation)
			v.evaluation = nil
			t.visits[K] = v
		}
	}
}

// evaluationBytes is what an evaluation takes.
func evaluationBytes(e *engine.Evaluation) int {
	if e == nil {
		return 0
	}
	const float = 8
	return float * (len(e.Predictions.Data) + len(e.TestPairs.Inputs.Data) + len(e.TestPairs.Outputs.Data))
}
