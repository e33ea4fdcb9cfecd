// This file trains a small model of the draft while people type.

package form

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

// A smallModel previews the method: a small model of the draft, trained in the background at every change. Data are
// kept while their parameters stay.
type smallModel struct {
	latest[trial]
	workers int
	shown   config.Config      // configuration of the model shown
	model   *engine.Experiment // the model shown, or the last one: its data can be reused
	tested  *engine.Evaluation // of the latest one that could be trained; nil if none of the problem could
	before  float64            // test error of the previous model of the same problem; 0 if there is none
	typed   bool               // the model shown is one of a value while it is typed: the next is not compared with it
	hasty   bool               // the model shown has fewer pairs than it should: nor with this one
	alone   bool               // models are those of presets, which are not compared with each other
	lasted  time.Duration      // the training of the last one that had to generate data, and was not hasty
	err     error
}

// small returns a configuration that trains within 100 ms once its data exist: 64 pairs (16 of fields) on a grid that shows
// all that a terminal can, and a quick method without others. Random features are at most 512 (64), with lambda as given.
func small(c config.Config) config.Config {
	const (
		tolerance = 1e-6 // of solutions, far below the errors of so few pairs
		relative  = 1e-9 // lambda that is near the best one of the presets, in place of a search for it
		points    = 257
	)
	pairs := 64
	tests := 24
	features := 512
	grid := c.GridUpTo(c.Data.Grid, points)
	if c.Dims() == 2 {
		pairs = 16
		tests = 8
		features = 64
		grid = c.Train.Grid
	}
	if c.Contains(grid, c.Train.Grid) {
		c.Data.Grid = grid
	}
	if c.Equation.Text != "" {
		c.Equation.Tolerance = max(c.Equation.Tolerance, tolerance)
	}
	c.Data.Train = min(c.Data.Train, pairs)
	c.Data.Test = min(c.Data.Test, tests)
	c.Features.Count = min(c.Features.Count, features)
	if c.ChoosesLambda() {
		c.Train.Choice = config.Given
		c.Train.Lambda = 0
		c.Train.Relative = relative
	}
	c.Train.Method = c.FirstMethod()
	c.Evaluation = config.Evaluation{}
	return c
}

// hasty returns the configuration of a small model with a quarter of its pairs. Solvers take eight at a time.
func hasty(of config.Config) config.Config {
	const fewest = 8
	of.Data.Train = min(of.Data.Train, max(fewest, of.Data.Train/4))
	of.Data.Test = min(of.Data.Test, fewest)
	return of
}

// next returns which small model is trained for that of a configuration, whose data may need a finer grid: itself, or a
// hasty one before if the data of the last one took long.
func (l *smallModel) next(of config.Config, finer int) config.Config {
	const patience = 100 * time.Millisecond
	fast := hasty(of)
	isKnown := l.of == of
	isBefore := l.of == fast && !l.busy() // the hasty one is there
	isSlow := l.lasted > patience && l.shown.SameProblem(of)
	if isSlow && !isKnown && !isBefore && !hasData(l.model, of) && !hasData(l.model, onGrid(of, finer)) {
		return fast
	}
	return of
}

// hasData reports whether a model, which may be nil, has the data of a configuration.
func hasData(model *engine.Experiment, of config.Config) bool {
	return model != nil && model.Config.DataOnly() == of.DataOnly()
}

// onGrid returns a configuration with data on another grid.
func onGrid(of config.Config, points int) config.Config {
	of.Data.Grid = points
	return of
}

