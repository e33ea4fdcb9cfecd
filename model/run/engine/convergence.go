// This file measures how the error of random features falls with the number of features and of pairs.

package engine

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/operator"
	"rfm/model/learn/rfm"
	"rfm/model/learn/score"
	"rfm/model/show/report"
)

// Convergence holds the expected relative test errors of models of the first features, trained with the first pairs. One pass
// over the features serves all: the sums of the first pairs are those before the others are added, and those of the first
// features are leading blocks.
type Convergence struct {
	Ns     []int       `json:"n"`
	Ms     []int       `json:"m"`
	Errors [][]float64 `json:"errors"`    // for each n, one for each m
	InN    report.Rate `json:"rate_in_n"` // with all features
	InM    report.Rate `json:"rate_in_m"` // with all pairs
}

const (
	// ratePairs and rateFeatures bound the sizes of which rates are measured, which take a second pass over the features.
	ratePairs    = 1024
	rateFeatures = 1024
	// rateParts divides both sizes into the smallest ones.
	rateParts = 8
)

// convergence measures the rates of a random feature model. It returns nil for other models, and where the coefficients
// are not those of a plain solve over all points. The error is one of training or prediction, or ctx.Err().
func (e *evaluating) convergence(ctx context.Context, v *Evaluation) (*Convergence, error) {
	c := e.Config
	if !hasRates(c) {
		return nil, nil
	}
	pairs, err := e.train.Restrict(c.Train.Grid)
	if err != nil {
		return nil, err
	}
	isScaled := len(operator.ScalingOf(pairs).Input) > 0
	if isScaled {
		return nil, nil
	}
	of, err := e.summandsOf(ctx, e.train)
	if err != nil {
		return nil, err
	}
	n := min(c.Data.Train, ratePairs)
	m := c.Features.Count
	r := &Convergence{}
	for part := rateParts; part >= 1; part /= 2 {
		r.Ns = append(r.Ns, n/part)
		r.Ms = append(r.Ms, m/part)
	}
	defer e.tracker.digress("pairs, to see how errors fall", n)()
	alphas, err := e.nested(ctx, of.features, r)
	if err != nil {
		return nil, err
	}
	r.Errors, err = e.nestedErrors(ctx, alphas, r, v)
	if err != nil {
		return nil, err
	}
	last := len(r.Ns) - 1
	r.InN = report.FitRate(floatsOf(r.Ns), r.ofN(last))
	r.InM = report.FitRate(floatsOf(r.Ms), r.Errors[last])
	return r, nil
}

// hasRates reports whether a configuration is one of random features that are solved for plainly, over all points, and of
// sizes in which rates can be measured and soon are.
func hasRates(c config.Config) bool {
	const least = 2 * rateParts // of either size
	n := min(c.Data.Train, ratePairs)
	m := c.Features.Count
	if c.Train.Method != config.RandomFeatures || c.Of().Files {
		return false
	}
	if c.Train.Offset || c.Train.Rows > 0 || c.Features.Pool > m {
		return false
	}
	return min(n, m) >= least && m <= rateFeatures
}

// nested returns the coefficients of all models: those of n = Ns[i], m = Ms[j] at i len(Ms) + j.
func (e *evaluating) nested(ctx context.Context, evaluator feature.Evaluator, r *Convergence) (alphas [][]float64, err error) {
	pairs, err := e.train.Restrict(e.Config.Train.Grid)
	if err != nil {
		return nil, err
	}
	regularisation := rfm.Regularisation{
		Lambda: e.model.Solution().Lambda,
		Rcond:  e.Config.Train.Rcond,
	}
	sums := rfm.NewNormal(evaluator.Count())
	first := 0
	for _, n := range r.Ns {
		part := rfm.NewNormal(evaluator.Count())
		more := pairs.Range(first, n-first)
		if err := part.Accumulate(ctx, evaluator, more, e.workers, nil, nil); err != nil {
			return nil, err
		}
		sums.Add(part)
		e.tracker.Advance(n - first)
		first = n
		for _, m := range r.Ms {
			solution, err := sums.Fit(ctx, m, regularisation, e.workers)
			if err != nil {
				return nil, err
			}
			alphas = append(alphas, solution.Alpha)
		}
	}
	return alphas, nil
}

