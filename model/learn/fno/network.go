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
	return [2]int{s.Points[0] + s.Padding[0], s.Points[1] + s.Padding[1]}
}

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
	groups := s.groups()
	p := &parameters[T]{all: make([]T, s.count())}
	rest := p.all
	take := func(count int) []T {
		some := rest[:count:count]
		rest = rest[count:]
		return some
	}
	affineOn := func(to, from int) affine[T] {
		matrix := neural.On(take(neural.Size(to, from)), to, from)
		return affine[T]{matrix: matrix, shift: neural.On(take(neural.Size(to, 1)), to, 1)}
	}
	p.lift = affineOn(s.Width, s.In)
	for range s.Layers {
		local := affineOn(s.Width, s.Width)
		spectra := neural.SpectraOn(take(neural.SpectraSize(s.Width, s.Width, groups)), s.Width, s.Width, groups)
		p.layers = append(p.layers, layer[T]{local: local, spectra: spectra})
	}
	p.hidden = affineOn(s.Projection, s.Width)
	p.last = affineOn(s.Out, s.Projection)
	return p
}

// groups returns the groups of a spectrum.
func (s Shape) groups() int {
	rows := 1
	if s.extended()[0] > 1 {
		rows = 2 * s.Modes[0]
	}
	return rows * ((s.Modes[1] + neural.Group - 1) / neural.Group)
}

// count returns the numbers that all weights occupy in memory, padding included.
func (s Shape) count() int {
	affine := func(to, from int) int { return neural.Size(to, from) + neural.Size(to, 1) }
	one := affine(s.Width, s.Width) + neural.SpectraSize(s.Width, s.Width, s.groups())
	return affine(s.Width, s.In) + s.Layers*one + affine(s.Projection, s.Width) + affine(s.Out, s.Projection)
}
