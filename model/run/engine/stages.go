// This file is the way of a number: from the configuration to pairs and features, to the sums G and b and the
// coefficients alpha, to predictions and their errors.

package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/kernel"
	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/model/trained"
	"rfm/model/trained/bands"
	"rfm/model/trained/codec"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
	"rfm/solver/base/processor"
	"rfm/solver/space/grid"
	"rfm/solver/space/points"
)

// steps are the stages in their order. Each sets results of the experiment and returns the products to be stored; those
// of a stored product are read instead. So a complete stage is restored by doing it again.
var steps = [3]struct {
	stage string
	work  func(*Experiment, context.Context) ([]files.File, error)
}{
	{Generating, func(e *Experiment, ctx context.Context) ([]files.File, error) { return e.generate(ctx) }},
	{Training, (*Experiment).fit},
	{Evaluating, (*Experiment).evaluate},
}

// fit trains the model.
func (e *Experiment) fit(ctx context.Context) (made []files.File, err error) {
	e.learned, made, err = e.learn(ctx)
	return made, err
}

// evaluate measures errors on the configured grid, unless they are stored.
func (e *Experiment) evaluate(ctx context.Context) ([]files.File, error) {
	stage := e.evaluating()
	v, err := stage.on(ctx, e.Config.TestGrid())
	if err != nil {
		return nil, err
	}
	if e.store.Has(store.ReportFile) {
		return nil, e.readResults(v)
	}
	err = stage.compareAll(ctx, v)
	if err != nil {
		return nil, err
	}
	e.evaluation = v
	return e.results(), nil
}

// evaluating returns the third stage.
func (e *Experiment) evaluating() *evaluating { return &evaluating{work: e.work, learned: e.learned} }

// Run computes all stages that are not complete. Generate makes or reads the pairs and draws the features, train
// computes the coefficients, evaluate measures errors on the configured grid and compares with other methods. Errors
// are *fault.Data for files and unsuitable data, *fault.Numerical from solvers, and ctx.Err(), which is an
// *Interrupted if the run is stored. An interrupted stage of a stored run resumes from its units; a complete stage is
// not repeated.
func (e *Experiment) Run(ctx context.Context) error { return e.Reach(ctx, Evaluating) }

// Reach runs all stages up to last, which is Generating, Training or Evaluating. The errors are as for Run.
func (e *Experiment) Reach(ctx context.Context, last string) error {
	for i, s := range steps {
		err := e.step(ctx, i)
		if err != nil {
			return err
		}
		if s.stage == last {
			break
		}
	}
	return nil
}

// step does stage i unless it is complete, and stores its products.
func (e *Experiment) step(ctx context.Context, i int) error {
	if e.reached > i {
		return interrupted(e.Directory(), ctx.Err())
	}
	begin := time.Now()
	used := processor.Time()
	products, err := steps[i].work(e, ctx)
	if err != nil {
		products = nil
		err = interrupted(e.Directory(), err)
	}
	stopped := errors.As(err, new(*Interrupted))
	if err == nil || stopped {
		e.store.Seconds[i] += time.Since(begin).Seconds() // to those of earlier sessions
		e.processor[i] = (processor.Time() - used).Seconds()
	}
	if len(products) > 0 || stopped { // without products it stores the time
		if failure := e.store.Put(products...); failure != nil {
			err = failure
		}
	}
	if err != nil {
		e.evaluation = nil
		return err
	}
	e.reached = i + 1
	e.tracker.finish()
	if e.Complete() {
		return e.store.Close() // a complete run needs no lock
	}
	return nil
}

