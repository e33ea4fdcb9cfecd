// This file is random features with functions as coefficients: every draw counts with all its translations.

package method

import (
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/activation"
	"rfm/model/feature"
	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Convolved is a model of spectral random features on a periodic domain whose coefficients are functions,
//
//	F(a) = (1/m) sum_j alpha_j * phi_j(a),  phi_j(a) = sigma(w_j * a + b_j),
//
// with * the convolution on the unit of length. A translation of phi_j(a) is the feature of a translated w_j: so this
// is the random feature model with every w_j and all its translations, which has the same limit for infinitely many
// draws, the kernel E phi(a) phi(a')* that commutes with translations, and is near it with far fewer. For each
// wavenumber there is one system of the order of the number of pairs, see convolving.
type Convolved struct {
	place
	activation            activation.Func
	bias                  []float64
	filters, coefficients grid.Batch // w_j and alpha_j
	ridge                 float64
	centred               bool // features have no mean
	bank                  *bank
}

// bank is spectral features on a periodic grid, eight side by side.
type bank struct {
	*waves
	activation activation.Func
	bias       []float64 // of whole views
	constant   int       // position of the constant; -1: features keep their means
	views      []view
}

func newBank(w *waves, sigma activation.Func, filters [][]float64, bias []float64, centred bool) *bank {
	b := &bank{waves: w, activation: sigma, constant: -1}
	for first := 0; first < len(filters); first += 2 * lanes {
		v := view{inputs: make([]float64, 2*lanes*w.n())}
		for l, spectrum := range filters[first:min(first+2*lanes, len(filters))] {
			for p := range w.n() {
				pack(v.inputs[2*lanes*p:], l, spectrum[2*p], spectrum[2*p+1])
			}
		}
		b.views = append(b.views, v)
	}
	b.bias = append(make([]float64, 0, 2*lanes*len(b.views)), bias...)[:2*lanes*len(b.views)]
	for p, k := range w.magnitude {
		if centred && k == 0 {
			b.constant = p
		}
	}
	return b
}

// arguments writes those of sigma for a view and the spectrum of an input to work.re and work.im, or, without biases,
// what is linear in the input.
func (b *bank) arguments(v int, spectrum []float64, biased bool, work *scratch) {
	b.plan.InverseProduct(work.re, work.im, b.views[v].inputs, spectrum, work.block)
	if !biased {
		return
	}
	for half, panel := range [][]float64{work.re, work.im} {
		for i := range panel {
			panel[i] += b.bias[2*lanes*v+lanes*half+i%lanes]
		}
	}
}

// features writes the transforms of a view's features to work.z.
func (b *bank) features(v int, spectrum []float64, work *scratch) {
	b.arguments(v, spectrum, true, work)
	b.activation.Apply(work.re)
	b.activation.Apply(work.im)
	b.transform(work)
}

// transform transforms work.re and work.im to work.z, without means if features have none.
func (b *bank) transform(work *scratch) {
	b.forward(work)
	if b.constant >= 0 {
		clear(work.z[2*lanes*b.constant : 2*lanes*(b.constant+1)])
	}
}

// prepare derives what is not stored.
func (c *Convolved) prepare() *Convolved {
	w := newWaves(c.domain, c.points)
	c.bank = newBank(w, c.activation, normalised(w, c.filters), c.bias, c.centred)
	coefficients, m, n := w.spectra(c.coefficients), c.filters.Count, float64(w.n())
	for b := range c.bank.views {
		c.bank.views[b].multiply(w, coefficients[2*lanes*b:min(2*lanes*(b+1), m)], 0, 1/(n*n*float64(m)))
	}
	return c
}

// Predict is one of Operator.
func (c *Convolved) Predict(ctx context.Context, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	return c.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs, b := inputs.Like(inputs.Count), c.bank
		err := parallel.With(ctx, workers, inputs.Count, b.newScratch, func(work *scratch, i int) error {
			spectrum := normalised(b.waves, inputs.Range(i, 1))[0]
			b.sum(outputs.At(i), b.views, work, func(v int) { b.features(v, spectrum, work) })
			progress(1)
			return nil
		})
		return outputs, err
	})
}

// String is one of Operator.
func (c *Convolved) String() string {
	return fmt.Sprintf("%d random features (%s) with functions as coefficients, ridge %.2g", c.filters.Count,
		c.activation.Name(), c.ridge)
}

// Cost is one of Operator: two transforms and an activation for every feature.
func (c *Convolved) Cost(int) float64 {
	n := float64(c.domain.Values(c.points))
	return float64(c.filters.Count) * n * (2*5*math.Log2(n)/2 + exponential + 4)
}

// Check is one of Operator.
func (c *Convolved) Check() error {
	if m := c.filters.Count; c.coefficients.Count != m || len(c.bias) != m || !(c.ridge > 0) || !grid.Finite(c.ridge,
		c.leaveOneOut) || c.leaveOneOut < 0 {
		return feature.Unusable(fmt.Sprintf("has %d features, %d coefficients, %d biases, the ridge %g and the "+
			"leave-one-out "+
			"error %g", m, c.coefficients.Count, len(c.bias), c.ridge, c.leaveOneOut))
	}
	return nil
}