// nestedErrors returns the test errors of all models on the grid of v.
func (e *evaluating) nestedErrors(ctx context.Context, alphas [][]float64, r *Convergence, v *Evaluation) ([][]float64, error) {
	drawn, err := e.drawFeatures(ctx)
	if err != nil {
		return nil, err
	}
	evaluator, err := drawn.On(ctx, v.Grid, e.workers)
	if err != nil {
		return nil, err
	}
	errors := make([][]float64, len(r.Ns))
	for i := range errors {
		errors[i] = make([]float64, len(r.Ms))
	}
	tests := v.TestPairs.Count()
	for first := 0; first < tests; first += testsTogether {
		some := v.TestPairs.Range(first, min(testsTogether, tests-first))
		predictions, err := evaluator.Predict(ctx, alphas, some.Inputs, e.workers, nil)
		if err != nil {
			return nil, err
		}
		share := float64(some.Count()) / float64(tests)
		for k, p := range predictions {
			measured, err := score.Measure(p, some.Outputs)
			if err != nil {
				return nil, err
			}
			errors[k/len(r.Ms)][k%len(r.Ms)] += share * measured.ExpectedRelative
		}
	}
	return errors, nil
}

// testsTogether bounds the test inputs for which predictions of all models are in memory.
const testsTogether = 256

// ofN returns the errors over n with m = Ms[j].
func (r *Convergence) ofN(j int) []float64 {
	var errors []float64
	for _, row := range r.Errors {
		errors = append(errors, row[j])
	}
	return errors
}

// floatsOf converts sizes.
func floatsOf(sizes []int) []float64 {
	all := make([]float64, len(sizes))
	for i, s := range sizes {
		all[i] = float64(s)
	}
	return all
}

// String describes the rates in a sentence, beside those that a theorem guarantees.
func (r *Convergence) String() string {
	inM := fmt.Sprintf("m^%s (m=%d to %d)", r.InM, r.Ms[0], r.Ms[len(r.Ms)-1])
	inN := fmt.Sprintf("n^%s (n=%d to %d)", r.InN, r.Ns[0], r.Ns[len(r.Ns)-1])
	guaranteed := fmt.Sprintf("m^%.2f and n^%.2f (%s)", rfm.GuaranteedInM, rfm.GuaranteedInN, rfm.Theorem)
	return fmt.Sprintf("The error falls as %s and %s; a theorem guarantees %s, as long as the other number does not limit the error.", inM, inN, guaranteed)
}

// Page returns the errors over m and over n as figures with the guaranteed lines, and as a table.
func (r *Convergence) Page() report.Page {
	last := len(r.Ns) - 1
	return report.Page{
		Name:    "rates",
		Heading: r.String(),
		Figures: []report.Figure{
			falling{
				letter:     "m",
				label:      "features m",
				sizes:      r.Ms,
				errors:     r.Errors[last],
				rate:       r.InM,
				guaranteed: rfm.GuaranteedInM,
			}.figure(fmt.Sprintf("error, n=%d", r.Ns[last])),
			falling{
				letter:     "n",
				label:      "pairs n",
				sizes:      r.Ns,
				errors:     r.ofN(last),
				rate:       r.InN,
				guaranteed: rfm.GuaranteedInN,
			}.figure(fmt.Sprintf("error, m=%d", r.Ms[last])),
		},
		Tables: []report.Table{r.table()},
		Notes: []string{"Dotted lines fall as the theorem guarantees: an upper bound, if the operator is in the space of the " +
			"features, lambda ~ n^-0.5, m ~ n^0.5 at least. An error is flatter where the other size limits it."},
	}
}

// falling describes how errors fall with one of the sizes.
type falling struct {
	letter     string // of the size
	label      string // of its axis
	sizes      []int
	errors     []float64 // one for each size
	rate       report.Rate
	guaranteed float64 // exponent that a theorem guarantees
}

// figure draws the errors over the sizes, and beside them the guaranteed rate.
func (f falling) figure(title string) report.Figure {
	x := floatsOf(f.sizes)
	guarantee := fmt.Sprintf("%s^%.2f", f.letter, f.guaranteed)
	measured := report.Curve{
		Name:   f.letter + "^" + f.rate.String(),
		X:      x,
		Y:      f.errors,
		Role:   report.AsPrediction,
		Marked: true,
	}
	return report.Figure{
		Title:  title,
		XLabel: f.label,
		LogX:   true,
		LogY:   true,
		Curves: []report.Curve{
			report.Guarantee(guarantee, f.guaranteed, x, f.errors),
			measured,
		},
	}
}

// table lists the errors, with a row for each n and a column for each m.
func (r *Convergence) table() report.Table {
	t := report.Table{Header: []string{"error"}}
	for _, m := range r.Ms {
		t.Header = append(t.Header, fmt.Sprintf("m=%d", m))
	}
	for i, n := range r.Ns {
		row := []string{fmt.Sprintf("n=%d", n)}
		for _, v := range r.Errors[i] {
			row = append(row, report.Error(v, 4))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