// generate makes or reads the data and draws the features, except for those already stored. Errors: *fault.Data for
// files, *fault.Numerical from the solver, ctx.Err().
func (w *work) generate(ctx context.Context) ([]files.File, error) {
	sides := w.sides()
	generated := 0
	for _, s := range sides {
		if s.file == "" && !w.reused {
			generated += s.count
		}
	}
	w.tracker.begin(Generating, "pairs", generated)
	var features feature.Map
	var err error
	if !w.Config.Scattered() {
		if features, err = w.drawFeatures(ctx); err != nil { // first, because files fail fast
			return nil, err
		}
	}
	err = w.obtain(ctx, sides)
	if err != nil {
		return nil, err
	}
	if err := w.obtainLow(ctx); err != nil {
		return nil, err
	}
	if w.Config.Scattered() && w.needsFeatures() {
		features, err = w.drawFeatures(ctx)
		if err != nil {
			return nil, err
		}
	}
	w.learning = &trainer{
		config:   w.Config,
		features: features,
		pairs:    w.train,
		low:      w.low,
		workers:  w.workers,
		like:     w.like,
		tracker:  &w.tracker,
	}
	products := w.thetaCopy()
	if w.low.Count() > 0 && !w.store.Has(store.LowFile) {
		products = append(products, store.Rows(store.LowFile, rowsOf(w.low)))
	}
	for _, s := range sides {
		if !s.whole {
			products = append(products, store.Rows(s.name, rowsOf(*s.pairs)))
		}
	}
	if w.cloud.There() && !w.store.Has(store.PointsFile) {
		content := func(out io.Writer) error { return codec.WriteCloud(out, w.cloud) }
		products = append(products, files.File{Name: store.PointsFile, Content: content})
	}
	if w.train.Groups != nil && !w.store.Has(groupsFile) {
		groups := labelled{Groups: w.grouped, Labels: w.train.Groups}
		products = append(products, store.JSON(groupsFile, groups, ""))
	}
	return products, nil
}

// needsFeatures reports whether random features of functions at points of any geometry are trained: as the method, or
// beside others unless that takes too long.
func (w *work) needsFeatures() bool {
	c := w.Config
	if c.Train.Method == config.RandomFeatures {
		return true
	}
	isCompared := c.Train.Method == config.Best || c.Evaluation.Baselines
	return isCompared && comparisonOf(c, w.train.Inputs.Domain, w.train.Outputs.Domain).features && !tooManyScattered(w.train.Outputs)
}

// learn trains the model, or reads it if it is stored.
func (w *work) learn(ctx context.Context) (l learned, made []files.File, err error) {
	if w.store.Has(store.ModelFile) {
		l.model, err = trained.ReadFile(ctx, w.store.File(store.ModelFile))
		if err == nil && w.store.Has(suspectsFile) {
			err = w.store.ReadJSON(suspectsFile, &l.suspects)
			w.leaveOut(l.suspects)
		}
		if err == nil && w.store.Has(lowGainFile) {
			w.learning.lowGain = new(LowGain)
			err = w.store.ReadJSON(lowGainFile, w.learning.lowGain)
		}
		return l, nil, err
	}
	if w.Config.Evaluation.Bands { // they fail now, not after minutes of training
		err := bands.Check(w.learning.pairs, w.partsForBands())
		if err != nil {
			return l, nil, err
		}
	}
	w.learning.sums = w.sumTiles
	if kept := w.checkpoints(); kept != nil {
		w.learning.checkpoints = kept
	}
	l.model, err = w.learning.model(ctx)
	l.choosing = w.learning.choosing
	w.learning.sums = nil
	w.learning.checkpoints = nil
	if err != nil {
		return l, nil, err
	}
	made, err = w.findSuspects(ctx, &l)
	if err != nil {
		return l, nil, err
	}
	if gain := w.learning.lowGain; gain != nil {
		made = append(made, store.JSON(lowGainFile, gain, "  "))
	}
	write := func(out io.Writer) error { return trained.Write(out, l.model) }
	return l, append(made, files.File{Name: store.ModelFile, Content: write}), nil
}

