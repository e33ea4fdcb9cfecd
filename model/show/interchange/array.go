// This file describes arrays of exports, and writes them in their formats.

package interchange

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"rfm/solver/base/files"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/space/points"
)

// array is an array with a name and a description. Its numbers, row after row, pass through memory in parts.
type array struct {
	name    string
	about   string
	shape   npy.Shape
	numbers func(use func(some []float64) bool) error
}

// inMemory returns an array whose numbers are in memory.
func inMemory(name, about string, a npy.Array) array {
	atOnce := func(use func([]float64) bool) error {
		use(a.Data)
		return nil
	}
	return array{
		name:    name,
		about:   about,
		shape:   a.Shape,
		numbers: atOnce,
	}
}

// npy writes the array in the format of NumPy.
func (a array) npy(w io.Writer) error {
	var failure error // of reading
	err := npy.WriteParts(w, a.shape, func(yield func([]float64) bool) {
		failure = a.numbers(yield)
	})
	if failure != nil {
		return failure // because the one of writing follows from it: numbers are missing
	}
	return err
}

// csv writes a line for each index of the first axis. Fields have a comment with their indices above, by which package
// csv reads them again. Numbers have the digits that distinguish them from their neighbours.
func (a array) csv(w io.Writer) error {
	out := bufio.NewWriter(w)
	row := npy.Count(a.shape[1:])
	if len(a.shape) == 3 {
		columns := a.shape[2]
		before := "# "
		for i := range row {
			x := i/columns + 1 // counted from 1
			y := i%columns + 1
			fmt.Fprintf(out, "%s%s_%d_%d", before, a.name, x, y)
			before = ","
		}
		out.WriteString("\n")
	}
	var number []byte
	column := 0 // of the next number
	err := a.numbers(func(some []float64) bool {
		for _, v := range some {
			number = strconv.AppendFloat(number[:0], v, 'g', -1, 64)
			column++
			end := byte(',')
			if column == row {
				end = '\n'
				column = 0
			}
			number = append(number, end)
			out.Write(number) // Flush reports the first failure
		}
		return true
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// columns returns the numbers of some columns of an array, if its rows are flat.
func columns(of array, first, end int) func(use func([]float64) bool) error {
	row := npy.Count(of.shape[1:])
	return func(use func([]float64) bool) error {
		column := 0 // of the next number
		return of.numbers(func(some []float64) bool {
			for len(some) > 0 {
				next := row // column at which this part ends
				wanted := false
				switch {
				case column < first:
					next = first
				case column < end:
					next = end
					wanted = true
				}
				n := min(len(some), next-column)
				if wanted && !use(some[:n]) {
					return false
				}
				some = some[n:]
				column = (column + n) % row
			}
			return true
		})
	}
}

// group is a set of arrays that belong together.
type group struct {
	name   string
	arrays []array
}

// encode returns the files of the arrays in a format.
func (g group) encode(f Format) (all []files.File) {
	if f == NPZ {
		return []files.File{{Name: g.name + ".npz", Content: g.npz}}
	}
	for _, a := range g.arrays {
		write := a.csv
		if f == NPY {
			write = a.npy
		}
		all = append(all, files.File{
			Name:    a.name + "." + string(f),
			Content: write,
		})
	}
	return all
}

// npz writes the arrays as an archive.
func (g group) npz(w io.Writer) error {
	archive := npz.NewWriter(w)
	for _, a := range g.arrays {
		err := archive.Parts(a.name, a.shape, a.npy)
		if err != nil {
			return err
		}
	}
	return archive.Close()
}

// placeArrays returns the arrays of points.
func placeArrays(p points.Places, suffix string) (all []array) {
	if p.Axes > 0 {
		places := npy.Array{
			Shape: npy.Shape{p.Count(), p.Axes},
			Data:  p.At,
		}
		all = append(all, inMemory("places"+suffix, "coordinates of the points of outputs, one a row", places))
	}
	weights := npy.Array{
		Shape: npy.Shape{p.Count()},
		Data:  p.Weights,
	}
	all = append(all, inMemory("weights"+suffix, "their weights in norms, with sum 1", weights))
	if len(p.Cells) == 0 {
		return all
	}
	corners := make([]float64, len(p.Cells))
	for i, point := range p.Cells {
		corners[i] = float64(point)
	}
	cells := npy.Array{
		Shape: npy.Shape{len(p.Cells) / p.Corners, p.Corners},
		Data:  corners,
	}
	return append(all, inMemory("cells"+suffix, "numbers of the points at the corners of each cell, from 0", cells))
}
