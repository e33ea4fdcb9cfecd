package form

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// explained describes the selected line, its range, the errors of the configuration, and the cost of the experiment. An
// error of the selected line comes first.
func (c *Screen) explained(th theme.Theme, width int) []string {
	lines := c.meant(th, width)
	if len(c.faults()) > 0 {
		return lines
	}
	style := th.Warn
	said := c.slow()
	if said == "" {
		style = th.Muted
		said = estimateText(c.session, c.shown())
	}
	if said == "" {
		return lines
	}
	return append(lines, layout.Styled(style, layout.Wrap(said, width))...)
}

// meant returns the lines about the selected line alone, and the faults.
func (c *Screen) meant(th theme.Theme, width int) []string {
	var lines, others []string
	add := func(style lipgloss.Style, text string) {
		lines = append(lines, layout.Styled(style, layout.Wrap(text, width))...)
	}
	selected := c.current()
	faults := c.faults()
	for _, e := range faults {
		f := locate(e, c.shown())
		if f.key == selected.parameter() {
			add(th.Bad, fmt.Sprintf("%c %s", th.Glyphs.Cross, problem(f)))
			continue
		}
		said := *inForm(e)
		if f.place >= 0 { // the text itself has the mark
			said.Problem, _, _ = strings.Cut(said.Problem, "\n")
		}
		text := layout.Wrap(said.Error(), width)
		others = append(others, layout.Styled(th.Bad, text)...)
	}
	if selected.parameter() == equationText { // the others follow from its text
		lines = append(lines, others...)
		others = nil
	}
	names := ""
	if e := c.editing(); e != nil {
		names = e.input.Names(th)
	}
	switch {
	case selected.isPreset():
		summary := c.session.Draft.Version().Summary()
		add(th.Value, cmp.Or(c.previews.account.words(), summary))
	case selected.isHeading():
		add(th.Value, fmt.Sprintf("[%s] in configuration files", selected.group))
		add(th.Muted, groupSummary(c.session, selected.group))
	case names != "":
		add(th.Value, names)
	case selected.parameter() == trainFile && c.previews.account.words() != "":
		add(th.Value, c.previews.account.words())
	case c.assumes(selected):
		add(th.Warn, selected.key.Short()+" has no value yet and counts as 1: left and right change it, enter types it")
	case c.isChosen(selected):
		add(th.Warn, fmt.Sprintf("chosen: %s = %s, because %s", label(*selected.key, c.shown()), selected.key.Text(c.shown()), c.choosing.why))
	case selected.parameter() == equationText && len(c.assumptions()) > 0:
		add(th.Value, meaning(*selected.key, c.shown()))
		add(th.Warn, "? assumed, because the text gives no value: "+strings.Join(c.assumptions(), ", "))
	default:
		add(th.Value, meaning(*selected.key, c.shown()))
		if len(others) == 0 { // which say what to do next
			add(th.Muted, circumstances(c.session, *selected.key))
		}
	}
	return append(lines, others...)
}

// slow says that the solver takes long for the pairs, and what shortens that; empty if it does not.
func (c *Screen) slow() string {
	e, known := c.session.Estimate(c.shown())
	if !known {
		return ""
	}
	return engine.SlowSolver(c.shown(), e)
}

// faults returns the errors of the typed value, or else those of the configuration as shown.
func (c *Screen) faults() []*config.Error {
	e := c.editing()
	if e != nil && e.wrong != nil {
		return []*config.Error{asError(e.key.Name, e.wrong)}
	}
	shown := c.shown()
	list := session.Faults(shown)
	ofFile := c.previews.account.wrong(shown)
	if ofFile != nil {
		list = append(list, ofFile)
	}
	ofEquation := c.previews.wrong(shown)
	if ofEquation != nil { // in place of what a check of the text alone finds
		isOfText := func(e *config.Error) bool { return e.Key == equationText }
		list = slices.DeleteFunc(list, isOfText)
		list = append(list, c.withRemedies(asError(equationText, ofEquation)))
	}
	return list
}

// faulty returns the setting of the first error; the text of the equation if none is known.
func (c *Screen) faulty() string {
	list := c.faults()
	if len(list) == 0 {
		return equationText
	}
	return locate(list[0], c.shown()).key
}

// withRemedies returns an error of the equation with the settings that help, in the words of the form, and the key that
// takes the first of them.
func (c *Screen) withRemedies(e *config.Error) *config.Error {
	var ways []string
	for _, r := range c.remedies() {
		ways = append(ways, c.asRow(r))
	}
	if len(ways) == 0 {
		return e
	}
	here := *e
	here.Suggestion = fmt.Sprintf("%s sets %s", ui.KeyTake, strings.Join(ways, ", or set "))
	return &here
}