// compareAll adds to an evaluation on the configured grid what is compared with the model and found besides errors. The
// error is one of training or prediction, a *fault.Data, or ctx.Err().
func (e *evaluating) compareAll(ctx context.Context, v *Evaluation) error {
	var err error
	v.Rows, err = e.compare(ctx, v)
	if err != nil {
		return err
	}
	v.Choice, err = e.choice(ctx)
	if err != nil {
		return err
	}
	v.Low = e.learning.lowGain
	v.Lengths = kernel.Lengths(e.model.Operator)
	if e.Config.Evaluation.Baselines {
		v.Convergence, err = e.convergence(ctx, v)
		if err != nil {
			return err
		}
	}
	if e.Config.Evaluation.Curve {
		curve, reason, err := e.curve(ctx, v)
		if err != nil {
			return err
		}
		v.Curve = curve
		if reason != "" {
			v.Warnings = append(v.Warnings, "There is no learning curve: "+reason+".")
		}
	}
	if e.Config.Evaluation.Bands {
		calibrated, err := e.calibrate(ctx)
		if err != nil {
			return err
		}
		v.Uncertainty, err = uncertainty(calibrated, v)
		if err != nil {
			return err
		}
	}
	v.Shared = e.grouped.Shared
	if e.grouped.Sentence != "" {
		v.Warnings = append(v.Warnings, e.grouped.Sentence)
	}
	untried := UntriedNetwork(e.Config)
	if untried != "" && e.model.Operator.LeaveOneOut() >= hardError {
		v.Warnings = append(v.Warnings, printable.Sentence(untried))
	}
	if found := e.suspects.String(); found != "" {
		v.Warnings = append(v.Warnings, found)
	}
	rolled, err := e.rollout(ctx, v.Grid)
	if err != nil {
		return err
	}
	if rolled != "" {
		v.Warnings = append(v.Warnings, rolled)
	}
	if about, ok := e.Config.PublicSet(); ok && about.Published != nil {
		v.Warnings = append(v.Warnings, fmt.Sprintf("Published errors of others on this set: %s (docs/points.md has the sources). "+
			"Ours is %s.", strings.Join(about.Published, ", "), report.Error(v.Test.ExpectedRelative, 4)))
	}
	v.Warnings = append(v.Warnings, e.learning.omitted...)
	v.workers = e.workers
	return nil
}

// The stages of an experiment, and parts of them. Choosing lambda by leaving functions out, if it is not given, and
// Solving belong to training. Comparing with other methods belongs to evaluation.
const (
	Generating = store.Generating
	Training   = store.Training
	Choosing   = "leave out"
	Solving    = "solve"
	Evaluating = store.Evaluating
	Comparing  = "compare"
)

// Sample returns training pair i for display, with the first channels. The first stage must be complete.
func (w *work) Sample(i int) *report.Sample {
	return w.sample(w.train.Inputs.Range(i, 1), w.train.Outputs.Range(i, 1))
}

func (w *work) sample(a, u grid.Batch) *report.Sample {
	s := sampleOf(w.Config.Of(), w.geometries(), a, u, 0)
	return &s
}

// sampleOf returns a channel of the first pair of some for display.
func sampleOf(p config.Problem, at geometries, a, u grid.Batch, channel int) report.Sample {
	s := report.Sample{
		Name:  p.Input,
		Jumps: p.Jumps,
		Side:  sideOf(a.Domain, a.Points),
		Input: a.Of(0, channel),
		Truth: u.Of(0, channel),
		In:    at.in,
		Out:   at.out,
	}
	if at.out == nil {
		return s
	}
	s.Truth = at.ofOutput(s.Truth)
	own := at.cloud.OfInput(s.Input)
	if grid.Constant(own) && at.cloud.Apart() { // the input is known at the points of outputs
		s.In = at.out
		own = at.cloud.OfOutput(s.Input)
	}
	s.Input = own
	return s
}

// geometries tell how functions at points of any geometry are drawn; zero for functions on grids.
type geometries struct {
	cloud   points.Cloud
	in, out *report.Geometry
}

// geometriesOf returns how functions at the points of a cloud are drawn; zero if there is none.
func geometriesOf(cloud points.Cloud) geometries {
	if !cloud.There() {
		return geometries{}
	}
	at := geometries{cloud: cloud, out: report.GeometryOf(cloud.Outputs())}
	at.in = at.out
	if cloud.Apart() {
		at.in = report.GeometryOf(cloud.Inputs())
	}
	return at
}

// ofOutput returns the values of an output at its points.
func (g geometries) ofOutput(f []float64) []float64 {
	if g.out == nil {
		return f
	}
	return g.cloud.OfOutput(f)
}

// side returns the number of points along an axis of fields on a grid, of pixels of maps of points in the plane; 0 for
// curves.
func (g geometries) side(domain grid.Domain, points int) int {
	if g.out != nil && g.out.Plane() {
		return g.out.Pixels()
	}
	return sideOf(domain, points)
}

// sideOf returns the number of points along an axis of fields on a grid; 0 for functions of one variable.
func sideOf(domain grid.Domain, points int) int {
	if domain.Dims == 1 {
		return 0
	}
	return points
}
