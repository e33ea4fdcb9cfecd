package runs

import (
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/report"
	"rfm/model/sweep"
	"rfm/solver/printable"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/page"
	"rfm/tui/ui"
)

// sweeps is the page of one of the sweeps, which grows while other processes compute them. It locks and writes nothing.
type sweeps struct {
	directories []string
	at          int
	sweep       *sweep.Sweep // as of the last reading; nil before the first
	outcomes    []sweep.Outcome
	err         error
	room        ui.Canvas
	page        page.View
}

// sweptMsg is a reading of a sweep.
type sweptMsg struct {
	of       *sweeps
	at       int
	sweep    *sweep.Sweep
	outcomes []sweep.Outcome
	err      error
}

// look reads the sweep after a while.
func (v *sweeps) look(after time.Duration) tea.Cmd {
	at, directory := v.at, v.directories[v.at]
	return tea.Tick(after, func(time.Time) tea.Msg {
		s, err := sweep.Open(directory)
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
	return append([]ui.Command{turn(keys.NextTab, "next sweep", 1), turn(keys.PreviousTab, "previous sweep", -1)},
		v.page.Commands(v.room.Look, v.Exhibit(), v.room.Width, v.room.Height, keys.Up, keys.Down, keys.PageUp,
			keys.PageDown)...)
}

// update repeats the reading while the sweep is shown and not complete.
func (v *sweeps) update(msg tea.Msg) tea.Cmd {
	const pause = time.Second
	if f, ok := msg.(ui.Follow); ok {
		v.room = f.Canvas
	}
	seen, ok := msg.(sweptMsg)
	if !ok || seen.of != v || seen.at != v.at {
		return nil
	}
	v.sweep, v.outcomes, v.err = seen.sweep, seen.outcomes, seen.err
	if v.err != nil || sweep.Count(v.outcomes, sweep.Complete) == len(v.outcomes) {
		return nil
	}
	return v.look(pause)
}

func (v *sweeps) view(on look.Look, width, height int) string {
	return v.page.Draw(on, v.Exhibit(), width, height, v.sweep, v.err)
}

// Exhibit returns the output of `rfm show`: the errors of the complete cells, and the numbers of the others.
func (v *sweeps) Exhibit() report.Page {
	p := report.Page{Name: "sweep", Heading: "sweep " + printable.Line(filepath.Base(v.directories[v.at]))}
	switch {
	case v.err != nil:
		p.Notes = []string{v.err.Error()}
	case v.sweep != nil:
		heading := p.Heading
		p = v.sweep.Table(v.outcomes)
		p.Heading = heading + ": " + p.Source
	}
	return p
}
