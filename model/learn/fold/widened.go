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

// mixed are the values of data.symmetry for functions that continue in another way at each end.
var mixed = map[string]grid.Ends{
	config.OddLeft:  {Near: grid.Odd, Far: grid.Even},
	config.OddRight: {Near: grid.Even, Far: grid.Odd},
}

// Word returns the value of data.symmetry for inputs and outputs on an interval that continue across its ends; empty if
// there is none.
func Word(in, out grid.Ends) string {
	isMixed := in.Near != in.Far || out.Near != out.Far
	if !isMixed {
		return wordOf(in.Near, out.Near)
	}
	for word, e := range mixed {
		if in == e && out == e {
			return word
		}
	}
	return ""
}

// Widened is an operator between functions on an interval,
//
//	F(a) = H G(W a),
//
// where W continues functions across the far end with the parity Far to an interval twice as long, on which they have one
// parity at both ends, and G is a folded operator there. H takes the first half of a function.
type Widened struct {
	Dims     int         `json:"dims"`     // 1
	Periodic bool        `json:"periodic"` // false, as that of Folded
	Cells    bool        `json:"cells,omitempty"`
	Far      grid.Parity `json:"far_parity"`
	continued
}

// fitWidened is fit for functions that continue in another way at each end.
func fitWidened(ctx context.Context, m operator.Method, pairs dataset.Pairs, o operator.Options) (operator.Result, error) {
	e := mixed[o.Symmetry]
	for _, side := range []struct {
		batch grid.Batch
		name  string
	}{{pairs.Inputs, "input"}, {pairs.Outputs, "output"}} {
		if err := checkZero(side.batch, side.name, o.Symmetry, heldBy(e)); err != nil {
			return operator.Result{}, err
		}
	}
	wide := dataset.Pairs{
		Inputs:  pairs.Inputs.Widened(e.Far),
		Outputs: pairs.Outputs.Widened(e.Far),
		Groups:  pairs.Groups,
	}
	o.Symmetry = wordOf(e.Near, e.Near)
	if like, ok := operator.Core(o.Like).(*Widened); ok {
		o.Like = like.Operator
	}
	learned, err := fit(ctx, m, wide, o)
	if err != nil || learned.Operator == nil {
		return learned, err
	}
	w := &Widened{
		Dims:      1,
		Cells:     pairs.Inputs.Domain.Cells,
		Far:       e.Far,
		continued: newContinued(learned.Operator, operator.ResidualsOf(learned.Operator).Narrowed(), pairs.Outputs),
	}
	return operator.Result{Operator: w}, nil
}

// Domain returns the interval.
func (w *Widened) Domain() grid.Domain { return grid.Domain{Dims: 1, Cells: w.Cells} }

// Finest returns the points of the interval.
func (w *Widened) Finest() int {
	if w.Cells {
		return w.Operator.Finest() / 2
	}
	return (w.Operator.Finest() + 1) / 2
}

// Of returns the same continuation of another operator.
func (w *Widened) Of(inner operator.Operator) *Widened {
	other := *w
	other.continued = untrained(inner)
	return &other
}

// Predict implements operator.Operator.
func (w *Widened) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	whole, err := w.Operator.Predict(ctx, inputs.Widened(w.Far), workers, progress)
	if err != nil {
		return grid.Batch{}, err
	}
	return whole.Narrowed(), nil
}

// ends returns how functions continue. Those of the folded operator have the parity of the left end.
func (w *Widened) ends() grid.Ends {
	e := grid.Ends{Near: grid.Even, Far: w.Far}
	if w.Far == grid.Even {
		e.Near = grid.Odd
	}
	return e
}

func (w *Widened) String() string {
	e := w.ends()
	of := fmt.Sprint(w.Operator)
	if folded, ok := w.Operator.(*Folded); ok {
		of = fmt.Sprint(folded.Operator)
	}
	return fmt.Sprintf("%s, of functions that are %v at the left end and %v at the right one, on four times the length", of, e.Near, e.Far)
}

// Sizes implements codec.Part.
func (w *Widened) Sizes() (map[string][]int, error) {
	if !w.Far.Exists() {
		return nil, codec.Bad("continues functions with the parity %d, want 1 or -1", w.Far)
	}
	if !grid.Finite(w.Error) || w.Error < 0 {
		return nil, codec.Bad("has the leave-one-out error %g", w.Error)
	}
	near := w.ends().Near
	folded, ok := w.Operator.(*Folded)
	isOther := !ok || w.Dims != 1 || w.Periodic || folded.In != near || folded.Out != near || w.Operator.Domain() != w.Domain()
	if isOther {
		return nil, codec.Bad("continues functions with the parity %v to an operator that is not one of %v functions on an interval",
			w.Far, near)
	}
	if !w.Cells && folded.Finest()%2 == 0 || w.Cells && folded.Finest()%2 == 1 {
		return nil, codec.Bad("continues functions to %d points, which have no half", folded.Finest())
	}
	return nil, nil
}
