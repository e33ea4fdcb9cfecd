package fno

import (
	"math"

	"rfm/solver/num/neural"
)

// transform maps functions on a grid to their lowest Fourier modes and back. Because only some dozens of modes enter,
// it is a product with a matrix for each axis: any number of points is as good as a power of two.
//
// Frequencies along the last axis are 0 ... modes-1, those along the first one, if there are two, are 0 ... modes-1 and
// -modes ... -1. The mode of frequency k along the last axis is number k%8 of group k/8, see neural.Group and realPart.
type transform[T neural.Number] struct {
	points [2]int // along the first axis, which is 1 for functions of one variable, and along the last one
	stride int    // numbers between two rows of a function
	rows   int    // frequencies along the first axis
	groups int    // of eight frequencies along the last axis

	// Along the last axis.
	analysis            neural.Matrix[T] // points x 16 groups
	synthesis           neural.Matrix[T] // 16 groups x points
	analysisTransposed  neural.Matrix[T]
	synthesisTransposed neural.Matrix[T]

	// Along the first axis: cosines and sines of 2 pi k i/points. Functions of one variable have none.
	cosines           neural.Matrix[T] // rows x points
	sines             neural.Matrix[T] // rows x points
	cosinesTransposed neural.Matrix[T]
	sinesTransposed   neural.Matrix[T]
}

// newTransform returns the transform for so many points and modes along both axes.
func newTransform[T neural.Number](points, modes [2]int) *transform[T] {
	t := &transform[T]{
		points: points,
		rows:   1,
		groups: groupsOf(modes[1]),
	}
	t.prepareLast(modes[1])
	if points[0] > 1 {
		t.prepareFirst(modes[0])
	}
	return t
}

// groupsOf returns the groups that hold so many modes along the last axis.
func groupsOf(modes int) int { return (modes + neural.Group - 1) / neural.Group }

// realPart returns the position of the real part of the mode of frequency k in the spectrum of a line; its imaginary
// part follows neural.Group numbers later.
func realPart(k int) int {
	group := k / neural.Group
	return 2*neural.Group*group + k%neural.Group
}

// prepareLast computes the matrices along the last axis.
func (t *transform[T]) prepareLast(modes int) {
	last := t.points[1]
	spectrum := t.lineSpectrum()
	t.analysis = neural.NewMatrix[T](last, spectrum)
	t.synthesis = neural.NewMatrix[T](spectrum, last)
	t.stride = t.synthesis.Stride
	for k := range modes {
		re := realPart(k)
		im := re + neural.Group
		fromReal := t.synthesis.Row(re)
		fromImaginary := t.synthesis.Row(im)
		weight := 2 / float64(last) // because a real function has each frequency but 0 twice
		if k == 0 {
			weight = 1 / float64(last)
		}
		for x := range last {
			sin, cos := math.Sincos(angle(k, x, last))
			toModes := t.analysis.Row(x)
			toModes[re] = T(cos)
			toModes[im] = T(-sin)
			fromReal[x] = T(weight * cos)
			fromImaginary[x] = T(-weight * sin)
		}
	}
	t.analysisTransposed = t.analysis.Transposed()
	t.synthesisTransposed = t.synthesis.Transposed()
}

// prepareFirst computes the matrices along the first axis of functions of two variables, for frequencies of both signs.
func (t *transform[T]) prepareFirst(modes int) {
	points := t.points[0]
	t.rows = 2 * modes
	t.cosines = neural.NewMatrix[T](t.rows, points)
	t.sines = neural.NewMatrix[T](t.rows, points)
	for row := range t.rows {
		k := row
		if row >= modes {
			k = row - t.rows
		}
		cosines := t.cosines.Row(row)
		sines := t.sines.Row(row)
		for i := range points {
			sin, cos := math.Sincos(angle(k, i, points))
			cosines[i] = T(cos)
			sines[i] = T(sin)
		}
	}
	t.cosinesTransposed = t.cosines.Transposed()
	t.sinesTransposed = t.sines.Transposed()
}

// angle returns 2 pi k x/n. It is reduced to one turn in whole numbers, before anything is rounded.
func angle(k, x, n int) float64 {
	turns := k * x % n
	return 2 * math.Pi * float64(turns) / float64(n)
}

// functionSize returns the numbers of one function in memory.
func (t *transform[T]) functionSize() int { return t.points[0] * t.stride }

// spectrumGroups returns the groups of the spectrum of a function.
func (t *transform[T]) spectrumGroups() int { return t.rows * t.groups }

// spectrumSize returns the numbers of the spectrum of a function.
func (t *transform[T]) spectrumSize() int { return t.rows * t.lineSpectrum() }

// lineSpectrum returns the numbers of the spectrum of a line along the last axis.
func (t *transform[T]) lineSpectrum() int { return 2 * neural.Group * t.groups }

// halfwaySize returns the numbers of a function that is transformed along its last axis alone.
func (t *transform[T]) halfwaySize() int { return t.points[0] * t.lineSpectrum() }

