package bands

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/fault"
	"rfm/solver/space/grid"
	"rfm/solver/space/modes"
	"rfm/solver/space/resample"
)

// Inputs are the principal components of the training inputs.
type Inputs struct {
	Points int         `json:"points"` // along an axis of their grid
	Mean   []float64   `json:"mean"`
	Modes  [][]float64 `json:"modes"` // their products with an input less the mean have mean square one
	Sizes  []float64   `json:"sizes"` // mean square of a function in each mode
	Rest   float64     `json:"rest"`  // mean square of the part outside the modes
}

const (
	// mostValues is the number of values above which inputs with several channels are compared on an even coarser grid.
	mostValues = 600
	// explained is the part of the variance of the inputs that the modes contain.
	explained = 0.99
	// mostModes bounds the number of modes. Inputs that have a hundredth of their variance beyond so many are rough, and
	// the part outside the modes measures them as well.
	mostModes = 128
	// leastRest bounds Rest from below, relative to the variance.
	leastRest = 1e-6
)

// coarse restricts inputs to a grid that theirs contains and on which they can be compared.
func coarse(inputs grid.Batch) grid.Batch {
	most := 65 // points along an axis
	if inputs.Domain.Dims == 2 {
		most = 17
	}
	coarsest := inputs
	for points := min(most, inputs.Points); points > 3; points-- {
		small, err := inputs.Restrict(points)
		if err != nil {
			continue
		}
		coarsest = small
		if small.Values() <= mostValues {
			break
		}
	}
	return coarsest
}

// newInputs finds the components. The error is a *fault.Data if all inputs are the same, or ctx.Err().
func newInputs(ctx context.Context, inputs grid.Batch, workers int) (Inputs, error) {
	most := min(max(1, inputs.Count/4), mostModes)
	p, err := modes.NewPrincipal(ctx, inputs, most, workers)
	if err != nil {
		return Inputs{}, err
	}
	k := Inputs{
		Points: inputs.Points,
		Mean:   p.Mean,
		Rest:   p.Total,
	}
	if len(p.Variances) == 0 {
		return k, &fault.Data{Where: "training inputs", What: "are all the same function, so they define no distance",
			Do: "set evaluation.bands = no"}
	}
	for j, variance := range p.Variances {
		if k.Rest <= (1-explained)*p.Total {
			break
		}
		mode := make([]float64, inputs.Values())
		for x, root := range p.Root {
			mode[x] = p.Vectors.At(x, j) * root / math.Sqrt(variance)
		}
		k.Modes = append(k.Modes, mode)
		k.Sizes = append(k.Sizes, variance)
		k.Rest -= variance
	}
	k.Rest = max(k.Rest, leastRest*p.Total)
	return k, nil
}

// Distances returns two distances for each input on any grid: the mean square component, one for training inputs, and
// the mean square of the part outside the components, in units of the same for training inputs. The error is a
// *fault.Data if the grid of the components cannot represent them.
func (k Inputs) Distances(inputs grid.Batch) ([][2]float64, error) {
	there, err := resample.To(inputs, k.Points)
	if err != nil {
		return nil, err
	}
	if there.Values() != len(k.Mean) {
		return nil, &fault.Data{Where: "input", What: "has another domain than the training inputs"}
	}
	return k.distances(there), nil
}

// distances returns the same for inputs on the grid of the components.
func (k Inputs) distances(inputs grid.Batch) [][2]float64 {
	all := make([][2]float64, inputs.Count)
	centred := inputs.Plus(-1, k.Mean)
	for i := range all {
		f := centred.At(i)
		rest := inputs.Domain.Inner(f, f) // the square of what modes do not have
		sum := 0.0
		for j, mode := range k.Modes {
			z := 0.0
			for x, v := range f {
				z += mode[x] * v
			}
			sum += z * z
			rest -= z * z * k.Sizes[j]
		}
		all[i] = [2]float64{sum / float64(len(k.Modes)), max(0, rest) / k.Rest}
	}
	return all
}

// Fewest is the least number of groups of pairs from which anything but quantiles is estimated: the difficulty of
// inputs, and the gain of more pairs. Estimates from fewer make bands too narrow.
const Fewest = 50

// difficulty returns the exponents of g with which log g is nearest log |r|: ordinary least squares.
func difficulty(norms, sizes []float64, distances [][2]float64, groups int) []float64 {
	const count = 3
	proportional := []float64{0, 1, 0}
	if groups < Fewest {
		return proportional
	}
	rows := mat.NewDense(len(norms), count, nil)
	logs := mat.NewVecDense(len(norms), nil)
	for i, norm := range norms {
		rows.SetRow(i, regressors(sizes[i], distances[i]))
		logs.SetVec(i, math.Log(norm))
	}
	var qr mat.QR
	var x mat.VecDense
	qr.Factorize(rows)
	if err := qr.SolveVecTo(&x, false, logs); err != nil || !grid.Finite(x.RawVector().Data...) {
		return proportional // regressors are linearly dependent, up to rounding
	}
	return x.RawVector().Data
}

func regressors(size float64, distance [2]float64) []float64 {
	return []float64{1, math.Log(max(size, math.SmallestNonzeroFloat64)), math.Log(max(distance[0], 1e-300))}
}

// of returns g for an input with a prediction of norm size.
func (b *Bands) of(size float64, distance [2]float64) float64 {
	sum := 0.0
	for k, v := range regressors(size, distance) {
		sum += b.Exponents[k] * v
	}
	return math.Exp(sum)
}