// convolvedScalars is what model files say of it beside arrays.
type convolvedScalars struct {
	gridScalars
	Activation string  `json:"activation"`
	Centred    bool    `json:"centred"`
	Ridge      float64 `json:"ridge"`
}

// Encode is one of Operator.
func (c *Convolved) Encode() (string, any, []npy.Named) {
	return config.Convolved, convolvedScalars{c.scalars(), c.activation.Name(), c.centred, c.ridge},
		[]npy.Named{c.functions("filters", c.filters), array("bias", c.bias, len(c.bias)),
			c.functions("coefficients", c.coefficients)}
}

func readConvolved(leaveOneOut float64, s feature.Stored) (Operator, error) {
	var scalars convolvedScalars
	if err := s.Scalars(&scalars); err != nil {
		return nil, err
	}
	at, err := scalars.place(leaveOneOut)
	if err != nil {
		return nil, err
	}
	c := &Convolved{place: at, centred: scalars.Centred, ridge: scalars.Ridge}
	var known bool
	if c.activation, known = activation.ByName(scalars.Activation); !known || !at.domain.Periodic {
		return nil, feature.Unusable(fmt.Sprintf("has the activation %q on %s", scalars.Activation, at.domain.Name()))
	}
	if c.filters, err = at.readFunctions(s, "filters"); err != nil {
		return nil, err
	}
	if c.coefficients, err = at.readFunctions(s, "coefficients"); err != nil {
		return nil, err
	}
	bias, err := readArray(s, "bias", c.filters.Count)
	if err != nil {
		return nil, err
	}
	c.bias = bias.Data
	if err := c.Check(); err != nil {
		return nil, err
	}
	return readSymmetrised(c.prepare(), s)
}

// NumPy is one of Operator.
func (c *Convolved) NumPy(points int) (imports, program string) {
	if points != c.points {
		return "", ""
	}
	cut, axes, ones, pad := "[:, :-1]", "(-1,)", ", 1", "(0, 1)"
	if c.domain.Dims == 2 {
		cut, axes, ones, pad = "[:, :-1, :-1]", "(-2, -1)", ", 1, 1", "(0, 1), (0, 1)"
	}
	centre := ""
	if c.centred {
		centre = "    phi = phi - phi.mean(axes, keepdims=True)\n"
	}
	return "", fmt.Sprintf(`axes = %[2]s
F, G = (lambda f: np.fft.fftn(f, axes=axes)), (lambda f: np.fft.ifftn(f, axes=axes).real)
W, C, b = F(model["filters"]%[1]s), F(model["coefficients"]%[1]s), model["bias"].reshape(-1%[3]s)
N, m = W[0].size, len(W)
def predict(X):
    v = G(W*X)/N + b
    phi = %[4]s
%[5]s    return G((F(phi)*C).sum(0))/(N*m)
u = np.pad(np.array([predict(X) for X in F(a%[1]s)]), ((0, 0), %[6]s), mode="wrap")
`, cut, axes, ones, c.activation.NumPy(), centre, pad)
}

// Derivative is one of Operator: J v = (1/m) sum_j alpha_j * (sigma'(w_j * a + b_j) (w_j * v)).
func (c *Convolved) Derivative(ctx context.Context, input grid.Batch, workers int) (feature.Derivative, error) {
	value, err := c.own(ctx, c, input, workers)
	if err != nil {
		return feature.Derivative{}, err
	}
	b := c.bank
	work, spectrum, slopes := b.newScratch(), normalised(b.waves, input)[0], make([][2][]float64, len(b.views))
	for v := range b.views {
		b.arguments(v, spectrum, true, work)
		for half, panel := range [][]float64{work.re, work.im} {
			slopes[v][half] = append([]float64(nil), panel...)
			b.activation.Slope(slopes[v][half])
		}
	}
	times := func(work *scratch, v int) {
		for i := range work.re {
			work.re[i] *= slopes[v][0][i]
			work.im[i] *= slopes[v][1][i]
		}
	}
	of := func(f []float64) []float64 { return normalised(b.waves, grid.BatchOf(c.domain, c.points, f))[0] }
	forward := func() func(dst, v []float64) {
		work := b.newScratch()
		return func(dst, f []float64) {
			spectrum := of(f)
			b.sum(dst, b.views, work, func(v int) {
				b.arguments(v, spectrum, false, work)
				times(work, v)
				b.transform(work)
			})
		}
	}
	backward := func() func(dst, f []float64) {
		work := b.newScratch()
		sums, conjugates := make([]float64, 2*lanes*b.n()), make([]float64, 2*lanes*b.n())
		return func(dst, f []float64) {
			spectrum := of(f)
			if b.constant >= 0 {
				spectrum[2*b.constant], spectrum[2*b.constant+1] = 0, 0
			}
			clear(sums)
			for v, view := range b.views {
				conjugateBlock(conjugates, view.coefficients)
				b.plan.InverseProduct(work.re, work.im, conjugates, spectrum, work.block)
				times(work, v)
				b.forward(work)
				addConjugates(sums, work.z, view.inputs)
			}
			b.plan.Inverse(sums)
			b.complete(dst, sums, 2*lanes)
		}
	}
	return feature.Derivative{Value: value, In: input, Forward: forward, Backward: backward}, nil
}
