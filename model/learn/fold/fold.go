// Package fold learns operators between functions on domains with sides by methods for periodic ones, equation (M17) of
// docs/methods.md. Functions that vanish at the sides continue to odd functions on a torus twice as long, those without a
// slope there to even ones. If a law commutes with these reflections, its continuation commutes with all translations of
// the torus, which equivariant methods know from the first pair on.
//
// The file fold.go has the operator and its fit, widened.go those of functions that continue in another way at each end of an
// interval. The file sides.go tells from pairs how their functions continue.
package fold

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/trained/codec"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// parities are those of inputs and outputs.
type parities struct {
	in  grid.Parity
	out grid.Parity
}

// words are the values of data.symmetry for the parities.
var words = map[string]parities{
	config.EvenFold:  {in: grid.Even, out: grid.Even},
	config.OddFold:   {in: grid.Odd, out: grid.Odd},
	config.EvenToOdd: {in: grid.Even, out: grid.Odd},
	config.OddToEven: {in: grid.Odd, out: grid.Even},
}

// wordOf returns the value of data.symmetry for the parities of inputs and outputs; empty if one of them is none.
func wordOf(in, out grid.Parity) string {
	for word, p := range words {
		if p.in == in && p.out == out {
			return word
		}
	}
	return ""
}

// AtEnds tells what inputs and outputs are at the ends of an interval by a value of data.symmetry, and on what they are learned.
func AtEnds(word string) string {
	are := map[grid.Parity]string{grid.Even: "have no slope", grid.Odd: "are 0"}
	if e, ok := mixed[word]; ok {
		return fmt.Sprintf("inputs and outputs %s at the left end and %s at the right one: kernels for periodic functions are tried "+
			"on four times the interval", are[e.Near], are[e.Far])
	}
	p := words[word]
	return fmt.Sprintf("inputs %s and outputs %s at both ends: kernels for periodic functions are tried on twice the interval",
		are[p.in], are[p.out])
}

// Folded is an operator between functions on a domain with sides,
//
//	F(a) = H G(D a),
//
// where D continues inputs to the torus twice as long with the parity In, G is the Operator, learned from outputs that
// continue with the parity Out, and H takes the part of a function that lies between the sides.
type Folded struct {
	Dims     int         `json:"dims"`     // 1 or 2
	Periodic bool        `json:"periodic"` // false: for programs that read the domain of any part
	Cells    bool        `json:"cells,omitempty"`
	Aspect   []int       `json:"aspect,omitempty"` // as in codec.Grid
	In       grid.Parity `json:"input_parity"`     // 1: even, -1: odd
	Out      grid.Parity `json:"output_parity"`
	continued
}

// continued is an operator on a larger domain, to which functions are continued, with its errors on the domain of these.
type continued struct {
	operator.Operator `json:"of"`
	Error             float64    `json:"leave_one_out"`
	Left              grid.Batch // leave-one-out residuals of the training outputs; none if it was read from a file
}

// newContinued returns an operator that was learned, with its leave-one-out residuals of some outputs.
func newContinued(o operator.Operator, left, outputs grid.Batch) continued {
	return continued{
		Operator: o,
		Left:     left,
		Error:    operator.MeanRelative(left, operator.Norms(outputs)),
	}
}

// untrained returns an operator whose residuals on the domain of the functions are not known.
func untrained(o operator.Operator) continued {
	return continued{Operator: o, Error: o.LeaveOneOut()}
}

// LeaveOneOut implements operator.Operator.
func (c continued) LeaveOneOut() float64 { return c.Error }

// Residuals returns the leave-one-out residuals on the domain of the functions.
func (c continued) Residuals() grid.Batch { return c.Left }

// Of returns a method for periodic functions that learns functions between sides, too, if data.symmetry tells how they
// continue.
func Of(m operator.Method) operator.Method {
	folding := m
	folding.Folds = true
	folding.Accepts = func(in, out grid.Domain, symmetry string) bool {
		if !folds(in, symmetry) {
			return m.Accepts(in, out, symmetry)
		}
		if config.Quarters(symmetry) && in.Dims > 1 {
			return false
		}
		return m.Accepts(in.Doubled(), out.Doubled(), config.AutoSymmetry)
	}
	folding.Bytes = func(pairs dataset.Pairs, o operator.Options) float64 {
		if folds(pairs.Inputs.Domain, o.Symmetry) {
			pairs.Inputs = shape(pairs.Inputs, o.Symmetry)
			pairs.Outputs = shape(pairs.Outputs, o.Symmetry)
		}
		return m.Bytes(pairs, o)
	}
	folding.Fit = func(ctx context.Context, pairs dataset.Pairs, o operator.Options) (operator.Result, error) {
		if !folds(pairs.Inputs.Domain, o.Symmetry) {
			return m.Fit(ctx, pairs, o)
		}
		if config.Quarters(o.Symmetry) {
			return fitWidened(ctx, m, pairs, o)
		}
		return fit(ctx, m, pairs, o)
	}
	return folding
}

