// Package compare compares runs, models on the same pairs, and the cost of an evaluation with its error.
package compare

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/setup"
	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/model/trained/price"
	"rfm/solver/base/fault"
	"rfm/solver/space/grid"
)

// Comparison is a side-by-side comparison of runs. Its JSON form is the output of `rfm show --json`.
type Comparison struct {
	Runs          []Compared   `json:"runs"`
	Configuration []Difference `json:"configuration"` // the keys whose values differ
}

// Compared is a run in a comparison, as in `rfm show --json`, with its result if it is complete.
type Compared struct {
	store.Entry
	Result  *engine.Result  `json:"result,omitempty"`
	Seconds *engine.Seconds `json:"seconds,omitempty"`
	Gain    *Gain           `json:"gain,omitempty"` // relative to the first run, if both were tested on the same pairs
	Errors  []float64       `json:"-"`              // relative errors of all test inputs
}

// Difference is a setting and its value in each run, nil where the key does not apply.
type Difference struct {
	Key    string    `json:"key"`
	Values []*string `json:"values"`
}

// Gain summarises the error ratios of two models on the same inputs: a factor is the other model's error divided by
// this model's error, above 1 where this model is better.
type Gain struct {
	Better    int     `json:"better"` // number of inputs with a factor above 1
	Of        int     `json:"of"`
	Least     float64 `json:"least"`
	Median    float64 `json:"median"`
	Geometric float64 `json:"geometric_mean"`
	Most      float64 `json:"most"`
}

// Factors returns the errors of the other model divided by the errors of this one.
func Factors(own, other []float64) []float64 {
	return floats.DivTo(make([]float64, len(own)), other, own)
}

// NewGain summarises factors, of which there must be at least one.
func NewGain(factors []float64) Gain {
	better := func(factor float64) bool { return factor > 1 }
	return Gain{
		Better:    floats.Count(better, factors),
		Of:        len(factors),
		Least:     floats.Min(factors),
		Median:    report.Median(factors),
		Geometric: stat.GeometricMean(factors, nil),
		Most:      floats.Max(factors),
	}
}

// Compare reads the runs in directories. Incomplete runs have no result. The error is a *fault.Data, or ctx.Err() if
// ctx ends.
func Compare(ctx context.Context, paths []string) (Comparison, error) {
	var c Comparison
	var configs []config.Config
	for _, path := range paths {
		run := Compared{Entry: store.NewEntry(path)}
		if run.Fault != nil {
			return c, run.Fault
		}
		configs = append(configs, run.Run.Config)
		if run.Run.Complete() {
			if err := run.read(ctx); err != nil {
				return c, err
			}
			if len(c.Runs) > 0 && run.sameTests(c.Runs[0]) {
				g := NewGain(Factors(run.Errors, c.Runs[0].Errors))
				run.Gain = &g
			}
		}
		c.Runs = append(c.Runs, run)
	}
	c.Configuration = differing(configs)
	return c, nil
}

// sameTests reports whether two models were tested on the same pairs: their files are equal, or were drawn identically.
func (r Compared) sameTests(as Compared) bool {
	if len(r.Errors) == 0 || len(r.Errors) != len(as.Errors) {
		return false
	}
	own := r.Run.Sums[store.TestFile]
	other := as.Run.Sums[store.TestFile]
	if own != "" && own == other {
		return true
	}
	a := r.Run.Config
	b := as.Run.Config
	if a.Of().Files || a.Data.TestFile != "" {
		return false // because files of the same name may have other contents
	}
	// Nothing else has a part in the test pairs.
	a.Features = b.Features
	a.Train = b.Train
	a.Evaluation = b.Evaluation
	a.Data.Train = b.Data.Train
	return a == b
}

// read reads the result of a complete run.
func (r *Compared) read(ctx context.Context) error {
	err := r.Run.ReadJSON(store.ReportFile, &r.Result)
	if err != nil {
		return err
	}
	var times struct{ Seconds engine.Seconds }
	err = r.Run.ReadJSON(store.TimingsFile, &times)
	if err != nil {
		return err
	}
	r.Seconds = &times.Seconds
	text, err := r.Run.ReadFile(ctx, store.ErrorsFile)
	if err != nil {
		return err
	}
	r.Errors, err = testErrors(text)
	if err != nil {
		return &fault.Data{
			Where: filepath.Join(r.Path, store.ErrorsFile),
			What:  "is not a table of errors",
			Err:   err,
		}
	}
	return nil
}

