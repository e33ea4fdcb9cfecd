package bands

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/resample"
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
	// coarsePoints and coarseSide bound the grid on which inputs are compared.
	coarsePoints, coarseSide = 65, 17
	// mostValues is the number of values above which inputs with several channels are compared on an even coarser grid.
	mostValues = 600
	// explained is the part of the variance of the inputs that the modes contain.
	explained = 0.99
	// leastRest bounds Rest from below, relative to the variance.
	leastRest = 1e-6
)

// coarse restricts inputs to a grid that theirs contains and on which they can be compared.
func coarse(inputs grid.Batch) grid.Batch {
	bound := coarsePoints
	if inputs.Domain.Dims == 2 {
		bound = coarseSide
	}
	coarsest := inputs
	for points := min(bound, inputs.Points); points > 3; points-- {
		small, err := inputs.Restrict(points)
		if err != nil {
			continue
		}
		if coarsest = small; small.Values() <= mostValues {
			break
		}
	}
	return coarsest
}

// newInputs finds the components. The error is a *fault.Data if all inputs are the same.
func newInputs(inputs grid.Batch) (Inputs, error) {
	n, V := inputs.Count, inputs.Values()
	k := Inputs{Points: inputs.Points, Mean: inputs.Mean()}
	root := inputs.Domain.Weights(inputs.Points)
	for x, w := range root {
		root[x] = math.Sqrt(w)
	}
	centred := mat.NewDense(n, V, inputs.Plus(-1, k.Mean).Data)
	for i := range n {
		for x, row := 0, centred.RawRowView(i); x < V; x++ {
			row[x] *= root[x]
		}
	}
	covariance := mat.NewSymDense(V, nil)
	covariance.SymOuterK(1/float64(n), centred.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, true) {
		panic("bands: the eigenvalues of a covariance did not converge")
	}
	values, total := eigen.Values(nil), 0.0
	for _, v := range values {
		total += max(0, v)
	}
	if !(total > 0) {
		return k, &fault.Data{Where: "training inputs", What: "are all the same function, so they define no distance",
			Do: "set evaluation.bands = no"}
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	k.Rest = total
	for j := V - 1; j >= 0 && k.Rest > (1-explained)*total && len(k.Modes) < max(1, n/4); j-- {
		mode := make([]float64, V)
		for x := range mode {
			mode[x] = vectors.At(x, j) * root[x] / math.Sqrt(values[j])
		}
		k.Modes, k.Sizes = append(k.Modes, mode), append(k.Sizes, values[j])
		k.Rest -= values[j]
	}
	k.Rest = max(k.Rest, leastRest*total)
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
		rest, sum := inputs.Domain.Inner(f, f), 0.0
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
