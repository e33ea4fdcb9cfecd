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

var genericKernels = kernels{apply, combine, advance, dot}

// vectorKernels are in assembly. Architectures without any have the generic level only.
var vectorKernels kernels

func apply(image, above, row, below, east, north, south []float64) float64 {
	n := len(image)
	values, next, above, below := row[1:1+n], row[2:2+n], above[:n], below[:n]
	east, north, south, left := east[1:1+n], north[:n], south[:n], -east[0]*(row[1]-row[0])
	for j, v := range values {
		right := east[j] * (v - next[j])
		image[j] = (right - left) + (south[j]*(v-below[j]) + north[j]*(v-above[j]))
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
	b, p, q = b[:len(u)], p[:len(u)], q[:len(u)]
	var s0, s1, s2, s3 float64
	for len(u) >= 4 && len(b) >= 4 && len(p) >= 4 && len(q) >= 4 {
		u[0] += alpha * p[0]
		u[1] += alpha * p[1]
		u[2] += alpha * p[2]
		u[3] += alpha * p[3]
		b0, b1, b2, b3 := b[0]-alpha*q[0], b[1]-alpha*q[1], b[2]-alpha*q[2], b[3]-alpha*q[3]
		b[0], b[1], b[2], b[3] = b0, b1, b2, b3
		s0 += b0 * b0
		s1 += b1 * b1
		s2 += b2 * b2
		s3 += b3 * b3
		u, b, p, q = u[4:], b[4:], p[4:], q[4:]
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
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += v * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}