// testErrors returns the errors of the test pairs in a table with a line for each pair: its part, its number, the error.
func testErrors(table []byte) ([]float64, error) {
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		return nil, err
	}
	var errors []float64
	for _, row := range rows {
		if len(row) != 3 || row[0] != "test" {
			continue
		}
		e, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			return nil, err
		}
		errors = append(errors, e)
	}
	return errors, nil
}

// differing returns the keys whose values differ, in the order of the first configuration that has them.
func differing(configs []config.Config) []Difference {
	all := []Difference{}
	seen := map[string]bool{}
	for _, c := range configs {
		for _, k := range c.Keys() {
			if seen[k.Name] {
				continue
			}
			seen[k.Name] = true
			d := Difference{Key: k.Name}
			equal := true
			for _, other := range configs {
				var value *string
				if same, err := other.Lookup(k.Name); err == nil && same.Name == k.Name {
					text := same.Text(other)
					value = &text
				}
				d.Values = append(d.Values, value)
				equal = equal && value != nil && *value == *d.Values[0]
			}
			if !equal {
				all = append(all, d)
			}
		}
	}
	return all
}

// Fingerprint returns a hash of values, which tells test outputs from others.
func Fingerprint(values []float64) uint64 {
	hash := fnv.New64a()
	binary.Write(hash, binary.LittleEndian, values) // neither of them fails
	return hash.Sum64()
}

// Alone returns a configuration without baselines; its model is the same.
func Alone(c config.Config) config.Config {
	c.Evaluation.Baselines = false
	c.Evaluation.Bands = false
	c.Evaluation.Curve = false
	return c
}

// Frontier measures errors and times of evaluations for a complete experiment. The times differ between runs. stage,
// unless nil, is called with the name of each part as it begins. Errors are those of the experiment's stages.
func Frontier(ctx context.Context, e *engine.Experiment, workers int, stage func(what string)) (report.Page, error) {
	if stage == nil {
		stage = func(string) {}
	}
	v := e.Evaluation()
	_, test := e.Pairs()
	market := price.Market{
		Solver:  setup.Truth(e.Config),
		Pairs:   test,
		Grid:    v.Grid,
		Workers: workers,
	}
	stage(v.Rows[0].Name)
	models, err := modelOffers(ctx, e, market, stage)
	if err != nil {
		return report.Page{}, err
	}
	slowest := 0.0
	for _, o := range models {
		slowest = max(slowest, o.Seconds)
	}
	var solvers, others []price.Offer
	if market.Solver != nil {
		stage("the solver")
		const longer = 3 // times the slowest model
		solvers, err = market.Solvers(ctx, longer*slowest)
		if err != nil {
			return report.Page{}, err
		}
	}
	for _, r := range v.Rows[1:] {
		if r.Tolerance == 0 {
			r.Grid = v.Grid
			others = append(others, r.Offer)
		}
	}
	return frontier(test.Inputs.Domain, v.Grid, solvers, models, others), nil
}

// modelOffers prices the model, and models of fewer features, on the evaluation's grid and on coarser ones.
func modelOffers(ctx context.Context, e *engine.Experiment, market price.Market, stage func(string)) (
	[]price.Offer, error) {
	experiments := []*engine.Experiment{e}
	random := e.Model().Random()
	if random {
		smaller, err := smallerModels(ctx, e, market.Workers, stage)
		if err != nil {
			return nil, err
		}
		experiments = append(experiments, smaller...)
	}
	grids := coarser(e.Config.Grids(market.Grid), market.Pairs.Inputs.Domain)
	var offers []price.Offer
	for _, x := range experiments {
		name := "model"
		if random {
			name = fmt.Sprintf("model, m=%d", x.Config.Features.Count)
		}
		for _, points := range grids {
			o, err := market.Predict(ctx, name, x.Model(), points)
			var data *fault.Data
			if errors.As(err, &data) { // features do not support every grid
				continue
			}
			if err != nil {
				return nil, err
			}
			offers = append(offers, o)
		}
	}
	return offers, nil
}

