// Package activation evaluates the scalar functions that are the last step of a random feature, on whole panels of
// features at once.
//
// A panel holds four features side by side: row r (one grid point of one sample) of lane l is panel[4*r+l]. Apply works
// on panels and plain slices alike, Accumulate adds the prediction sums while the values are still in the first cache.
//
// Every function has a vector kernel for AVX2+FMA and a pure Go twin, tested
// against the same bounds. Errors are counted in ulp of the exact result.
package activation

import (
	"fmt"

	"rfm/solver/num/simd"
)

// Func is one activation function R -> R, an immutable handle that is cheap to
// copy and safe for concurrent use. Obtain it from ByName; the zero Func is "elu".
//
// All functions propagate NaN and accept every other float64, infinities included:
// they return their limits there, and sin returns NaN.
type Func struct {
	kind  kind
	level simd.Level
}

type kind int

const (
	elu kind = iota
	relu
	tanh
	sigmoid
	sin
	softplus
	matern // from here on Radial
	gaussian
	rational
)

// functions are the names and the pure Go values.
var functions = [...]struct {
	name  string
	value func(x float64) float64
}{
	elu:      {"elu", eluValue},
	relu:     {"relu", reluValue},
	tanh:     {"tanh", tanhValue},
	sigmoid:  {"sigmoid", sigmoidValue},
	sin:      {"sin", sinValue},
	softplus: {"softplus", softplusValue},
}

// ByName returns the activation with the given name, and whether it exists. The error is at most 2 ulp for elu and 4
// for the others; beyond 2^20 sin is math.Sin.
//
// Where the processor has AVX-512, elu is computed with a table, and may differ from the other levels in its last bit.
//
//	elu       x for x >= 0, exp(x) - 1 otherwise
//	relu      max(x, 0)
//	tanh      (exp(x) - exp(-x)) / (exp(x) + exp(-x))
//	sigmoid   1 / (1 + exp(-x))
//	sin       sin(x)
//	softplus  log(1 + exp(x))
func ByName(name string) (Func, bool) {
	for k, f := range functions {
		if f.name == name {
			return Func{kind: kind(k), level: simd.Active()}, true
		}
	}
	return Func{level: simd.Active()}, false
}

// Name returns the name of f, as ByName takes it.
func (f Func) Name() string { return functions[f.kind].name }

// Apply replaces every x[i] by f(x[i]). It accepts any length. The result at i
// depends on x[i] alone, not on its position or on the length.
func (f Func) Apply(x []float64) { f.apply(x, nil) }

// Dot adds to each lane l of acc the dot product of four features with y,
//
//	acc[l] += sum_r y[r] * panel[4*r+l],  rows = len(y).
//
// The order of the sum depends on rows alone. Dot panics unless len(panel) = 4*len(y) and len(acc) = 4.
func (f Func) Dot(panel, y, acc []float64) {
	if len(panel) != 4*len(y) || len(acc) != 4 {
		panic(fmt.Sprintf("activation: Dot of %d values with %d weights into %d sums, want 4*rows, rows and 4", len(panel),
			len(y), len(acc)))
	}
	if len(y) > 0 {
		f.dotPanel(panel, y, acc)
	}
}

// chunkRows is the number of rows of a panel that are transformed before they are summed: two panels of it (16 KiB)
// stay in the first cache.
const chunkRows = 256

// Accumulate adds the eight features of two panels, weighted by alpha, lane by lane:
//
//	out[4*r+l] += alpha[l]*f(p0[4*r+l]) + alpha[4+l]*f(p1[4*r+l]).
//
// The caller sums the four lanes of out once, after the last pair of panels. p0 and p1 are scratch: they hold f of
// their values afterwards. Accumulate panics unless len(out) = len(p0) = len(p1) is a multiple of 4 and len(alpha) = 8.
func (f Func) Accumulate(out, p0, p1, alpha []float64) {
	checkSums("Accumulate", out, p0, p1, alpha)
	for len(out) > 0 {
		n := min(4*chunkRows, len(out))
		f.Apply(p0[:n])
		f.Apply(p1[:n])
		f.accumulate(out[:n], p0[:n], p1[:n], alpha)
		out = out[n:]
		p0 = p0[n:]
		p1 = p1[n:]
	}
}

// Add adds two panels to which f has been applied, weighted by alpha, as Accumulate does.
func (f Func) Add(out, p0, p1, alpha []float64) {
	checkSums("Add", out, p0, p1, alpha)
	if len(out) > 0 {
		f.accumulate(out, p0, p1, alpha)
	}
}

// checkSums panics unless the three panels are equally long, in whole rows, and there are eight weights.
func checkSums(name string, out, p0, p1, alpha []float64) {
	areEqual := len(p0) == len(out) && len(p1) == len(out)
	if areEqual && len(out)%4 == 0 && len(alpha) == 8 {
		return
	}
	panic(fmt.Sprintf("activation: %s of panels of %d and %d values with %d weights into %d, want three equal "+
		"multiples of 4 and 8 weights",
		name, len(p0), len(p1), len(alpha), len(out)))
}

// AccumulateWide adds sixteen features that stand side by side, weighted, to eight sums in each row:
//
//	out[8*r+l] += weights[l]*f(block[16*r+l]) + weights[8+l]*f(block[16*r+8+l]).
//
// block is scratch and undefined afterwards. AccumulateWide panics unless len(block) = 2 len(out), a multiple of 16, and
// len(weights) = 16.
func (f Func) AccumulateWide(out, block, weights []float64) {
	checkWide("AccumulateWide", out, block, weights)
	if len(out) == 0 || f.accumulateWideAtOnce(out, block, weights) {
		return
	}
	f.Apply(block)
	f.accumulateWide(out, block, weights)
}

// AddWide adds a block to which f has been applied, weighted, as AccumulateWide does.
func (f Func) AddWide(out, block, weights []float64) {
	checkWide("AddWide", out, block, weights)
	if len(out) > 0 {
		f.accumulateWide(out, block, weights)
	}
}

// SplitWide writes f of sixteen features that stand side by side in each row of a block to four panels, those of the lanes
// 0 to 3, 8 to 11, 4 to 7 and 12 to 15, and adds their dot products with y to the sums of the lanes:
//
//	sums[l] += sum_r y[r]*f(block[16*r+l]).
//
// block is scratch and undefined afterwards. SplitWide panics unless len(block) = 16 len(y), and panels have four times the
// length of y.
func (f Func) SplitWide(panels [4][]float64, block, y []float64, sums *[16]float64) {
	rows := len(y)
	fits := len(block) == 16*rows
	for _, panel := range panels {
		fits = fits && len(panel) == 4*rows
	}
	if !fits {
		panic(fmt.Sprintf("activation: SplitWide of a block of %d values with %d weights into panels of %d, want 16*rows, rows "+
			"and 4*rows", len(block), rows, len(panels[0])))
	}
	if rows > 0 {
		f.splitWide(panels, block, y, sums)
	}
}

func checkWide(name string, out, block, weights []float64) {
	if len(out)%8 == 0 && len(block) == 2*len(out) && len(weights) == 16 {
		return
	}
	panic(fmt.Sprintf("activation: %s of a block of %d values with %d weights into %d, want 16*rows, 16 and 8*rows", name,
		len(block), len(weights), len(out)))
}
