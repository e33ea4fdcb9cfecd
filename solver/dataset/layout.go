// This file tells from values which axis of an array counts functions and which the points of their grid.

package dataset

import (
	"fmt"
	"math"
	"slices"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// Layout is the order of the axes of an array of functions.
type Layout string

// The layouts. Where the shape alone does not tell them, Auto looks at values: a function is smoother from point to
// point than what functions have at one point is from function to function.
const (
	Auto           Layout = "auto"
	FunctionsFirst Layout = "functions-first" // (n, K), (n, 2, K), (n, r, r), ...
	PointsFirst    Layout = "points-first"    // (K, n), (K, n, 2), (r, r, n), ...
)

// layout is that of the pattern; a single function has its points first and its functions, too.
func (p pattern) layout() Layout {
	if p.axisAt('x') < p.axisAt('n') {
		return PointsFirst
	}
	return FunctionsFirst
}

// clearly is how many times as rough an axis of functions must be as an axis of points.
const clearly = 3

// tell chooses among patterns that the shape fits: the first, unless others have the axes of functions and points
// exchanged. It reports whether values were asked. The error is a *fault.Data if they do not say.
func (s stored) tell(candidates []pattern) (chosen pattern, told bool, err error) {
	first := candidates[0]
	other := slices.IndexFunc(candidates, func(p pattern) bool {
		return p.layout() != first.layout() && p.axisAt('x') != first.axisAt('x')
	})
	if other < 0 || first.axisAt('n') < 0 {
		return first, false, nil
	}
	second := candidates[other]
	evidence := 0.0 // for the first: the logarithm of how much rougher its axis of functions is
	constant := true
	for _, name := range s.arrays {
		sample, err := s.sample(name)
		if err != nil {
			return "", false, err
		}
		a, b := sample.roughness(first.axisAt('n')), sample.roughness(second.axisAt('n'))
		constant = constant && math.IsNaN(a) && math.IsNaN(b)
		evidence += weigh(a, b)
		if s.endpoint && s.dims == 1 && !s.closed {
			a, b := sample.closed(first.axisAt('x')), sample.closed(second.axisAt('x'))
			switch {
			case a && !b:
				return first, true, nil
			case b && !a:
				return second, true, nil
			}
		}
	}
	switch {
	case constant || evidence >= math.Log(clearly):
		return first, true, nil
	case evidence <= -math.Log(clearly):
		return second, true, nil
	}
	return "", true, &fault.Data{Where: s.file.Name,
		What: fmt.Sprintf("has shape %v, which may be %v or %v, and is about as smooth along one axis as along the other",
			s.shape, first, second),
		Do: fmt.Sprintf("set data.layout = %s for %v, %s for %v", first.layout(), first, second.layout(), second)}
}

// weigh is log(a/b); an axis along which nothing varies is that of functions which are all the same.
func weigh(a, b float64) float64 {
	const certain = 10
	switch {
	case math.IsNaN(a) && math.IsNaN(b):
		return 0
	case math.IsNaN(a):
		return certain
	case math.IsNaN(b):
		return -certain
	}
	const least = 1e-12 // a straight line
	return math.Log(max(a, least) / max(b, least))
}

// sample is a part of an array: the first numbers along each axis, in C order.
type sample struct {
	shape, whole []int
	data         []float64
}

// sample reads at most some hundred thousand numbers of an array, from its beginning.
func (s stored) sample(name string) (sample, error) {
	const slabs, enough, passed = 64, 1 << 18, 1 << 24
	part := sample{shape: slices.Clone(s.shape), whole: s.shape}
	size := func() int {
		product := 1
		for _, n := range part.shape {
			product *= n
		}
		return product
	}
	m, err := s.file.Member(name)
	if err != nil {
		return part, err
	}
	axes := npy.Header{Shape: s.shape, Fortran: m.Order != "C"}.Slowest()
	slab := max(1, size()/max(1, part.shape[axes[0]]))
	part.shape[axes[0]] = min(part.shape[axes[0]], slabs, max(2, 1+s.file.Bound(passed)/slab))
	for _, d := range axes {
		if n := size(); n > enough {
			part.shape[d] = max(min(part.shape[d], 8), int(float64(part.shape[d])*enough/float64(n)))
		}
	}
	part.data = make([]float64, size())
	whole, strides := npy.Strides(s.shape), npy.Strides(part.shape)
	fastest := axes[len(axes)-1]
	// place is where a number belongs in the part, and how many that follow along the fastest axis do as well.
	place := func(at int) (position, count int) {
		for d, stride := range whole {
			i := at / stride
			at %= stride
			if i >= part.shape[d] {
				return 0, 0
			}
			position += i * strides[d]
			if d == fastest {
				count = part.shape[d] - i
			}
		}
		return position, count
	}
	missing := len(part.data)
	err = s.file.Scan(name, whole, npy.Selection{
		Want: func(run npy.Run) bool {
			_, count := place(run.At)
			return count > 0
		},
		Put: func(run npy.Run, values []float64) bool {
			position, count := place(run.At)
			values = values[:min(count, len(values))]
			for i, v := range values {
				part.data[position+i*strides[fastest]] = v
			}
			missing -= len(values)
			return missing > 0
		},
	})
	return part, err
}

// lines calls look with the values along an axis, for some lines; the slice is used again.
func (s sample) lines(axis int, look func(line []float64)) {
	const most = 4096
	strides := npy.Strides(s.shape)
	n, stride := s.shape[axis], strides[axis]
	if n == 0 || len(s.data) == 0 {
		return
	}
	count := len(s.data) / n
	line := make([]float64, n)
	for l := 0; l < count; l += (count + most - 1) / most {
		begin := l/stride*stride*n + l%stride
		for i := range line {
			line[i] = s.data[begin+i*stride]
		}
		look(line)
	}
}

// roughness is the median over lines along an axis of the sum of squared differences of neighbours over twice the sum
// of squared deviations from the mean (von Neumann's ratio): about 1 for independent values, near 0 for smooth ones,
// whatever their scale and offset. It is NaN if nothing varies along the axis.
func (s sample) roughness(axis int) float64 {
	var all []float64
	s.lines(axis, func(line []float64) {
		mean, scale := 0.0, 0.0
		for _, v := range line {
			mean += (v - line[0]) / float64(len(line))
			scale = max(scale, math.Abs(v))
		}
		mean += line[0]
		steps, spread := 0.0, 0.0
		for i, v := range line {
			spread += (v - mean) * (v - mean)
			if i > 0 {
				steps += (v - line[i-1]) * (v - line[i-1])
			}
		}
		const rounding = 1e-7 // of numbers in single precision
		if ratio := steps / (2 * spread); math.Sqrt(spread/float64(len(line))) > rounding*scale && !math.IsNaN(ratio) {
			all = append(all, ratio)
		}
	})
	if len(all) == 0 {
		return math.NaN()
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// closed reports whether the last value of nearly all lines along an axis repeats the first. It does not if the sample
// is not as long as the lines.
func (s sample) closed(axis int) bool {
	if s.shape[axis] != s.whole[axis] {
		return false
	}
	n := 0
	var ends ends
	s.lines(axis, func(line []float64) { ends.add(line); n++ })
	return n > 1 && ends.repeat()
}
