// This file checks that the values of functions are what the program computes with.

package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"rfm/solver/fault"
	"rfm/solver/grid"
)

// checkOutputs refuses functions that are zero, by their numbers in a file. The error is a *fault.Data.
func checkOutputs(source Source, outputs grid.Batch, numbers []int) error {
	for i := range outputs.Count {
		if !slices.ContainsFunc(outputs.At(i), func(v float64) bool { return v != 0 }) {
			return &Unusable{&fault.Data{Where: source.File + ", output",
				What: fmt.Sprintf("function %d is zero, so it has no relative error", numbers[i]),
				Do:   "leave such pairs out with data.skip = " + string(source.Skip.and(SkipZero))}}
		}
	}
	return nil
}

// repairable says of a value of pairs that is not finite what to do about it.
func (f *found) repairable(err error) error {
	var data *fault.Data
	if errors.As(err, &data) && f.form.pair {
		data.Do = "repair this function, or leave such pairs out with data.skip = " + string(f.source.Skip.and(SkipNonFinite))
		return &Unusable{err}
	}
	return err
}

// checkEnds compares what the values say about the right end of the grid with what the source says.
func checkEnds(source Source, batches []grid.Batch, labels []string, rows []int) error {
	if !source.Endpoint {
		repeating := true
		for i, b := range batches {
			var ends ends
			for f := range b.Count {
				ends.add(b.At(f)[:b.Values()-1])
			}
			repeating = repeating && ends.repeat()
			if !meets(b) {
				return &fault.Data{Where: source.File + ", " + labels[i],
					What: "is of functions that are not periodic: from the last point to the first they change far more than " +
						"between neighbours",
					Do: "functions of one variable must be periodic: subtract what makes the ends differ, or continue them " +
						"smoothly to a longer interval"}
			}
		}
		if !repeating {
			return nil
		}
		return &fault.Data{Where: source.File,
			What: "is said to leave out the right end of its grid, but in nearly all functions the last value that is there " +
				"repeats the first",
			Do: "set data.endpoint = included"}
	}
	for i, b := range batches {
		err := b.CheckPeriodic(source.File+", "+labels[i], rows)
		var data *fault.Data
		if errors.As(err, &data) {
			data.Do = "functions of one variable must be periodic, and the last point must repeat the first: these are not, " +
				"nor would they be with another point"
			if meets(b) {
				data.Do = "the values look like those of a grid that leaves out the right end: set data.endpoint = excluded"
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ends counts functions whose last value repeats the first, among those that are not flat there: two values next to
// each other that happen to agree are no sign.
type ends struct{ moving, repeating int }

func (e *ends) add(f []float64) {
	const tolerance = 1e-6 // of single precision, as for CheckPeriodic
	last := len(f) - 1
	scale := 0.0
	for _, v := range f {
		scale = math.Max(scale, math.Abs(v))
	}
	same := func(u, v float64) bool { return math.Abs(u-v) <= tolerance*scale }
	if last < 1 || same(f[0], f[1]) || same(f[last-1], f[last]) {
		return
	}
	e.moving++
	if same(f[0], f[last]) {
		e.repeating++
	}
}

// repeat reports whether nearly all do.
func (e *ends) repeat() bool {
	const nearly = 0.95
	return e.moving > 0 && float64(e.repeating) >= nearly*float64(e.moving)
}

// meets reports whether functions that end with the last value of f differ from their beginnings about as much as
// neighbours do, as on a grid without the right end; if the last value repeats the first, the one before is compared.
func meets(b grid.Batch) bool {
	const factor = 4 // smooth functions have about 1
	gap, step := 0.0, 0.0
	for i := range b.Count {
		f := b.At(i)
		if f[len(f)-1] == f[0] && len(f) > 3 {
			f = f[:len(f)-1]
		}
		end := len(f) - 1
		first, last, between := f[1]-f[0], f[end]-f[end-1], f[0]-f[end]
		gap += between * between
		step += (first*first + last*last) / 2
	}
	return gap <= factor*factor*step
}
