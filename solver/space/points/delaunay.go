package points

import (
	"math"
	"slices"
	"sort"
)

// triangle is a triangle of a triangulation with its corners in counterclockwise order. Neighbour k lies across the edge
// opposite to corner k; -1: none.
type triangle struct {
	corners    [3]int
	neighbours [3]int
	gone       bool
}

// edge returns the ends of the edge opposite to corner k.
func (f *triangle) edge(k int) (from, to int) {
	from = f.corners[(k+1)%3]
	to = f.corners[(k+2)%3]
	return from, to
}

// triangulation is the Delaunay triangulation of points in the plane as it grows, by the method of Bowyer and Watson.
type triangulation struct {
	at        [][2]float64 // the last three are corners of a triangle that contains all others
	triangles []triangle
	last      int // a triangle near the point that was inserted last
}

// triangulate returns the Delaunay triangles (corners of each) of points in the plane, count x 2, without those that
// span holes, notches and the outside: their longest edge is far longer than is usual at its ends. It is nil if points
// lie on a line.
func triangulate(at []float64) []int {
	count := len(at) / 2
	if count < 3 {
		return nil
	}
	t, original := newTriangulation(at)
	inner := len(t.at) - 3 // points, before the corners of the outer triangle
	for _, i := range insertionOrder(t.at[:inner]) {
		t.insert(i)
	}
	var cells []int
	for _, f := range t.triangles {
		isInner := slices.Max(f.corners[:]) < inner
		if isInner && !f.gone {
			cells = append(cells, f.corners[:]...)
		}
	}
	cells = t.withoutLong(cells)
	for i, point := range cells {
		cells[i] = original[point]
	}
	return cells
}

// newTriangulation returns the triangulation of no points yet. Points are scaled to a unit box and moved by a tiny part
// of it, so that no four lie on a circle; those at the same place are one. original holds their numbers.
func newTriangulation(at []float64) (t *triangulation, original []int) {
	low, scale := boxOf(at)
	t = &triangulation{}
	const (
		same  = 1e-9 // distance of points at the same place
		moved = 1e-7 // distance by which points are moved at most, twice
	)
	known := map[[2]int64]bool{}
	random := newRandom(1)
	for i := range len(at) / 2 {
		x := (at[2*i] - low[0]) / scale
		y := (at[2*i+1] - low[1]) / scale
		key := [2]int64{
			int64(math.Round(x / same)),
			int64(math.Round(y / same)),
		}
		if known[key] {
			continue
		}
		known[key] = true
		x += moved * random.next()
		y += moved * random.next()
		t.at = append(t.at, [2]float64{x, y})
		original = append(original, i)
	}
	n := len(t.at)
	const far = 50 // of the box: its corners are outside of all circles that matter
	left := [2]float64{-far, -far}
	right := [2]float64{far, -far}
	top := [2]float64{0, far}
	t.at = append(t.at, left, right, top)
	outer := triangle{
		corners:    [3]int{n, n + 1, n + 2},
		neighbours: [3]int{-1, -1, -1},
	}
	t.triangles = []triangle{outer}
	return t, original
}

// boxOf returns the lower left corner of points in the plane, count x 2, and the longer side of the box around them, 1 if
// they are at one place.
func boxOf(at []float64) (low [2]float64, scale float64) {
	low = [2]float64{math.Inf(1), math.Inf(1)}
	high := [2]float64{math.Inf(-1), math.Inf(-1)}
	for i, v := range at {
		axis := i % 2
		low[axis] = min(low[axis], v)
		high[axis] = max(high[axis], v)
	}
	width := high[0] - low[0]
	height := high[1] - low[1]
	scale = max(width, height)
	if scale == 0 {
		return low, 1
	}
	return low, scale
}

// random is the generator of Knuth's MMIX. It makes the same numbers in every run, so that results depend on the points
// alone.
type random uint64

func newRandom(seed uint64) *random {
	r := random(seed)
	return &r
}

// next returns a number between -0.5 and 0.5.
func (r *random) next() float64 {
	*r = *r*6364136223846793005 + 1442695040888963407
	return float64(*r>>11)/(1<<53) - 0.5
}

// insertionOrder returns points in the order of rows of boxes, to and fro, so that the next one is near.
func insertionOrder(at [][2]float64) []int {
	const inBox = 4 // points
	boxes := float64(len(at)) / inBox
	rows := max(1, int(math.Sqrt(boxes)))
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	row := func(i int) int { return int(at[i][1] * float64(rows)) }
	sort.SliceStable(order, func(a, b int) bool {
		i := order[a]
		j := order[b]
		if row(i) != row(j) {
			return row(i) < row(j)
		}
		if row(i)%2 == 0 {
			return at[i][0] < at[j][0]
		}
		return at[i][0] > at[j][0]
	})
	return order
}

// side is positive if c lies to the left of the line from a to b: twice the area of the triangle.
func side(a, b, c [2]float64) float64 {
	abX := b[0] - a[0]
	abY := b[1] - a[1]
	acX := c[0] - a[0]
	acY := c[1] - a[1]
	return abX*acY - abY*acX
}

