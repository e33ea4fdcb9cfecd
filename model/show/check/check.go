// Package check tests a machine and a build by repeating reference computations, and measures their speed.
package check

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/score"
	"rfm/model/run/engine"
	"rfm/model/run/machine"
	"rfm/model/run/setup"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/golden"
	"rfm/solver/num/activation"
	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
	"rfm/solver/num/simd"
	"rfm/solver/pde/darcy"
	"rfm/solver/pde/equation"
	"rfm/solver/space/grid"
)

// Finding is the result of one check.
type Finding struct {
	Name    string  `json:"name"`
	Passed  bool    `json:"passed"`
	Found   string  `json:"found"`   // the measured and the expected value
	Seconds float64 `json:"seconds"` // duration of the check
}

// Report holds the results of all checks on a machine.
type Report struct {
	Passed   bool      `json:"passed"`
	SIMD     string    `json:"simd"`
	Slow     string    `json:"slow,omitempty"`   // what it means that no vector instructions are used; empty: some are
	Cores    int       `json:"cores"`            // visible to this process
	Workers  int       `json:"workers"`          // used by the checks
	Memory   float64   `json:"memory,omitempty"` // available memory in bytes; 0 if unknown
	Platform string    `json:"platform"`
	Version  string    `json:"version"`
	Findings []Finding `json:"findings"`
}

// A Suite is a list of checks.
type Suite []test

// A test returns its result in words and whether it is as expected.
type test struct {
	name string
	run  func(ctx context.Context, workers int) (found string, passed bool, err error)
}

// Soundness compares reference computations of every part of the program with the expected results.
func Soundness() Suite {
	return Suite{
		{name: "Burgers solver", run: burgersSolver},
		{name: "Darcy solver", run: darcySolver},
		{name: "Burgers training", run: burgersTraining.run},
		{name: "Darcy training", run: darcyTraining.run},
	}
}

// The small experiments, with their test errors when they became checks.
var (
	burgersTraining = training{
		preset: "quick",
		settings: []string{
			"data.train=128",
			"data.test=256",
			"features.count=128",
			"data.grid=257",
			"train.grid=65",
			"tolerance=1e-6",
		},
		want: 0.09979544,
	}
	darcyTraining = training{
		preset: "darcy-quick",
		settings: []string{
			"data.train=32",
			"data.test=32",
			"features.count=64",
			"data.grid=65",
		},
		want: 0.06638299,
	}
)

// Orders solves equations of known solution: errors at tolerance 1e-8, and orders of the scheme.
func Orders() (all Suite) {
	for _, claim := range equation.Claims() {
		check := func(ctx context.Context, _ int) (string, bool, error) {
			difference, order, err := claim.Check(ctx)
			found := fmt.Sprintf("error %.1e (at most %.0e)", difference, claim.Limit)
			passed := difference <= claim.Limit
			if order != 0 {
				found += fmt.Sprintf(", order %.2f (expected: 4)", order)
				near := math.Abs(order-4) < 0.6
				passed = passed && near
			}
			return found, passed, err
		}
		all = append(all, test{name: claim.Name, run: check})
	}
	ofDarcy := test{name: "Darcy order", run: darcyOrder}
	return append(all, ofDarcy)
}

// Run makes all checks of a suite with up to workers goroutines and passes each finding to tell as soon as it is
// complete. The error is ctx.Err(), or a *fault.Data if there is too little memory.
func Run(ctx context.Context, tests Suite, workers int, tell func(Finding)) (Report, error) {
	r := Report{
		Passed:   true,
		SIMD:     simd.Active().String(),
		Cores:    runtime.NumCPU(),
		Workers:  machine.Workers(workers),
		Memory:   machine.AvailableMemory().Bytes,
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Version:  machine.Version(),
	}
	if simd.Active() == simd.Generic {
		r.Slow = "without vector instructions, which exist for amd64 with AVX2, experiments take two to seven times as long"
	}
	for _, t := range tests {
		begin := time.Now()
		found, passed, err := t.run(ctx, r.Workers)
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		var unsuited *fault.Data // too little memory, not a wrong result
		if errors.As(err, &unsuited) {
			return r, err
		}
		if err != nil {
			found = err.Error()
			passed = false
		}
		f := Finding{
			Name:    t.name,
			Passed:  passed,
			Found:   found,
			Seconds: time.Since(begin).Seconds(),
		}
		r.Findings = append(r.Findings, f)
		r.Passed = r.Passed && passed
		tell(f)
	}
	return r, nil
}

