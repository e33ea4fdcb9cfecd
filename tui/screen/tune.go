// This file is the screen that adapts the features to the training data: a search, its leaderboard, and what came of it.

package screen

import (
	"math"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/study"
	"rfm/model/tune"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/widget"
)

// tuning shows the search: the one that runs, or the last one.
type tuning struct {
	budgets []time.Duration // times that a search can take
	budget  int             // index of the chosen one
	search  *search         // nil before the first
	seen    *tune.Snapshot  // last look at it; nil before there is something to see
	looked  time.Time
	line    int // selected line of the leaderboard
	picture widget.Cache
}

func newTuning() *tuning {
	return &tuning{budgets: []time.Duration{30 * time.Second, time.Minute, 3 * time.Minute, 10 * time.Minute}, budget: 2}
}

// running says whether the search runs.
func (v *tuning) running(s *session) bool { return s.job != nil && s.job.step == tuneStep }

// newSearch is a search from the configuration.
func newSearch(s *session) *search {
	r := &search{asked: s.config, name: tunedName(s), source: s.source, base: s.base, store: s.options.Runs != ""}
	if r.source == "" {
		r.source = s.file
	}
	if r.source == "" {
		r.source = s.config.Problem
		r.base, _ = config.PresetByName(r.source) // every problem has a preset of its name
	}
	return r
}

// resumes says whether the enter key goes on with the search on show rather than beginning another one.
func (v *tuning) resumes(s *session) bool {
	return v.search != nil && !v.search.ended && v.search.asked == s.config
}

// takes says whether the enter key takes the selected features: the search has ended and nothing else was asked for since.
func (v *tuning) takes(s *session) bool {
	_, ok := v.chosen(s)
	return ok && v.search.ended && v.search.asked == s.config && v.search.budget == v.budgets[v.budget]
}

// prepare gets hold of the search that the enter key asks for: another one, or the one that was stopped.
func (v *tuning) prepare(s *session) *search {
	if !v.resumes(s) {
		next := newSearch(s)
		if v.search != nil && v.search.ended && v.search.asked == s.config {
			v.search.forget() // another one was asked for
		}
		if last := v.search; last != nil && sameData(last.asked, next.asked) {
			next.pairs = last.pairs
		}
		v.search, v.seen, v.line = next, nil, 0
		s.kept = keptSearch{} // it is gone on with, or not what is wanted now
	}
	v.search.budget = v.budgets[v.budget]
	return v.search
}

// follow takes a new look at the search, while it runs twice a second at most: slow lines have to carry what changes.
func (v *tuning) follow(s *session) {
	const pause = 500 * time.Millisecond
	if v.search == nil || v.running(s) && v.seen != nil && time.Since(v.looked) < pause {
		return
	}
	if t := v.search.tuner.Load(); t != nil {
		v.seen, v.looked = t.Snapshot(), time.Now()
	}
	if v.seen != nil {
		v.line = min(v.line, len(v.board())-1)
	}
}

// chosen is the selected line of the leaderboard, if its features can be taken into the configuration.
func (v *tuning) chosen(s *session) (leader tune.Leader, ok bool) {
	if v.running(s) || v.seen == nil || v.search.asked.Problem != s.config.Problem {
		return tune.Leader{}, false
	}
	board := v.board()
	leader = board[min(v.line, len(board)-1)]
	return leader, !leader.Start || len(leader.Rescored) > 0 // else there is nothing new in it
}

func (v *tuning) actions(s *session) []keys.Action {
	var list []keys.Action
	if s.job == nil {
		list = append(list, keys.Accept)
	}
	if _, ok := v.chosen(s); ok {
		list = append(list, keys.Take, keys.Save)
	}
	if s.job == nil {
		list = append(list, keys.Left, keys.Right)
	}
	if v.seen != nil {
		list = append(list, keys.Up, keys.Down, keys.First, keys.Last)
	}
	return list
}

func (v *tuning) means(s *session, action keys.Action) string {
	switch action {
	case keys.Accept:
		switch {
		case v.resumes(s), s.keeps() && !v.takes(s):
			return "go on"
		case v.takes(s):
			return keys.Of(keys.Take).Desc
		}
		return "search"
	case keys.Left, keys.Right:
		return "time"
	case keys.Up, keys.Down, keys.First, keys.Last:
		return "line"
	}
	return ""
}

func (v *tuning) do(s *session, action keys.Action) tea.Cmd {
	last := 0
	if v.seen != nil {
		last = len(v.board()) - 1
	}
	switch action {
	case keys.Left:
		v.budget = max(0, v.budget-1)
	case keys.Right:
		v.budget = min(len(v.budgets)-1, v.budget+1)
	case keys.Up:
		v.line = max(0, v.line-1)
	case keys.Down:
		v.line = min(last, v.line+1)
	case keys.First:
		v.line = 0
	case keys.Last:
		v.line = last
	}
	return nil
}

func (v *tuning) render(s *session, width, height int) string {
	head := v.head(s, width)
	rest := height - len(head)
	if v.seen == nil {
		return strings.Join(head, "\n") + "\n" + layout.Fit(v.explanation(s, width, rest), width, rest)
	}
	first, rows := v.window(height)
	detail := v.detail(s, width)
	text := strings.Join(append(append(head, v.table(s, width, first, rows)...), detail...), "\n")
	rest -= 1 + rows + len(detail)
	type key struct {
		search        *search
		evaluations   int
		width, height int
		appearance    look.Appearance
	}
	k := key{v.search, v.drawnEvaluations(s), width, rest, s.Appearance()}
	return text + "\n" + v.picture.Get(k, func() string { return v.curve(s, width, rest) })
}

// headLines is the height of what stands above the leaderboard.
const headLines = 2

// window is the first line of the leaderboard on a screen of this height, and how many lines there are.
func (v *tuning) window(height int) (first, rows int) {
	count := len(v.board())
	rows = min(count, max(3, height/3-2))
	return max(0, min(v.line-rows/2, count-rows)), rows
}

// click selects the line of the leaderboard under the mouse.
func (v *tuning) click(s *session, _, y int) tea.Cmd {
	if v.seen == nil {
		return nil
	}
	first, rows := v.window(s.height)
	if row := y - headLines - 1; row >= 0 && row < rows {
		v.line = first + row
	}
	return nil
}

// drawnEvaluations is the number of evaluations that the plot shows: while the search runs it is drawn anew only for a
// better one, and when there are a tenth more.
func (v *tuning) drawnEvaluations(s *session) int {
	if !v.running(s) {
		return v.seen.Evaluations
	}
	const steps = 24 // to a factor of ten
	return int(steps*math.Log10(float64(1+v.seen.Evaluations)))<<16 + len(v.seen.Curve)
}

// exhibit is the leaderboard and the course of the search.
func (v *tuning) exhibit(s *session) study.Result {
	r := study.Result{Study: stepNames[tuneStep]}
	if v.seen != nil {
		r.Tables, r.Figures = []study.Table{v.standings()}, []study.Figure{v.figure()}
	}
	return r
}
