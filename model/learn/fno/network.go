package fno

import (
	"rfm/solver/num/neural"
)

// Shape holds the sizes of a network.
type Shape struct {
	In, Out    int    // channels of inputs, coordinates included, and of outputs
	Width      int    // channels between the layers, a multiple of four, see neural.Matrix
	Projection int    // channels between the last two maps
	Layers     int    // Fourier layers
	Modes      [2]int // frequencies along both axes; the first one counts those of one sign, and is 0 for one axis
	Points     [2]int // distinct points of the functions; the first axis has 1 for functions of one variable
	Padding    [2]int // zeros that follow the functions, so that bounded ones need not be periodic
}

// extended returns the points of functions and padding along both axes.
func (s Shape) extended() [2]int {
	var points [2]int
	for axis := range points {
		points[axis] = s.Points[axis] + s.Padding[axis]
	}
	return points
}

// distinct returns the number of distinct points.
func (s Shape) distinct() int { return s.Points[0] * s.Points[1] }

// parameters are views of all weights of a network, which lie one after the other in memory.
type parameters[T neural.Number] struct {
	all    []T
	lift   affine[T]
	layers []layer[T]
	hidden affine[T] // Width to Projection
	last   affine[T] // Projection to Out
}

// affine is the map of channels x -> A x + b at each point.
type affine[T neural.Number] struct {
	matrix neural.Matrix[T] // to x from
	shift  neural.Matrix[T] // to x 1
}

// layer is a Fourier layer without its activation: v -> local v + F^-1[spectra F v].
type layer[T neural.Number] struct {
	local   affine[T]
	spectra neural.Spectra[T] // Width x Width
}

// newParameters returns zero parameters.
func newParameters[T neural.Number](s Shape) *parameters[T] {
	p := &parameters[T]{all: make([]T, s.count())}
	rest := p.all
	take := func(count int) []T {
		taken := rest[:count:count]
		rest = rest[count:]
		return taken
	}
	newMatrix := func(rows, cols int) neural.Matrix[T] {
		size := neural.Size(rows, cols)
		return neural.On(take(size), rows, cols)
	}
	newAffine := func(to, from int) affine[T] {
		var a affine[T]
		a.matrix = newMatrix(to, from)
		a.shift = newMatrix(to, 1)
		return a
	}
	p.lift = newAffine(s.Width, s.In)
	for range s.Layers {
		var l layer[T]
		l.local = newAffine(s.Width, s.Width)
		l.spectra = neural.SpectraOn(take(s.layerSpectra()), s.Width, s.Width, s.groups())
		p.layers = append(p.layers, l)
	}
	p.hidden = newAffine(s.Projection, s.Width)
	p.last = newAffine(s.Out, s.Projection)
	return p
}

// groups returns the groups of a spectrum.
func (s Shape) groups() int {
	rows := 1
	if s.extended()[0] > 1 {
		rows = 2 * s.Modes[0]
	}
	return rows * groupsOf(s.Modes[1])
}

// layerSpectra returns the numbers that the spectra of one layer occupy in memory.
func (s Shape) layerSpectra() int { return neural.SpectraSize(s.Width, s.Width, s.groups()) }

// count returns the numbers that all weights occupy in memory, padding included.
func (s Shape) count() int {
	affine := func(to, from int) int {
		matrix := neural.Size(to, from)
		shift := neural.Size(to, 1)
		return matrix + shift
	}
	count := affine(s.Width, s.In)
	count += s.Layers * (affine(s.Width, s.Width) + s.layerSpectra())
	count += affine(s.Projection, s.Width)
	count += affine(s.Out, s.Projection)
	return count
}