// asRow returns a setting in the words of the form.
func (c *Screen) asRow(r engine.Remedy) string {
	of := c.session.Draft.Config()
	k, err := of.Lookup(r.Key)
	if err != nil {
		return r.Key + " = " + r.Value
	}
	return label(k, of) + " = " + r.Value
}

// asError returns an error about a key.
func asError(key string, err error) *config.Error {
	e, ok := err.(*config.Error)
	if ok {
		return e
	}
	return &config.Error{Key: key, Problem: err.Error()}
}

// problem returns an error without the name of its key. The place that it has in lines of its own is marked in the text
// of the setting.
func problem(f located) string {
	e := inForm(f.err)
	text := e.Problem
	if f.place >= 0 {
		text, _, _ = strings.Cut(text, "\n")
	}
	if e.Suggestion != "" {
		text += "; " + e.Suggestion
	}
	return text
}

// inForm returns an error in the words of the form: a flag's name does not help if a file or a parameter is missing.
func inForm(e *config.Error) *config.Error {
	if !strings.HasPrefix(e.Suggestion, "add --") {
		return e
	}
	here := *e
	here.Suggestion = "type its name there, tab completes it"
	if strings.HasPrefix(e.Key, parameterKeys) {
		here.Suggestion = "type it in its place below the equation"
	}
	return &here
}

// meaning returns the symbol and the meaning of a parameter, or of its value.
func meaning(k config.Key, of config.Config) string {
	if k.Symbol == "" {
		return k.About(of)
	}
	return k.Symbol + ": " + k.About(of)
}

// circumstances returns the full name of a parameter, the paper's value, the preset's if it was changed, and its range.
func circumstances(s *session.Session, k config.Key) string {
	now := s.Draft.Version()
	parts := []string{"key " + k.Name}
	if k.Paper() != "" {
		parts = append(parts, "paper "+k.Paper())
	}
	if !k.Same(now.Config, now.Base) {
		before := cmp.Or(k.Text(now.Base), "none")
		parts = append(parts, now.Origin()+" "+before)
	}
	parts = append(parts, k.Range())
	return strings.Join(parts, "; ")
}

// estimateText returns the cost in words; empty if it is not known. That of an equation whose solver has not been timed
// may be wrong by orders of magnitude, so that it is not shown.
func estimateText(s *session.Session, c config.Config) string {
	e, known := s.Estimate(c)
	if !known || !s.HasPace(c) {
		return ""
	}
	stages := fmt.Sprintf("train %s, test %s", report.Duration(e.Train), report.Duration(e.Evaluate))
	if e.Generate > 0 { // pairs from files are there
		stages = fmt.Sprintf("data %s, %s", report.Duration(e.Generate), stages)
	}
	whole := e.Time()
	memory := report.Bytes(e.Bytes)
	workers := printable.Several(s.Runner.Workers(), "worker")
	if !strings.Contains(whole, " to ") { // a range says itself that it is not exact
		whole = "about " + whole
	}
	return fmt.Sprintf("%s (%s), %s; %s", whole, stages, memory, workers)
}

// A located error is an error of the configuration at a setting, and its place in the text of the setting.
type located struct {
	key   string
	place int // in characters; -1 if the error has none
	err   *config.Error
}

// locate finds the setting of an error, and the place in its text. Errors of an equation have the place in lines of
// their own: the text that is wrong, and below it a mark.
func locate(e *config.Error, c config.Config) located {
	f := located{
		key:   e.Key,
		place: -1,
		err:   e,
	}
	said, marked, has := strings.Cut(e.Problem, "\n")
	if !has {
		return f
	}
	line, mark, has := strings.Cut(marked, "\n")
	if !has || !strings.HasSuffix(mark, "^") {
		return f
	}
	const margin = "  " // of both lines
	line = strings.TrimPrefix(line, margin)
	at := utf8.RuneCountInString(strings.TrimPrefix(mark, margin)) - 1
	_, name, of := strings.Cut(said, `parameter "`)
	if of {
		name, _, _ = strings.Cut(name, `"`)
		f.key = parameterKeys + name
		line = strings.TrimPrefix(line, name+" = ")
		at -= utf8.RuneCountInString(name + " = ")
	}
	k, err := c.Lookup(f.key)
	if err != nil {
		return located{
			key:   e.Key,
			place: -1,
			err:   e,
		}
	}
	before, _, found := strings.Cut(k.Text(c), line)
	if found && at >= 0 {
		f.place = utf8.RuneCountInString(before) + at
	}
	return f
}
