// This file reads functions from files.

package dataset

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// ReadChosen reads the pairs of functions of dims variables (1 or 2) with the given numbers in the file, in that order;
// the numbers are distinct. Other pairs in the file take no memory. Errors are errors of ctx and *fault.Data:
// unreadable, wrong shape, fewer pairs, values that are not finite, not periodic, or suggest another Endpoint or
// Layout, an output that is zero, whose relative error does not exist.
func ReadChosen(ctx context.Context, source Source, dims int, rows []int) (Pairs, error) {
	sides, _, err := read(ctx, source, dims, pairForm, func(int) ([]int, int) { return rows, slices.Max(append(rows, -1)) + 1 })
	if err != nil {
		return Pairs{}, err
	}
	return Pairs{Inputs: sides[0], Outputs: sides[1]}, nil
}

// ReadInputs reads functions without outputs, for the application of a trained model: an array of shape (n, K), (K, n)
// or (K) for periodic functions (dims = 1), (n, r, r), (r, r, n) or (r, r) for fields (dims = 2), from a .npy file or
// with the name source.Input. The grid has at least three points. It returns the errors of ReadChosen.
func ReadInputs(ctx context.Context, source Source, dims int) (grid.Batch, Info, error) {
	sides, info, err := read(ctx, source, dims, inputForm, first(0))
	if err != nil {
		return grid.Batch{}, Info{}, err
	}
	return sides[0], info, nil
}

// ReadTheta reads the first count feature parameters of a .npy file of the authors' layout (K, m, 2), from [..., 0]. It
// returns the errors of ReadChosen.
func ReadTheta(ctx context.Context, name string, count int) (grid.Batch, error) {
	sides, _, err := read(ctx, Source{File: name, Endpoint: true}, 1, thetaForm, first(count))
	if err != nil {
		return grid.Batch{}, err
	}
	return sides[0], nil
}

// ReadThetaPairs reads the first count feature parameters (theta_1, theta_2) of a .npy file of the authors' layout (r,
// r, m, 2). It returns the errors of ReadChosen.
func ReadThetaPairs(ctx context.Context, name string, count int) (predictor, corrector grid.Batch, err error) {
	sides, _, err := read(ctx, Source{File: name, Endpoint: true}, 2, thetaForm, first(count))
	if err != nil {
		return grid.Batch{}, grid.Batch{}, err
	}
	return sides[0], sides[1], nil
}

// selection returns the numbers of the wanted functions, and how many functions the file must have.
type selection func(available int) (rows []int, needed int)

// first selects the first count functions, or all if count is 0.
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

// read reads the wanted functions of a source, one batch for each side.
func read(ctx context.Context, source Source, dims int, form form, wanted selection) (sides []grid.Batch, info Info,
	err error) {
	err = source.find(ctx, dims, form, func(f *found) (err error) {
		info = f.info()
		rows, needed := wanted(f.count)
		switch {
		case f.count == 0:
			return &fault.Data{Where: source.File, What: "has no " + form.what}
		case f.count < needed:
			return &fault.Data{Where: source.File, What: fmt.Sprintf("has %d %s, %d are wanted", f.count, form.what, needed),
				Do: fmt.Sprintf("ask for at most %d", f.count)}
		}
		if err := f.glance(rows); err != nil {
			return err
		}
		if err := f.coarsen(); err != nil {
			return err
		}
		if sides, err = f.sides(rows); err == nil && form.pair {
			err = checkOutputs(source, sides[1], f.numbers(rows))
		}
		return err
	})
	return sides, info, err
}

// unverified is the number of bytes that may be allocated for values before checking that the file can hold them.
const unverified = 1 << 26

// glance checks a few of the wanted pairs on all points of the grid of the file, if reading skips points or takes long.
// It finds defects early, also those between the points of a coarse grid.
func (f *found) glance(rows []int) error {
	const few, most = 16, 1 << 22
	values := f.domain(f.dims, f.rows, f.width).Values(f.points())
	large := f.in[0].Count == 0 && 8*2*values*len(rows) > unverified
	if !f.form.pair || f.lifted || f.source.Points == 0 && !large {
		return nil
	}
	look := rows
	if f.source.Points == 0 {
		look = slices.Sorted(slices.Values(rows))
	}
	look = look[:min(len(rows), max(1, min(few, most/values)))]
	brief := *f
	brief.source.Brief = true
	sides, err := brief.sides(look)
	if err != nil {
		return err
	}
	return checkOutputs(f.source, sides[1], f.numbers(look))
}

