// This file checks the values of functions, and leaves out pairs that are useless for training.

package pairs

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// checkEnds compares the right end of periodic functions of one variable with Endpoint. where names the batches.
func (f *Functions) checkEnds(batches []grid.Batch, where []string, numbers []int) error {
	repeating := len(batches) > 0
	for i, b := range batches {
		var data *fault.Data
		lines := slices.Chunk(b.Data, b.Values())
		if f.Endpoint && errors.As(b.CheckPeriodic(where[i], numbers), &data) {
			data.Do = "give periodic functions, whose last value repeats the first; others need a model of functions on an " +
				"interval, which data.boundary = closed trains"
			if meets(lines, gapOfLines) {
				data.Do = "the values look like those of a grid that leaves out the right end: set data.endpoint = excluded"
			}
			return data
		}
		repeating = repeating && repeat(lines, 1)
		if !f.Endpoint && !meets(lines, gapOfLines) && !jumpsAlike(lines) {
			return fault.Bad(
				where[i],
				"functions of one variable must be periodic: subtract the difference of the ends, or continue them smoothly to "+
					"a longer interval",
				"is of functions that are not periodic: from the last point to the first they change far more than between "+
					"neighbours",
			)
		}
	}
	if f.Endpoint || !repeating {
		return nil
	}
	return fault.Bad(
		f.File,
		"set data.endpoint = included",
		"should leave out the right end of its grid, but in nearly all functions the last value that is there repeats the first",
	)
}

// Ends infers from pairs of closed domains whether all axes are periodic, and whether last values repeat the first.
func Ends(p dataset.Pairs) (periodic, repeated bool) {
	periodic = true
	repeated = true
	nearly := true  // nearly all lines repeat
	moving := false // some values differ
	gap := gapOfLines
	bend := 8.0
	if p.Inputs.Domain.Dims == 2 { // many lines: both ratios were 0.8 to 1.2 for periodic fields, one above 2.5 for others
		gap = 2
		bend = 2
	}
	for _, b := range []grid.Batch{p.Inputs, p.Outputs} {
		for c := range b.Domain.Width() {
			lengths := b.Domain.One().Shape(b.Points)
			s := sample{
				shape: append([]int{b.Count}, lengths...),
				data:  b.Channel(c).Data,
			}
			isOther := func(v float64) bool { return v != s.data[0] }
			constant := !slices.ContainsFunc(s.data, isOther)
			moving = moving || !constant
			for axis := 1; axis <= b.Domain.Dims; axis++ {
				points := s.shape[axis]
				lines := s.lines(axis, len(s.data))
				if closes(lines) {
					points--
				} else {
					repeated = false
				}
				smooth := meets(lines, gap) && !kinked(lines, points, bend)
				periodic = periodic && (smooth || jumpsAlike(lines))
				nearly = nearly && (constant || repeat(lines, 0))
			}
		}
	}
	if moving && nearly && !repeated { // lines that close but for a few
		return false, false
	}
	return periodic, repeated
}

// endTolerance is the largest difference of equal ends, relative to the largest value: of single precision.
const endTolerance = 1e-6

// closes reports whether the last value of every function repeats the first.
func closes(functions iter.Seq[[]float64]) bool {
	for f := range functions {
		difference := math.Abs(f[len(f)-1] - f[0])
		largest := grid.LargestModulus(f)
		if difference > endTolerance*largest {
			return false
		}
	}
	return true
}

// repeat reports whether the last value of nearly all functions repeats the first, among those that are not flat there:
// two neighbouring values may agree by chance. It ignores some values at the end of each.
func repeat(functions iter.Seq[[]float64], ignored int) bool {
	const nearly = 0.95
	moving := 0.0    // functions that are not flat at their ends
	repeating := 0.0 // those of them that repeat
	for f := range functions {
		last := len(f) - 1 - ignored
		tolerance := endTolerance * grid.LargestModulus(f)
		same := func(i, j int) bool { return math.Abs(f[i]-f[j]) <= tolerance }
		if last < 1 || same(0, 1) || same(last-1, last) {
			continue
		}
		moving++
		if same(0, last) {
			repeating++
		}
	}
	return moving > 0 && repeating >= nearly*moving
}

const gapOfLines = 4.0 // the factor of meets for functions of one variable, which may be few

// meets reports whether the last value of functions differs from the first at most a factor more than neighbours do, as
// on a grid without the right end: about 1 for periodic ones. If it repeats the first, the value before is compared.
func meets(functions iter.Seq[[]float64], factor float64) bool {
	gap := 0.0  // sums of squares
	step := 0.0 // mean of both ends
	for f := range functions {
		if f[len(f)-1] == f[0] && len(f) > 3 {
			f = f[:len(f)-1]
		}
		end := len(f) - 1
		first := f[1] - f[0]
		last := f[end] - f[end-1]
		between := f[0] - f[end]
		gap += between * between
		step += (first*first + last*last) / 2
	}
	return gap <= factor*factor*step
}