// follow trains a small model of a configuration, possibly one with a value that is still typed, unless it has one.
// While the program is busy it trains nothing.
func (l *smallModel) follow(c config.Config, typed, busy bool) tea.Cmd {
	const longest = 10 * time.Second // the first model makes the data
	if busy {
		l.cancel()
		return nil
	}
	of := small(c)
	if c.Validate() != nil || of.Validate() != nil {
		return nil
	}
	isAccepted := l.of == of && !typed
	l.typed = l.typed && !isAccepted
	next := l.next(of, c.Data.Grid)
	isHasty := next != of
	previous := l.model
	o := engine.Options{
		Workers: max(1, l.workers),
		Rough:   true,
	}
	if isHasty {
		o.Like = previous
	}
	return l.want(next, longest, func(ctx context.Context) trial {
		begin := time.Now()
		got := resolved(ctx, next, c.Data.Grid, previous, o)
		got.err = inTime(ctx, got.err, "a coarser data.grid makes it faster")
		got.typed = typed
		got.hasty = isHasty
		got.lasted = time.Since(begin)
		return got
	})
}

// resolved returns a model of a small configuration, with data on a finer grid if its solutions need that. A hasty model
// begins with the grid of the previous one, because it has no time for two.
func resolved(ctx context.Context, c config.Config, finer int, previous *engine.Experiment, o engine.Options) trial {
	fine := onGrid(c, finer)
	isAlike := o.Like != nil && o.Like.Config.Data.Grid == finer
	if isAlike || hasData(previous, fine) {
		return trained(ctx, fine, previous, o)
	}
	got := trained(ctx, c, previous, o)
	_, isUnresolved := errors.AsType[*fault.Numerical](got.err)
	if isUnresolved && c != fine {
		return trained(ctx, fine, previous, o)
	}
	return got
}

// A trial is a model that was trained in the background, or why it could not be.
type trial struct {
	of     config.Config
	typed  bool // its value was being typed
	hasty  bool
	lasted time.Duration
	model  *engine.Experiment
	tested *engine.Evaluation
	err    error
}

// take takes over a model.
func (l *smallModel) take(got trial) {
	if got.hasty && got.err != nil {
		return // the model itself will tell
	}
	if !got.hasty && !hasData(l.model, got.of) {
		l.lasted = got.lasted
	}
	isComparable := l.tested != nil && got.tested != nil && l.shown.SameProblem(got.of)
	switch {
	case !isComparable || l.alone:
		l.before = 0
	case !l.typed && !l.hasty:
		l.before = l.tested.Test.ExpectedRelative
	}
	l.typed = got.typed
	l.hasty = got.hasty
	l.err = got.err
	isOther := l.shown.Problem != got.of.Problem || l.shown.Dims() != got.of.Dims()
	if got.err == nil || isOther { // else the one before stays
		l.shown = got.of
		l.tested = got.tested
	}
	if got.err == nil {
		l.model = got.model
	}
}

// trained returns a model of a small configuration and its test on the training grid. It reuses the data of the
// previous one (which may be nil) if they are the same.
func trained(ctx context.Context, c config.Config, previous *engine.Experiment, o engine.Options) trial {
	t := trial{of: c}
	t.model, t.err = engine.Again(ctx, c, previous, engine.Training, o)
	if t.err == nil {
		t.tested, t.err = t.model.EvaluateOn(ctx, t.model.Config.Train.Grid)
	}
	return t
}

// trained returns the small model of a configuration with its test; nil if the one shown is of another one.
func (l *smallModel) trained(c config.Config) (*engine.Experiment, *engine.Evaluation) {
	if l.err != nil || l.tested == nil || l.shown != small(c) {
		return nil, nil
	}
	return l.model, l.tested
}

// smallTrial returns the trial of a small model of a configuration, which is trained if it is nil; without a model if that
// takes too long or fails. Errors are those of engine.Untrained.
func smallTrial(ctx context.Context, of config.Config, model *engine.Experiment, tested *engine.Evaluation) (
	*engine.Trial, error) {
	if model == nil {
		const longest = 5 * time.Second
		ctx, stop := context.WithTimeout(ctx, longest)
		defer stop()
		got := trained(ctx, small(of), nil, engine.Options{Workers: 1, Rough: true})
		if got.err != nil {
			return engine.Untrained(of)
		}
		model = got.model
		tested = got.tested
	}
	return model.Trial(ctx, tested)
}

