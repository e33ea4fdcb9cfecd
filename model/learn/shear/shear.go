// Package shear transforms functions with steep fronts into functions without, and back. A front of an output moves
// with the input, so that differences of outputs are as large as the outputs, and averages of outputs smear the front.
// Moved along the axis by an amount that depends on its value,
//
//	(x, u) -> (y, u),  y = x - g(u),
//
// the graph of u becomes the graph of another function as long as y increases with x. The displacement X(y) - y = g(u),
// where X is the inverse of y(x), has the slope g'u_x / (1 - g'u_x), which is above -1: a falling front, however steep,
// becomes a piece of slope -1, on which X is constant. The transform commutes with translations, and preserves areas
// between graphs: the L1 distance of g(u) and g(v) equals that of their displacements. Outputs between two plateaus use
// the logit instead, in which a front is a ramp. To our knowledge neither has been used in operator learning before.
//
// The file shear.go has the transforms, sheared.go the method.
package shear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/stat"

	"rfm/solver/space/grid"
)

// Transform is a transform of functions of one channel. The zero Transform changes nothing.
type Transform struct {
	// Levels and Shifts define g of a shear: it is linear between the levels, has the values Shifts there, and is
	// extrapolated linearly. Both are strictly monotone. Shears are for periodic functions of one variable.
	Levels []float64 `json:"levels,omitempty"`
	Shifts []float64 `json:"shifts,omitempty"`
	// Least and Most bound the values of a logit, log(z/(1-z)) of z = Margin + (1 - 2 Margin) (u-Least)/(Most-Least).
	Least  float64 `json:"least,omitempty"`
	Most   float64 `json:"most,omitempty"`
	Margin float64 `json:"margin,omitempty"`
}

// None reports whether the transform changes nothing.
func (t Transform) None() bool { return t.Levels == nil && t.Margin == 0 }

// Valid reports whether the transform has an inverse.
func (t Transform) Valid() bool {
	if t.Levels != nil {
		if len(t.Levels) < 2 || len(t.Levels) != len(t.Shifts) {
			return false
		}
		return monotone(t.Levels) && monotone(t.Shifts)
	}
	if t.Margin == 0 {
		return true
	}
	inside := t.Margin > 0 && t.Margin < 0.5
	wide := t.Most > t.Least && grid.Finite(t.Most-t.Least)
	return inside && wide
}

// monotone reports whether finite values, at least two, increase or decrease strictly.
func monotone(values []float64) bool {
	increasing := values[1] > values[0]
	for i, v := range values[1:] {
		before := values[i]
		if v == before || (v > before) != increasing {
			return false
		}
	}
	return grid.Finite(values...)
}

// Serves reports whether the same transform serves u(-x), or, if odd, -u(-x).
func (t Transform) Serves(odd bool) bool {
	if t.None() {
		return true
	}
	if odd { // a shear by a multiple of the value alone
		return len(t.Levels) == 2 && line(t.Levels, t.Shifts, 0) == 0
	}
	return t.Levels == nil
}

// String describes the transform.
func (t Transform) String() string {
	switch {
	case t.Margin > 0:
		return "as logits"
	case len(t.Levels) > 2:
		return "sheared by level"
	}
	return "sheared"
}

// Forward returns the transformed functions.
func (t Transform) Forward(b grid.Batch) grid.Batch {
	if t.Levels == nil {
		return t.each(b, t.toLogits)
	}
	return t.each(b, t.toDisplacements)
}

// toLogits sets dst to the logits of values; those beyond the bounds have the logit of a bound.
func (t Transform) toLogits(dst, u []float64) {
	for i, v := range u {
		share := (v - t.Least) / (t.Most - t.Least)
		share = min(1, max(0, share))
		z := t.Margin + (1-2*t.Margin)*share
		dst[i] = math.Log(z / (1 - z))
	}
}

// toDisplacements sets dst to the displacements X(y) - y of a function.
func (t Transform) toDisplacements(dst, u []float64) {
	n := len(u) - 1
	for i, v := range u[:n] {
		x := float64(i) / float64(n)
		dst[i] = x - line(t.Levels, t.Shifts, v)
	}
	invert(dst[:n])
	for j := range n {
		y := float64(j) / float64(n)
		dst[j] -= y
	}
}

// Back returns the inverse of Forward. It accepts any function: positions that do not increase are sorted, which
// projects them on those that do.
func (t Transform) Back(b grid.Batch) grid.Batch {
	if t.Levels == nil {
		return t.each(b, t.fromLogits)
	}
	return t.each(b, t.fromDisplacements)
}

// fromLogits inverts toLogits.
func (t Transform) fromLogits(dst, logits []float64) {
	for i, v := range logits {
		z := 1 / (1 + math.Exp(-v))
		share := (z - t.Margin) / (1 - 2*t.Margin)
		share = min(1, max(0, share))
		dst[i] = t.Least + (t.Most-t.Least)*share
	}
}

// fromDisplacements inverts toDisplacements.
func (t Transform) fromDisplacements(dst, displacements []float64) {
	n := len(displacements) - 1
	for j, d := range displacements[:n] {
		y := float64(j) / float64(n)
		dst[j] = y + d
	}
	invert(dst[:n])
	for i := range n {
		x := float64(i) / float64(n)
		dst[i] = line(t.Shifts, t.Levels, x-dst[i])
	}
}

