package points

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Regular is a grid with equal steps along each axis, whose points come in any order.
type Regular struct {
	Lengths [MostAxes]int   // points along each axis, 1 for those that points do not have
	index   [][MostAxes]int // of each point
}

// RegularOf returns the regular grid that points form; ok is false if they form none.
func RegularOf(p Places) (g Regular, ok bool) {
	if p.Axes == 0 || p.Count() < 2 {
		return g, false
	}
	g.Lengths = [MostAxes]int{1, 1, 1}
	g.index = make([][MostAxes]int, p.Count())
	total := 1
	for axis := range p.Axes {
		values := make([]float64, p.Count())
		for i := range values {
			values[i] = p.At[i*p.Axes+axis]
		}
		first, step, count := levels(values)
		if count < 2 {
			return Regular{}, false
		}
		g.Lengths[axis] = count
		total *= count
		for i, v := range values {
			place := (v - first) / step
			nearest := math.Round(place)
			if math.Abs(place-nearest) > stepTolerance {
				return Regular{}, false
			}
			g.index[i][axis] = int(nearest)
		}
	}
	if total != p.Count() {
		return Regular{}, false
	}
	there := make([]bool, total)
	for i := range g.index {
		at := g.row(i)
		if at < 0 || at >= total || there[at] {
			return Regular{}, false
		}
		there[at] = true
	}
	return g, true
}

// stepTolerance is the largest distance of a coordinate from its level, in steps: files may be in half precision.
const stepTolerance = 1e-2

// levels returns the first of the different values, their distance, and how many there are if they have equal distances;
// count is 0 if not.
func levels(values []float64) (first, step float64, count int) {
	sorted := slices.Sorted(slices.Values(values))
	first = sorted[0]
	span := sorted[len(sorted)-1] - first
	gap := 0.0 // of neighbouring levels
	for i := 1; i < len(sorted); i++ {
		d := sorted[i] - sorted[i-1]
		const same = 1e-5 // of the span: rounding of single precision
		if d > same*span && (gap == 0 || d < gap) {
			gap = d
		}
	}
	if gap == 0 {
		return first, 1, 0
	}
	count = int(math.Round(span/gap)) + 1
	if count > len(values) {
		return first, gap, 0
	}
	return first, span / float64(count-1), count
}

// row returns the number of a point in the order of the grid, the last axis fastest.
func (g Regular) row(point int) int {
	at := 0
	for axis, n := range g.Lengths {
		at = at*n + g.index[point][axis]
	}
	return at
}

// Order returns the numbers of the points in the order of the grid, the last axis fastest.
func (g Regular) Order() []int {
	order := make([]int, len(g.index))
	for i := range g.index {
		order[g.row(i)] = i
	}
	return order
}

// weights returns those of the product of trapezoid rules.
func (g Regular) weights() []float64 {
	all := make([]float64, len(g.index))
	for i, index := range g.index {
		w := 1.0
		for axis, n := range g.Lengths {
			if n == 1 {
				continue
			}
			w /= float64(n - 1)
			if index[axis] == 0 || index[axis] == n-1 {
				w /= 2
			}
		}
		all[i] = w
	}
	return all
}

// triangles returns two for each cell of a grid in the plane, with alternating diagonals so that no direction is
// preferred.
func (g Regular) triangles() (cells []int) {
	order := g.Order()
	columns := g.Lengths[1]
	for i := range g.Lengths[0] - 1 {
		for j := range columns - 1 {
			at := i*columns + j
			a := order[at]
			b := order[at+1]
			c := order[at+columns]
			d := order[at+columns+1]
			if (i+j)%2 == 0 {
				cells = append(cells, a, b, d, a, d, c)
			} else {
				cells = append(cells, a, b, c, b, d, c)
			}
		}
	}
	return cells
}

func (g Regular) String() string {
	var sides []string
	for _, n := range g.Lengths {
		if n > 1 {
			sides = append(sides, fmt.Sprint(n))
		}
	}
	return strings.Join(sides, " x ") + " points"
}

// Lattice returns the triangles or segments of points that an array lists along one or two of its axes, as curvilinear
// grids do; nil for other numbers of axes.
func Lattice(shape []int) (corners int, cells []int) {
	switch len(shape) {
	case 1:
		for i := 1; i < shape[0]; i++ {
			cells = append(cells, i-1, i)
		}
		return 2, cells
	case 2:
		g := Regular{Lengths: [MostAxes]int{shape[0], shape[1], 1}}
		for i := range shape[0] * shape[1] {
			g.index = append(g.index, [MostAxes]int{i / shape[1], i % shape[1], 0})
		}
		return 3, g.triangles()
	}
	return 0, nil
}
