// This file reads functions from files.

package dataset

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// Pairs reads the pairs with the given numbers in the file, in that order; the numbers are distinct. Other pairs in the
// file take no memory. Errors are errors of the context and *fault.Data: unreadable, fewer pairs, values that are not
// finite, not periodic, or suggest another Endpoint, an output that is zero, whose relative error does not exist.
func (f *Functions) Pairs(rows []int) (Pairs, error) {
	sides, err := f.read(rows, slices.Max(append(rows, -1))+1)
	if err != nil {
		return Pairs{}, err
	}
	return Pairs{Inputs: sides[0], Outputs: sides[1]}, nil
}

// Inputs reads the first count functions without outputs, or all if count is 0. It returns the errors of Pairs.
func (f *Functions) Inputs(count int) (grid.Batch, error) {
	needed := cmp.Or(count, f.Count)
	rows := make([]int, min(needed, f.Count))
	for i := range rows {
		rows[i] = i
	}
	sides, err := f.read(rows, needed)
	if err != nil {
		return grid.Batch{}, err
	}
	return sides[0], nil
}

// ReadTheta reads the first count feature parameters in [..., 0] of a .npy file of the authors' layout (K, m, 2), for
// dims 1, or (theta_1, theta_2) in [..., 0] and [..., 1] of (r, r, m, 2). It returns the errors of FindInputs and Inputs.
func ReadTheta(ctx context.Context, name string, count, dims int) (theta [2]grid.Batch, err error) {
	file, err := exchange.Open(ctx, name)
	if err != nil {
		return theta, err
	}
	defer file.Close()
	if m := file.Members; !file.Unnamed() || len(m[0].Shape) != dims+2 || m[0].Shape[dims+1] != 2 {
		return theta, fault.Bad(name, "save them with numpy.save", "is not one array of feature parameters, of shape %s",
			map[int]string{1: "(K, count, 2)", 2: "(r, r, count, 2)"}[dims])
	}
	for i := range theta[:dims] {
		f, err := FindInputs(ctx, Source{File: name, Open: file, Input: fmt.Sprintf("[..., %d]", i), Layout: pointsFirst,
			Endpoint: true}, dims)
		if err == nil {
			theta[i], err = f.Inputs(count)
		}
		if err != nil {
			return theta, err
		}
	}
	return theta, nil
}

// read reads the functions in rows, one batch for each side; the file must have as many functions as needed.
func (f *Functions) read(rows []int, needed int) (sides []grid.Batch, err error) {
	what := map[bool]string{true: "pairs", false: "functions"}[f.paired]
	switch {
	case f.Count == 0:
		return nil, fault.Bad(f.File, "", "has no %s", what)
	case f.Count < needed:
		return nil, fault.Bad(f.File, fmt.Sprintf("ask for at most %d", f.Count), "has %d %s, %d are wanted", f.Count, what,
			needed)
	}
	if err := f.glance(rows); err != nil {
		return nil, err
	}
	coarse, err := f.coarsened()
	if err != nil {
		return nil, err
	}
	return coarse.sides(rows)
}

// unverified is the number of bytes that may be allocated for values before checking that the file can hold them.
const unverified = 1 << 26

// glance checks a few of the wanted pairs on all points of the grid of the file, if reading skips points or takes long.
// It finds defects early, also those between the points of a coarse grid.
func (f *Functions) glance(rows []int) error {
	const few, most = 16, 1 << 22
	values := f.domain(f.dims, f.rows, f.width).Values(f.points())
	large := f.in[0].Count == 0 && 8*2*values*len(rows) > unverified
	if !f.paired || f.Points == 0 && !large {
		return nil
	}
	look := rows
	if f.Points == 0 {
		look = slices.Sorted(slices.Values(rows))
	}
	look = look[:min(len(rows), max(1, min(few, most/values)))]
	brief := *f
	brief.Brief, brief.Points = true, 0
	_, err := brief.sides(look)
	return err
}

// coarsened returns the same functions on every s-th point for Points, if all are on the grid; otherwise they are
// restricted after they were lifted. The error is a *fault.Data if these are not a grid.
func (f *Functions) coarsened() (*Functions, error) {
	points := f.Points
	if points == 0 || points == f.points() || slices.ContainsFunc(f.arrays(), func(p array) bool { return !f.onGrid(p) }) {
		return f, nil
	}
	step := max(1, (f.points()-1)/max(1, points-1))
	if points < 2 || (f.points()-1)%(points-1) != 0 || f.points() < points || f.dims == 2 && (f.width-1)%step != 0 {
		return nil, fault.Bad(f.File, "", "is on a grid of %d points along an axis, which does not contain one of %d",
			f.points(), points)
	}
	coarse := *f
	coarse.width = (f.width-1)/step + 1
	coarse.rows = (f.rows-1)/step + 1
	every := func(side []array) (some []array, err error) {
		for _, p := range side {
			if p.of, err = f.part(p, func(d int) string {
				if d == p.X || d == p.Y {
					return fmt.Sprintf("::%d", step)
				}
				return ":"
			}); err != nil {
				return nil, err
			}
			p.shape, p.points, p.columns = p.of.Shape, points, (p.columns-1)/step+1
			some = append(some, p)
		}
		return some, nil
	}
	var err error
	if coarse.in, err = every(f.in); err == nil {
		coarse.out, err = every(f.out)
	}
	return &coarse, err
}

