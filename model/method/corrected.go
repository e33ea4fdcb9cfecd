// This file is random features of an input and of what another operator predicts for it, which correct the prediction.

package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/feature"
	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Corrected is an operator whose predictions are corrected, once or several times: F_0 = First,
//
//	F_s(a) = v + sum_j alpha_sj * phi_sj(a, v),  v = F_(s-1)(a),
//	phi(a, v) = c v',  c ubar  or  div(c grad v'),  c = cos(s a' + t v' + b).
//
// If an operator L(a) takes outputs to a right-hand side f, what a prediction misses solves L(a) r = f - L(a) v, whose
// right-hand side is local in a and v, mostly products such as a v or the divergence of a grad v; ubar, the mean
// output, stands for f. a' and v' are smoothed by Gaussians of random widths; s, t and b are random numbers. alpha are
// functions and * the convolution with the functions continued beyond the boundary: inputs are even there, outputs odd
// (Odd), as those are that vanish on it, or even. So a constant coefficient operator's inverse can be among them, and
// in waves, sines or cosines, each has coefficients of its own.
type Corrected struct {
	place
	First Operator
	CorrectedParameters
	ubar  []float64 // in units, as v
	steps []*correction
	waves [2]continued // of inputs, of outputs
	field *mat.Dense
	mean  axes // stands for the map to the mean output
}

// CorrectedParameters are what model files say in numbers.
type CorrectedParameters struct {
	Basis  string  `json:"basis"`         // of coefficients: sines, cosines, fourier or points
	Log    bool    `json:"log,omitempty"` // a is the logarithm of the input
	Shift  float64 `json:"shift"`         // mean over the training inputs
	Input  float64 `json:"input"`         // and deviation, in which a is measured
	Output float64 `json:"output"`        // root mean square of the training outputs, in which v is measured
	Steps  int     `json:"steps"`         // corrections
	Count  int     `json:"count"`         // features of each
	Modes  [2]int  `json:"modes"`         // functions of the basis along both axes
}

// correction is the features of one step.
type correction struct {
	parameters   *mat.Dense // a row for each feature: widths of a' and of v', as frequencies, s, t, b
	coefficients *mat.Dense // in units; numbersOf rows for each feature, a column for each function of the basis
	a, v         []axes     // a' and v' of the functions on their own grid
	down, across []axes     // derivatives of v' along both axes
	routes       [][]route  // of each feature
}

// route is one of the terms of a feature: the map from v to what cos(...) multiplies, the place of a Corrected's mean if
// that is the mean output, nil if it is 1, and the one from the product to coefficients in the basis.
type route struct {
	from *axes
	to   axes
}

// prepare derives what is not stored.
func (c *Corrected) prepare() *Corrected {
	of := c.Basis
	if of == inSines { // inputs do not vanish on the boundary
		of = inCosines
	}
	c.waves = [2]continued{newContinued(c.domain, c.points, c.Modes, of), newContinued(c.domain, c.points, c.Modes,
		c.Basis)}
	whole := func(l basisLine) *mat.Dense { return l.smoothed(l.values, math.Inf(1)) }
	c.field = axes{whole(c.waves[1][0]), whole(c.waves[1][1])}.of(c.matrix(c.ubar))
	for _, s := range c.steps {
		c.ready(s)
	}
	return c
}

// ready derives what is not stored of a step.
func (c *Corrected) ready(s *correction) {
	in, out := c.waves[0], c.waves[1]
	for j := range c.Count {
		p := s.parameters.RawRowView(j)
		value := func(w continued, axis int, width float64) *mat.Dense { return w[axis].smoothed(w[axis].values, width) }
		slope := func(axis int) *mat.Dense { return out[axis].smoothed(out[axis].slopes, p[1]) }
		s.a = append(s.a, axes{value(in, 0, p[0]), value(in, 1, p[0])})
		v := axes{value(out, 0, p[1]), value(out, 1, p[1])}
		s.v, s.down, s.across = append(s.v, v), append(s.down, axes{slope(0), v.across}),
			append(s.across, axes{v.down, slope(1)})
	}
	plain := axes{out[0].inner, out[1].inner}
	kinds := kindsOf(c.domain, c.Basis)
	for j := range c.Count { // as s.v and the others have their places now
		var all []route
		switch kinds[j%len(kinds)] {
		case ofPrediction:
			all = []route{{&s.v[j], plain}}
		case ofMean:
			all = []route{{&c.mean, plain}}
		case alone, ofInput:
			all = []route{{nil, plain}}
		default:
			all = []route{{&s.across[j], axes{out[0].inner, out[1].innerDue}}}
			if c.domain.Dims == 2 {
				all = append(all, route{&s.down[j], axes{out[0].innerDue, out[1].inner}})
			}
		}
		s.routes = append(s.routes, all)
	}
}

