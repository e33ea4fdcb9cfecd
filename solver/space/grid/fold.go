package grid

// Parity is how functions continue across the sides of their domain: u(-x) = u(x) or u(-x) = -u(x).
type Parity int

// Even functions have no slope at the sides, odd ones no value.
const (
	Even Parity = 1
	Odd  Parity = -1
)

// Ends are the parities with which functions on an interval continue across its left and its right end.
type Ends struct{ Near, Far Parity }

// Exists reports whether this is one of the two parities.
func (p Parity) Exists() bool { return p == Even || p == Odd }

// String returns the parity in words.
func (p Parity) String() string {
	if p == Odd {
		return "odd"
	}
	return "even"
}

// Doubled returns the torus, twice as long along every axis, on which functions on a domain with sides continue.
func (d Domain) Doubled() Domain {
	d.Periodic = true
	d.Cells = false
	return d
}

// DoubledPoints returns the points along the first axis of the torus, for those of a grid on a domain with sides.
func (d Domain) DoubledPoints(points int) int { return 2*d.Intervals(points) + 1 }

// reflected is where a value of a continued function comes from.
type reflected struct {
	from int     // index of the value on the domain with sides
	sign float64 // 0 where an odd function is reflected at a point
}

// reflections returns, for every point along an axis of the torus, the point of a domain with sides that has its value.
func (d Domain) reflections(points int, p Parity) []reflected {
	intervals := d.Intervals(points)
	all := make([]reflected, 2*intervals+1)
	mirror := 2 * intervals // the sum of the indices of a point and its image
	if d.Cells {
		mirror--
	}
	for x := range all {
		inside := x % (2 * intervals)
		all[x] = reflected{from: inside, sign: 1}
		if inside >= points {
			all[x] = reflected{from: mirror - inside, sign: float64(p)}
		}
		atSide := !d.Cells && inside%intervals == 0
		if atSide && p == Odd {
			all[x].sign = 0
		}
	}
	return all
}

// Doubled returns functions on a domain with sides, continued to the torus twice as long with a parity along each axis, or
// with one along all. Where odd functions are reflected at a point of the grid, their value becomes 0.
func (b Batch) Doubled(along ...Parity) Batch {
	rows, columns := b.Domain.Axes(b.Points)
	across := b.Domain.reflections(columns, along[len(along)-1])
	down := []reflected{{from: 0, sign: 1}}
	if b.Domain.Dims == 2 {
		down = b.Domain.reflections(rows, along[0])
	}
	torus := b.Domain.Doubled()
	doubled := NewBatch(torus, b.Domain.DoubledPoints(b.Points), b.Count)
	from := b.Split()
	to := doubled.Split()
	for i := range from.Count {
		f := from.At(i)
		whole := to.At(i)
		for y, row := range down {
			source := f[row.from*columns:][:columns]
			target := whole[y*len(across):][:len(across)]
			for x, column := range across {
				sign := row.sign * column.sign
				if sign != 0 { // else it stays 0, not -0
					target[x] = sign * source[column.from]
				}
			}
		}
	}
	return doubled
}

// Halved returns the parts of functions on a torus that lie on the domain with sides of which it is twice as long.
func (b Batch) Halved(d Domain) Batch {
	d = d.With(b.Domain.Width())
	points := (b.Points - 1) / 2
	if !d.Cells {
		points++
	}
	part := NewBatch(d, points, b.Count)
	rows, columns := d.Axes(points)
	_, wide := b.Domain.Axes(b.Points)
	from := b.Split()
	to := part.Split()
	for i := range from.Count {
		whole := from.At(i)
		f := to.At(i)
		for y := range rows {
			copy(f[y*columns:][:columns], whole[y*wide:])
		}
	}
	return part
}

// WidenedPoints returns the points of the interval of Widened, for those of a grid on half of it.
func (d Domain) WidenedPoints(points int) int { return points + d.Intervals(points) }

// Widened returns functions on an interval, continued across its far end with a parity to an interval twice as long. Where odd
// functions are reflected at a point of the grid, their value becomes 0.
func (b Batch) Widened(far Parity) Batch {
	d := b.Domain
	wide := NewBatch(d, d.WidenedPoints(b.Points), b.Count)
	last := wide.Points - 1
	from := b.Split()
	to := wide.Split()
	for i := range from.Count {
		f := from.At(i)
		whole := to.At(i)
		for x, v := range f {
			whole[last-x] = float64(far) * v
		}
		copy(whole, f)
		if !d.Cells && far == Odd {
			whole[b.Points-1] = 0
		}
	}
	return wide
}

// Narrowed returns the parts of functions on an interval that lie in its first half.
func (b Batch) Narrowed() Batch {
	points := b.Points / 2
	if !b.Domain.Cells {
		points = (b.Points + 1) / 2
	}
	part := NewBatch(b.Domain, points, b.Count)
	from := b.Split()
	to := part.Split()
	for i := range from.Count {
		copy(to.At(i), from.At(i))
	}
	return part
}