// within describes a relative difference and its limit, and reports whether it is below.
func within(what string, difference, limit float64) (string, bool, error) {
	found := fmt.Sprintf("%s differ from the reference by %.1e (at most %.0e)", what, difference, limit)
	return found, difference <= limit, nil
}

func burgersSolver(ctx context.Context, _ int) (string, bool, error) {
	a := golden.Functions(golden.Burgers("a_fine"))
	want := golden.Functions(golden.Burgers("u_fine_T1"))
	u := a.Like(a.Count)
	c := config.Reference()
	c.Data.Grid = a.Points
	solver := setup.Truth(c).NewWorker()
	times := []float64{1}
	err := solver.Solve(ctx, []grid.Batch{u}, a, times, "reference inputs")
	if err != nil {
		return "", false, err
	}
	errors, err := score.Measure(u, want)
	if err != nil {
		return "", false, err
	}
	return within("solutions at tolerance 1e-8", errors.Max(), 1e-8)
}

func darcySolver(ctx context.Context, _ int) (string, bool, error) {
	a := golden.Darcy("a") // inputs x r x r
	want := golden.Darcy("u_arith").Data
	r := a.Shape[1]
	flow := darcy.Paper()
	flow.Source = func(x1, x2 float64) float64 { return 1 + 0.5*x1 - 0.25*x2*x2 }
	flow.Tolerance = 1e-12
	solver := darcy.New(flow, r).NewWorker()
	u := make([]float64, len(a.Data))
	size := r * r
	for i := range a.Shape[0] {
		permeability := a.Data[i*size:][:size]
		pressure := u[i*size:][:size]
		err := solver.Solve(ctx, pressure, permeability, "reference input")
		if err != nil {
			return "", false, err
		}
	}
	return within("pressures", relativeDistance(u, want), 1e-10)
}

// relativeDistance returns |u - want| / |want| in the Euclidean norm.
func relativeDistance(u, want []float64) float64 {
	return floats.Distance(u, want, 2) / floats.Norm(want, 2)
}

// darcyOrder solves for u = sin(pi x1) sin(pi x2) with a = 1 + x1 + x1 x2 on two grids: errors of an order-2 method are
// proportional to the square of the mesh width.
func darcyOrder(ctx context.Context, _ int) (string, bool, error) {
	permeability := func(x1, x2 float64) float64 { return 1 + x1 + x1*x2 }
	solution := func(x1, x2 float64) float64 {
		return math.Sin(math.Pi*x1) * math.Sin(math.Pi*x2)
	}
	flow := darcy.Paper()
	flow.Source = func(x1, x2 float64) float64 { // -div(a grad u) = -a lap u - a_x1 u_x1 - a_x2 u_x2
		sin1, cos1 := math.Sincos(math.Pi * x1)
		sin2, cos2 := math.Sincos(math.Pi * x2)
		slope1 := math.Pi * cos1 * sin2
		slope2 := math.Pi * sin1 * cos2
		laplacian := -2 * math.Pi * math.Pi * solution(x1, x2)
		return -permeability(x1, x2)*laplacian - (1+x2)*slope1 - x1*slope2
	}
	errorOn := func(r int) (float64, error) {
		u := make([]float64, r*r)
		a := darcy.Source(permeability).On(r)
		solver := darcy.New(flow, r).NewWorker()
		err := solver.Solve(ctx, u, a, "smooth input")
		if err != nil {
			return 0, err
		}
		want := darcy.Source(solution).On(r)
		return relativeDistance(u, want), nil
	}
	coarse, err := errorOn(17)
	if err != nil {
		return "", false, err
	}
	fine, err := errorOn(65)
	if err != nil {
		return "", false, err
	}
	order := math.Log(coarse/fine) / math.Log(4)
	found := fmt.Sprintf("order %.2f of the mesh width (expected: 2)", order)
	return found, math.Abs(order-2) < 0.05, nil
}

// training is a small experiment and its test error: the same on every machine, with and without SIMD, up to rounding.
type training struct {
	preset   string
	settings []string
	want     float64
}