// pictures returns the reference solution and the prediction of one test input, with the error on all of them. While the
// equation is wrong they are those of the model before, in grey.
func (l *smallModel) pictures(th theme.Theme, wrong bool) []page.Picture {
	switch {
	case l.err != nil && !wrong:
		return []page.Picture{l.reason(th)}
	case l.tested == nil:
		return nil
	case !wrong:
		return l.latestPictures(th, "")
	}
	return faded(l.latestPictures(grey(th), "before: "), th)
}

// faded returns pictures that were drawn with a grey theme without any colour.
func faded(list []page.Picture, th theme.Theme) []page.Picture {
	for i, p := range list {
		list[i].Draw = func(width, height int) string { return muted(th, ansi.Strip(p.Draw(width, height))) }
	}
	return list
}

// smallName is the name of the picture of a small model.
const smallName = "a small model"

// reason says why there is no small model.
func (l *smallModel) reason(th theme.Theme) page.Picture {
	why := printable.Text(l.err.Error())
	why, _, _ = strings.Cut(why, "\n") // the row has the place
	draw := func(width, height int) string {
		lines := layout.Wrap("No small model: "+why, width)
		return layout.Fit(muted(th, lines), width, height)
	}
	return page.Picture{Name: smallName, Draw: draw}
}

// muted returns the lines of a text in grey.
func muted(th theme.Theme, text string) string {
	return strings.Join(layout.Styled(th.Muted, text), "\n")
}

// grey returns a theme for pictures of something that is not valid any more: textures take the place of colours.
func grey(th theme.Theme) theme.Theme {
	plain := th.Options
	plain.NoColor = true
	return theme.New(plain)
}

// latestPictures returns the pictures of the latest model that could be trained, with titles that begin with a text.
func (l *smallModel) latestPictures(th theme.Theme, begin string) []page.Picture {
	sample := l.tested.Sample(l.shown.Of(), 0, 0)
	figure, fields := sample.Compared()
	if fields == nil {
		draw := func(width, height int) string {
			title := th.Value.Render(l.title(begin, width))
			return title + "\n" + plot.Figure(th, roomFor(figure, width), width, height-1)
		}
		return []page.Picture{{Name: smallName, Draw: draw}}
	}
	truth := fields[0]
	prediction := fields[1]
	draw := func(width, height int) string {
		titled := prediction
		titled.Title = l.title(begin, width)
		return plot.Field(th, titled, width, height)
	}
	return []page.Picture{
		{Name: smallName, Map: true, Draw: draw},
		page.FieldPicture(th, truth),
	}
}

// title says what the model is and its error, and that of the model before, as far as there is room.
func (l *smallModel) title(begin string, width int) string {
	const digits = 3
	now := report.Error(l.tested.Test.ExpectedRelative, digits)
	before := report.Error(l.before, digits)
	text := "error " + now
	if l.before > 0 && before != now && !l.hasty {
		changed := text + ", was " + before
		if lipgloss.Width(begin+changed) <= width {
			text = changed
		}
	}
	verdict := l.tested.Skill.Verdict()
	if verdict != "" {
		const short = "learned nothing"
		forms := []string{
			text + ", " + verdict,
			text + ", " + short,
			"error " + now + ", " + short,
			short,
		}
		for _, text = range forms {
			if lipgloss.Width(begin+text) <= width {
				break
			}
		}
	}
	for _, form := range []string{"%strained on %d pairs: %s", "%s%d pairs: %s"} {
		whole := fmt.Sprintf(form, begin, l.shown.Data.Train, text)
		if lipgloss.Width(whole) <= width {
			return whole
		}
	}
	return layout.Cut(begin+text, width)
}

// roomFor leaves out the input of a figure that is too narrow for its name and its axis, and shortens the others' names.
func roomFor(f report.Figure, width int) report.Figure {
	const least = 32
	if width >= least {
		return f
	}
	isInput := func(c report.Curve) bool { return c.Role == report.AsInput }
	f.Curves = slices.DeleteFunc(slices.Clone(f.Curves), isInput)
	for i := range f.Curves {
		if f.Curves[i].Role == report.AsPrediction {
			f.Curves[i].Name = "model"
		}
	}
	return f
}