// part returns the part of an array with an index along each axis.
func (f *Functions) part(p array, along func(axis int) string) (exchange.Member, error) {
	index := make([]string, len(p.shape))
	for d := range index {
		index[d] = along(d)
	}
	return f.file.Member(p.name + "[" + strings.Join(index, ",") + "]")
}

// sides reads the functions in rows, checks their values, and lifts them to the grid: inputs and outputs, or inputs
// alone.
func (f *Functions) sides(rows []int) ([]grid.Batch, error) {
	all := f.arrays()
	bytes := 0
	for _, p := range all {
		bytes += 8 * len(rows) * p.channels() * f.domain(p.dims, p.points, p.columns).Values(max(1, p.points))
	}
	if bytes > unverified {
		for _, p := range all {
			if err := p.of.Verify(); err != nil {
				return nil, err
			}
		}
	}
	var parts [2][]grid.Batch // channels of both sides
	var checked []grid.Batch
	var labels []string
	for i, p := range all {
		batches, err := f.values(p, rows)
		if err != nil {
			return nil, err
		}
		for c, b := range batches {
			side := c
			if p.Side < 0 {
				if side = 0; i >= len(f.in) {
					side = 1
				}
			}
			where := f.File + ", " + f.label(p, side, c)
			if err := b.CheckFinite(where, f.numbers(rows)); err != nil {
				return nil, f.repairable(err)
			}
			if p.dims == 1 && f.line().Periodic {
				checked, labels = append(checked, b), append(labels, where)
			}
			if b, err = f.lift(p, b, where); err != nil {
				return nil, err
			}
			b.Domain = f.domain(f.dims, f.rows, f.width)
			parts[side] = append(parts[side], b)
		}
	}
	if err := f.checkEnds(checked, labels, f.numbers(rows)); err != nil {
		return nil, err
	}
	var sides []grid.Batch
	for _, channels := range parts {
		if channels == nil {
			continue
		}
		b, err := grid.Stack(channels...), error(nil)
		if f.Points != 0 && f.Points != b.Points {
			b, err = b.Restrict(f.Points)
		}
		if err != nil {
			return nil, err
		}
		sides = append(sides, b)
	}
	if f.paired {
		return sides, f.checkOutputs(sides[1], f.numbers(rows))
	}
	return sides, nil
}

// label names a channel of an array in errors.
func (f *Functions) label(p array, side, channel int) string {
	switch {
	case f.In == 1 && f.Out == 1:
		return []string{"input", "output"}[side]
	case p.Channel >= 0:
		return fmt.Sprintf("%s, channel %d", cmp.Or(p.name, "input"), channel+1)
	}
	return cmp.Or(p.name, "input")
}

// values fills batches, one for each channel or side of an array, with the functions in rows, which are distinct. It
// skips the rest, except in archives: there it reads all numbers, since the checksum of a member covers them, unless
// Brief is set.
func (f *Functions) values(p array, rows []int) ([]grid.Batch, error) {
	brief := f.Brief || !f.file.Sealed()
	domain, points := f.domain(p.dims, p.points, p.columns), max(1, p.points)
	// The position of a value is (function * slots + slot) values + point, with a slot for each channel or side.
	values, slots := domain.Values(points), max(2, p.channels())
	next := slots * values
	held := npy.Count(p.shape) / max(1, size(p.shape, p.Count)) // numbers of a function
	strides := make([]int, len(p.shape))                        // distances in a function
	for d, stride := range map[int]int{p.Count: next, p.Channel: values, p.Side: values, p.X: domain.Stride(points), p.Y: 1} {
		if d >= 0 {
			strides[d] = stride
		}
	}
	numbers, order := f.numbers(rows), make([]int, len(rows)) // order: indices of rows by their numbers in the file
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(numbers[i], numbers[j]) })
	// find returns the place in order of the first function numbered number or higher, and whether it is that one.
	find := func(number int) (int, bool) {
		return slices.BinarySearchFunc(order, number, func(i, n int) int { return cmp.Compare(numbers[i], n) })
	}
	batches := make([]grid.Batch, p.channels())
	for i := range batches {
		batches[i] = grid.NewBatch(domain, points, len(rows))
	}
	missing := held * len(rows)
	more := func() bool { return missing > 0 || !brief }
	// acrossFunctions stores the values of consecutive functions in one slot, at one point.
	acrossFunctions := func(function, slot, point int, values []float64) {
		size := batches[slot].Values()
		first, _ := find(function)
		for _, at := range order[first:] {
			if numbers[at] >= function+len(values) {
				return
			}
			missing--
			batches[slot].Data[at*size+point] = values[numbers[at]-function]
		}
	}
	err := p.of.Scan(strides, npy.Selection{
		Want: func(run npy.Run) bool {
			if missing == 0 || run.Step == next {
				return missing > 0
			}
			_, wanted := find(run.At / next)
			return wanted
		},
		Put: func(run npy.Run, read []float64) bool {
			function, slot, point := run.At/next, run.At%next/values, run.At%values
			if run.Step == next {
				acrossFunctions(function, slot, point, read)
				return more()
			}
			place, _ := find(function)
			at := order[place]
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
	if err == nil && !f.Endpoint && p.dims > 0 {
		for _, b := range batches {
			for i := range b.Count {
				domain.Wrap(b.At(i))
			}
		}
	}
	return batches, err
}
