package equation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rfm/config"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// BlockSize is the number of trajectories that advance together, with one common step.
const BlockSize = block

// Problem is an operator given as text. It maps a Gaussian function a to a field at a given time. Functions of x in [0,
// Lengths] are stored as functions on the unit interval or square.
type Problem struct {
	Text       []string
	Parameters map[string]string
	Initial    []string   // by field; if empty, "a" for a single field
	Output     string     // the field; empty: the first
	Lengths    [2]float64 // of the torus
	Time       float64
	Tolerance  float64
	Steps      int // inputs are states after 0 ... Steps-1 times Time, block by block; 0 is 1
	Inputs     grf.Measure
	Points     int // of the grid on which a is drawn and fields are computed
	Seed       uint64
}

// Burgers returns viscous Burgers' equation on the unit torus to T = 1, inputs of Nelsen & Stuart 2021, eq. 3.1.
func Burgers(viscosity, tolerance float64, points int) Problem {
	return Problem{Text: []string{"u_t = nu*u_xx - u*u_x"},
		Parameters: map[string]string{"nu": strconv.FormatFloat(viscosity, 'g', -1, 64)}, Lengths: [2]float64{1, 1}, Time: 1,
		Tolerance: tolerance, Points: points, Seed: 1, Inputs: grf.Periodic{Tau: 7, Alpha: 2.5}}
}

// Check returns the first defect of the problem, nil or a *config.Error, with the place in the text if that is wrong.
func (p Problem) Check() error {
	_, err := p.prepare()
	var place *Error
	if errors.As(err, &place) {
		return &config.Error{Key: "equation.text", Problem: fmt.Sprintf("is wrong: %v\n%s", err, place.Caret())}
	}
	return err
}

// Operator prepares the problem. If Check rejects the problem, every solution fails with the error of Check.
func (p Problem) Operator() truth.Operator {
	o, err := p.prepare()
	o.err = err
	return o
}

type evolution struct {
	Problem
	solver  *Solver
	initial []poly // of the fields with an equation
	output  int
	draws   grf.Draws
	err     error
}

func (p Problem) prepare() (*evolution, error) {
	o := &evolution{Problem: p, draws: p.Inputs.On(p.Points)}
	sys, err := parseSystem(p.Text, p.Parameters, p.Inputs.Domain().Dims)
	if err != nil {
		return o, err
	}
	refuse := func(key, what, do string) (*evolution, error) {
		return o, &config.Error{Key: "equation." + key, Problem: what, Suggestion: do}
	}
	if p.Output != "" {
		if o.output = slices.Index(sys.Fields, p.Output); o.output < 0 {
			return refuse("output", fmt.Sprintf("names no field: there are %q", sys.Fields), "set it to one of them")
		}
	}
	initial, first := p.Initial, "a"
	if sys.Coefficient != "" { // it is the input
		first = "0.2"
	}
	if len(initial) == 0 && len(sys.Fields) == 1 && sys.Coefficient == "" {
		initial = []string{"a"}
	}
	if len(initial) != len(sys.Fields) {
		return refuse("initial", fmt.Sprintf("has %d values for the fields %q", len(initial), sys.Fields),
			"give one for each, such as "+first+strings.Repeat("; 0", len(sys.Fields)-1))
	}
	for _, text := range initial {
		value, err := sys.initial(text)
		if err != nil {
			return o, err
		}
		o.initial = append(o.initial, value)
	}
	if p.Steps > 1 && (len(sys.Fields) > 1 || sys.Coefficient != "" || initial[0] != "a") {
		return refuse("steps", "is for one field that begins with a", "set it to 1")
	}
	o.solver, err = newSolver(sys, p)
	return o, err
}

func (o *evolution) Grid() (grid.Domain, int) { return o.Inputs.Domain(), o.Points }

func (o *evolution) On(points int) truth.Operator {
	p := o.Problem
	p.Points = points
	return p.Operator()
}

func (o *evolution) Within(tolerance float64) truth.Operator {
	if o.solver != nil && o.solver.exact {
		return o
	}
	p := o.Problem
	p.Tolerance = tolerance
	return p.Operator()
}

func (o *evolution) Times() []float64 { return []float64{o.Time} }

func (o *evolution) Block() int { return BlockSize }

func (o *evolution) Draw(dst grid.Batch, purpose draw.Purpose, first int) {
	o.draws.Draw(dst, o.Seed, purpose, first)
}

// Age implements truth.Evolving.
func (o *evolution) Age(first int) float64 { return o.Time * float64(first/BlockSize%max(1, o.Steps)) }

// Prior implements truth.Gaussian.
func (o *evolution) Prior() (draws grf.Draws, input func(values []float64)) {
	if o.Steps > 1 {
		return nil, nil
	}
	return o.draws, nil
}

func (o *evolution) Tolerance() float64 { return o.Problem.Tolerance }

func (o *evolution) NewWorker() truth.Worker {
	if o.err != nil {
		return failed{o.err}
	}
	s := o.solver
	c := s.newCompiler()
	p := &pairer{evolution: o, worker: s.NewWorker(), values: make([][]float64, s.fields)}
	p.input = make([]float64, block*s.n)
	c.blocks[inputKey] = p.input
	for i, value := range o.initial {
		p.values[i] = make([]float64, block*s.n)
		c.compute(value, p.values[i])
	}
	if s.Coefficient != "" {
		p.values[len(o.initial)] = p.input
	}
	p.initial = c.plan
	return p
}

// failed ends every solution with an error.
type failed struct{ err error }

func (f failed) Solve(context.Context, []grid.Batch, grid.Batch, []float64, string) error {
	var place *Error
	if errors.As(f.err, &place) { // also a grid that is too coarse for the equation
		return &fault.Numerical{Where: "equation solver", What: place.Error() + "\n" + place.Caret(), Do: "raise data.grid"}
	}
	return f.err
}

// pairer solves for the output field and implements truth.Worker.
type pairer struct {
	*evolution
	worker  *Worker
	initial *plan       // from input to values
	input   []float64   // a block of a
	values  [][]float64 // blocks of the initial values by field; nil: 0
}

// Steps returns the number of time steps of the last solution, rejected ones included.
func (p *pairer) Steps() int { return p.worker.steps }

// Solve implements truth.Worker.
func (p *pairer) Solve(ctx context.Context, outputs []grid.Batch, a grid.Batch, times []float64, label string) error {
	s, w := p.solver, p.worker
	for l := range block { // the last function in place of missing ones
		v := a.At(min(l, a.Count-1))
		for i := range s.n {
			p.input[block*i+l] = v[i+i/s.side] // the closed grid repeats the first value of a line
		}
	}
	p.initial.toPoints(nil)
	for i, u := range w.u {
		clear(u)
		copy(u, p.values[i])
	}
	w.begin()
	return w.advance(ctx, times, label, func(j int) {
		values := w.onPoints(p.output)
		for l := range a.Count {
			u := outputs[j].At(l)
			for i := range s.n {
				u[i+i/s.side] = values[block*i+l]
			}
			s.domain.Wrap(u)
		}
	})
}
