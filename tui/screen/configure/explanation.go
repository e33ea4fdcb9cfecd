package configure

import (
	"cmp"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/solver/printable"
	"rfm/tui/chart"
	"rfm/tui/dialog"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/session"
)

// explained describes the selected line, its range, the errors of the configuration, and the cost of the experiment.
func (c *Screen) explained(on look.Look, width int) []string {
	th := on.Theme
	var lines []string
	add := func(style lipgloss.Style, text string) {
		lines = append(lines, layout.Styled(style, ansi.Wrap(text, width, ""))...)
	}
	edited := ""
	if e := c.editing(); e != nil {
		edited = dialog.Suggestions(on, e.input)
	}
	switch e := c.selected(); {
	case e.isPreset():
		add(th.Value, c.session.Draft().Summary())
		if tries := c.session.Tries(); len(tries) > 1 {
			now, before := tries[len(tries)-1], tries[len(tries)-2]
			add(th.Muted, fmt.Sprintf("error %.4g after %.4g: %s instead of %s", now.Error, before.Error,
				config.Differences(now.Config, before.Config), config.Differences(before.Config, now.Config)))
		}
		if e := c.session.Unfinished(); e != nil {
			add(th.Warn, fmt.Sprintf("%c %s is unfinished (%s): r, then enter on it resumes it", th.Glyphs.Todo, e.Name,
				chart.RunState(*e)))
		}
		if e := c.session.Elsewhere(); e != nil {
			add(th.Muted, fmt.Sprintf("%c another process computes %s (%s): r, then enter follows it", th.Glyphs.Current, e.Name,
				chart.RunState(*e)))
		}
		if c.session.Kept() > 0 {
			add(th.Warn, fmt.Sprintf("%c a search for better features was interrupted after %d models: 6 resumes it",
				th.Glyphs.Todo, c.session.Kept()))
		}
	case e.isHeading():
		add(th.Value, fmt.Sprintf("[%s] in configuration files", e.group))
		add(th.Muted, groupSummary(c.session, e.group))
	case edited != "":
		add(th.Value, edited)
	default:
		add(th.Value, meaning(*e.key, c.shown()))
		add(th.Muted, circumstances(c.session, *e.key))
	}
	shown := c.shown()
	if list := session.Faults(shown); len(list) > 0 {
		for _, e := range list {
			add(th.Bad, inForm(e).Error())
		}
		return lines
	}
	if text := estimateText(c.session, shown); text != "" {
		add(th.Muted, text)
	}
	return lines
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
