// Pure Go on every architecture without kernels.

//go:build !amd64

package activation

func (f Func) apply(x []float64, shift *[8]float64) { f.applyGeneric(x, shift) }

func (f Func) dotPanel(panel, y, acc []float64) { dotPanelGeneric(panel, y, acc) }

func (f Func) accumulate(out, p0, p1, alpha []float64) { accumulateGeneric(out, p0, p1, alpha) }

func (f Func) accumulateWide(out, block, weights []float64) {
	accumulateWideGeneric(out, block, weights)
}

func (f Func) accumulateWideAtOnce(out, block, weights []float64) (done bool) { return false }

func (f Func) splitWide(panels [4][]float64, block, y []float64, sums *[16]float64) {
	f.Apply(block)
	splitWideGeneric(panels, block, y, sums)
}
