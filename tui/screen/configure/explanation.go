package configure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/run/machine"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/theme"
)

// explained describes the selected line, its range, the errors of the configuration, and the cost of the experiment. An
// error of the selected line comes first.
func (c *Screen) explained(th theme.Theme, width int) []string {
	var lines, others []string
	add := func(style lipgloss.Style, text string) {
		lines = append(lines, layout.Styled(style, layout.Wrap(text, width))...)
	}
	selected, faults := c.selected(), c.faults()
	for _, e := range faults {
		if e.Key == selected.parameter() {
			lines = append(lines, layout.Styled(th.Bad, fmt.Sprintf("%c %s", th.Glyphs.Cross, problem(e, width-2)))...)
		} else {
			others = append(others, layout.Styled(th.Bad, layout.Wrap(inForm(e).Error(), width))...)
		}
	}
	names := ""
	if e := c.editing(); e != nil {
		names = e.input.Names(th)
	}
	switch {
	case selected.isPreset():
		add(th.Value, c.session.Draft().Summary())
	case selected.isHeading():
		add(th.Value, fmt.Sprintf("[%s] in configuration files", selected.group))
		add(th.Muted, groupSummary(c.session, selected.group))
	case names != "":
		add(th.Value, names)
	default:
		add(th.Value, meaning(*selected.key, c.shown()))
		add(th.Muted, circumstances(c.session, *selected.key))
	}
	lines = append(lines, others...)
	if text := estimateText(c.session, c.shown()); text != "" && len(faults) == 0 {
		add(th.Muted, text)
	}
	return lines
}

// faults returns the errors of the typed value, or else those of the configuration as shown.
func (c *Screen) faults() []*config.Error {
	if e := c.editing(); e != nil && e.wrong != nil {
		return []*config.Error{asError(e.key.Name, e.wrong)}
	}
	list := session.Faults(c.shown())
	if err := c.previews.wrong(c.shown()); err != nil {
		list = append(slices.DeleteFunc(list, func(e *config.Error) bool { return e.Key == equationText }),
			asError(equationText, err))
	}
	return list
}

// asError returns an error about a key.
func asError(key string, err error) *config.Error {
	if e, ok := err.(*config.Error); ok {
		return e
	}
	return &config.Error{Key: key, Problem: err.Error()}
}

// problem returns an error wrapped to a width, without the name of its key. A place marked in the line below a text
// stays below it.
func problem(e *config.Error, width int) string {
	e = inForm(e)
	text := e.Problem
	if e.Suggestion != "" {
		text += "; " + e.Suggestion
	}
	said, place, marked := strings.Cut(text, "\n")
	if !marked || !strings.HasSuffix(place, "^") {
		return layout.Wrap(text, width)
	}
	line, mark, _ := strings.Cut(place, "\n")
	from := max(0, min(lipgloss.Width(mark)-width/2, lipgloss.Width(line)+1-width))
	return layout.Wrap(said, width) + "\n" + ansi.Cut(line, from, from+width) + "\n" + ansi.Cut(mark, from, from+width)
}

// inForm returns an error in the words of the form: a flag's name does not help if a file or a parameter is missing.
func inForm(e *config.Error) *config.Error {
	if !strings.HasPrefix(e.Suggestion, "add --") {
		return e
	}
	here := *e
	here.Suggestion = "type its name there, tab completes it"
	if strings.HasPrefix(e.Key, parameterKeys) {
		here.Suggestion = "type it in its row below the equation"
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

// circumstances returns the paper's value of a parameter, the preset's if it was changed, its range, and its full name.
func circumstances(s *session.Session, k config.Key) string {
	var parts []string
	if k.Paper() != "" {
		parts = append(parts, "paper "+k.Paper())
	}
	if !k.Same(s.Config(), s.Draft().Base) {
		parts = append(parts, s.Draft().Origin()+" "+cmp.Or(k.Text(s.Draft().Base), "none"))
	}
	return strings.Join(append(parts, k.Range(), "key "+k.Name), "; ")
}

// estimateText returns the cost in words; empty if it is not known.
func estimateText(s *session.Session, c config.Config) string {
	e, known := s.Estimate(c)
	if !known {
		return ""
	}
	return fmt.Sprintf("about %s (data %s, train %s, test %s), %s; %s, %s", report.Duration(e.Total()),
		report.Duration(e.Generate), report.Duration(e.Train),
		report.Duration(e.Evaluate), report.Bytes(e.Bytes), printable.Several(s.Workers(), "worker"),
		machine.Instructions())
}
