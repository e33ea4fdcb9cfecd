// This file reads functions from files and checks that they are what the program computes with.

package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"rfm/solver/fault"
	"rfm/solver/grid"
)

// ReadChosen reads the pairs of functions of dims variables (1 or 2) with the given numbers in the file, in that order;
// the numbers are different ones. What else is in the file takes no memory. Errors are ctx's and *fault.Data:
// unreadable, wrong shape, fewer pairs, values that are not finite, not periodic, or look as if Endpoint or Layout
// should be another, an output that is zero, of which no relative error exists.
func ReadChosen(ctx context.Context, source Source, dims int, rows []int) (Pairs, error) {
	return readPairs(ctx, source, func(int) ([]int, int) { return rows, slices.Max(append(rows, -1)) + 1 }, dims)
}

// selection is which of so many functions are wanted: their numbers, and how many there must be at least.
type selection func(available int) (rows []int, needed int)

// first selects the first functions, all if count is 0.
func first(count int) selection {
	return func(available int) ([]int, int) {
		needed := cmp.Or(count, available)
		rows := make([]int, min(needed, available))
		for i := range rows {
			rows[i] = i
		}
		return rows, needed
	}
}

func readPairs(ctx context.Context, source Source, rows selection, dims int) (Pairs, error) {
	if pairs, _, done, err := readWide(ctx, source, dims, true, rows); done {
		return pairs, err
	}
	sides, _, numbers, err := readFunctions(ctx, source, rows, dims, pairPatterns, []string{"input", "output"})
	if err != nil {
		return Pairs{}, err
	}
	if err := checkOutputs(source, sides[1], numbers); err != nil {
		return Pairs{}, err
	}
	return Pairs{Inputs: sides[0], Outputs: sides[1]}, nil
}

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

// ReadInputs reads functions without outputs, to which a trained model is applied: an array of shape (n, K), (K, n) or
// (K) for periodic functions (dims = 1), (n, r, r), (r, r, n) or (r, r) for fields (dims = 2), from a .npy file or with
// the name source.Input. Any grid of at least three points will do. Errors are those of ReadChosen.
func ReadInputs(ctx context.Context, source Source, dims int) (grid.Batch, Info, error) {
	if pairs, info, done, err := readWide(ctx, source, dims, false, first(0)); done {
		return pairs.Inputs, info, err
	}
	sides, info, _, err := readFunctions(ctx, source, first(0), dims, inputPatterns, []string{"input"})
	if err != nil {
		return grid.Batch{}, Info{}, err
	}
	return sides[0], info, nil
}

// ReadTheta reads the first count feature parameters of a .npy file of the authors' layout (K, m, 2), from [..., 0].
// Errors are as for ReadChosen.
func ReadTheta(ctx context.Context, name string, count int) (grid.Batch, error) {
	sides, _, _, err := readFunctions(ctx, Source{File: name, Endpoint: true}, first(count), 1, thetaPatterns,
		[]string{"theta"})
	if err != nil {
		return grid.Batch{}, err
	}
	return sides[0], nil
}

// ReadThetaPairs reads the first count feature parameters (theta_1, theta_2) of a .npy file of the authors' layout
// (r, r, m, 2). Errors are as for ReadChosen.
func ReadThetaPairs(ctx context.Context, name string, count int) (predictor, corrector grid.Batch, err error) {
	sides, _, _, err := readFunctions(ctx, Source{File: name, Endpoint: true}, first(count), 2, thetaPatterns,
		[]string{"theta_1", "theta_2"})
	if err != nil {
		return grid.Batch{}, grid.Batch{}, err
	}
	return sides[0], sides[1], nil
}

// readFunctions also returns the numbers that the functions have in the file.
func readFunctions(ctx context.Context, source Source, wanted selection, dims int, p patterns,
	labels []string) (batches []grid.Batch, info Info, rows []int, err error) {
	if source.Points != 0 { // what values tell about the grid they tell on all of its points
		whole := source
		whole.Points, whole.Brief, whole.few = 0, true, true
		some, _, numbers, err := readFunctions(ctx, whole, wanted, dims, p, labels)
		if err == nil && p.pair {
			err = checkOutputs(source, some[1], numbers)
		}
		if err != nil {
			return nil, info, nil, err
		}
	}
	err = source.open(ctx, dims, p, func(s stored) (err error) {
		info = s.info()
		var needed int
		rows, needed = wanted(s.count)
		switch {
		case s.count == 0:
			return &fault.Data{Where: source.File, What: "has no " + p.what}
		case s.count < needed:
			return &fault.Data{Where: source.File, What: fmt.Sprintf("has %d %s, %d are wanted", s.count, p.what, needed),
				Do: fmt.Sprintf("ask for at most %d", s.count)}
		}
		const few, most = 16, 1 << 22
		values := s.domain().Values(s.points)
		look := rows[:min(len(rows), max(1, min(few, most/values)))]
		if source.few {
			rows = look
		} else if p.pair && source.Points == 0 && s.pattern[0] == 'n' && 8*len(labels)*values*len(rows) > unverified {
			if err := s.glance(source, slices.Sorted(slices.Values(rows))[:len(look)]); err != nil {
				return err
			}
		}
		batches, err = s.read(rows, len(labels))
		rows = s.numbers(rows)
		return err
	})
	if err != nil {
		return nil, info, nil, err
	}
	for i, b := range batches {
		if err := b.CheckFinite(source.File+", "+labels[i], rows); err != nil {
			if p.pair {
				err = source.repairable(err)
			}
			return nil, info, nil, err
		}
	}
	if dims == 1 && !source.Closed {
		if err := checkEnds(source, batches, labels, rows); err != nil {
			return nil, info, nil, err
		}
	}
	return batches, info, rows, nil
}

// glance refuses outputs that are zero among a few pairs, without reading more of the file than their rows need.
func (s stored) glance(source Source, rows []int) error {
	s.brief = true
	sides, err := s.read(rows, 2)
	if err != nil {
		return err
	}
	return checkOutputs(source, sides[1], s.numbers(rows))
}

// repairable says of a value that is not finite what to do about it.
func (s Source) repairable(err error) error {
	var data *fault.Data
	if errors.As(err, &data) {
		data.Do = "repair this function, or leave such pairs out with data.skip = " + string(s.Skip.and(SkipNonFinite))
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
