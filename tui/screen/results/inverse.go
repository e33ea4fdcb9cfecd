package results

import (
	"context"
	"fmt"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/engine"
	"rfm/model/show/interchange"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
	"rfm/tui/words"
)

// inverse is the tab that finds the input behind noisy values of the output of a test sample, as `rfm invert` does.
type inverse struct {
	*selection
	of    *engine.Evaluation // of the model of the last inversion
	found *interchange.Inverted
	at    int   // test sample of found
	err   error // of the last inversion
	done  atomic.Pointer[walked]
	seen  *walked // copy of done
}

// walked is how far the chains of a job have come.
type walked struct {
	steps int
	all   int
}

// inversion is the name of the job.
const inversion = "inverse problem"

// The parameters of an inversion are the defaults of `rfm invert`.
const (
	places        = 20
	chains        = 32
	steps         = 250
	noise         = 0.01
	seed   uint64 = 1
)

// exists reports whether the run is stored and its problem has a solver, which checks the result.
func (v *inverse) exists() bool {
	r := v.session.Runner
	return r.Stored() != "" && !r.Experiment().Config.Of().Files
}

func (v *inverse) commands() []ui.Command {
	find := ui.Command{
		Key:  ui.KeyEnter,
		Word: "invert",
		Help: "find the input behind noisy values of the output",
		Why:  v.runner.Occupied,
		Do:   v.begin,
	}
	neighboursAndRanks := v.browsing()[:5]
	return append([]ui.Command{find}, neighboursAndRanks...)
}

// begin inverts the output of the chosen sample in the background.
func (v *inverse) begin() tea.Cmd {
	at := v.sample()
	of := v.selection.of
	run := v.runner.Stored()
	asked := interchange.Inversion{
		Count:    places,
		Sample:   at,
		Noise:    noise,
		Seed:     seed,
		Chains:   chains,
		Steps:    steps,
		Workers:  v.runner.Workers(),
		Progress: func(done, all int) { v.done.Store(&walked{steps: done, all: all}) },
	}
	var found interchange.Inverted
	work := func(ctx context.Context) error {
		model, err := interchange.FindModel(ctx, "", run)
		if err != nil {
			return err
		}
		found, err = interchange.Invert(ctx, model, asked)
		return err
	}
	done := func(err error) tea.Cmd {
		if !session.IsCancelled(err) {
			v.of = of
			v.at = at
			v.found = &found
			v.err = err
		}
		return nil
	}
	v.done.Store(nil)
	return v.runner.Run(session.Job{
		Name:  inversion,
		Place: session.ResultsPage,
		Seen:  func() { v.seen = v.done.Load() },
		Work:  work,
		Done:  done,
	})
}

func (v *inverse) state() []any {
	return append(v.selection.state(), v.found, v.err)
}

// status returns the progress of the job.
func (v *inverse) status(th theme.Theme) string {
	if v.runner.Doing() != inversion || v.seen == nil {
		return ""
	}
	return th.Muted.Render(fmt.Sprintf("step %d of %d", v.seen.steps, v.seen.all))
}

// page returns the result, or a description before the first.
func (v *inverse) page(ui.Canvas) report.Page {
	isOfThisModel := v.of == v.selection.of
	if isOfThisModel && v.err == nil {
		p := words.Inversion(*v.found)
		p.Heading = fmt.Sprintf("sample %d: %s", v.at, p.Title)
		return p
	}
	p := report.Page{Name: "inverse"}
	if isOfThisModel {
		p.Notes = []string{printable.Text(v.err.Error())}
		return p
	}
	const description = "Enter finds the input of this sample from %d values of its output, with noise of %g%%: the most " +
		"probable input, its band, and the solver's output for it. The command rfm invert takes your own observations."
	p.Heading = v.heading()
	p.Notes = []string{fmt.Sprintf(description, places, 100*noise)}
	return p
}
