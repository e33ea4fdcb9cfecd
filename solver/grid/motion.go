package grid

// Motion maps a domain to itself: its axes are exchanged (Turn), then some of them are reflected, the second one if
// bit 0 of Flip is set, the first one of a field if bit 1 is. With Odd, values change their sign besides.
type Motion struct {
	Flip int
	Turn bool // of squares only
	Odd  bool
}

// Reflections are those of every axis, one by one and together, with the motion that does nothing as the first; of a
// periodic domain only the one of all axes, x to -x, which its translations take everywhere.
func (d Domain) Reflections(odd bool) []Motion {
	if d.Periodic {
		return []Motion{{}, {Flip: 1<<d.Dims - 1, Odd: odd}}
	}
	var all []Motion
	for flip := range 1 << d.Dims {
		all = append(all, Motion{Flip: flip, Odd: odd && flip != 0})
	}
	return all
}

// Turns are the motions that do not reflect, with the one that does nothing as the first.
func (d Domain) Turns() []Motion { return []Motion{{}, {Turn: true}} }

// Motions are all eight of the square, with the one that does nothing as the first.
func (d Domain) Motions() []Motion {
	var all []Motion
	for _, flip := range d.Reflections(false) {
		all = append(all, flip, Motion{Flip: flip.Flip, Turn: true})
	}
	return all
}

// Square reports whether the axes can be exchanged.
func (d Domain) Square() bool { return d.Dims == 2 && d.Aspect == Aspect{} }

// Sign is the factor to values.
func (m Motion) Sign() float64 {
	if m.Odd {
		return -1
	}
	return 1
}

// Inverse takes back what m does.
func (m Motion) Inverse() Motion {
	if m.Turn {
		m.Flip = m.Flip&1<<1 | m.Flip>>1
	}
	return m
}

// Source is the number of the value that m brings to the place of value x, of a function of one channel on the grid
// with so many points along the first axis.
func (d Domain) Source(points int, m Motion) func(x int) int {
	rows, columns := d.Axes(points)
	return func(x int) int {
		row, column := x/columns, x%columns
		if m.Flip&1 != 0 {
			column = columns - 1 - column
		}
		if m.Flip&2 != 0 {
			row = rows - 1 - row
		}
		if m.Turn {
			row, column = column, row
		}
		return row*columns + column
	}
}

// Moved is the images of functions of one channel.
func (b Batch) Moved(m Motion) Batch {
	images, from, sign := b.Like(b.Count), b.Domain.Source(b.Points, m), m.Sign()
	for i := range b.Count {
		image, f := images.At(i), b.At(i)
		for x := range image {
			image[x] = sign * f[from(x)]
		}
	}
	return images
}
