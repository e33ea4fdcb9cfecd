// Package invert finds the input of a learned operator from noisy values of its output at points: the most probable
// input, and samples of the posterior (Stuart 2010, Inverse problems: a Bayesian perspective).
//
// The prior is the law of the training inputs, transforms of a Gaussian function g with covariance C. With H the values
// at the points, F the operator and s the deviation of noise and of the operator's own error, the posterior has the
// density exp(-|y - H F(g)|^2 / (2 s^2)) with respect to the law of g. Everything is a function, on any grid.
package invert

import (
	"context"
	"math"

	"rfm/model/learn/operator"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Task holds the data and the amount of work.
type Task struct {
	Operator operator.Operator
	// Prior draws the Gaussian functions on the grid of the inversion. Input turns them into inputs, in place; nil: they
	// are inputs, and derivatives find the most probable one if the prior's leading functions are known.
	Prior     grf.Draws
	Input     func(values []float64)
	Points    int // of that grid along an axis
	Places    []Place
	Values    []float64 // at the places
	Deviation float64   // s
	Chains    int       // of samples, at least 2
	Steps     int       // of each chain that are kept; half as many come before
	Seed      uint64
	Workers   int
	Progress  func(done, of int) // may be nil
}

// Found is the result, on the grid of the inversion.
type Found struct {
	Best       grid.Batch `json:"-"`                    // the most probable input, or the sample that fits best
	Probable   bool       `json:"map"`                  // whether Best is a maximum of the density, none more probable known
	Status     Status     `json:"status"`               // of the search for it
	Iterations int        `json:"iterations,omitempty"` // number for the most probable input
	Mean       grid.Batch `json:"-"`                    // of the samples
	Deviation  grid.Batch `json:"-"`                    // of the samples, at each point
	Samples    grid.Batch `json:"-"`                    // the last sample of every chain
	Outputs    grid.Batch `json:"-"`                    // F(Best)
	Misfit     float64    `json:"misfit"`               // root mean square of y - H F(Best)
	Accepted   float64    `json:"accepted"`             // share of the steps
	Step       float64    `json:"step"`                 // beta of the sampler, from 0 to 1
	Mixing     float64    `json:"mixing"`               // largest potential scale reduction; near 1 if chains agree
}

// The streams of random numbers.
const (
	purposeStates draw.Purpose = "invert-prior"  // index: number of the draw, or step
	purposeSteps  draw.Purpose = "invert-accept" // index: step
)

// Solve finds the input. Errors: a *fault.Data if the task has no solution, the operator's, ctx.Err().
func (t Task) Solve(ctx context.Context) (Found, error) {
	if len(t.Places) == 0 || !(t.Deviation > 0) {
		return Found{}, &fault.Data{
			Where: "observations",
			What:  "have no values, or no noise above 0",
			Do:    "give values with --at and their noise with --noise",
		}
	}
	if t.Progress == nil {
		t.Progress = func(int, int) {}
	}
	s := &solver{Task: t, observe: newObserver(t.Operator.Domain(), t.Points, t.Places)}
	var found Found
	var err error
	if prior, ok := t.Prior.(grf.Expanding); ok && t.Input == nil {
		err = s.minimise(ctx, prior, &found)
	} else {
		err = s.bySamples(ctx, &found)
	}
	if err != nil {
		return found, err
	}
	found.Outputs, err = t.Operator.Predict(ctx, found.Best, t.Workers, nil)
	if err != nil {
		return found, err
	}
	found.Misfit = math.Sqrt(s.misfit(found.Outputs.At(0)) / float64(len(t.Values)))
	return found, nil
}

// minimise finds the most probable input and samples of the posterior. If a sample is more probable than the input that
// was found, another search begins there. The error is that of Solve.
func (s *solver) minimise(ctx context.Context, prior grf.Expanding, found *Found) error {
	p := s.newPotential(prior)
	starts, err := p.starts(ctx)
	if err != nil {
		return err
	}
	least, err := p.search(ctx, starts)
	if err != nil {
		return err
	}
	best, err := s.sample(ctx, p.chain(least.linear), found)
	if err != nil {
		return err
	}
	if p.at(best.z, best.misfit) < least.value {
		before := least.iterations
		least, err = p.descend(ctx, best.z)
		if err != nil {
			return err
		}
		least.iterations += before
	}
	found.Best = p.functions([][]float64{least.z})
	found.Status = least.status
	found.Iterations = least.iterations
	found.Probable = least.status == converged
	return nil
}

// bySamples finds samples of the posterior, and the one that fits best.
func (s *solver) bySamples(ctx context.Context, found *Found) error {
	best, err := s.sample(ctx, s.prior(), found)
	if err != nil {
		return err
	}
	found.Status = sampled
	found.Best = s.functions(1)
	copy(found.Best.Data, best.input)
	return nil
}

// solver is the state of solving a task.
type solver struct {
	Task
	observe *observer
}

// functions returns a batch on the grid of the inversion.
func (s *solver) functions(count int) grid.Batch {
	return grid.NewBatch(s.Operator.Domain(), s.Points, count)
}

// misfit returns |y - H u|^2.
func (s *solver) misfit(u []float64) float64 {
	sum := 0.0
	for i, y := range s.Values {
		d := y - s.observe.at(i, u)
		sum += d * d
	}
	return sum
}

// Place is a point of a domain, its coordinates from 0 to 1; the second one is 0 for functions of one variable.
type Place [2]float64

// observer interpolates between the points of a grid: by cubics along each axis, exact for cubic polynomials and with
// an error of fourth order for other functions.
type observer struct {
	indices [][]int     // for each place those of values around it
	weights [][]float64 // of these values
}

func newObserver(d grid.Domain, points int, places []Place) *observer {
	o := &observer{}
	rows, columns := d.Axes(points)
	for _, place := range places {
		rowsAt := []int{0}
		rowWeights := []float64{1}
		across := place[0]
		if d.Dims == 2 {
			rowsAt, rowWeights = stencil(d, rows, place[0])
			across = place[1]
		}
		columnsAt, columnWeights := stencil(d, columns, across)
		var indices []int
		var weights []float64
		for i, row := range rowsAt {
			for j, column := range columnsAt {
				indices = append(indices, row*columns+column)
				weights = append(weights, rowWeights[i]*columnWeights[j])
			}
		}
		o.indices = append(o.indices, indices)
		o.weights = append(o.weights, weights)
	}
	return o
}

// Observe returns the values of functions at places, one function after the other.
func Observe(functions grid.Batch, places []Place) [][]float64 {
	o := newObserver(functions.Domain, functions.Points, places)
	all := make([][]float64, functions.Count)
	for i := range all {
		for place := range places {
			all[i] = append(all[i], o.at(place, functions.At(i)))
		}
	}
	return all
}

// stencil returns up to four points of an axis with the weights of Lagrange's polynomials.
func stencil(d grid.Domain, points int, place float64) (at []int, weights []float64) {
	n := d.Intervals(points)
	position := place * float64(n)
	if d.Cells {
		position -= 0.5
	}
	width := min(4, points)
	first := int(math.Floor(position)) - 1
	if !d.Periodic {
		first = max(0, min(first, points-width))
	}
	for i := first; i < first+width; i++ {
		weight := 1.0
		for k := first; k < first+width; k++ {
			if k != i {
				weight *= (position - float64(k)) / float64(i-k)
			}
		}
		index := i
		if d.Periodic {
			index = (i%n + n) % n
		}
		at = append(at, index)
		weights = append(weights, weight)
	}
	return at, weights
}

// at returns the value of a function at a place.
func (o *observer) at(place int, f []float64) float64 {
	sum := 0.0
	for k, index := range o.indices[place] {
		sum += o.weights[place][k] * f[index]
	}
	return sum
}
