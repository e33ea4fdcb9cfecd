// This file tells from the values near the sides how functions continue across them.

package fold

import (
	"fmt"
	"math"

	"rfm/model/learn/operator"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// limits are the largest values at sides that count as 0, relative to the root mean square of all values.
type limits struct {
	seen  float64 // on average, where parities are sought
	asked float64 // at any side, where odd functions are asked for
}

var (
	atPoints = limits{seen: 1e-9, asked: 1e-3}
	atCells  = limits{seen: 0.02, asked: 1} // larger, because values are extrapolated from the centres of cells
)

// limitsOf returns the limits for functions on a domain.
func limitsOf(d grid.Domain) limits {
	if d.Cells {
		return atCells
	}
	return atPoints
}

// zeroSlope is the largest average slope at sides that counts as 0, relative to the differences between neighbours. It is far
// above rounding errors because slopes of parabolas have errors of second order.
const zeroSlope = 0.05

// size returns the root mean square of all values.
func size(b grid.Batch) float64 {
	mean, deviation := operator.Moments(b)
	return math.Hypot(mean, deviation)
}

// heldEnds are the ends of an axis at which odd functions are 0.
type heldEnds struct{ near, far bool }

// bothEnds are those of functions with one parity.
var bothEnds = heldEnds{near: true, far: true}

// heldBy returns the ends across which functions continue as odd ones.
func heldBy(e grid.Ends) heldEnds {
	return heldEnds{
		near: e.Near == grid.Odd,
		far:  e.Far == grid.Odd,
	}
}

// Seen returns the value of data.symmetry that some pairs agree with: inputs and outputs that are 0 at all sides are odd,
// those whose slopes are 0 there are even; on an interval also those that are 0 at one end and have no slope at the other. It is
// empty if they are none of these, or have several channels.
func Seen(pairs dataset.Pairs) string {
	in := pairs.Inputs.Domain
	single := in.Width() == 1 && pairs.Outputs.Domain.Width() == 1
	if in.Periodic || in.Scattered() || !single || pairs.Count() == 0 {
		return ""
	}
	word := wordOf(parityOf(pairs.Inputs, bothEnds), parityOf(pairs.Outputs, bothEnds))
	if word != "" || in.Dims > 1 {
		return word
	}
	return Word(endsOf(pairs.Inputs), endsOf(pairs.Outputs))
}

// endsOf returns the parities of functions on an interval at each end.
func endsOf(b grid.Batch) grid.Ends {
	return grid.Ends{
		Near: parityOf(b, heldEnds{near: true}),
		Far:  parityOf(b, heldEnds{far: true}),
	}
}

// parityOf returns the parity of functions by their values and slopes at some ends of each axis, 0 if they have none.
func parityOf(b grid.Batch, at heldEnds) grid.Parity {
	var values, slopes, steps mean
	for i := range b.Count {
		for _, l := range linesOf(b, i) {
			for _, end := range l.endsAt(at) {
				values.add(end.value(b.Domain.Cells))
				slopes.add(end.slope(b.Domain.Cells))
			}
			for x := 1; x < l.count; x++ {
				steps.add(l.at(x) - l.at(x-1))
			}
		}
	}
	if values.root() <= limitsOf(b.Domain).seen*size(b) {
		return grid.Odd
	}
	if slopes.root() <= zeroSlope*steps.root() {
		return grid.Even
	}
	return 0
}

// mean is the mean of squares.
type mean struct {
	sum   float64
	count float64
}

func (m *mean) add(v float64) {
	m.sum += v * v
	m.count++
}

func (m *mean) root() float64 { return math.Sqrt(m.sum / m.count) }

// line is a function along an axis.
type line struct {
	values []float64
	stride int
	count  int
}

func (l line) at(x int) float64 { return l.values[x*l.stride] }

// end holds the three values that are next to a side, the nearest first.
type end [3]float64

// endsAt returns some ends of the line.
func (l line) endsAt(at heldEnds) (all []end) {
	last := l.count - 1
	if at.near {
		all = append(all, end{l.at(0), l.at(1), l.at(2)})
	}
	if at.far {
		all = append(all, end{l.at(last), l.at(last - 1), l.at(last - 2)})
	}
	return all
}

// value returns the value at the side: the nearest one, or of cells that of a parabola.
func (e end) value(cells bool) float64 {
	if !cells {
		return e[0]
	}
	return (15*e[0] - 10*e[1] + 3*e[2]) / 8
}

// slope returns the slope at the side of a parabola, over an interval of the grid.
func (e end) slope(cells bool) float64 {
	if cells {
		return -2*e[0] + 3*e[1] - e[2]
	}
	return (-3*e[0] + 4*e[1] - e[2]) / 2
}

// linesOf returns the lines of function i along all axes.
func linesOf(b grid.Batch, i int) (all []line) {
	rows, columns := b.Domain.Axes(b.Points)
	f := b.At(i)
	for y := range rows {
		all = append(all, line{values: f[y*columns:], stride: 1, count: columns})
	}
	if b.Domain.Dims == 1 {
		return all
	}
	for x := range columns {
		all = append(all, line{values: f[x:], stride: columns, count: rows})
	}
	return all
}

// checkSides returns a *fault.Data if functions that shall continue as odd ones are not 0 at the sides.
func checkSides(pairs dataset.Pairs, p parities, symmetry string) error {
	if p.in == grid.Odd {
		if err := checkZero(pairs.Inputs, "input", symmetry, bothEnds); err != nil {
			return err
		}
	}
	if p.out == grid.Odd {
		return checkZero(pairs.Outputs, "output", symmetry, bothEnds)
	}
	return nil
}

// checkZero returns a *fault.Data if a function is not 0 at an end at which odd ones are held.
func checkZero(b grid.Batch, name, symmetry string, at heldEnds) error {
	i, value, found := notZero(b, at)
	if !found {
		return nil
	}
	const wrong = "%s %d has the value %.3g at a side, and data.symmetry = %s wants 0 there, where odd functions change " +
		"their sign"
	return &fault.Data{
		Where: "training pairs",
		What:  fmt.Sprintf(wrong, name, i, value, symmetry),
		Do:    "set data.symmetry = none and train.method = best",
	}
}

// CheckInputs returns a *fault.Data about the file at where if inputs of an operator are not 0 at a side, although it
// continues them to odd functions: it would predict as if they were.
func CheckInputs(o operator.Operator, inputs grid.Batch, where string) error {
	var at heldEnds
	switch f := operator.Core(o).(type) {
	case *Folded:
		if f.In == grid.Odd {
			at = bothEnds
		}
	case *Widened:
		at = heldBy(f.ends())
	}
	i, value, found := notZero(inputs, at)
	if !found {
		return nil
	}
	const wrong = "function %d has the value %.3g at a side, want 0 as in all training inputs, because the model continues " +
		"functions across the sides with their sign changed"
	return fault.Bad(where, "train a model with data.symmetry=none for such inputs", wrong, i, value)
}

// notZero returns the first function that is not 0 at some ends of its axes, and its value there.
func notZero(b grid.Batch, at heldEnds) (function int, value float64, found bool) {
	limit := limitsOf(b.Domain).asked * size(b)
	for i := range b.Count {
		for _, l := range linesOf(b, i) {
			for _, end := range l.endsAt(at) {
				value := end.value(b.Domain.Cells)
				if math.Abs(value) > limit {
					return i, value, true
				}
			}
		}
	}
	return 0, 0, false
}