// The kinds of features.
const (
	ofPrediction = iota // c v'
	ofMean              // c ubar
	ofFlux              // div(c grad v')
	alone               // c
	ofInput             // a coefficient of the input in waves, the same number at each point
)

// kindsOf are the kinds that take turns.
func kindsOf(domain grid.Domain, basis string) []int {
	switch {
	case basis == inPoints: // a law at each point, and one of the whole input
		return []int{alone, ofPrediction, alone, ofInput}
	case domain.Dims == 1:
		return []int{ofPrediction, alone, ofFlux, ofPrediction, ofMean, ofFlux}
	}
	return []int{ofPrediction, ofMean, ofFlux}
}

// numbersOf is how many numbers a feature has for each function of the basis: with the second one, sines and cosines
// of a frequency change places, as in every convolution.
func (c *Corrected) numbersOf() int {
	if c.Basis == inFourier {
		return 2
	}
	return 1
}

// partner is the function of the basis that changes places with one: the sine of a cosine. There is none for the
// constant.
func partner(k int) (other int, ok bool) { return k - 1 + 2*(k%2), k > 0 }

// matrix is the values of a function on its own grid.
func (c *Corrected) matrix(f []float64) *mat.Dense {
	rows, columns := c.domain.Axes(c.points)
	return mat.NewDense(rows, columns, f)
}

// analysis gives coefficients of functions in the waves of outputs, synthesis functions with such coefficients, both on
// the own grid.
func (c *Corrected) analysis() axes { return axes{c.waves[1][0].target, c.waves[1][1].target} }
func (c *Corrected) synthesis() axes {
	return axes{mat.DenseCopyOf(c.waves[1][0].own.T()), mat.DenseCopyOf(c.waves[1][1].own.T())}
}

// seen is inputs as features see them, predictions in their unit.
func (c *Corrected) seen(input []float64) *mat.Dense {
	a := make([]float64, len(input))
	for x, v := range input {
		if c.Log {
			v = math.Log(v)
		}
		a[x] = (v - c.Shift) / c.Input
	}
	return c.matrix(a)
}

// Predict is one of Operator.
func (c *Corrected) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	return c.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs, err := c.First.Predict(ctx, inputs, workers, nil)
		if err != nil {
			return grid.Batch{}, err
		}
		blocks := (inputs.Count + blockInputs - 1) / blockInputs
		return outputs, parallel.With(ctx, workers, blocks, c.newBlock, func(b *block, at int) error {
			few := outputs.Range(at*blockInputs, min(blockInputs, inputs.Count-at*blockInputs))
			b.load(few.Count, func(i int) []float64 { return inputs.At(at*blockInputs + i) }, few.At)
			for _, s := range c.steps {
				b.correct(s)
			}
			for i := range few.Count {
				b.prediction(i, few.At(i))
			}
			progress(few.Count)
			return nil
		})
	})
}

// String is one of Operator.
func (c *Corrected) String() string {
	return fmt.Sprintf("%v, %d times corrected by %d random features of inputs and predictions", c.First, len(c.steps),
		c.Count)
}

// Cost is one of Operator.
func (c *Corrected) Cost(points int) float64 {
	rows, columns := c.domain.Axes(c.points)
	one := 2 * float64(rows+columns) * float64(c.Modes[0]*c.Modes[1])
	return c.First.Cost(points) + float64(len(c.steps)*c.Count)*6*one
}

// Bytes is one of Operator.
func (c *Corrected) Bytes(points int) float64 { return c.First.Bytes(points) }