// run runs the experiment without baselines, with one worker and with several. It compares the bits of both, and the
// test error with the expected one.
func (t training) run(ctx context.Context, workers int) (found string, passed bool, err error) {
	c, err := config.PresetByName(t.preset)
	if err != nil {
		return "", false, err
	}
	c.Evaluation.Baselines = false
	err = config.Assign(&c, t.settings...)
	if err != nil {
		return "", false, err
	}
	alone, err := ranWith(ctx, c, 1)
	if err != nil {
		return "", false, err
	}
	shared, err := ranWith(ctx, c, max(2, workers))
	if err != nil {
		return "", false, err
	}
	byOne := alone.Model().Solution().Alpha
	bySeveral := shared.Model().Solution().Alpha
	if !slices.Equal(byOne, bySeveral) {
		return "one worker and several give other coefficients", false, nil
	}
	got := shared.Evaluation().Test.ExpectedRelative
	found = fmt.Sprintf("test error %.8f for any number of workers (expected: %.8f)", got, t.want)
	return found, math.Abs(got-t.want) <= 1e-6*t.want, nil
}

// ranWith runs an experiment with so many workers.
func ranWith(ctx context.Context, c config.Config, workers int) (*engine.Experiment, error) {
	e, err := engine.New(ctx, c, engine.Options{Workers: workers})
	if err != nil {
		return nil, err
	}
	return e, e.Run(ctx)
}

// Speed measures the kernels on one core; every result passes.
func Speed() Suite {
	const m = 1024
	features := linalg.NewPanels(2*m, m)
	for i := range features.Count() {
		panel := features.Panel(i)
		copy(panel, values(i, len(panel)))
	}
	gram := linalg.NewSymmetric(m)
	_ = gram.RankUpdate(context.Background(), features, 2*m, 1)

	sums := linalg.NewSymmetric(m)
	update := func(ctx context.Context) error { return sums.RankUpdate(ctx, features, m, 1) }

	const repetitions = 16
	elu, _ := activation.ByName("elu")
	x := values(0, m)
	work := make([]float64, m)
	activate := func(context.Context) error {
		for range repetitions {
			copy(work, x)
			elu.Apply(work)
		}
		return nil
	}

	solve := func(ctx context.Context) error {
		d, err := linalg.Decompose(ctx, gram.Clone(), 1)
		if err != nil {
			return err
		}
		_, err = d.SolveTruncated(make([]float64, m), x, config.MachineRcond)
		return err
	}
	rate := func(seconds float64) string {
		const operations = m * (m + 1) * m
		return fmt.Sprintf("%.4g GF/s", operations/seconds/1e9)
	}
	ofValue := func(seconds float64) string {
		return fmt.Sprintf("%.4g ns", seconds/repetitions/m*1e9)
	}
	whole := func(seconds float64) string {
		return fmt.Sprintf("%.4g ms", seconds*1e3)
	}
	return Suite{
		timed("rank-k update, order 1024", update, rate),
		transform(128),
		transform(1024),
		timed("activation elu", activate, ofValue),
		timed("lambda = 0 solve, m=1024", solve, whole),
	}
}

// transform measures the inverse real transforms of the features of a group, or of two side by side where predictions
// take two.
func transform(N int) test {
	plan := fft.On(0, N)
	functions := feature.GroupSize
	spectra := values(0, 8*N)
	factors := values(1, 2*N)
	re := make([]float64, 4*N)
	im := make([]float64, 4*N)
	work := make([]float64, 16*N)
	call := func(context.Context) error {
		plan.InverseProduct(re, im, spectra, factors, work[:8*N])
		return nil
	}
	if plan.Wide() {
		functions = 2 * feature.GroupSize
		packed := make([]float64, 16*N)
		plan.Pack(packed, spectra, spectra)
		call = func(context.Context) error {
			plan.InverseProductWide(work, packed, factors)
			return nil
		}
	}
	ofFunction := func(seconds float64) string {
		return fmt.Sprintf("%.4g us", seconds/float64(functions)*1e6)
	}
	return timed(fmt.Sprintf("inverse real FFT, N=%d", N), call, ofFunction)
}

// timed measures the least time of a call and describes it.
func timed(name string, call func(context.Context) error, describe func(seconds float64) string) test {
	measure := func(ctx context.Context, _ int) (string, bool, error) {
		err := ctx.Err()
		seconds := engine.Fastest(300*time.Millisecond, func() {
			if err == nil {
				err = call(ctx)
			}
		})
		return describe(seconds), true, err
	}
	return test{name: name, run: measure}
}

// values returns reproducible numbers of both signs, of the size of typical activations' arguments.
func values(index, n int) []float64 {
	r := draw.Stream(1, draw.Theta, index)
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}
