// The product of a symmetric matrix with a vector, for the reductions to tridiagonal form.

package linalg

// multiplySymmetric sets y to the product of the symmetric matrix with the upper triangle a and v.
func (k kernels) multiplySymmetric(y, a []float64, stride int, v []float64) {
	n := len(v)
	clear(y)
	i := 0
	for ; i+4 <= n; i += 4 {
		block := a[i*stride+i:]
		x, z := (*[4]float64)(v[i:]), (*[4]float64)(y[i:])
		corner4(block, stride, x, z)
		sums := k.symv4(x, block[4:], stride, v[i+4:], y[i+4:])
		for l, s := range sums {
			z[l] += s
		}
	}
	if i < n {
		corner(a[i*stride+i:], stride, n-i, v[i:], y[i:])
	}
}

// corner4 is corner for n = 4.
func corner4(a []float64, stride int, v, y *[4]float64) {
	r0, r1, r2 := (*[4]float64)(a), (*[3]float64)(a[stride+1:]), (*[2]float64)(a[2*stride+2:])
	v0, v1, v2, v3 := v[0], v[1], v[2], v[3]
	y[0] += (r0[0]*v0 + r0[1]*v1) + (r0[2]*v2 + r0[3]*v3)
	y[1] += (r0[1]*v0 + r1[0]*v1) + (r1[1]*v2 + r1[2]*v3)
	y[2] += (r0[2]*v0 + r1[1]*v1) + (r2[0]*v2 + r2[1]*v3)
	y[3] += (r0[3]*v0 + r1[2]*v1) + (r2[1]*v2 + a[3*stride+3]*v3)
}

// corner adds to y the product of the symmetric n x n matrix with the upper triangle a and v.
func corner(a []float64, stride, n int, v, y []float64) {
	for i := range n {
		y[i] += a[i*stride+i] * v[i]
		for j := i + 1; j < n; j++ {
			y[i] += a[i*stride+j] * v[j]
			y[j] += a[i*stride+j] * v[i]
		}
	}
}