// each applies a transform of one function to all functions.
func (t Transform) each(b grid.Batch, transform func(dst, u []float64)) grid.Batch {
	if t.None() {
		return b
	}
	changed := b.Like(b.Count)
	for i := range b.Count {
		dst := changed.At(i)
		transform(dst, b.At(i))
		b.Domain.Wrap(dst)
	}
	return changed
}

// line returns the value at a point of the function that is linear between strictly monotone places, has the values
// there, and is extrapolated linearly.
func line(places, values []float64, at float64) float64 {
	increasing := places[1] > places[0]
	i := 1
	for i < len(places)-1 && (places[i] < at) == increasing {
		i++
	}
	rise := values[i] - values[i-1]
	run := places[i] - places[i-1]
	return values[i-1] + (at-places[i-1])*rise/run
}

// invert replaces y by X(j/n), j = 0 ... n-1, where y(X) is the increasing function with y(x+1) = y(x)+1 that has the
// values y, sorted, at the points i/n. Between points X is a monotone cubic (Fritsch & Butland 1984).
func invert(y []float64) {
	const (
		beyond = 4     // nodes on either side, more than the end of the cubic needs
		apart  = 1e-11 // of nodes, which must not coincide
	)
	n := len(y)
	whole := 0.0
	for i, v := range y {
		floor := math.Floor(v)
		y[i] = v - floor
		whole += floor
	}
	slices.Sort(y)
	places := make([]float64, n+2*beyond)
	values := make([]float64, n+2*beyond)
	for k := range places {
		i := k - beyond
		period := math.Floor(float64(i) / float64(n))
		inPeriod := i - int(period)*n
		places[k] = y[inPeriod] + period + apart*float64(k)
		values[k] = (float64(i) - whole) / float64(n)
	}
	var x interp.FritschButland
	err := x.Fit(places, values)
	if err != nil {
		panic("shear: " + err.Error()) // lengths agree
	}
	for j := range n {
		y[j] = x.Predict(float64(j) / float64(n))
	}
}

// shears are parts of the largest slope that keeps y increasing, between one or several levels, where the given part
// of the slopes is ignored.
var shears = [...]struct {
	part    float64
	ignored float64
	levels  int
}{
	{part: 0.4, levels: 1},
	{part: 0.6, levels: 1},
	{part: 0.8, levels: 1},
	{part: 0.95, levels: 1},
	{part: 0.8, ignored: 1e-3, levels: 12},
}

// margins are those of the logits.
var margins = [...]float64{0.1, 0.02, 0.003}

// candidates lists transforms that fit training outputs, periodic functions of one variable and channel: shears with
// slopes of the steepest fronts, and logits.
func candidates(outputs grid.Batch) (all []Transform) {
	edges := edgesOf(outputs)
	for _, c := range shears {
		sheared := shear(edges, c.part, c.ignored, c.levels)
		all = append(all, sheared)
	}
	logits := Transform{
		Least: slices.Min(outputs.Data),
		Most:  slices.Max(outputs.Data),
	}
	for _, margin := range margins {
		logits.Margin = margin
		all = append(all, logits)
	}
	invalid := func(t Transform) bool { return !t.Valid() }
	return slices.DeleteFunc(all, invalid)
}

// edge is the slope between two neighbouring points of a function, and the lower and the upper value there.
type edge struct {
	slope float64
	low   float64
	high  float64
}

func edgesOf(b grid.Batch) (all []edge) {
	for i := range b.Count {
		u := b.At(i)
		intervals := float64(len(u) - 1)
		for j, v := range u[1:] {
			before := u[j]
			all = append(all, edge{
				slope: (v - before) * intervals,
				low:   min(v, before),
				high:  max(v, before),
			})
		}
	}
	return all
}

// steepest returns the slope of the steepest g for which x - g(u) increases: g levels the steeper of the rising and the
// falling fronts, and is bounded by the others. It ignores a part of the slopes between two levels on either side.
func steepest(edges []edge, low, high, part float64) float64 {
	flat := 0.0          // replaces the slopes of functions that do not rise, or do not fall
	var slopes []float64 // between the levels
	for _, e := range edges {
		flat = max(flat, 1e-4*math.Abs(e.slope))
		if e.low <= high && e.high >= low {
			slopes = append(slopes, e.slope)
		}
	}
	if len(slopes) == 0 {
		return math.NaN()
	}
	slices.Sort(slopes)
	rising := max(quantile(slopes, 1-part), flat)
	falling := min(quantile(slopes, part), -flat)
	if -falling > rising {
		return 1 / rising
	}
	return 1 / falling
}

// quantile returns a quantile of sorted values.
func quantile(sorted []float64, share float64) float64 {
	return stat.Quantile(share, stat.LinInterp, sorted, nil)
}

// shear returns the shear with part of that slope between neighbouring levels. It is not valid if steepest fronts rise
// at some levels and fall at others, or if outputs have plateaus.
func shear(edges []edge, part, ignored float64, levels int) (t Transform) {
	var middle []float64
	for _, e := range edges {
		middle = append(middle, (e.low+e.high)/2)
	}
	slices.Sort(middle)
	t.Shifts = make([]float64, levels+1)
	for i := range levels + 1 {
		share := float64(i) / float64(levels)
		t.Levels = append(t.Levels, quantile(middle, share))
	}
	for i := range levels {
		low := t.Levels[i]
		high := t.Levels[i+1]
		slope := part * steepest(edges, low, high, ignored)
		t.Shifts[i+1] = t.Shifts[i] + slope*(high-low)
	}
	if t.Valid() {
		floats.AddConst(-line(t.Levels, t.Shifts, 0), t.Shifts)
	}
	return t
}