// inCircle reports whether p lies in the circle through the corners of a triangle.
func (t *triangulation) inCircle(f triangle, p [2]float64) bool {
	var d [3][3]float64
	for k, corner := range f.corners {
		x := t.at[corner][0] - p[0]
		y := t.at[corner][1] - p[1]
		d[k] = [3]float64{x, y, x*x + y*y}
	}
	return dot(d[0], cross(d[1], d[2])) > 0
}

// find returns a triangle that contains a point, by walking towards it.
func (t *triangulation) find(p [2]float64) int {
	at := t.last
	for range len(t.triangles) {
		f := t.triangles[at]
		next := -1
		for k, neighbour := range f.neighbours {
			from, to := f.edge(k)
			isBeyond := side(t.at[from], t.at[to], p) < 0
			if isBeyond && neighbour >= 0 {
				next = neighbour
				break
			}
		}
		if next < 0 {
			return at
		}
		at = next
	}
	return at
}

// border is an edge of the hole that an inserted point makes, with the triangle beyond it.
type border struct {
	from   int // point
	to     int // point
	beyond int // triangle; -1: none
}

// insert adds a point: triangles whose circles contain it give way to those from it to the border of the hole.
func (t *triangulation) insert(point int) { t.fill(point, t.dig(t.at[point])) }

// dig takes out the triangles whose circles contain a point, and returns the border of the hole.
func (t *triangulation) dig(p [2]float64) (borders []border) {
	first := t.find(p)
	t.triangles[first].gone = true
	hole := []int{first}
	for i := 0; i < len(hole); i++ { // the hole grows meanwhile
		f := t.triangles[hole[i]]
		for k, next := range f.neighbours {
			exists := next >= 0
			if exists && t.triangles[next].gone {
				continue
			}
			if exists && t.inCircle(t.triangles[next], p) {
				t.triangles[next].gone = true
				hole = append(hole, next)
				continue
			}
			from, to := f.edge(k)
			borders = append(borders, border{
				from:   from,
				to:     to,
				beyond: next,
			})
		}
	}
	return borders
}

// fill adds the triangles from a point to the border of a hole.
func (t *triangulation) fill(point int, borders []border) {
	begins := map[int]int{} // the new triangle of the border from a corner
	first := len(t.triangles)
	for i, b := range borders {
		begins[b.from] = first + i
		t.triangles = append(t.triangles, triangle{
			corners:    [3]int{point, b.from, b.to},
			neighbours: [3]int{b.beyond, -1, -1},
		})
		if b.beyond >= 0 {
			t.triangles[b.beyond].join(b, first+i)
		}
	}
	for i, b := range borders {
		next, ok := begins[b.to]
		if !ok {
			continue
		}
		t.triangles[first+i].neighbours[1] = next // across the edge from b.to to the point
		t.triangles[next].neighbours[2] = first + i
	}
	t.last = first
}

// join sets the neighbour across a border of a hole, of a triangle beyond it.
func (f *triangle) join(b border, neighbour int) {
	for k := range 3 {
		from, to := f.edge(k) // seen from the other side
		if from == b.to && to == b.from {
			f.neighbours[k] = neighbour
		}
	}
}

// withoutLong leaves out triangles with an edge that is several times as long as the third shortest edges at its ends.
// That is the longer spacing of a mesh that is finer in one direction, and points around a hole have two neighbours along
// it and one away from it, however many edges cross the hole.
func (t *triangulation) withoutLong(cells []int) []int {
	const factor = 3
	usual := t.usualLengths(cells)
	var kept []int
	for cell := range slices.Chunk(cells, 3) {
		isLong := false
		for k, i := range cell {
			j := cell[(k+1)%3]
			longest := factor * max(usual[i], usual[j])
			if t.distance(i, j) > longest {
				isLong = true
			}
		}
		if !isLong {
			kept = append(kept, cell...)
		}
	}
	return kept
}

// distance returns the distance of two points.
func (t *triangulation) distance(i, j int) float64 {
	x := t.at[i][0] - t.at[j][0]
	y := t.at[i][1] - t.at[j][1]
	return math.Hypot(x, y)
}

// usualLengths returns, for each point, the third shortest length of the edges of cells there; 0 if there are none.
func (t *triangulation) usualLengths(cells []int) []float64 {
	const local = 3 // edges at a point that do not cross a hole
	edges := make([][]float64, len(t.at))
	for cell := range slices.Chunk(cells, 3) {
		for k, i := range cell {
			j := cell[(k+1)%3]
			length := t.distance(i, j)
			edges[i] = append(edges[i], length)
			edges[j] = append(edges[j], length)
		}
	}
	usual := make([]float64, len(t.at))
	for i, lengths := range edges {
		if len(lengths) > 0 {
			slices.Sort(lengths)
			lengths = slices.Compact(lengths) // an edge belongs to two triangles
			usual[i] = lengths[min(local, len(lengths))-1]
		}
	}
	return usual
}
