package method

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/codec"
	"rfm/model/linalg"
	"rfm/model/ridge"
	"rfm/solver/dataset"
	"rfm/solver/grid"
)

// linearMethod is the entry of linear operators in methods.
var linearMethod = Method{Name: "linear", Title: "linear", Most: math.MaxInt32,
	Reference: true, logarithms: true, suits: func(in, out grid.Domain, symmetry string) bool {
		return still(in, out, symmetry) || in == grid.Torus && out == grid.Torus
	},
	Bytes: func(pairs dataset.Pairs, o Options) float64 {
		return 8 * float64(pairs.Count()) * float64(pairs.Outputs.Values()) * float64(4+2*o.Workers)
	},
	train: linearBest}

// linearBest fits linear operators to the pairs and returns the one with the smallest leave-one-out error: for periodic
// functions the Fourier multiplier u_k = c_k a_k, a *Multiplier, and for all functions the affine map from the
// principal components of the inputs to the outputs, an *Affine. Both are ridge regressions; the same error chooses the
// ridge. Errors are those of Method.Train.
func linearBest(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
	sizes, err := checked(pairs)
	if err != nil {
		return nil, err
	}
	torus := pairs.Inputs.Domain == grid.Torus && pairs.Outputs.Domain == grid.Torus
	if torus && config.Commutes(o.Symmetry) {
		return operator(fitMultiplier(ctx, pairs, sizes, o))
	}
	best, err := affine(ctx, pairs, sizes, o.Workers)
	if err != nil {
		return nil, err
	}
	if !torus || o.Symmetry == config.NoSymmetry {
		return averaged(best, o.Symmetry), nil
	}
	multiplier, err := fitMultiplier(ctx, pairs, sizes, o)
	if err != nil {
		return nil, err
	}
	return bestOf([]Operator{multiplier, best}, func(o Operator) (Operator, error) { return o, nil })
}

// Affine is an affine operator on the principal components of the inputs.
type Affine struct {
	expansion
	Ridge float64 `json:"ridge"` // relative to the variance of the first principal component of the inputs
}

func (*Affine) Name() string { return linearMethod.Name }

func (a *Affine) String() string {
	return fmt.Sprintf("affine operator of %d principal components, ridge %g", a.Components.Cols(), a.Ridge)
}

// prepare computes the fields that are not stored.
func (a *Affine) prepare() *Affine {
	a.offset, a.sources = a.Constant, [][]int{nil}
	a.terms = func(_ context.Context, z *linalg.Panels, _, first, _, _ int) (*linalg.Panels, error) {
		return z.From(first), nil
	}
	return a
}

// affine fits u = ubar + sum_k b_k z_k, z_k the coefficient of the input in principal component k, with the ridge that
// has the smallest leave-one-out error. Coefficients are uncorrelated, so with s_k = sum_i z_ik^2,
//
//	b_k = sum_i z_ik (u_i - ubar) / (s_k + ridge),  h_ij = 1/n + sum_k z_ik z_jk / (s_k + ridge),
//
// and leaving a group g of pairs out turns its residuals r_g into (1 - h_gg)^-1 r_g. sizes are the L2 norms of the
// outputs.
func affine(ctx context.Context, pairs dataset.Pairs, sizes []float64, workers int) (*Affine, error) {
	n, K, weights := pairs.Count(), pairs.Outputs.Values(), pairs.Outputs.Domain.Weights(pairs.Outputs.Points)
	inputs, err := newPrincipal(pairs.Inputs, pairs.Inputs.Domain.Weights(pairs.Inputs.Points))
	if err != nil {
		return nil, err
	}
	z, modes, mean := inputs.coefficients(pairs.Inputs), len(inputs.variances), pairs.Outputs.Mean()
	centred := mat.NewDense(n, K, pairs.Outputs.Plus(-1, mean).Data)
	var products mat.Dense // of coefficients and outputs
	products.Mul(z.T(), centred)
	shrunk := func(lambda float64) (*mat.Dense, []float64) {
		b, inverse := mat.NewDense(modes, K, nil), make([]float64, modes)
		for k, variance := range inputs.variances {
			inverse[k] = 1 / (float64(n) * (variance + lambda*inputs.variances[0]))
			row := b.RawRowView(k)
			for x, v := range products.RawRowView(k) {
				row[x] = inverse[k] * v
			}
		}
		return b, inverse
	}
	groups := ridge.Labelled(pairs.Groups, n)
	lambda, score, err := ridge.Choose(ctx, "linear operator", ridge.Lambdas, func(lambda float64) (float64, error) {
		b, inverse := shrunk(lambda)
		var fitted mat.Dense
		fitted.Mul(z, b)
		rows := floats.SubTo(make([]float64, n*K), centred.RawMatrix().Data, fitted.RawMatrix().Data)
		hat := linalg.NewRectangle(modes+1, n) // whose columns have products h_ij
		for i := range n {
			for k, v := range z.RawRowView(i) {
				hat.Row(k)[i] = v * math.Sqrt(inverse[k])
			}
			hat.Row(modes)[i] = 1 / math.Sqrt(float64(n))
		}
		err := ridge.LeaveOut(ctx, rows, K, groups, ridge.Unexplained(hat, groups), 1)
		return meanRelative(rows, weights, sizes), err
	}, workers)
	if err != nil {
		return nil, err
	}
	b, _ := shrunk(lambda)
	at := placeOf(pairs)
	at.Error = score
	a := &Affine{expansion{place: at, coordinates: inputs.coordinates(nil), Constant: mean,
		Coefficients: linalg.PanelsOf(b.RawMatrix())}, lambda}
	return a.prepare(), nil
}

func (*Affine) Kind() string { return "affine" }

func (a *Affine) Restored() (any, error) {
	if terms, modes := a.Coefficients.Rows(), a.Components.Cols(); terms != modes {
		return nil, codec.Bad("has %d coefficients for %d components", terms, modes)
	}
	return a.prepare(), nil
}