// Check is one of Operator.
func (c *Corrected) Check() error {
	if err := c.First.Check(); err != nil {
		return err
	}
	in, out := c.First.Channels()
	rows, columns := c.domain.Axes(c.points)
	fine := c.First.Domain() == c.domain && in*out*c.in*c.out == 1 && slices.Contains(basesOf(c.domain), c.Basis) && c.leaveOneOut >= 0 &&
		c.Count >= 1 && c.Modes[0] >= 1 && c.Modes[1] >= 1 && c.Modes[0] <= rows && c.Modes[1] <= columns &&
		len(c.steps) == c.Steps && c.Input > 0 && c.Output > 0
	if !fine || !grid.Finite(c.leaveOneOut, c.Shift, c.Input, c.Output) {
		return feature.Unusable(fmt.Sprintf("has corrections that do not fit %s: %+v",
			c.domain.Grid(c.points), c.CorrectedParameters))
	}
	return nil
}

// correctedScalars is what model files say of it beside arrays.
type correctedScalars struct {
	gridScalars
	CorrectedParameters
	First part `json:"first"`
}

// The names of arrays in model files.
const (
	meanOutputArray  = "mean_output"
	parametersArray  = "correction_features"
	correctionsArray = "corrections"
)

// Encode is one of Operator.
func (c *Corrected) Encode() (string, any, []npy.Named) {
	first, arrays := encodePart(c.First, firstPart)
	rows, columns, of := c.Steps*c.Count, c.Modes[0]*c.Modes[1], c.numbersOf()
	parameters, coefficients := mat.NewDense(rows, numbers, nil), mat.NewDense(rows*of, columns, nil)
	for at, s := range c.steps {
		parameters.Slice(at*c.Count, (at+1)*c.Count, 0, numbers).(*mat.Dense).Copy(s.parameters)
		coefficients.Slice(at*c.Count*of, (at+1)*c.Count*of, 0, columns).(*mat.Dense).Copy(s.coefficients)
	}
	return config.Corrected, correctedScalars{c.scalars(), c.CorrectedParameters, first}, append(arrays, array(meanOutputArray, c.ubar, len(c.ubar)), dense(parametersArray, parameters),
		dense(correctionsArray, coefficients))
}

// numbers is how many a feature is drawn by.
const numbers = 5

func readCorrected(leaveOneOut float64, s feature.Stored) (Operator, error) {
	var scalars correctedScalars
	if err := s.Scalars(&scalars); err != nil {
		return nil, err
	}
	first, err := scalars.First.read(s, firstPart)
	if err != nil {
		return nil, err
	}
	at, err := scalars.place(leaveOneOut)
	if err != nil {
		return nil, err
	}
	c := &Corrected{place: at, First: first, CorrectedParameters: scalars.CorrectedParameters,
		steps: make([]*correction, min(max(0, scalars.Steps), mostSteps))}
	if err := c.Check(); err != nil {
		return nil, err
	}
	mean, err := readArray(s, meanOutputArray, at.values())
	if err != nil {
		return nil, err
	}
	parameters, err := readDense(s, parametersArray, c.Steps*c.Count, numbers)
	if err != nil {
		return nil, err
	}
	coefficients, err := readDense(s, correctionsArray, c.Steps*c.Count*c.numbersOf(), c.Modes[0]*c.Modes[1])
	if err != nil {
		return nil, err
	}
	c.ubar = mean.Data
	for i := range c.steps {
		rows := func(m *mat.Dense, of int) *mat.Dense {
			_, columns := m.Dims()
			return m.Slice(i*c.Count*of, (i+1)*c.Count*of, 0, columns).(*mat.Dense)
		}
		c.steps[i] = &correction{parameters: rows(parameters, 1), coefficients: rows(coefficients, c.numbersOf())}
	}
	return readSymmetrised(c.prepare(), s)
}

