package runs

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/report"
	"rfm/model/share"
	"rfm/solver/printable"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// sweeps is the grid of one of the sweeps, whose cells fill while other processes compute them. Nothing of it is locked
// or written.
type sweeps struct {
	directories []string
	at          int
	sweep       *share.Sweep // as of the last look; nil before the first
	outcomes    []share.Outcome
	err         error
}

// sweptMsg is a look at a sweep.
type sweptMsg struct {
	of       *sweeps
	at       int
	sweep    *share.Sweep
	outcomes []share.Outcome
	err      error
}

// look looks at the sweep after a while.
func (v *sweeps) look(after time.Duration) tea.Cmd {
	at, directory := v.at, v.directories[v.at]
	return tea.Tick(after, func(time.Time) tea.Msg {
		s, err := share.OpenSweep(directory)
		if err != nil {
			return sweptMsg{of: v, at: at, err: err}
		}
		return sweptMsg{v, at, s, s.Read(), nil}
	})
}

func (v *sweeps) commands() []ui.Command {
	turn := func(key keys.Key, help string, step int) ui.Command {
		return ui.Command{Key: key, Word: "sweep", Help: help, Do: func() tea.Cmd {
			v.at = (v.at + step + len(v.directories)) % len(v.directories)
			v.sweep, v.outcomes, v.err = nil, nil, nil
			return v.look(0)
		}}.When(len(v.directories) > 1, "there is one sweep")
	}
	return []ui.Command{turn(keys.NextTab, "next sweep", 1), turn(keys.PreviousTab, "previous sweep", -1)}
}

// update looks again and again while the sweep is on show and not complete.
func (v *sweeps) update(msg tea.Msg) tea.Cmd {
	const pause = time.Second
	seen, ok := msg.(sweptMsg)
	if !ok || seen.of != v || seen.at != v.at {
		return nil
	}
	v.sweep, v.outcomes, v.err = seen.sweep, seen.outcomes, seen.err
	if v.err != nil || share.Count(v.outcomes, share.Complete) == len(v.outcomes) {
		return nil
	}
	return v.look(pause)
}

func (v *sweeps) view(on look.Look, width, height int) string {
	th := on.Theme
	title := th.Title.Render(" sweep " + printable.Line(filepath.Base(v.directories[v.at])))
	switch {
	case v.err != nil:
		return title + "\n\n" + strings.Join(layout.Paragraph(th.Bad, v.err.Error(), width), "\n")
	case v.sweep == nil:
		return title
	}
	line := fmt.Sprintf("%d of %d cells complete", share.Count(v.outcomes, share.Complete), len(v.outcomes))
	for _, state := range []share.State{share.InUse, share.Unfinished, share.Failed} {
		if n := share.Count(v.outcomes, state); n > 0 {
			line += fmt.Sprintf(", %d %s", n, state)
		}
	}
	lines := append([]string{layout.Cut(title+"  "+line, width), ""}, v.grid(th, width)...)
	legend := fmt.Sprintf(" test errors; %c at work  %c to go on  %c failed  %c not begun", th.Glyphs.Current,
		th.Glyphs.Closed, th.Glyphs.Cross, th.Glyphs.Todo)
	if len(lines)+2 > height {
		lines = append(lines[:max(0, height-2)], th.Muted.Render(fmt.Sprintf(" %c e writes all of it", th.Glyphs.Ellipsis)))
	}
	lines = append(lines, th.Muted.Render(layout.Cut(legend, width)))
	const least = 10 // lines of a figure
	if figures := v.sweep.Table(v.outcomes).Figures; len(figures) > 0 && height-len(lines)-1 >= least {
		lines = append(lines, "", chart.Figure(on, figures[0], width, height-len(lines)-1))
	}
	return strings.Join(lines, "\n")
}

// grid has the values of the axis with most of those that fit beside each other, and a line for each combination of
// the others.
func (v *sweeps) grid(th theme.Theme, width int) []string {
	axes := v.sweep.Axes
	const least, between = 6, 2 // cells of a column, and before it
	columnWidth := func(a share.Axis) int {
		w := least
		for _, value := range a.Values {
			w = max(w, ansi.StringWidth(printable.Line(value)))
		}
		return w + between
	}
	across := -1 // no axis fits: one column
	for i, a := range axes {
		if len(a.Values)*columnWidth(a) <= width*2/3 && (across < 0 || len(a.Values) >= len(axes[across].Values)) {
			across = i
		}
	}
	best := math.Inf(1)
	for _, o := range v.outcomes {
		if o.State == share.Complete {
			best = min(best, o.Result.Test.ExpectedRelative)
		}
	}
	var names []string
	cells := map[string][]string{}
	column := least + between
	if across >= 0 {
		column = columnWidth(axes[across])
	}
	for _, o := range v.outcomes {
		var name []string
		for i, a := range axes {
			if i != across {
				name = append(name, a.Key+"="+printable.Line(o.Values[i]))
			}
		}
		line := strings.Join(name, " ")
		if !slices.Contains(names, line) {
			names = append(names, line)
		}
		cells[line] = append(cells[line], cellText(th, o, column, best))
	}
	left := 0
	for _, name := range names {
		left = max(left, ansi.StringWidth(name))
	}
	left = min(left, width/3)
	fit := func(text string) string { return " " + layout.Fit(text, left, 1) }
	var lines []string
	if across >= 0 {
		head := ""
		for _, value := range axes[across].Values {
			head += fmt.Sprintf("%*s", column, printable.Line(value))
		}
		key := axes[across].Key
		lines = append(lines, layout.Cut(fit("")+strings.Repeat(" ", between)+th.Title.Render(key), width),
			layout.Cut(fit("")+th.Label.Render(head), width))
	}
	for _, name := range names {
		lines = append(lines, layout.Cut(fit(name)+strings.Join(cells[name], ""), width))
	}
	return lines
}

// cellText is the error of a cell, the best one marked, or how far it is.
func cellText(th theme.Theme, o share.Outcome, width int, best float64) string {
	if o.State == share.Complete {
		text := fmt.Sprintf("%*.4f", width, o.Result.Test.ExpectedRelative)
		if o.Result.Test.ExpectedRelative == best {
			return th.Good.Bold(true).Render(text)
		}
		return text
	}
	style, glyph := th.Muted, th.Glyphs.Todo
	switch o.State {
	case share.InUse:
		style, glyph = th.Key, th.Glyphs.Current
	case share.Unfinished:
		style, glyph = th.Warn, th.Glyphs.Closed
	case share.Failed:
		style, glyph = th.Bad, th.Glyphs.Cross
	}
	return style.Render(fmt.Sprintf("%*c", width, glyph))
}

// Exhibit is what `rfm show` prints.
func (v *sweeps) Exhibit() report.Page {
	if v.sweep == nil {
		return report.Page{Name: "sweep"}
	}
	return v.sweep.Table(v.outcomes)
}
