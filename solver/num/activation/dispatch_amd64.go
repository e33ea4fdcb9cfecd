// The choice of kernels on amd64.

package activation

import (
	"math"
	"unsafe"

	"rfm/solver/num/activation/internal/approx"
	"rfm/solver/num/simd"
)

//go:generate go run -tags assembly ./internal/gen -out kernels_amd64.s -stubs kernels_amd64.go -pkg activation

// group is the number of values that a kernel treats at a time.
const group = 16

// apply is Apply, for radial functions with a shift, else nil.
func (f Func) apply(x []float64, shift *[8]float64) {
	if f.level == simd.Generic {
		f.applyGeneric(x, shift)
		return
	}
	whole := len(x) / group * group
	if whole > 0 {
		f.applyGroups(x[:whole], shift)
	}
	if tail := x[whole:]; len(tail) > 0 {
		var padded [group]float64
		copy(padded[:], tail)
		f.applyGroups(padded[:], shift)
		copy(tail, padded[:])
	}
}

// applyGroups is apply for a positive multiple of group values.
func (f Func) applyGroups(x []float64, shift *[8]float64) {
	at := unsafe.SliceData(x)
	n := len(x)
	wide := f.level == simd.AVX512
	switch f.kind {
	case elu:
		eluKernel(at, n, wide)
	case relu:
		reluKernel(at, n, wide)
	case tanh:
		tanhKernel(at, n, wide)
	case sigmoid:
		sigmoidKernel(at, n, wide)
	case softplus:
		softplusKernel(at, n, wide)
	case sin:
		f.applySin(x, wide)
	case matern:
		maternKernel(at, n, shift, wide)
	case gaussian:
		gaussianKernel(at, n, shift, wide)
	case rational:
		rationalKernel(at, n, shift, wide)
	}
}

// applySin leaves arguments beyond the reach of the kernels to math.Sin, and only those:
// their neighbours get the same result as anywhere else.
func (f Func) applySin(x []float64, wide bool) {
	for len(x) > 0 {
		left := sinKernel(unsafe.SliceData(x), len(x), wide)
		if left == 0 {
			return
		}
		x = x[len(x)-left:]
		var within [group]float64
		for i, v := range x[:group] {
			if math.Abs(v) <= approx.SinMax {
				within[i] = v
			}
		}
		sinKernel(&within[0], group, wide)
		for i, v := range x[:group] {
			if math.Abs(v) <= approx.SinMax {
				x[i] = within[i]
			} else {
				x[i] = math.Sin(v)
			}
		}
		x = x[group:]
	}
}

// dotPanel adds to acc[l] the sum of y[r]*panel[4*r+l]. The lengths are 4*rows, rows and 4.
func (f Func) dotPanel(panel, y, acc []float64) {
	if f.level == simd.Generic {
		dotPanelGeneric(panel, y, acc)
		return
	}
	firstPanel := unsafe.SliceData(panel)
	firstY := unsafe.SliceData(y)
	dotPanelAVX2(len(y), firstPanel, firstY, &acc[0])
}

// accumulate adds alpha[l]*p0[4*r+l] + alpha[4+l]*p1[4*r+l] to out[4*r+l]. The lengths are 4*rows, rows > 0, and 8.
func (f Func) accumulate(out, p0, p1, alpha []float64) {
	if f.level == simd.Generic {
		accumulateGeneric(out, p0, p1, alpha)
		return
	}
	rows := len(out) / 4
	accumulateAVX2(rows, &out[0], &p0[0], &p1[0], &alpha[0])
}

// accumulateWide adds weights[l]*block[16*r+l] + weights[8+l]*block[16*r+8+l] to out[8*r+l]. The lengths are 8*rows,
// rows > 0, 16*rows and 16.
func (f Func) accumulateWide(out, block, weights []float64) {
	if f.level < simd.AVX512 {
		accumulateWideGeneric(out, block, weights)
		return
	}
	accumulateAVX512(len(out)/8, &out[0], &block[0], &weights[0])
}

// accumulateWideAtOnce applies f and adds as accumulateWide does, if there is a kernel for both.
func (f Func) accumulateWideAtOnce(out, block, weights []float64) (done bool) {
	if f.kind != elu || f.level < simd.AVX512 {
		return false
	}
	accumulateELUAVX512(len(out)/8, &out[0], &block[0], &weights[0])
	return true
}

// splitWide applies f to the block, which is overwritten, and splits it as SplitWide does. There is at least one row.
func (f Func) splitWide(panels [4][]float64, block, y []float64, sums *[16]float64) {
	if f.level < simd.AVX512 {
		f.Apply(block)
		splitWideGeneric(panels, block, y, sums)
		return
	}
	kernel := splitELUAVX512
	if f.kind != elu {
		f.Apply(block)
		kernel = splitAVX512
	}
	kernel(len(y), &panels[0][0], &panels[1][0], &panels[2][0], &panels[3][0], &block[0], &y[0], &sums[0])
}
