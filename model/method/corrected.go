// This file contains random features of an input and of its prediction by another operator, which correct the
// prediction.

package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/codec"
	"rfm/solver/grid"
)

// Corrected is an operator whose predictions are corrected, once or several times: F_0 = First,
//
//	F_s(a) = v + sum_j alpha_sj * phi_sj(a, v),  v = F_(s-1)(a),
//	phi(a, v) = c v',  c ubar  or  div(c grad v'),  c = cos(s a' + t v' + b).
//
// If an operator L(a) maps outputs to a right-hand side f, the residual r of a prediction v solves L(a) r = f - L(a) v.
// That right-hand side is local in a and v, mostly products such as a v or the divergence of a grad v; ubar, the mean
// output, stands for f. a' and v' are smoothed by Gaussians of random widths; s, t and b are random numbers. alpha are
// functions and * is the convolution with functions continued beyond the boundary: inputs as even functions, outputs as
// odd ones (sines) if they vanish there, else as even ones. So the inverse of a constant coefficient operator can be
// among them. In waves, sines or cosines, each has coefficients of its own. With several channels a feature sees one of
// the input and one of the prediction, and multiplies one of the prediction, in turn; alpha has as many channels as
// outputs.
type Corrected struct {
	place
	First Operator
	CorrectedParameters
	ubar  []float64 // in units, like v
	steps []*correction
	waves [2]continued // of inputs, of outputs
	// maps of fields: the mean output to the inner grid, products there to coefficients, derivatives of products along one
	// of the axes to coefficients, functions to coefficients, and coefficients to functions
	mean, to            separable
	due                 [2]separable
	analysis, synthesis separable
}

// CorrectedParameters are the parameters of a Corrected in model files.
type CorrectedParameters struct {
	Basis  string  `json:"basis"`         // basis of the coefficients: sines, cosines, fourier or points
	Log    bool    `json:"log,omitempty"` // a is the logarithm of the input
	Shift  float64 `json:"shift"`         // mean over the training inputs
	Input  float64 `json:"input"`         // standard deviation over the training inputs, the unit of a
	Output float64 `json:"output"`        // root mean square of the training outputs, the unit of v
	Steps  int     `json:"steps"`         // number of corrections
	Count  int     `json:"count"`         // features of each correction
	Modes  [2]int  `json:"modes"`         // number of basis functions along both axes
}

// correction holds the features of one step.
type correction struct {
	parameters   *mat.Dense // a row for each feature: widths of a' and of v', as frequencies, s, t, b
	coefficients *mat.Dense // in units; numbersOf rows for each feature, a column for each function of the basis
	features     []correctionFeature
}

// correctionFeature is a feature of a correction.
type correctionFeature struct {
	kind                int
	numbers             []float64 // s, t, b
	input, sees, factor int       // channels: of a', of v' in the cosine, and of the function to multiply
	wave                int       // of ofInput
	a, v                separable // a' and v' on the inner grid
	flux                []struct {
		from, to separable // from v to the slope of v' along an axis, from its product to coefficients
	}
}

// The kinds of features:
const (
	ofPrediction = iota // c v'
	ofMean              // c ubar
	ofFlux              // div(c grad v')
	alone               // c
	ofInput             // a coefficient of the input in waves, the same number at each point
)

// kindsOf returns the kinds of features in the order in which they alternate.
func kindsOf(domain grid.Domain, basis string) []int {
	switch {
	case basis == inPoints: // a law at each point, and a law of the whole input
		return []int{alone, ofPrediction, alone, ofInput}
	case domain.Dims == 1:
		return []int{ofPrediction, alone, ofFlux, ofPrediction, ofMean, ofFlux}
	}
	return []int{ofPrediction, ofMean, ofFlux}
}

// prepare computes the fields that are not stored.
func (c *Corrected) prepare() *Corrected {
	of := c.Basis
	if of == inSines { // inputs do not vanish on the boundary
		of = inCosines
	}
	c.waves = [2]continued{newContinued(c.domain, c.points, c.Modes, of), newContinued(c.domain, c.points, c.Modes,
		c.Basis)}
	out := c.waves[1]
	c.mean = out.smoothed(math.Inf(1))
	if c.Basis != inPoints {
		c.to = separable{newAlong(out[0].inner), newAlong(out[1].inner)}
		c.due = [2]separable{{newAlong(out[0].innerDue), c.to.across}, {c.to.down, newAlong(out[1].innerDue)}}
		c.analysis = separable{newAlong(out[0].analysis), newAlong(out[1].analysis)}
		c.synthesis = separable{newAlong(out[0].own.T()), newAlong(out[1].own.T())}
	}
	for _, s := range c.steps {
		c.ready(s)
	}
	return c
}

// ready computes the fields of a step that are not stored.
func (c *Corrected) ready(s *correction) {
	kinds, out := kindsOf(c.domain, c.Basis), c.waves[1]
	s.features = make([]correctionFeature, c.Count)
	for j := range s.features {
		p, turn := s.parameters.RawRowView(j), j/len(kinds)
		f := correctionFeature{kind: kinds[j%len(kinds)], numbers: p[2:], factor: turn % c.out, sees: turn / c.out % c.out,
			input: turn / c.out / c.out % c.in, a: c.waves[0].smoothed(p[0]), v: out.smoothed(p[1])}
		if f.kind == ofInput {
			f.input, f.wave = turn%c.in, turn/c.in
		}
		mixed := 0 // of several channels of fields: the axis of the slope, 2 - mixed, and that of the derivative differ
		if c.domain.Dims == 2 && c.out > 1 {
			mixed = turn / c.out % 3 // as in elasticity
		}
		for axis := 1; axis >= 2-c.domain.Dims && f.kind == ofFlux; axis-- {
			from, to := f.v, c.due[axis]
			if slope := out[axis].smoothed(out[axis].slopes, p[1]); axis == 1 {
				from.across = slope
			} else {
				from.down = slope
			}
			if mixed > 0 {
				to = c.due[1-axis]
			}
			if mixed == 0 || mixed == 2-axis {
				f.flux = append(f.flux, struct{ from, to separable }{from, to})
			}
		}
		s.features[j] = f
	}
}

