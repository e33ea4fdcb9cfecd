// The pure Go twins of the vector kernels.

package activation

func (f Func) applyGeneric(x []float64, shift *[8]float64) {
	switch f.kind {
	case matern, gaussian, rational:
		radial := Radial(f.kind)
		for i, v := range x {
			shifted := v + shift[i%len(shift)]
			x[i] = radial.value(shifted)
		}
	default:
		value := functions[f.kind].value
		for i, v := range x {
			x[i] = value(v)
		}
	}
}

// dotPanelGeneric adds to acc[l] the sum of y[r]*panel[4*r+l], over r in order.
func dotPanelGeneric(panel, y, acc []float64) {
	var s0, s1, s2, s3 float64
	panel = panel[:4*len(y)]
	for r, w := range y {
		v := (*[4]float64)(panel[4*r:])
		s0 += w * v[0]
		s1 += w * v[1]
		s2 += w * v[2]
		s3 += w * v[3]
	}
	acc[0] += s0
	acc[1] += s1
	acc[2] += s2
	acc[3] += s3
}

// accumulateGeneric adds alpha[l]*p0[4*r+l] + alpha[4+l]*p1[4*r+l] to out[4*r+l].
func accumulateGeneric(out, p0, p1, alpha []float64) {
	a := (*[4]float64)(alpha)
	b := (*[4]float64)(alpha[4:])
	p0 = p0[:len(out)]
	p1 = p1[:len(out)]
	for i := 0; i+4 <= len(out); i += 4 {
		u := (*[4]float64)(out[i:])
		v := (*[4]float64)(p0[i:])
		w := (*[4]float64)(p1[i:])
		u[0] += a[0]*v[0] + b[0]*w[0]
		u[1] += a[1]*v[1] + b[1]*w[1]
		u[2] += a[2]*v[2] + b[2]*w[2]
		u[3] += a[3]*v[3] + b[3]*w[3]
	}
}

// accumulateWideGeneric adds weights[l]*block[16*r+l] + weights[8+l]*block[16*r+8+l] to out[8*r+l].
func accumulateWideGeneric(out, block, weights []float64) {
	w := (*[16]float64)(weights)
	for r := range len(out) / 8 {
		sums := (*[8]float64)(out[8*r:])
		values := (*[16]float64)(block[16*r:])
		for l := range sums {
			sums[l] += w[l]*values[l] + w[8+l]*values[8+l]
		}
	}
}

// lanesOfPanels are the first lanes of a block that the panels of SplitWide hold.
var lanesOfPanels = [4]int{0, 8, 4, 12}

// splitWideGeneric splits a block as SplitWide does.
func splitWideGeneric(panels [4][]float64, block, y []float64, sums *[16]float64) {
	for r, weight := range y {
		values := (*[16]float64)(block[16*r:])
		for i, lane := range lanesOfPanels {
			copy(panels[i][4*r:][:4], values[lane:])
		}
		for l, v := range values {
			sums[l] += weight * v
		}
	}
}