// folds reports whether functions on a domain continue to a torus.
func folds(d grid.Domain, symmetry string) bool {
	return config.Folds(symmetry) && !d.Periodic && !d.Scattered()
}

// shape returns functions on the torus without their values.
func shape(b grid.Batch, symmetry string) grid.Batch {
	points := b.Points
	if config.Quarters(symmetry) {
		points = b.Domain.WidenedPoints(points)
	}
	return grid.Batch{
		Domain: b.Domain.Doubled(),
		Points: b.Domain.DoubledPoints(points),
		Count:  b.Count,
	}
}

// fit learns by a method from pairs that continue to the torus. The search of the method finds motions with which the law
// commutes besides. Errors: those of Method.Train.
func fit(ctx context.Context, m operator.Method, pairs dataset.Pairs, o operator.Options) (operator.Result, error) {
	p := words[o.Symmetry]
	if err := checkSides(pairs, p, o.Symmetry); err != nil {
		return operator.Result{}, err
	}
	o.Symmetry = config.AutoSymmetry
	o.Mirrored = p.in
	if like, ok := operator.Core(o.Like).(*Folded); ok {
		o.Like = like.Operator
	}
	whole := dataset.Pairs{
		Inputs:  pairs.Inputs.Doubled(p.in),
		Outputs: pairs.Outputs.Doubled(p.out),
		Groups:  pairs.Groups,
	}
	learned, err := m.Fit(ctx, whole, o)
	if err != nil || learned.Operator == nil {
		return learned, err
	}
	domain := pairs.Inputs.Domain
	f := &Folded{
		Dims:      domain.Dims,
		Cells:     domain.Cells,
		In:        p.in,
		Out:       p.out,
		continued: newContinued(learned.Operator, operator.ResidualsOf(learned.Operator).Halved(domain), pairs.Outputs),
	}
	if domain.Aspect != (grid.Aspect{}) {
		f.Aspect = []int{domain.Aspect.First, domain.Aspect.Second}
	}
	return operator.Result{Operator: f}, nil
}

// Domain returns the domain with sides.
func (f *Folded) Domain() grid.Domain {
	d := grid.Domain{Dims: f.Dims, Cells: f.Cells}
	if len(f.Aspect) == 2 {
		d.Aspect = grid.AspectOf(f.Aspect[0], f.Aspect[1])
	}
	return d
}

// Finest returns the points along the first axis between the sides.
func (f *Folded) Finest() int {
	intervals := (f.Operator.Finest() - 1) / 2
	if f.Cells {
		return intervals
	}
	return intervals + 1
}

// Of returns the same continuation of another operator on the torus.
func (f *Folded) Of(inner operator.Operator) *Folded {
	other := *f
	other.continued = untrained(inner)
	return &other
}

// Predict implements operator.Operator. Inputs and outputs on other grids are interpolated on the torus.
func (f *Folded) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	whole, err := f.Operator.Predict(ctx, inputs.Doubled(f.In), workers, progress)
	if err != nil {
		return grid.Batch{}, err
	}
	return whole.Halved(f.Domain()), nil
}

func (f *Folded) String() string {
	continued := fmt.Sprintf("%s functions", f.In)
	if f.In != f.Out {
		continued = fmt.Sprintf("%s inputs and %s outputs", f.In, f.Out)
	}
	return fmt.Sprintf("%v, of %s on twice the length", f.Operator, continued)
}

// Sizes implements codec.Part.
func (f *Folded) Sizes() (map[string][]int, error) {
	if !f.In.Exists() || !f.Out.Exists() {
		return nil, codec.Bad("continues functions with the parities %d and %d, want 1 or -1", f.In, f.Out)
	}
	if !grid.Finite(f.Error) || f.Error < 0 {
		return nil, codec.Bad("has the leave-one-out error %g", f.Error)
	}
	own := codec.Grid{Dims: f.Dims, Cells: f.Cells, Aspect: f.Aspect, Points: f.Finest()}
	domain, err := own.Domain()
	if err != nil {
		return nil, err
	}
	whole := f.Operator.Domain()
	in, out := f.Channels()
	isOther := f.Periodic || whole != domain.Doubled() || f.Operator.Finest()%2 == 0
	if isOther || in*out > 1 {
		return nil, codec.Bad("continues %s to %s, want functions of one channel on a torus twice as long", domain.Name(),
			whole.Name())
	}
	return nil, nil
}