// jumpsAlike reports whether functions are constant but for jumps, as square waves are, and jump from the last value to
// the first about as often as between neighbours: rarely just at their ends.
func jumpsAlike(functions iter.Seq[[]float64]) bool {
	const few = 4 // times as often: about once for many functions
	gap := 0.0    // sum of squares at the ends
	step := 0.0   // sum of mean squares between neighbours
	steps := 0
	constant := 0 // steps without a change
	for f := range functions {
		between := f[0] - f[len(f)-1]
		gap += between * between
		for i := 1; i < len(f); i++ {
			d := f[i] - f[i-1]
			step += d * d / float64(len(f)-1)
			steps++
			if d == 0 {
				constant++
			}
		}
	}
	return 2*constant > steps && gap <= few*step
}

// kinked reports whether the three steps at the ends of functions, continued periodically, differ from the mean of
// their neighbours by a factor more than other steps do: 1 for periodic functions, for smooth ones on intervals 10 with
// 16 points and 500 with 64.
func kinked(functions iter.Seq[[]float64], points int, factor float64) bool {
	const least = 8
	ends := 0.0    // sums of mean squares
	between := 0.0 // the same for the other steps
	for f := range functions {
		step := func(k int) float64 { // from point k to the next
			return f[(k+1)%points] - f[k%points]
		}
		for k := 1; k <= points; k++ { // the step k-th from the first
			neighbours := (step(k-1) + step(k+1)) / 2
			bend := step(k) - neighbours
			if k >= points-2 {
				ends += bend * bend / 3
			} else {
				between += bend * bend / float64(points-3)
			}
		}
	}
	return points >= least && ends > factor*factor*between
}

// Unusable is the error of a pair that Source.Skip can leave out.
type Unusable struct{ error }

func (u *Unusable) Unwrap() error { return u.error }

// LeaveOut reads all pairs and leaves out those with values that are not finite, and those whose output is zero, whose
// relative error does not exist. It returns the errors of reading them, and that of a number that seems to stand for
// missing values, unless Missing says which does.
func (f *Functions) LeaveOut() error {
	seen := sights{
		infinite: make([]bool, f.Count),
		moving:   make([]bool, f.Count),
	}
	for _, p := range f.all {
		if err := f.look(p, seen); err != nil {
			return err
		}
	}
	f.keepUsable(seen)
	return nil
}

// sights are what was seen of each pair.
type sights struct {
	infinite []bool // has a value that is not finite
	moving   []bool // has an output that is not zero
}

// look adds what there is to see in an array. The error is that of reading, or of a number for missing values.
func (f *Functions) look(p array, seen sights) error {
	mask := make([]bool, p.cells())
	if f.Mask {
		var err error
		mask, err = f.mask(p)
		if err != nil {
			return err
		}
	}
	values := newSpread()
	cells := len(mask) // a position is that of a cell, in mask, among those of all functions
	hasSides := p.axis('s') >= 0
	axes := p.cellAxes(func(function int) int { return function * cells })
	err := p.Scan(axes, func(at []int, some []float64) bool {
		for j, v := range some {
			pair := at[j] / cells
			cell := at[j] % cells
			if !isFinite(v) {
				if !mask[cell] {
					seen.infinite[pair] = true
				}
				continue
			}
			values.observe(v)
			isOutput := p.output || hasSides && cell >= cells/2
			if isOutput && v != 0 {
				seen.moving[pair] = true
			}
		}
		return true
	})
	if err != nil || f.Missing != "" {
		return err
	}
	return values.refusal(f.File, p)
}

// keepUsable leaves out the pairs that cannot be used, and says so in Skipped.
func (f *Functions) keepUsable(seen sights) {
	first := 0 // of the pairs that are left out
	countInfinite := 0
	countZero := 0
	f.usable = []int{}
	for i := range f.Count {
		switch {
		case seen.infinite[i]:
			countInfinite++
		case !seen.moving[i] && !f.outputsAreNumbers():
			countZero++
		default:
			f.usable = append(f.usable, i)
			if first == i {
				first++
			}
		}
	}
	var kinds []string
	if countInfinite > 0 {
		kinds = append(kinds, fmt.Sprintf("%d with values that are not finite", countInfinite))
	}
	if countZero > 0 {
		kinds = append(kinds, fmt.Sprintf("%d with outputs that are zero", countZero))
	}
	if kinds != nil {
		f.Skipped = fmt.Sprintf("%d of %d pairs left out (data.skip): %s; the first is pair %d, counted from 0",
			countInfinite+countZero, f.Count, strings.Join(kinds, ", "), first)
	}
	f.Count = len(f.usable)
}

// outputsAreNumbers reports whether outputs are numbers, of which zero is one as others are.
func (f *Functions) outputsAreNumbers() bool {
	isFunction := func(p array) bool {
		hasOutputs := p.output || p.axis('s') >= 0
		return hasOutputs && strings.ContainsAny(p.axes, "xypq")
	}
	return !slices.ContainsFunc(f.all, isFunction)
}

// Numbers returns the numbers in the file of pairs that are counted without those that are left out.
func (f *Functions) Numbers(rows []int) []int {
	if f.usable == nil {
		return rows
	}
	numbers := slices.Clone(rows)
	for i, row := range rows {
		numbers[i] = f.usable[row]
	}
	return numbers
}
