package stages

import (
	"context"
	"fmt"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/engine"
	"rfm/model/show/interchange"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// inverse is the tab that finds the input behind noisy values of the output of a test sample, as `rfm invert` does.
type inverse struct {
	*selection
	of    *engine.Evaluation // of the model of the last inversion
	found *interchange.Inverted
	at    int                    // test sample of found
	err   error                  // of the last inversion
	done  atomic.Pointer[[2]int] // steps of the job, and all of them
	seen  *[2]int                // copy of done
}

// inversion is the name of the job, and the parameters are the defaults of `rfm invert`.
const (
	inversion                    = "inverse problem"
	places, chains, steps        = 20, 32, 250
	noise                        = 0.01
	seed                  uint64 = 1
)

// exists reports whether the run is stored and its problem has a solver, which checks the result.
func (v *inverse) exists() bool {
	return v.session.Runner.Stored() != "" && !v.session.Runner.Experiment().Config.Of().Files
}

func (v *inverse) commands() []ui.Command {
	find := ui.Command{Key: keys.Enter, Word: "invert", Help: "find the input behind noisy values of the output",
		Why: v.session.Runner.Occupied(), Do: v.begin}
	return append([]ui.Command{find}, v.browsing()[:5]...)
}

// begin inverts the output of the chosen sample in the background.
func (v *inverse) begin() tea.Cmd {
	var found interchange.Inverted
	at, of, run, workers := v.sample(), v.selection.of, v.session.Runner.Stored(), v.session.Runner.Workers()
	v.done.Store(nil)
	seen := func() { v.seen = v.done.Load() }
	return v.session.Runner.Run(session.Job{Name: inversion, Place: session.ResultsPage, Seen: seen,
		Work: func(ctx context.Context) error {
			model, err := interchange.FindModel(ctx, "", run)
			if err == nil {
				found, err = interchange.Invert(ctx, model, interchange.Inversion{Count: places, Sample: at, Noise: noise,
					Seed: seed, Chains: chains, Steps: steps, Workers: workers,
					Progress: func(done, all int) { v.done.Store(&[2]int{done, all}) }})
			}
			return err
		}, Done: func(err error) tea.Cmd {
			if !session.IsCancelled(err) {
				v.of, v.found, v.err, v.at = of, &found, err, at
			}
			return nil
		}})
}

func (v *inverse) state() []any { return append(v.selection.state(), v.found, v.err) }

// status returns the progress of the job.
func (v *inverse) status(th theme.Theme) string {
	if v.session.Runner.Doing() != inversion || v.seen == nil {
		return ""
	}
	return th.Muted.Render(fmt.Sprintf("step %d of %d", v.seen[0], v.seen[1]))
}

// page returns the result, or a description before the first.
func (v *inverse) page(ui.Canvas) report.Page {
	switch {
	case v.of == v.selection.of && v.err != nil:
		return report.Page{Name: "inverse", Notes: []string{printable.Text(v.err.Error())}}
	case v.of != v.selection.of:
		return report.Page{Name: "inverse", Heading: v.heading(), Notes: []string{fmt.Sprintf("Enter "+
			"finds the input of this sample from %d values of its output, with noise of %g%%: the most probable input, its band, "+
			"and the solver's output for it. The command rfm invert takes your own observations.", places, 100*noise)}}
	}
	p := chart.Inversion(*v.found)
	p.Heading = fmt.Sprintf("sample %d: %s", v.at, p.Title)
	return p
}
