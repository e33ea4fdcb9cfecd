// This file declares the kernels and implements them in pure Go.

package darcy

// kernels holds the passes over memory of one conjugate gradient step.
type kernels struct {
	// apply sets image to the row of A p and returns the sum of its products with p, for the points inside of one row.
	// row holds p there and on both ends, above and below hold p without the ends; east[j] is the face between row[j] and
	// row[j+1], north and south are the faces to above and below.
	apply func(image, above, row, below, east, north, south []float64) float64
	// combine sets p to z + beta p.
	combine func(p, z []float64, beta float64)
	// advance adds alpha p to u and subtracts alpha q from b, and returns the new b.b.
	advance func(u, b, p, q []float64, alpha float64) float64
	// dot returns x.y.
	dot func(x, y []float64) float64
}

var genericKernels = kernels{
	apply:   apply,
	combine: combine,
	advance: advance,
	dot:     dot,
}

// vectorKernels are in assembly. Architectures without any have the generic level only.
var vectorKernels kernels

func apply(image, above, row, below, east, north, south []float64) float64 {
	n := len(image)
	values := row[1 : 1+n]
	next := row[2 : 2+n]
	above = above[:n]
	below = below[:n]
	north = north[:n]
	south = south[:n]
	toNext := east[1 : 1+n]
	left := east[0] * (row[0] - row[1]) // fluxes F across the four faces of a point
	for j, v := range values {
		right := toNext[j] * (v - next[j])
		down := south[j] * (v - below[j])
		up := north[j] * (v - above[j])
		image[j] = (right - left) + (down + up)
		left = right
	}
	return dot(values, image) // while both are in the first cache
}

func combine(p, z []float64, beta float64) {
	z = z[:len(p)]
	for i, v := range p {
		p[i] = z[i] + beta*v
	}
}

// advance and dot use four partial sums, which hide the latency of an addition.
func advance(u, b, p, q []float64, alpha float64) float64 {
	b = b[:len(u)]
	p = p[:len(u)]
	q = q[:len(u)]
	var s0, s1, s2, s3 float64
	for len(u) >= 4 && len(b) >= 4 && len(p) >= 4 && len(q) >= 4 { // so that no index is checked
		u[0] += alpha * p[0]
		u[1] += alpha * p[1]
		u[2] += alpha * p[2]
		u[3] += alpha * p[3]
		b0 := b[0] - alpha*q[0]
		b1 := b[1] - alpha*q[1]
		b2 := b[2] - alpha*q[2]
		b3 := b[3] - alpha*q[3]
		b[0] = b0
		b[1] = b1
		b[2] = b2
		b[3] = b3
		s0 += b0 * b0
		s1 += b1 * b1
		s2 += b2 * b2
		s3 += b3 * b3
		u = u[4:]
		b = b[4:]
		p = p[4:]
		q = q[4:]
	}
	for i := range u {
		u[i] += alpha * p[i]
		b[i] -= alpha * q[i]
		s0 += b[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		x = x[4:]
		y = y[4:]
	}
	for i, v := range x {
		s0 += v * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}
