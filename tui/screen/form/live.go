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
	"rfm/model/show/interchange"
	"rfm/model/show/report"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/session"
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
	isSlow := l.lasted > patience && l.shown.Title() == of.Title()
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
	isComparable := l.tested != nil && got.tested != nil && l.shown.Title() == got.of.Title()
	switch {
	case !isComparable:
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
		text += ", was " + before
	}
	verdict := l.tested.Skill.Verdict()
	if verdict != "" {
		text += ", " + verdict
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

// A solution is one solution of an equation given as text, computed in the background. A wrong equation keeps the last
// picture.
type solution struct {
	latest[solved]
	page  *report.Page // of the last valid equation; nil before the first
	ends  bool         // whether the solution ends before its time: the error says why, the field goes on until then
	err   error        // of the latest equation; a *config.Error has the place in the text
	helps []engine.Remedy
}

// follow solves the equation of a configuration unless it has the solution.
func (l *solution) follow(c config.Config) tea.Cmd {
	const longest = 5 * time.Second
	if c.Equation.Text == "" {
		l.cancel()
		l.page = nil
		l.err = nil
		l.helps = nil
		return nil
	}
	return l.want(c.DataOnly(), longest, func(ctx context.Context) solved {
		picture, err := engine.Picture(ctx, c)
		err = inTime(ctx, err, "a larger equation.tolerance or a smaller equation.time makes it faster")
		got := solved{page: picture, err: err}
		got.ends = len(picture.Fields) > 0 && err != nil
		said, helps := engine.Ended(err)
		got.helps = helps
		if said != nil {
			got.err = said
		}
		return got
	})
}

// A solved is what the solver says of an equation.
type solved struct {
	page  report.Page
	ends  bool // before its time
	err   error
	helps []engine.Remedy
}

// A pace is the time that the solver needs for an equation given as text, measured in the background.
type pace struct {
	latest[engine.Pace]
	known engine.Pace // of the latest equation that has a solution
}

// follow measures the pace for a configuration unless it is known. It waits while other previews are computed, because a
// person looks at pictures first, and because they would disturb the clock.
func (l *pace) follow(c config.Config, busy bool) tea.Cmd {
	if busy || c.Equation.Text == "" {
		l.cancel()
		return nil
	}
	const longest = 2 * time.Second
	return l.want(c.DataOnly(), longest, func(ctx context.Context) engine.Pace {
		const timed = time.Second                        // enough steps of any equation
		measured, _ := engine.MeasurePace(ctx, c, timed) // the picture reports the error
		return measured
	})
}

// take takes over a solution.
func (l *solution) take(got solved) {
	l.err = got.err
	l.ends = got.ends
	l.helps = got.helps
	if got.err == nil || got.ends {
		l.page = &got.page
	}
}

// pictures returns the last solution, grey if the equation is not valid any more.
func (l *solution) pictures(th theme.Theme) []page.Picture {
	switch {
	case l.page == nil:
		return nil
	case l.err == nil || l.ends:
		return page.Pictures(th, *l.page, false)
	}
	before := report.Page{
		Fields:  slices.Clone(l.page.Fields),
		Figures: slices.Clone(l.page.Figures),
	}
	for i := range before.Fields {
		before.Fields[i].Title = "before: " + before.Fields[i].Title
	}
	for i := range before.Figures {
		before.Figures[i].Title = "before: " + before.Figures[i].Title
	}
	return faded(page.Pictures(grey(th), before, false), th)
}

// account tells how the file of the draft is read as pairs, which is found out in the background whenever a setting of
// the data changes.
type account struct {
	latest[interpreted]
	file  string   // that was read; empty before the first
	facts []string // about the reading, the pairs first
	err   error    // why the file is not read with these settings
	key   string   // the setting that was changed last, if the file is not read with it
}

// follow reads the file of the draft again unless that has been done. What follows from the file, such as grids and
// numbers of pairs, becomes part of the draft.
func (a *account) follow(s *session.Session) tea.Cmd {
	draft := s.Draft.Version()
	if !draft.Config.Of().Files || draft.Config.Data.TrainFile == "" {
		a.cancel()
		a.file = ""
		return nil
	}
	const longest = 30 * time.Second
	return a.want(draft.Config.DataOnly(), longest, func(ctx context.Context) interpreted {
		c, told, facts, err := interchange.Reading(ctx, draft.Config, draft.Read, draft.Told)
		err = inTime(ctx, err, "'rfm show FILE' has more patience")
		return interpreted{
			draft:  draft,
			config: c,
			told:   told,
			facts:  facts,
			err:    err,
		}
	})
}

// An interpreted is the reading of the file of a draft.
type interpreted struct {
	draft  session.Version
	config config.Config // that follows from the file
	told   string        // see session.Version
	facts  []string
	err    error
}

// take takes over a reading.
func (a *account) take(got interpreted, s *session.Session) {
	a.file = got.draft.Config.Data.TrainFile
	a.facts = nil
	for _, fact := range got.facts {
		a.facts = append(a.facts, asRows(fact, got.config))
	}
	a.err = got.err
	a.key = firstChanged(got.draft)
	if got.err == nil && s.Draft.Reread(got.draft, got.config, got.told) {
		a.of = got.config.DataOnly()
	}
}

// wrong returns the error of the reading of a configuration's file, as one of a setting; nil if there is none.
func (a *account) wrong(c config.Config) *config.Error {
	if a.err == nil || a.file == "" || a.of != c.DataOnly() {
		return nil
	}
	var setting *config.Error
	if errors.As(a.err, &setting) {
		return setting
	}
	k, err := c.Lookup(a.key)
	if err != nil {
		return nil
	}
	wrong := &config.Error{
		Key:     a.key,
		Value:   k.Text(c),
		Problem: a.err.Error(),
	}
	var data *fault.Data
	if errors.As(a.err, &data) {
		wrong.Problem = data.What
		wrong.Suggestion = data.Do
	}
	return wrong
}

// firstChanged returns the key of the first setting of the data that was changed since the file was read; that of the file
// if none was.
func firstChanged(d session.Version) string {
	for _, k := range d.Config.Keys() {
		isOfData := strings.HasPrefix(k.Name, "data.")
		isSet := k.Text(d.Config) != ""
		if isOfData && isSet && !k.Same(d.Config, d.Read) {
			return k.Name
		}
	}
	return trainFile
}

// words describes the reading in place of a preset's description; empty if nothing is known yet.
func (a *account) words() string {
	if a.err != nil || a.file == "" {
		return ""
	}
	return strings.Join(a.facts, "; ")
}

// pictures returns the reading as a text among the pictures.
func (a *account) pictures(th theme.Theme) []page.Picture {
	if a.file == "" {
		return nil
	}
	draw := func(width, height int) string {
		lines := layout.Head(a.lines(th, width), width, height)
		return layout.Fit(strings.Join(lines, "\n"), width, height)
	}
	return []page.Picture{{Name: accountName, Draw: draw}}
}

// accountName is the name of the picture of an account.
const accountName = "how the file is read"

// lines returns why the file cannot be read, and what is known of it. What may be otherwise stands out.
func (a *account) lines(th theme.Theme, width int) []string {
	title := layout.Cut(accountName, width)
	lines := []string{th.Title.Render(title)}
	if a.err != nil {
		why := asRows(printable.Text(a.err.Error()), a.of)
		lines = append(lines, layout.Styled(th.Bad, layout.Wrap(why, width))...)
	}
	for _, fact := range a.facts {
		style := th.Value
		if isDoubtful(fact) {
			style = th.Warn
		}
		lines = append(lines, layout.Styled(style, layout.Wrap(fact, width))...)
	}
	return lines
}

// isDoubtful reports whether a fact says that something was guessed or left out.
func isDoubtful(fact string) bool {
	isGuess := strings.Contains(fact, "guess")
	isUnused := strings.HasPrefix(fact, "not used") || strings.Contains(fact, "left out")
	return isGuess || isUnused
}

// latest computes values of configurations in the background, one at a time, and tells only of those still wanted.
type latest[T any] struct {
	stop context.CancelFunc // of the computation in progress; nil if there is none
	of   config.Config      // of the latest computation; the zero value if it was stopped
}

// A computed is the message that a computation has ended, with the value of a configuration.
type computed[T any] struct {
	by       *latest[T]
	of       config.Config
	value    T
	panicked any // what the computation has panicked with; nil if it has not
}

// want starts to compute the value of a configuration unless that is the latest, or after it has stopped another
// computation. Its message goes to took.
func (l *latest[T]) want(of config.Config, longest time.Duration, work func(context.Context) T) tea.Cmd {
	switch {
	case l.stop != nil && of != l.of:
		l.cancel()
		return nil // its end asks for this one
	case l.stop != nil || of == l.of:
		return nil
	}
	ctx, stop := context.WithTimeout(context.Background(), longest)
	l.stop = stop
	l.of = of
	return func() (msg tea.Msg) {
		defer stop()
		ended := computed[T]{by: l, of: of}
		defer func() {
			ended.panicked = recover()
			msg = ended
		}()
		ended.value = work(ctx)
		return nil
	}
}

// arrived gives the value of a computation of l to take, if it is still wanted.
func (l *latest[T]) arrived(msg computed[T], take func(T)) tea.Cmd {
	if msg.by != l {
		return nil
	}
	wanted, again := l.took(msg)
	if wanted {
		take(msg.value)
	}
	return again
}

// took notes the end of a computation, and reports whether its value is still wanted. A panic of the computation goes on
// in a command, where all of them are reported.
func (l *latest[T]) took(msg computed[T]) (wanted bool, again tea.Cmd) {
	l.stop = nil
	if msg.panicked != nil {
		return false, func() tea.Msg { panic(msg.panicked) }
	}
	return l.of == msg.of, nil
}

// busy reports whether a computation is in progress.
func (l *latest[T]) busy() bool { return l.stop != nil }

// cancel stops the computation in progress, if there is one.
func (l *latest[T]) cancel() {
	if l.stop != nil {
		l.stop()
		l.of = config.Config{}
	}
}

// inTime returns the error of a computation, in words if it took too long.
func inTime(ctx context.Context, err error, remedy string) error {
	if err == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	return errors.New("it takes too long for a preview: " + remedy)
}
