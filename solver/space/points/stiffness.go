// This file assembles the matrix of the Laplacian at points, by the cells or by neighbours.

package points

import (
	"cmp"
	"math"
	"slices"
)

// stiffness is the symmetric matrix M^-1/2 K M^-1/2 of the Laplacian, in an order of the points with a narrow band.
type stiffness struct {
	order []int       // the point of each row
	root  []float64   // square roots of the weights, by row
	rows  []sparseRow // each with its entries
	shift float64     // about the lowest eigenvalue above 0
}

// sparseRow holds the entries of a row that are not zero.
type sparseRow struct {
	columns []int // ascending, so that sums do not depend on chance
	values  []float64
}

func (r sparseRow) times(x []float64) (sum float64) {
	for k, j := range r.columns {
		sum += r.values[k] * x[j]
	}
	return sum
}

// entries are the entries of a symmetric matrix by point.
type entries []map[int]float64

// join adds the share of an edge with a conductance c to K.
func (e entries) join(i, j int, c float64) {
	e[i][j] -= c
	e[j][i] -= c
	e[i][i] += c
	e[j][j] += c
}

// entriesOf returns the matrix K of the Laplacian.
func entriesOf(p Places) entries {
	e := make(entries, p.Count())
	for i := range e {
		e[i] = map[int]float64{}
	}
	whole := 0.0 // measure of all cells, of which weights are parts
	if p.Corners <= 3 {
		for cell := range slices.Chunk(p.Cells, max(1, p.Corners)) {
			whole += p.size(cell)
			e.cell(p, cell)
		}
	}
	if whole > 0 {
		for _, row := range e {
			for j := range row {
				row[j] /= whole
			}
		}
	} else {
		e.neighbours(p)
	}
	return e
}

// without removes points from the matrix, at which functions vanish.
func (e entries) without(vanishing []bool) {
	for i, row := range e {
		for j := range row {
			if vanishing[i] || vanishing[j] {
				delete(row, j)
			}
		}
	}
}

// newStiffness returns the matrix for functions that vanish at some points; nil: at none.
func newStiffness(p Places, vanishing []bool) *stiffness {
	e := entriesOf(p)
	if vanishing != nil {
		e.without(vanishing)
	}
	isFixed := func(point int) bool { return vanishing != nil && vanishing[point] }
	s := &stiffness{
		order: slices.DeleteFunc(narrow(e), isFixed),
		shift: math.Pow(math.Pi/p.extent(), 2),
	}
	place := make([]int, len(e)) // the row of each point
	for row, point := range s.order {
		place[point] = row
		s.root = append(s.root, math.Sqrt(p.Weights[point]))
	}
	s.rows = make([]sparseRow, len(s.order))
	for row, point := range s.order {
		r := &s.rows[row]
		own := e[point]
		for j := range own {
			r.columns = append(r.columns, place[j])
		}
		slices.Sort(r.columns)
		for _, column := range r.columns {
			v := own[s.order[column]]
			r.values = append(r.values, v/(s.root[row]*s.root[column]))
		}
	}
	return s
}

// cell adds the share of a segment or of a triangle.
func (e entries) cell(p Places, cell []int) {
	if len(cell) == 3 {
		e.triangle(p, cell)
		return
	}
	if h := p.size(cell); h > 0 {
		e.join(cell[0], cell[1], 1/h)
	}
}

// triangle adds the share of a triangle: half the cotangent of each angle for the edge opposite.
func (e entries) triangle(p Places, cell []int) {
	for k := range 3 {
		second := cell[(k+1)%3]
		third := cell[(k+2)%3]
		var a, b [MostAxes]float64 // the sides from corner k
		apex := p.Place(cell[k])
		for axis, v := range apex {
			a[axis] = p.Place(second)[axis] - v
			b[axis] = p.Place(third)[axis] - v
		}
		normal := cross(a, b)
		if twice := math.Sqrt(dot(normal, normal)); twice > 0 {
			cotangent := dot(a, b) / twice
			e.join(second, third, cotangent/2)
		}
	}
}

// neighbours adds the edges from every point to those nearest: with conductances 2 d/(count of neighbours) w/r^2 their
// sum is the Laplacian in d dimensions on average, w the mean weight of both ends, r their distance.
func (e entries) neighbours(p Places) {
	nearest := 4 * p.Axes
	share := float64(p.Axes) / float64(nearest) // half of it, since the other end adds the other half
	type other struct {
		point  int
		square float64
	}
	for i := range e {
		var list []other
		for j := range e {
			if i == j {
				continue
			}
			square := 0.0
			for axis, v := range p.Place(i) {
				d := v - p.Place(j)[axis]
				square += d * d
			}
			list = append(list, other{point: j, square: square})
		}
		slices.SortFunc(list, func(a, b other) int {
			if a.square != b.square {
				return cmp.Compare(a.square, b.square)
			}
			return a.point - b.point
		})
		for _, o := range list[:min(nearest, len(list))] {
			if o.square > 0 {
				w := (p.Weights[i] + p.Weights[o.point]) / 2
				e.join(i, o.point, share*w/o.square)
			}
		}
	}
}

// Edge joins two points, From < To, with a conductance: the weak divergence of c grad v at a point is the sum over its
// edges of conductance times mean c times the difference of v.
type Edge struct {
	From, To    int
	Conductance float64
}

// Edges returns the edges of the Laplacian at points.
func Edges(p Places) (all []Edge) {
	for i, row := range entriesOf(p) {
		var others []int
		for j := range row {
			if j > i {
				others = append(others, j)
			}
		}
		slices.Sort(others)
		for _, j := range others {
			all = append(all, Edge{From: i, To: j, Conductance: -row[j]})
		}
	}
	return all
}

// narrow returns the points in an order that brings neighbours together (Cuthill and McKee).
func narrow(e entries) (order []int) {
	seen := make([]bool, len(e))
	neighbours := func(point int) (list []int) {
		for j := range e[point] {
			if j != point {
				list = append(list, j)
			}
		}
		slices.SortFunc(list, func(a, b int) int {
			if len(e[a]) != len(e[b]) {
				return len(e[a]) - len(e[b])
			}
			return a - b
		})
		return list
	}
	walk := func(from int) (list []int) {
		reached := map[int]bool{from: true}
		list = []int{from}
		for at := 0; at < len(list); at++ {
			for _, j := range neighbours(list[at]) {
				if !reached[j] && !seen[j] {
					reached[j] = true
					list = append(list, j)
				}
			}
		}
		return list
	}
	for point := range e {
		if seen[point] {
			continue
		}
		far := walk(point) // its last point is at an end
		for _, j := range walk(far[len(far)-1]) {
			seen[j] = true
			order = append(order, j)
		}
	}
	return order
}