// coarsen keeps every s-th point for source.Points. The error is a *fault.Data if they are not a grid.
func (f *found) coarsen() error {
	points := f.source.Points
	if points == 0 || points == f.points() || f.lifted {
		return nil
	}
	step := max(1, (f.points()-1)/max(1, points-1))
	if points < 2 || (f.points()-1)%(points-1) != 0 || f.points() < points || f.dims == 2 && (f.width-1)%step != 0 {
		return &fault.Data{Where: f.source.File,
			What: fmt.Sprintf("is on a grid of %d points along an axis, which does not contain one of %d", f.points(), points)}
	}
	for _, side := range [][]array{f.in, f.out} {
		for i := range side {
			p := &side[i]
			index := slices.Repeat([]string{":"}, len(p.shape))
			for _, d := range []int{p.X, p.Y} {
				if d >= 0 {
					index[d] = fmt.Sprintf("::%d", step)
				}
			}
			p.name += "[" + strings.Join(index, ",") + "]"
			var err error
			if p.of, err = f.file.Member(p.name); err != nil {
				return err
			}
			p.shape, p.points, p.columns = p.of.Shape, points, (p.columns-1)/step+1
		}
	}
	f.width = (f.width-1)/step + 1
	if f.rows > 1 {
		f.rows = (f.rows-1)/step + 1
	}
	return nil
}

// sides reads the functions in rows and checks their values: inputs and outputs, or inputs alone, or both feature
// parameters.
func (f *found) sides(rows []int) ([]grid.Batch, error) {
	if f.lifted {
		inputs, err := f.stacked(f.in, "input", rows)
		if err != nil || !f.form.pair {
			return []grid.Batch{inputs}, err
		}
		outputs, err := f.stacked(f.out, "output", rows)
		if err == nil && f.source.Points != 0 {
			if inputs, err = inputs.Restrict(f.source.Points); err == nil {
				outputs, err = outputs.Restrict(f.source.Points)
			}
		}
		return []grid.Batch{inputs, outputs}, err
	}
	labels := []string{"input", "output"}
	if f.form.what == thetaForm.what {
		labels = []string{"theta_1", "theta_2"}
	}
	all := slices.Concat(f.in, f.out)
	if 8*len(all)*all[0].channels()*f.domain(f.dims, f.rows, f.width).Values(f.points())*len(rows) > unverified {
		for _, p := range all {
			if err := p.of.Verify(); err != nil {
				return nil, err
			}
		}
	}
	var sides []grid.Batch
	for _, p := range all {
		some, err := f.read(p, rows)
		if err != nil {
			return nil, err
		}
		sides = append(sides, some...)
	}
	for i, b := range sides {
		if err := b.CheckFinite(f.source.File+", "+labels[i], f.numbers(rows)); err != nil {
			return nil, f.repairable(err)
		}
	}
	if f.dims == 1 && !f.source.Closed {
		return sides, checkEnds(f.source, sides, labels, f.numbers(rows))
	}
	return sides, nil
}

// read fills batches, one for each channel or side of an array, with the functions in rows, which are distinct. It
// skips the rest, except in archives: there it reads all numbers, since the checksum of a member covers them, unless
// Brief is set.
func (f *found) read(p array, rows []int) ([]grid.Batch, error) {
	brief := f.source.Brief || !f.file.Sealed()
	domain, points := f.domain(p.dims, p.points, p.columns), max(1, p.points)
	// The position of a value is (function * slots + slot) values + point, with a slot for each channel or side.
	values, slots := domain.Values(points), max(2, p.channels())
	next := slots * values
	strides, held := make([]int, len(p.shape)), 1 // distances in a function; numbers that the array holds
	for d, stride := range map[int]int{p.Count: next, p.Channel: values, p.Side: values, p.X: domain.Stride(points), p.Y: 1} {
		if d >= 0 {
			strides[d] = stride
		}
	}
	for d, n := range p.shape {
		if d != p.Count {
			held *= n
		}
	}
	places := placesOf(f.numbers(rows))
	batches := make([]grid.Batch, p.channels())
	for i := range batches {
		batches[i] = grid.NewBatch(domain, points, len(rows))
	}
	missing := held * len(rows)
	more := func() bool { return missing > 0 || !brief }
	// acrossFunctions stores the values of consecutive functions in one slot, at one point.
	acrossFunctions := func(function, slot, point int, values []float64) {
		size := batches[slot].Values()
		for _, p := range places.from(function) {
			if p.function >= function+len(values) {
				return
			}
			missing--
			batches[slot].Data[p.at*size+point] = values[p.function-function]
		}
	}
	err := p.of.Scan(strides, npy.Selection{
		Want: func(run npy.Run) bool {
			if missing == 0 || run.Step == next {
				return missing > 0
			}
			_, wanted := places.of(run.At / next)
			return wanted
		},
		Put: func(run npy.Run, read []float64) bool {
			function, slot, point := run.At/next, run.At%next/values, run.At%values
			if run.Step == next {
				acrossFunctions(function, slot, point, read)
				return more()
			}
			at, _ := places.of(function)
			if run.Step == values { // across slots
				for j, v := range read {
					batches[slot+j].Data[at*values+point] = v
				}
			} else { // across points
				for j, v := range read {
					batches[slot].Data[at*values+point+j*run.Step] = v
				}
			}
			missing -= len(read)
			return more()
		},
	})
	if err == nil && !f.source.Endpoint && p.dims > 0 {
		for _, b := range batches {
			for i := range b.Count {
				domain.Wrap(b.At(i))
			}
		}
	}
	return batches, err
}
