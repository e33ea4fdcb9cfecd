package evaluate

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/tui/formula"
	"rfm/tui/keys"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// transfer is the tab in which the trained model predicts on other grids than its own, as soon as they are asked for.
type transfer struct {
	*selection
	of      *engine.Evaluation // what everything here belongs to
	grids   []int              // those that the data can be restricted to, ascending
	at      int                // the grid that is asked for
	shown   *engine.Evaluation // the last one that was there when it was asked for
	visits  map[int]visit      // by grid
	probing int                // the grid that is computed; 0 if none is
	failure error              // of the last probe
	second  bool               // small terminals: the table rather than the sample
	picture widget.Cache
}

// probe is what the evaluation on another grid is called as a job.
const probe = "transfer"

// visit is what is known about the model on a grid. The evaluation is nil if it was forgotten to save memory.
type visit struct {
	train, test float64 // expected relative errors
	evaluation  *engine.Evaluation
}

// follow begins anew with the evaluation that the experiment made.
func (t *transfer) follow() {
	if !t.session.Runs(probe) {
		t.probing = 0 // something else has taken its place
	}
	if t.of == t.selection.of {
		return
	}
	t.stop()
	of := t.selection.of
	t.of, t.at, t.shown, t.failure = of, of.Grid, of, nil
	t.visits = map[int]visit{of.Grid: {of.Train.ExpectedRelative, of.Test.ExpectedRelative, of}}
	t.grids = t.session.Experiment().Grids()
}

// missing are the grids that have not been visited.
func (t *transfer) missing() []int {
	return slices.DeleteFunc(slices.Clone(t.grids), func(K int) bool { _, done := t.visits[K]; return done })
}

func (t *transfer) commands() []ui.Command {
	missing := t.missing()
	all := ui.Command{Key: keys.Enter, Word: "all grids", Help: "predict on all grids", Why: t.session.Occupied(), Do: func() tea.Cmd { return t.start(missing) }}
	switch {
	case t.probing != 0:
		all.Why = "it is being computed"
	case len(missing) == 0 && all.Why == "":
		all.Why = "all grids are done"
	}
	grid := func(key keys.Key, help string, direction int) ui.Command {
		return ui.Command{Key: key, Word: "grid", Help: help, Do: func() tea.Cmd { return t.step(direction) }}
	}
	list := []ui.Command{all, grid(keys.Left, "coarser grid", -1), grid(keys.Right, "finer grid", 1),
		t.moving(keys.Up, "sample", "the next better sample", -1), t.moving(keys.Down, "sample", "the next worse sample", 1)}
	if !besideEachOther(t.room.Width) {
		list = append(list, ui.Command{Key: keys.View, Word: "view", Help: "the sample, or the table of errors", Do: ui.Now(func() { t.second = !t.second })})
	}
	return append(list, t.browsing()...)
}

// step goes to a neighbouring grid; while something else runs only to those that were visited.
func (t *transfer) step(direction int) tea.Cmd {
	next := slices.Index(t.grids, t.at) + direction
	if next < 0 || next >= len(t.grids) {
		return nil
	}
	e := t.visits[t.grids[next]].evaluation
	if why := t.session.Occupied(); e == nil && why != "" {
		t.session.Complain(why)
		return nil
	}
	t.at, t.failure = t.grids[next], nil
	if e != nil {
		t.stop()
		t.shown = e
		return nil
	}
	return t.start([]int{t.at})
}

// start evaluates the model on the grids, one after the other, instead of what is being computed.
func (t *transfer) start(grids []int) tea.Cmd {
	if len(grids) == 0 {
		return nil
	}
	e, K := t.session.Experiment(), grids[0]
	var evaluation *engine.Evaluation
	t.probing, t.failure, t.at = K, nil, K
	return t.session.Run(session.Job{Name: probe, Beside: true, Work: func(ctx context.Context) (err error) {
		evaluation, err = e.EvaluateOn(ctx, K)
		return err
	}, Done: func(err error) tea.Cmd { return t.arrive(K, evaluation, err, grids[1:]) }})
}

// stop forgets what is being computed.
func (t *transfer) stop() {
	t.session.Drop(probe)
	t.probing = 0
}

// arrive keeps and shows the evaluation on a grid, and goes on with the others.
func (t *transfer) arrive(K int, e *engine.Evaluation, err error, others []int) tea.Cmd {
	t.probing = 0
	if err != nil {
		if !session.IsCancelled(err) {
			t.failure = fmt.Errorf("%s: %w", formula.Grid(t.session.Experiment().Config, K), err)
		}
		return nil
	}
	t.visits[K] = visit{e.Train.ExpectedRelative, e.Test.ExpectedRelative, e}
	t.shown = e
	t.forget()
	return t.start(others)
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