// NumPy is one of Operator.
func (c *Corrected) NumPy(points int) (imports, program string) {
	imports, first := c.First.NumPy(points)
	if first == "" || points != c.points {
		return "", ""
	}
	log := ""
	if c.Log {
		log = "a = np.log(a)\n"
	}
	truth := map[bool]string{false: "False", true: "True"}
	rows, columns := c.domain.Axes(c.points)
	return imports, `whole, parts, inputs = model, p, a
model = {k[6:]: whole[k] for k in whole if k.startswith("first_")}
p = parts["first"]["map"]
` + first + `model, p, shape = whole, parts, inputs.shape
a, v = inputs, u/p["output"]
` + log + fmt.Sprintf(`n, units, periodic, cells = (%d, %d), (1, %v), %s, %s
`, rows, columns, c.domain.Frequency(1), truth[c.domain.Periodic], truth[c.domain.Cells]) +
		`a, v = ((f.reshape(-1, *n)) for f in ((a - p["shift"])/p["input"], v))
basis, flat = p["basis"], len(n) == 2 and n[0] == 1
def line(n, count, basis, unit):
    if n == 1:
        one = np.ones((1, 1))
        return np.zeros(1), one, one, one, 0*one, one, 0*one
    at_points = basis == "points"
    i = np.arange(((n - 2)//2*2 + 1 if periodic else n) if at_points else count)
    k = 2*((i + 1)//2) if periodic else i + (basis == "sines")
    odd = (i % 2 == 0) if periodic else np.full(len(i), basis == "sines")
    k, odd = k[:, None], odd[:, None]
    x, w = (np.arange(n) + 0.5)/n, np.full(n, 1/n)
    if not cells:
        x, w = np.linspace(0, 1, n), np.r_[0.5, np.ones(n - 2), 0.5]/(n - 1)
    inner = x if at_points else (np.arange(count) + 0.5)/count
    value = lambda x: np.where(k == 0, 1, np.sqrt(2)*np.where(odd, np.sin(np.pi*k*x), np.cos(np.pi*k*x)))
    slope = np.sqrt(2)*np.pi*unit*k*np.where(odd, np.cos(np.pi*k*inner), -np.sin(np.pi*k*inner))
    own, values = value(x), value(inner)
    analysis, same = own*w/((own**2) @ w)[:, None], np.eye(n)
    if at_points:
        return unit*k[:, 0], same, analysis, values, slope, same, same
    norm = (values**2).sum(1)[:, None]
    return unit*k[:, 0], own, analysis, values, slope, values/norm, -slope/norm
see = [line(*t) for t in zip(n, p["modes"], 2*["cosines" if basis == "sines" else basis], units)]
say = [line(*t) for t in zip(n, p["modes"], 2*[basis], units)]
def smooth(line, at, width):
    return at.T @ (np.exp(-line[0]**2/(2*width**2))[:, None]*line[2])
V, D, S, P = ([l[i] for l in say] for i in (3, 4, 5, 6))
ubar = smooth(say[0], V[0], np.inf) @ model["mean_output"].reshape(n) @ smooth(say[1], V[1], np.inf).T
kinds = ["v", "ubar", "flux"]
if basis == "points":
    kinds = ["1", "v", "1", "a"]
elif flat:
    kinds = ["v", "1", "flux", "v", "ubar", "flux"]
numbers = 1 + (basis == "fourier")
for s in range(p["steps"]):
    total = 0
    for j in range(p["count"]):
        at, kind = s*p["count"] + j, kinds[j % len(kinds)]
        f = model["correction_features"][at]
        A = [smooth(l, l[3], f[0]) for l in see]
        W = [smooth(l, l[3], f[1]) for l in say]
        d = [smooth(l, l[4], f[1]) for l in say]
        z = W[0] @ v @ W[1].T
        c = np.cos(f[2]*(A[0] @ a @ A[1].T) + f[3]*z + f[4])
        if kind == "a":
            t = j//len(kinds)
            phi = np.zeros_like(c)
            if flat and t < len(see[1][2]):
                phi = phi + a @ see[1][2][t][:, None]
        elif kind == "flux":
            phi = S[0] @ (c*(W[0] @ v @ d[1].T)) @ P[1].T
            if not flat:
                phi = phi + P[0] @ (c*(d[0] @ v @ W[1].T)) @ S[1].T
        else:
            phi = S[0] @ (c*{"v": z, "ubar": ubar, "1": 1}[kind]) @ S[1].T
        b = model["corrections"][numbers*at:numbers*(at + 1)].reshape(numbers, *phi.shape[1:])
        total = total + phi*b[0]
        if numbers == 2:
            i = np.arange(1, phi.shape[-1])
            total[..., i] += phi[..., i - 1 + 2*(i % 2)]*b[1][..., i]
    v = v + say[0][1].T @ total @ say[1][1]
u = p["output"]*v.reshape(shape)
`
}