// halfway is the memory for functions that are transformed along their last axis alone: for each function and point of
// the first axis one row of 16 groups, and a copy multiplied by -i. Functions of one variable need none.
type halfway[T neural.Number] struct {
	values []T // functions x points x 16 groups
	turned []T // the same, times -i
}

func (t *transform[T]) newHalfway(functions int) halfway[T] {
	if t.points[0] == 1 {
		return halfway[T]{}
	}
	size := functions * t.halfwaySize()
	return halfway[T]{
		values: make([]T, size),
		turned: make([]T, size),
	}
}

// lines returns functions as a matrix of lines along the last axis.
func (t *transform[T]) lines(functions []T) neural.Matrix[T] {
	return neural.Matrix[T]{
		Rows:   len(functions) / t.stride,
		Cols:   t.points[1],
		Stride: t.stride,
		Data:   functions,
	}
}

// spectraOfLines returns memory as a matrix with the spectrum of a line in each row.
func (t *transform[T]) spectraOfLines(data []T) neural.Matrix[T] {
	size := t.lineSpectrum()
	return neural.Matrix[T]{
		Rows:   len(data) / size,
		Cols:   size,
		Stride: size,
		Data:   data,
	}
}

// forward adds the spectra of functions to spectra: sum_x u(x) exp(-2 pi i k.x).
func (t *transform[T]) forward(spectra, functions []T, h halfway[T]) {
	t.analyse(spectra, functions, t.analysis, 1, h)
}

// inverseTransposed adds the transposed map of inverse, from functions to spectra.
func (t *transform[T]) inverseTransposed(spectra, functions []T, h halfway[T]) {
	t.analyse(spectra, functions, t.synthesisTransposed, 1/T(t.points[0]), h)
}

// inverse adds to functions those with given spectra, normalised so that it inverts forward for the modes it has.
func (t *transform[T]) inverse(functions, spectra []T, h halfway[T]) {
	t.synthesise(functions, spectra, t.synthesis, 1/T(t.points[0]), h)
}

// forwardTransposed adds the transposed map of forward, from spectra to functions.
func (t *transform[T]) forwardTransposed(functions, spectra []T, h halfway[T]) {
	t.synthesise(functions, spectra, t.analysisTransposed, 1, h)
}

// analyse transforms the last axis by a matrix, then the first one, and multiplies by a factor. The first axis needs
//
//	exp(-i phi) X = cos phi X + sin phi (-i X).
func (t *transform[T]) analyse(spectra, functions []T, last neural.Matrix[T], factor T, h halfway[T]) {
	if t.points[0] == 1 {
		neural.AddProduct(t.spectraOfLines(spectra), t.lines(functions), last)
		return
	}
	count := len(functions) / t.functionSize()
	size := t.halfwaySize()
	spectrum := t.spectrumSize()
	values := h.values[:count*size]
	turned := h.turned[:count*size]
	clear(values)
	neural.AddProduct(t.spectraOfLines(values), t.lines(functions), last)
	for i := range values {
		values[i] *= factor
	}
	turn(turned, values)
	for f := range count {
		sum := spectra[f*spectrum:][:spectrum]
		lines := t.spectraOfLines(sum)
		own := values[f*size:][:size]
		ownTurned := turned[f*size:][:size]
		neural.AddProduct(lines, t.cosines, t.spectraOfLines(own))
		neural.AddProduct(lines, t.sines, t.spectraOfLines(ownTurned))
	}
}

// synthesise transforms the first axis and multiplies by a factor, then the last axis by a matrix. The first axis needs
//
//	exp(+i phi) X = cos phi X + sin phi (i X).
func (t *transform[T]) synthesise(functions, spectra []T, last neural.Matrix[T], factor T, h halfway[T]) {
	if t.points[0] == 1 {
		neural.AddProduct(t.lines(functions), t.spectraOfLines(spectra), last)
		return
	}
	count := len(functions) / t.functionSize()
	size := t.halfwaySize()
	spectrum := t.spectrumSize()
	values := h.values[:count*size]
	turned := h.turned[:spectrum]
	clear(values)
	for f := range count {
		own := spectra[f*spectrum:][:spectrum]
		turn(turned, own) // -i X
		for i := range turned {
			turned[i] = -turned[i]
		}
		sum := values[f*size:][:size]
		lines := t.spectraOfLines(sum)
		neural.AddProduct(lines, t.cosinesTransposed, t.spectraOfLines(own))
		neural.AddProduct(lines, t.sinesTransposed, t.spectraOfLines(turned))
	}
	for i := range values {
		values[i] *= factor
	}
	neural.AddProduct(t.lines(functions), t.spectraOfLines(values), last)
}

// turn sets y to -i x, group by group.
func turn[T neural.Number](y, x []T) {
	const half = neural.Group
	for g := 0; g < len(x); g += 2 * half {
		re := x[g : g+half]
		im := x[g+half : g+2*half]
		copy(y[g:], im)
		negative := y[g+half : g+2*half]
		for i, v := range re {
			negative[i] = -v
		}
	}
}
