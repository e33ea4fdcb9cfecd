// This file says what the selected parameter is, and what the experiment will cost.

package screen

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/machine"
	"rfm/solver/printable"
	"rfm/tui/quantity"
)

// explanation says what the selected line is, what it may be, what is wrong with the configuration, and what the
// experiment costs. A prompt takes its place.
func (c *configure) explanation(s *session, width int) []string {
	lines := c.explained(s, width)
	if c.listWidth(s.width) == s.width {
		const most = 6 // below the list
		lines = lines[:min(len(lines), most)]
	}
	return lines
}

func (c *configure) explained(s *session, width int) []string {
	if c.prompt != nil {
		return c.prompt.render(s, width)
	}
	th := s.Theme
	var lines []string
	add := func(style lipgloss.Style, text string) {
		lines = append(lines, styled(style, ansi.Wrap(text, width, ""))...)
	}
	switch e := c.selected(s); {
	case e.isPreset():
		add(th.Value, s.summary())
		if e := s.unfinished(); e != nil {
			add(th.Warn, fmt.Sprintf("%c %s is unfinished (%s): c goes on with it, r lists all runs", th.Glyphs.Todo, e.Name, runState(*e)))
		}
		if s.keeps() {
			add(th.Warn, fmt.Sprintf("%c a search for better features was interrupted after %d models: 6 goes on with it", th.Glyphs.Todo, s.kept.models))
		}
	case e.isHeading():
		add(th.Value, fmt.Sprintf("[%s] in configuration files", e.group))
		add(th.Muted, groupSummary(s, e.group))
	case c.input != nil && len(c.found) > 0:
		add(th.Value, printable.Line(strings.Join(c.found, "  ")))
	default:
		add(th.Value, meaning(*e.key))
		add(th.Muted, circumstances(s, *e.key))
	}
	shown := c.shown(s)
	if list := faults(shown); len(list) > 0 {
		for _, e := range list {
			add(th.Bad, inForm(e).Error())
		}
		return lines
	}
	if text := estimateText(s, shown); text != "" {
		add(th.Muted, text)
	}
	return lines
}

// inForm is an error in the words of the form: where a file is missing it does not help to name a flag.
func inForm(e *config.Error) *config.Error {
	if !strings.HasPrefix(e.Suggestion, "add --") {
		return e
	}
	here := *e
	here.Suggestion = "type its name there, tab completes it"
	return &here
}

// meaning is the symbol and the meaning of a parameter.
func meaning(k config.Key) string {
	if k.Symbol == "" {
		return k.Help
	}
	return k.Symbol + ": " + k.Help
}

// circumstances are the paper's value of a parameter, the preset's if it was changed, its range, and its whole name.
func circumstances(s *session, k config.Key) string {
	var parts []string
	if k.Paper != "" {
		parts = append(parts, "paper "+k.Paper)
	}
	if !k.Same(s.config, s.base) {
		parts = append(parts, s.origin()+" "+orNone(k.Text(s.base)))
	}
	return strings.Join(append(parts, k.Range(), "--set "+k.Name), "; ")
}

// estimate is what a valid configuration will cost on this machine, if that is known: sizes that follow from files are not.
func (s *session) estimate(c config.Config) (e machine.Estimate, known bool) {
	if s.rates == nil || c.Data.Train == 0 || c.Data.Test == 0 || c.Data.Grid == 0 || c.Train.Grid == 0 {
		return e, false
	}
	return s.rates.Estimate(c, s.workers()), true
}

// estimateText is the cost in words; empty if it is not known.
func estimateText(s *session, c config.Config) string {
	e, known := s.estimate(c)
	if !known {
		return ""
	}
	return fmt.Sprintf("about %s (data %s, train %s, test %s), %s; %d workers, %s", quantity.Duration(e.Total()), quantity.Duration(e.Generate), quantity.Duration(e.Train),
		quantity.Duration(e.Evaluate), quantity.Bytes(e.Bytes), s.workers(), machine.Instructions())
}

// workers is the number of goroutines that compute.
func (s *session) workers() int { return machine.Workers(s.options.Workers) }

// origin is the name of the preset or file that the configuration comes from.
func (s *session) origin() string {
	switch {
	case s.source != "":
		return s.source
	case s.file != "":
		return s.file
	}
	return "custom"
}

// summary says what the preset or file is.
func (s *session) summary() string {
	for _, p := range config.Presets() {
		if p.Name == s.source {
			return p.Summary
		}
	}
	if s.file != "" {
		return "the configuration file " + s.file
	}
	return "what the command line or a file made of a preset"
}
