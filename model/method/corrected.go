package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/codec"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Corrected is an operator whose predictions are corrected, once or several times: F_0 = First,
//
//	F_s(a) = v + sum_j alpha_sj * phi_sj(a, v),  v = F_(s-1)(a),
//	phi(a, v) = c v',  c ubar,  div(c grad v')  or  c,  c = cos(s a' + t v' + b).
//
// If an operator L(a) maps outputs to a right-hand side f, the residual r of a prediction v solves L(a) r = f - L(a) v.
// That right-hand side is local in a and v, mostly products such as a v or the divergence of a grad v; ubar, the mean
// output, stands for f. a' and v' are smoothed by Gaussians of random widths; s, t and b are random numbers. alpha are
// functions and * is the convolution with functions continued beyond the boundary: inputs as even functions, outputs as
// odd ones (sines) if they vanish there, else as even ones; functions of one variable may be periodic. So the inverse
// of a constant coefficient operator can be among them. In waves each alpha has coefficients of its own. With several
// channels a feature sees one of the input and one of the prediction, and multiplies one of the prediction, in turn;
// alpha has as many channels as outputs.
type Corrected struct {
	place
	First Operator
	CorrectedParameters
	ubar  []float64 // in units, like v
	steps []*correction
	waves [2]waves2 // of inputs, of outputs
	mean  []float64 // ubar on the inner grid, one channel after the other
}

// CorrectedParameters are the parameters of a Corrected in model files.
type CorrectedParameters struct {
	Basis  string  `json:"basis"`         // basis of the coefficients: sines, cosines or fourier
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
	terms        []correctionTerm
}

// functions returns the number of functions of the basis, and of points of the inner grid.
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

// prepare computes the fields that are not stored.
func (c *Corrected) prepare() *Corrected {
	of := c.Basis
	if of == inSines { // inputs do not vanish on the boundary
		of = inCosines
	}
	c.waves = [2]waves2{newWaves2(c.domain, c.points, c.Modes, of), newWaves2(c.domain, c.points, c.Modes, c.Basis)}
	b, out := newBench(), c.waves[1]
	c.mean = b.both(b.both(c.ubar, out.analysis()), out.values())
	for _, s := range c.steps {
		c.ready(s)
	}
	return c
}

// seen returns the coefficients of the channels of an input in the units of the features.
func (c *Corrected) seen(b *bench, input []float64) []float64 {
	a := b.take(len(input))
	defer b.give(a)
	for x, v := range input {
		if c.Log {
			v = math.Log(v)
		}
		a[x] = (v - c.Shift) / c.Input
	}
	return b.both(a, c.waves[0].analysis())
}

// correct adds the correction of a step to the channels v of a prediction, in units; a are the coefficients of the
// input.
func (c *Corrected) correct(b *bench, s *correction, a, v []float64) {
	waves, F, numbers := c.evaluated(b, s, a, v), c.functions(), c.numbersOf()
	sum := b.take(c.out * F)
	clear(sum)
	for j := range c.Count {
		own := waves[j*F : (j+1)*F]
		for d := range c.out {
			to := sum[d*F : (d+1)*F]
			for k, w := range s.coefficients.RawRowView(numbers * j)[d*F : (d+1)*F] {
				to[k] += w * own[k]
			}
			if numbers == 2 {
				for k, w := range s.coefficients.RawRowView(2*j + 1)[d*F : (d+1)*F] {
					if other, ok := partner(k); ok {
						to[k] += w * own[other]
					}
				}
			}
		}
	}
	change := b.both(sum, c.waves[1].synthesis())
	floats.Add(v, change)
	b.give(waves, sum, change)
}

func (c *Corrected) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	return c.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs, err := c.First.Predict(ctx, inputs, workers, nil)
		if err != nil {
			return grid.Batch{}, err
		}
		return outputs, parallel.With(ctx, workers, inputs.Count, newBench, func(b *bench, i int) error {
			a, v := c.seen(b, inputs.At(i)), outputs.At(i)
			floats.Scale(1/c.Output, v)
			for _, s := range c.steps {
				c.correct(b, s, a, v)
			}
			floats.Scale(c.Output, v)
			b.give(a)
			progress(1)
			return nil
		})
	})
}

func (*Corrected) Name() string { return config.Corrected }

func (c *Corrected) String() string {
	return fmt.Sprintf("%v, %d times corrected by %d random features of inputs and predictions", c.First, len(c.steps),
		c.Count)
}

// Cost implements Operator: four maps of a field for each feature.
func (c *Corrected) Cost(points int) float64 {
	return c.First.Cost(points) + float64(len(c.steps)*c.Count)*4*2*float64((c.Modes[0]+c.Modes[1])*c.functions())
}

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

func (*correctedFile) Kind() string { return config.Corrected }

func (p *correctedFile) Sizes() (map[string][]int, error) {
	all, err := p.placeFile.Sizes()
	if err != nil {
		return nil, err
	}
	at := p.place()
	rows, columns := at.domain.Axes(at.points)
	if !slices.Contains(basesOf(at.domain), p.Basis) || p.Count < 1 || p.Count > mostFeatures ||
		p.Steps < 0 || p.Steps > mostSteps || min(p.Modes[0], p.Modes[1]) < 1 || p.Modes[0] > rows ||
		p.Modes[1] > columns || p.Input <= 0 || p.Output <= 0 {
		return nil, codec.Bad("has corrections that do not fit %s: %+v", at.domain.Grid(at.points), p.CorrectedParameters)
	}
	c := Corrected{CorrectedParameters: p.CorrectedParameters}
	all["features"] = []int{p.Steps * p.Count}
	all["coefficients"], all["basis"] = []int{p.Steps * p.Count * c.numbersOf()}, []int{at.out * c.functions()}
	return all, nil
}

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
