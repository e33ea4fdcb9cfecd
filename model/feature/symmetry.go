// This file makes features commute with motions of their domain.

package feature

import (
	"fmt"
	"strings"

	"rfm/config"
	"rfm/model/setup"
	"rfm/solver/dataset/npy"
	"rfm/solver/fft"
	"rfm/solver/grid"
)

// Symmetry is a group of motions g, the first one that of doing nothing. Features that have one are
//
//	(1/|G|) sum_g g^-1 phi(g a; theta):
//
// every sum of them commutes with the motions. The zero Symmetry is none.
type Symmetry struct{ Motions []grid.Motion }

// symmetryOf is the motions of data.symmetry that features do not commute with anyhow: filters commute with
// translations, and on closed domains with reflections.
func symmetryOf(c config.Config, anyhow bool) Symmetry {
	d := setup.Domain(c)
	switch c.Data.Symmetry {
	case config.Reflection, config.OddReflection:
		if d.Periodic || !anyhow {
			return Symmetry{d.Reflections(c.Data.Symmetry == config.OddReflection)}
		}
	case config.WholeSquare:
		if anyhow {
			return Symmetry{d.Turns()}
		}
		return Symmetry{d.Motions()}
	}
	return Symmetry{}
}

// average is the mean of the images of a field, in place, on the grid with so many points along an axis.
func (s Symmetry) average(field []float64, domain grid.Domain, points int) {
	if s.Motions == nil {
		return
	}
	mean := make([]float64, len(field))
	for _, m := range s.Motions {
		from := domain.Source(points, m)
		for x := range mean {
			mean[x] += m.Sign() * field[from(x)] / float64(len(s.Motions))
		}
	}
	copy(field, mean)
}

// returns say, for one motion, which row of a feature's matrix comes back to each row, and the factor to it.
type returns struct {
	from  []int
	share float64
}

// on are the returns of all motions on a grid.
func (s Symmetry) on(domain grid.Domain, points int, t transform) []returns {
	var all []returns
	numbers := make([]float64, domain.Values(points))
	for y := range numbers {
		numbers[y] = float64(y)
	}
	places := t.distinct(numbers) // the number of the value in each row
	rows := make([]int, len(numbers))
	for row, y := range places {
		rows[int(y)] = row
	}
	_, columns := domain.Axes(points)
	for _, m := range s.Motions {
		back, from := returns{make([]int, len(places)), m.Sign() / float64(len(s.Motions))},
			domain.Source(points, m.Inverse())
		for row, y := range places {
			z := from(int(y))
			if domain.Periodic { // the last point along an axis is the first one
				i, j := z/columns, z%columns
				if lines := len(numbers) / columns; lines > 1 {
					i %= lines - 1
				}
				z = i*columns + j%(columns-1)
			}
			back.from[row] = rows[z]
		}
		all = append(all, back)
	}
	return all
}

// evaluate writes the features of a group for one prepared input.
func (e *SpectralEvaluator) evaluate(panels [2][]float64, g int, input []float64, s *scratch) {
	if e.returns == nil {
		e.synthesise(panels, g, input, s)
		for _, panel := range panels {
			e.activation.Apply(panel)
		}
		return
	}
	rows, size := e.Points(), e.imageSize()
	for _, panel := range panels {
		clear(panel[:fft.Lanes*rows])
	}
	for q, back := range e.returns {
		e.synthesise(s.images, g, input[q*size:(q+1)*size], s)
		for half, image := range s.images {
			e.activation.Apply(image)
			to := panels[half]
			for x, y := range back.from {
				a, b := (*[fft.Lanes]float64)(to[fft.Lanes*x:]), (*[fft.Lanes]float64)(image[fft.Lanes*y:])
				for l := range a {
					a[l] += back.share * b[l]
				}
			}
		}
	}
}

// motionsArray is the name of a Symmetry in model files: Flip, Turn and the sign of every motion.
const motionsArray = "motions"

// Encode are the arrays of model files; none if there are no motions.
func (s Symmetry) Encode() []npy.Named {
	if s.Motions == nil {
		return nil
	}
	var data []float64
	for _, m := range s.Motions {
		turn := 0.0
		if m.Turn {
			turn = 1
		}
		data = append(data, float64(m.Flip), turn, m.Sign())
	}
	return []npy.Named{{Name: motionsArray, Array: npy.Array{Shape: []int{len(s.Motions), 3}, Data: data}}}
}

// ReadSymmetry reads that of functions on a domain, if there is one. The error is a *fault.Data.
func ReadSymmetry(from Stored, d grid.Domain) (s Symmetry, err error) {
	if !from.Has(motionsArray) {
		return s, nil
	}
	a, err := from.Array(motionsArray, 2)
	if err != nil {
		return s, err
	}
	const most = 8
	if a.Shape[0] < 1 || a.Shape[0] > most || a.Shape[1] != 3 {
		return s, Unusable(fmt.Sprintf("has motions of shape %v, want up to %d and 3", a.Shape, most))
	}
	for i := range a.Shape[0] {
		flip, turn, sign := a.Data[3*i], a.Data[3*i+1], a.Data[3*i+2]
		m := grid.Motion{Flip: int(flip), Turn: turn == 1, Odd: sign == -1}
		if float64(m.Flip) != flip || m.Flip < 0 || m.Flip >= 1<<d.Dims || turn != 0 && !(turn == 1 && d.Square()) ||
			sign*sign != 1 {
			return s, Unusable(fmt.Sprintf("has a motion %v that its domain does not have", a.Data[3*i:3*i+3]))
		}
		s.Motions = append(s.Motions, m)
	}
	return s, nil
}

// NumPy is the program for all motions around one that sets u for the inputs a, functions of so many variables.
func (s Symmetry) NumPy(dims int, program string) string {
	if s.Motions == nil {
		return program
	}
	moves := func(f string, swapFirst bool) string {
		lines := []string{"    if flip == 1 or flip == 3:", "        " + f + " = " + f + "[..., ::-1]"}
		if dims == 2 {
			lines = append(lines, "    if flip >= 2:", "        "+f+" = "+f+"[..., ::-1, :]")
			swap := []string{"    if turn:", "        " + f + " = " + f + ".swapaxes(-1, -2)"}
			if swapFirst {
				lines = append(swap, lines...)
			} else {
				lines = append(lines, swap...)
			}
		}
		return strings.Join(lines, "\n") + "\n"
	}
	body := "    " + strings.ReplaceAll(strings.TrimSuffix(program, "\n"), "\n", "\n    ") + "\n"
	return "whole, total = a, 0\nfor flip, turn, sign in model[\"" + motionsArray + "\"]:\n    a = sign*whole\n" +
		moves("a", true) + body + moves("u", false) + "    total = total + sign*u/len(model[\"" + motionsArray +
		"\"])\na, u = whole, total\n"
}