// functions returns the number of functions of the basis.
func (c *Corrected) functions() int { return c.Modes[0] * c.Modes[1] }

// numbersOf returns the count of numbers of a feature for each basis function. The second number exchanges the sine and
// the cosine of a frequency, as a general convolution does.
func (c *Corrected) numbersOf() int {
	if c.Basis == inFourier {
		return 2
	}
	return 1
}

// partner returns the sine for a cosine and the cosine for a sine; ok is false for the constant.
func partner(k int) (other int, ok bool) { return k - 1 + 2*(k%2), k > 0 }

// seen returns an input in the units of the features.
func (c *Corrected) seen(input []float64) []float64 {
	a := make([]float64, len(input))
	for x, v := range input {
		if c.Log {
			v = math.Log(v)
		}
		a[x] = (v - c.Shift) / c.Input
	}
	return a
}

// Predict implements Operator.
func (c *Corrected) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	return c.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs, err := c.First.Predict(ctx, inputs, workers, nil)
		if err != nil {
			return grid.Batch{}, err
		}
		return outputs, inBlocks(ctx, inputs.Count, workers, abreast, c.together(), func(first, count, _ int) error {
			b, few := c.newBlock(count), outputs.Range(first, count)
			b.load(inputs.Range(first, count), few)
			for _, s := range c.steps {
				b.correct(s)
			}
			for i := range count {
				for d := range c.out {
					get(few.Of(i, d), b.v[d], i, c.Output)
				}
			}
			progress(count)
			return nil
		})
	})
}

// Name implements Operator.
func (*Corrected) Name() string { return config.Corrected }

// String implements Operator.
func (c *Corrected) String() string {
	return fmt.Sprintf("%v, %d times corrected by %d random features of inputs and predictions", c.First, len(c.steps),
		c.Count)
}

// Cost implements Operator.
func (c *Corrected) Cost(points int) float64 {
	rows, columns := c.domain.Axes(c.points)
	one := 2 * float64(rows+columns) * float64(c.functions())
	return c.First.Cost(points) + float64(len(c.steps)*c.Count)*6*one
}

// Bytes implements Operator.
func (c *Corrected) Bytes(points int) float64 { return c.First.Bytes(points) }

const (
	numbers      = 5       // random numbers that define a feature
	mostFeatures = 1 << 16 // of a correction in a file, far above the numbers that training uses
)

// correctedFile is a Corrected in a model file.
type correctedFile struct {
	placeFile
	CorrectedParameters
	First       codec.Part `json:"first" prefix:"first_"` // a kernel, perhaps in units
	MeanOutput  []float64  `json:"mean_output" shape:"outputs"`
	Features    *mat.Dense `json:"correction_features" shape:"features 5"` // of all steps
	Corrections *mat.Dense `json:"corrections" shape:"coefficients basis"`
}

// Kind implements codec.Part.
func (*correctedFile) Kind() string { return config.Corrected }

// Sizes implements codec.Part.
func (p *correctedFile) Sizes() (map[string][]int, error) {
	all, err := p.placeFile.Sizes()
	if err != nil {
		return nil, err
	}
	at := p.place()
	rows, columns := at.domain.Axes(at.points)
	if !slices.Contains(basesOf(at.domain, at.points), p.Basis) || p.Count < 1 || p.Count > mostFeatures ||
		p.Steps < 0 || p.Steps > mostSteps || min(p.Modes[0], p.Modes[1]) < 1 || p.Modes[0] > rows ||
		p.Modes[1] > columns || p.Input <= 0 || p.Output <= 0 {
		return nil, codec.Bad("has corrections that do not fit %s: %+v", at.domain.Grid(at.points), p.CorrectedParameters)
	}
	c := Corrected{CorrectedParameters: p.CorrectedParameters}
	all["features"] = []int{p.Steps * p.Count}
	all["coefficients"], all["basis"] = []int{p.Steps * p.Count * c.numbersOf()}, []int{at.out * c.functions()}
	return all, nil
}

// Stored implements Operator.
func (c *Corrected) Stored() codec.Part {
	p := &correctedFile{placeFile: c.file(), CorrectedParameters: c.CorrectedParameters, First: c.First.Stored(),
		MeanOutput: c.ubar, Features: c.steps[0].parameters, Corrections: c.steps[0].coefficients}
	for _, s := range c.steps[1:] {
		features, corrections := new(mat.Dense), new(mat.Dense)
		features.Stack(p.Features, s.parameters)
		corrections.Stack(p.Corrections, s.coefficients)
		p.Features, p.Corrections = features, corrections
	}
	return p
}

func (p *correctedFile) operator() (Operator, error) {
	at := p.place()
	first, err := at.start(p.First)
	if err != nil {
		return nil, err
	}
	c := &Corrected{place: at, First: first, CorrectedParameters: p.CorrectedParameters, ubar: p.MeanOutput}
	step := func(m *mat.Dense, i, rows int) *mat.Dense {
		_, columns := m.Dims()
		return m.Slice(i*rows, (i+1)*rows, 0, columns).(*mat.Dense)
	}
	for i := range c.Steps {
		c.steps = append(c.steps, &correction{parameters: step(p.Features, i, c.Count),
			coefficients: step(p.Corrections, i, c.Count*c.numbersOf())})
	}
	return c.prepare(), nil
}
