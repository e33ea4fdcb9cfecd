package fno

import (
	"fmt"

	"rfm/solver/num/neural"
	"rfm/solver/space/grid"
)

// Lengths returns the lengths that the shapes of arrays name, and checks the sizes of a network read from a file, for
// functions with some channels on a grid. ok is false if no network has them.
func (n *Network) Lengths(d grid.Domain, points, in, out int) (lengths map[string][]int, ok bool) {
	const most = 1 << 12
	if n.Width < 4 || n.Width%4 != 0 || n.Width > most {
		return nil, false
	}
	if n.Depth < 1 || n.Depth > most {
		return nil, false
	}
	if len(n.Modes) != d.Dims {
		return nil, false
	}
	if len(n.Shift) != in || len(n.Unit) != in {
		return nil, false
	}
	if !grid.Finite(n.Shift...) || !grid.Finite(n.Unit...) {
		return nil, false
	}
	if !grid.Finite(n.Deviation) {
		return nil, false
	}
	settings := Settings{
		Width:  n.Width,
		Layers: n.Depth,
		Placed: n.Placed,
	}
	n.shape = shapeOf(d, points, in, out, settings)
	for axis, modes := range n.Modes {
		at := 2 - d.Dims + axis
		if modes < 1 || modes > n.shape.Points[at]/2 {
			return nil, false
		}
		n.shape.Modes[at] = modes
	}
	return map[string][]int{
		"width":            {n.Width},
		"seen":             {n.shape.In},
		"layers":           {n.Depth},
		"projection":       {projection},
		"frequencies":      {n.shape.frequencies()},
		"outputs_channels": {out},
		"outputs_distinct": {out * n.shape.distinct()},
	}, true
}

// frequencies returns the number of modes that a layer changes.
func (s Shape) frequencies() int {
	if s.Points[0] == 1 {
		return s.Modes[1]
	}
	return 2 * s.Modes[0] * s.Modes[1]
}

// unpack copies the weights to the arrays for files.
func (n *Network) unpack() {
	n.exchange(func(array *[]float64, weight *float32) {
		*array = append(*array, float64(*weight))
	})
}

// Restored prepares a network read from a file, after Lengths.
func (n *Network) Restored() {
	n.weights = newParameters[float32](n.shape)
	n.transform = newTransform[float32](n.shape.extended(), n.shape.Modes)
	read := map[*[]float64]int{} // so far
	n.exchange(func(array *[]float64, weight *float32) {
		*weight = float32((*array)[read[array]])
		read[array]++
	})
}

// exchange calls do for each weight, in the order of the array that stores it. Weights in memory have padding, and
// spectra are in groups of modes, see neural; arrays in files have neither.
func (n *Network) exchange(do func(array *[]float64, weight *float32)) {
	affine := func(a affine[float32], matrix, shift *[]float64) {
		for i := range a.matrix.Rows {
			row := a.matrix.Row(i)
			for j := range row {
				do(matrix, &row[j])
			}
			do(shift, &a.shift.Row(i)[0])
		}
	}
	affine(n.weights.lift, &n.Lift, &n.LiftShift)
	for _, l := range n.weights.layers {
		affine(l.local, &n.Local, &n.LocalShift)
		for to := range n.Width {
			for from := range n.Width {
				entry := to*l.spectra.Row + from*l.spectra.Column
				n.exchangeModes(l.spectra.Data[entry:], do)
			}
		}
	}
	affine(n.weights.hidden, &n.Hidden, &n.HiddenShift)
	affine(n.weights.last, &n.Last, &n.LastShift)
}

// exchangeModes calls do for the real and imaginary parts of the modes of a spectrum, in the order of n.Spectra.
func (n *Network) exchangeModes(spectrum []float32, do func(array *[]float64, weight *float32)) {
	modes := n.shape.Modes[1]
	rows := n.shape.frequencies() / modes
	rowSize := 2 * neural.Group * groupsOf(modes)
	for row := range rows {
		own := spectrum[row*rowSize:][:rowSize]
		for k := range modes {
			re := realPart(k)
			im := re + neural.Group
			do(&n.Spectra, &own[re])
			do(&n.Spectra, &own[im])
		}
	}
}

// String describes the network in half a line.
func (n *Network) String() string {
	return fmt.Sprintf("Fourier neural operator of %d layers, width %d, %d steps", n.Depth, n.Width, n.Steps)
}
