package grid

// Motion is a symmetry transformation of a domain. It exchanges the axes (Turn), then reflects the second axis if bit 0
// of Flip is set and the first axis of a field if bit 1 is set. With Odd, it also changes the sign of values.
type Motion struct {
	Flip int  `json:"flip"`
	Turn bool `json:"turn"` // of squares only
	Odd  bool `json:"odd"`
}

// Reflections returns the reflections of every axis, separately and together, the identity first. On a periodic domain
// it returns only the reflection of all axes, x to -x, which translations take to all points.
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

// Motions returns all eight motions of the square, the identity first.
func (d Domain) Motions() []Motion {
	var all []Motion
	for _, flip := range d.Reflections(false) {
		all = append(all, flip, Motion{Flip: flip.Flip, Turn: true})
	}
	return all
}

// Square reports whether the axes can be exchanged.
func (d Domain) Square() bool { return d.Dims == 2 && d.Aspect == Aspect{} }

// Sign returns the factor of values, 1 or -1.
func (m Motion) Sign() float64 {
	if m.Odd {
		return -1
	}
	return 1
}

// Inverse returns the inverse motion of m.
func (m Motion) Inverse() Motion {
	if m.Turn {
		m.Flip = m.Flip&1<<1 | m.Flip>>1
	}
	return m
}

// Source returns the index of the value that m moves to each index of a function of one channel.
func (d Domain) Source(points int, m Motion) (from []int) {
	rows, columns := d.Axes(points)
	for x := range d.Values(points) {
		row := x / columns
		column := x % columns
		if m.Flip&1 != 0 {
			column = columns - 1 - column
		}
		if m.Flip&2 != 0 {
			row = rows - 1 - row
		}
		if m.Turn {
			row, column = column, row
		}
		from = append(from, row*columns+column)
	}
	return from
}

// Moved returns the images under m of functions of one channel.
func (b Batch) Moved(m Motion) Batch {
	images := b.Like(b.Count)
	from := b.Domain.Source(b.Points, m)
	sign := m.Sign()
	for i := range b.Count {
		image := images.At(i)
		f := b.At(i)
		for x, y := range from {
			image[x] = sign * f[y]
		}
	}
	return images
}