// smallerModels trains models of half as many features, again and again.
func smallerModels(ctx context.Context, e *engine.Experiment, workers int, stage func(string)) (
	[]*engine.Experiment, error) {
	const (
		fewest = 16 // features
		most   = 6  // models
	)
	var experiments []*engine.Experiment
	m := e.Config.Features.Count / 2
	for m >= fewest && len(experiments) < most {
		stage(fmt.Sprintf("the model with m=%d", m))
		c := e.Config
		c.Features.Count = m
		smaller, err := engine.Again(ctx, c, e, engine.Training, engine.Options{Workers: workers})
		if err != nil {
			return nil, err
		}
		experiments = append(experiments, smaller)
		m /= 2
	}
	return experiments, nil
}

// coarser returns the grids that are fine enough for interpolation, the finest first.
func coarser(grids []int, domain grid.Domain) []int {
	least := 33
	if domain.Dims == 2 {
		least = 17
	}
	least = min(least, slices.Max(grids))
	tooCoarse := func(points int) bool { return points < least }
	kept := slices.DeleteFunc(slices.Clone(grids), tooCoarse)
	slices.SortFunc(kept, func(a, b int) int { return b - a })
	return kept
}

// frontier returns the offers as a table and a figure. It marks those that no other offer dominates.
func frontier(domain grid.Domain, points int, solvers, models, others []price.Offer) report.Page {
	all := slices.Concat(solvers, models, others)
	fastestFirst := func(a, b price.Offer) int {
		return cmp.Compare(a.Seconds, b.Seconds)
	}
	for _, offers := range [][]price.Offer{solvers, models, others, all} {
		slices.SortStableFunc(offers, fastestFirst)
	}
	front := price.Front(all)
	t := report.Table{
		Title: fmt.Sprintf("one evaluation on one core, error on %s; * nothing is faster and more accurate",
			domain.Grid(points)),
		Header: []string{"", "grid", "tolerance", "error", "us", "us, one alone", ""},
	}
	best := report.Curve{Name: "not beaten"}
	for i, o := range all {
		tolerance := ""
		if o.Tolerance > 0 {
			tolerance = fmt.Sprintf("%g", o.Tolerance)
		}
		time := micro(o.Seconds)
		if o.Bound {
			time = "< " + time
		}
		alone := ""
		if o.Alone > 0 {
			alone = micro(o.Alone)
		}
		mark := ""
		if front[i] {
			mark = "*"
			best.X = append(best.X, o.Seconds)
			best.Y = append(best.Y, o.Error)
		}
		row := []string{
			o.Name,
			domain.Grid(o.Grid),
			tolerance,
			report.Error(o.Error, 4),
			time,
			alone,
			mark,
		}
		t.Rows = append(t.Rows, row)
	}
	f := report.Figure{
		Title:  "error of one evaluation against its time",
		XLabel: "time on one core",
		YLabel: "relative test error",
		LogX:   true,
		Timed:  true,
		LogY:   true,
		Curves: []report.Curve{best},
	}
	groups := []report.Curve{
		cloud("solver", report.AsTruth, solvers),
		cloud("model", report.AsPrediction, models),
		cloud("other methods", report.Alike, others),
	}
	for _, c := range groups {
		if c.X != nil {
			f.Curves = append(f.Curves, c)
		}
	}
	note := "Times are those of many evaluations, or as many at a time as the solver takes, without interpolation between " +
		"grids; errors are with it."
	return report.Page{
		Name:    "cost",
		Title:   "Cost of an evaluation",
		Source:  "measured now, on one core",
		Tables:  []report.Table{t},
		Figures: []report.Figure{f},
		Notes:   []string{note},
	}
}

// cloud returns offers as points of error against time; those without an error are not on its logarithmic axis.
func cloud(name string, role report.Role, offers []price.Offer) report.Curve {
	c := report.Curve{
		Name:   name,
		Points: true,
		Role:   role,
	}
	for _, o := range offers {
		if o.Error > 0 {
			c.X = append(c.X, o.Seconds)
			c.Y = append(c.Y, o.Error)
		}
	}
	return c
}

// micro formats seconds as microseconds.
func micro(seconds float64) string { return fmt.Sprintf("%.3g", seconds*1e6) }
