// This file is the screen of the results: tabs with what there is to know about a trained model, from samples beside their
// predictions to the studies of the paper.

package screen

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/model/study"
	"rfm/tui/keys"
)

// evaluate shows one of the tabs.
type evaluate struct {
	library   *library
	selection selection
	samples   *samples
	transfer  *transfer
	gain      *gain
	list      []*tab
	at        *tab // on show
}

// A tab is a view of this experiment, a study of the paper, or the one and then the other.
type tab struct {
	name     string
	own      exhibit     // nil if there is only the study
	study    *studyPages // nil if there is none
	studying bool        // the study is on show
}

// An exhibit is a view whose content is there as data, too, of some experiments.
type exhibit interface {
	view
	exhibitor
	exists(s *session) bool
}

func newEvaluate(l *library) *evaluate {
	v := &evaluate{library: l}
	v.samples = &samples{selection: &v.selection}
	v.transfer = &transfer{selection: &v.selection}
	v.gain = &gain{selection: &v.selection}
	v.list = []*tab{
		{name: "samples", own: v.samples},
		{name: "errors", own: &errorsTab{selection: &v.selection}},
		{name: "transfer", own: v.transfer, study: newStudyPages(l, "transfer")},
		{name: "resolution", study: newStudyPages(l, "resolution")},
		{name: "m-n", study: newStudyPages(l, "m-n")},
		{name: "semigroup", study: newStudyPages(l, "semigroup")},
		{name: "coefficients", own: &coefficients{}, study: newStudyPages(l, "coefficients")},
		{name: "lambda", own: &lambdaPath{selection: &v.selection}, study: newStudyPages(l, "lambda")},
		{name: "cost", own: &cost{selection: &v.selection}},
		{name: "gain", own: v.gain},
	}
	v.at = v.list[0]
	return v
}

// follow takes note of a new evaluation. Those before become something to compare it with.
func (v *evaluate) follow(s *session) {
	if s.experiment == nil || s.reached < evaluating {
		v.transfer.stop() // what it computes belongs to an experiment that is gone
		return
	}
	if e := s.experiment.Evaluation(); e != v.selection.of {
		v.selection.take(e)
		v.samples.cut = e.Side / 2
		v.gain.take(s.experiment.Config, e)
		if _, old := v.at.shown(s).(*studyPages); old {
			v.at.studying, v.at = false, v.list[0] // the result is what was asked for
		}
	}
	v.transfer.follow(s)
	if !slices.Contains(v.open(s), v.at) {
		v.at = v.list[0]
	}
}

// open lists the tabs that have something to show for this experiment.
func (v *evaluate) open(s *session) []*tab {
	return slices.DeleteFunc(slices.Clone(v.list), func(t *tab) bool { return !t.owns(s) && !t.study.exists(s) })
}

// owns says whether the tab has something about this experiment.
func (t *tab) owns(s *session) bool { return t.own != nil && t.own.exists(s) }

// shown is what the tab shows now.
func (t *tab) shown(s *session) exhibit {
	if !t.owns(s) || t.studying && t.study.exists(s) {
		return t.study
	}
	return t.own
}

func (v *evaluate) actions(s *session) []keys.Action {
	if s.reached < evaluating {
		return nil
	}
	list := []keys.Action{keys.NextTab, keys.PreviousTab}
	if v.at.owns(s) && v.at.study.exists(s) {
		list = append(list, keys.Study)
	}
	return append(list, v.at.shown(s).actions(s)...)
}

func (v *evaluate) means(s *session, action keys.Action) string {
	if s.reached < evaluating {
		return ""
	}
	if action == keys.Study && v.at.studying {
		return "this model"
	}
	return v.at.shown(s).means(s, action)
}

func (v *evaluate) receive(s *session, msg tea.Msg) tea.Cmd { return v.transfer.receive(s, msg) }

func (v *evaluate) do(s *session, action keys.Action) tea.Cmd {
	switch action {
	case keys.NextTab, keys.PreviousTab:
		open := v.open(s)
		direction := 1
		if action == keys.PreviousTab {
			direction = len(open) - 1
		}
		v.at = open[(slices.Index(open, v.at)+direction)%len(open)]
		return nil
	case keys.Study:
		v.at.studying = !v.at.studying
		return nil
	}
	return v.at.shown(s).do(s, action)
}

// wanted is the study that Enter computes, if there is one on show.
func (v *evaluate) wanted(s *session) []study.Study {
	if s.reached < evaluating {
		return nil
	}
	if p, ok := v.at.shown(s).(*studyPages); ok {
		if st, exists := p.of(s); exists {
			return []study.Study{st}
		}
	}
	return nil
}

// comparable says whether Enter trains the original features to compare with them.
func (v *evaluate) comparable(s *session) bool { return v.at.shown(s) == exhibit(v.gain) }

func (v *evaluate) render(s *session, width, height int) string {
	if s.reached < evaluating {
		lines := []string{progressLine(s, evaluating, width)}
		if rows := s.progress(evaluating).Measured; len(rows) > 0 && height > len(rows)+2 {
			lines = append(append(lines, ""), errorLines(s, rows)...)
		}
		return strings.Join(lines, "\n")
	}
	return v.bar(s, width) + "\n" + v.at.shown(s).render(s, width, height-tabLines)
}

func (v *evaluate) exhibit(s *session) study.Result {
	if s.reached < evaluating {
		return study.Result{Study: stepNames[evaluating]}
	}
	return v.at.shown(s).exhibit(s)
}
