// Pure Go on every architecture without kernels.

//go:build !amd64

package activation

import "rfm/solver/simd"

func (f Func) apply(x []float64) { f.applyGeneric(x) }

func (f Func) dotPanel(panel, y, acc []float64) { dotPanelGeneric(panel, y, acc) }

func (f Func) accumulate(out, p0, p1, alpha []float64) { accumulateGeneric(out, p0, p1, alpha) }

func (r Radial) apply(_ simd.Level, x []float64, shift *[8]float64) { r.applyGeneric(x, shift) }
