// This file implements the optimiser of the search.

package tune

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// evolution is the evolution strategy with covariance matrix adaptation (CMA-ES) of Hansen, "The CMA evolution
// strategy: a tutorial" (2016), with its default parameters. Its ask yields generations, tell takes their values. It
// minimises over [0, 1]^n; beyond the bounds the function is continued by reflection.
type evolution struct {
	n       int
	weights []float64 // of the better half of a generation, descending, sum 1
	random  *rand.Rand

	mean       []float64
	sigma      float64
	covariance *mat.SymDense // C = B D^2 B'
	axes       mat.Dense     // B
	lengths    []float64     // diagonal of D
	pathC      []float64     // p_c
	pathSigma  []float64     // p_sigma
	generation int
	steps      [][]float64 // draws of N(0, C) behind the last generation

	muEff, cC, cSigma, c1, cMu, damping float64 // the tutorial's mu_eff, c_c, c_sigma, c_1, c_mu, d_sigma
	norm                                float64 // E |N(0, I)|
}

// newEvolution starts at a first point with the given standard deviation in every coordinate.
func newEvolution(first []float64, sigma float64, random *rand.Rand) *evolution {
	n := len(first)
	d := float64(n)
	population := 4 + int(3*math.Log(d))
	e := &evolution{n: n, random: random, mean: slices.Clone(first), sigma: sigma, covariance: mat.NewSymDense(n, nil),
		pathC: make([]float64, n), pathSigma: make([]float64, n), steps: make([][]float64, population)}
	sum, squares := 0.0, 0.0
	for i := range population / 2 {
		w := math.Log(float64(population+1)/2) - math.Log(float64(i+1))
		e.weights = append(e.weights, w)
		sum += w
	}
	for i := range e.weights {
		e.weights[i] /= sum
		squares += e.weights[i] * e.weights[i]
	}
	e.muEff = 1 / squares
	e.cC = (4 + e.muEff/d) / (d + 4 + 2*e.muEff/d)
	e.cSigma = (e.muEff + 2) / (d + e.muEff + 5)
	e.c1 = 2 / ((d+1.3)*(d+1.3) + e.muEff)
	e.cMu = min(1-e.c1, 2*(e.muEff-2+1/e.muEff)/((d+2)*(d+2)+e.muEff))
	e.damping = 1 + 2*max(0, math.Sqrt((e.muEff-1)/(d+1))-1) + e.cSigma
	e.norm = math.Sqrt(d) * (1 - 1/(4*d) + 1/(21*d*d))
	for i := range n {
		e.covariance.SetSym(i, i, 1)
	}
	e.decompose()
	return e
}

// decompose updates B and D.
func (e *evolution) decompose() {
	var eigen mat.EigenSym
	if !eigen.Factorize(e.covariance, true) {
		panic("tune: the eigenvalues of a covariance did not converge")
	}
	e.lengths = eigen.Values(nil)
	for i, v := range e.lengths {
		e.lengths[i] = math.Sqrt(max(v, 0))
	}
	e.axes.Reset()
	eigen.VectorsTo(&e.axes)
}

// ask draws a generation: points of [0, 1]^n.
func (e *evolution) ask() [][]float64 {
	points := make([][]float64, len(e.steps))
	for p := range points {
		normal := mat.NewVecDense(e.n, nil)
		for i, length := range e.lengths {
			normal.SetVec(i, length*e.random.NormFloat64())
		}
		var step mat.VecDense
		step.MulVec(&e.axes, normal)
		e.steps[p] = step.RawVector().Data
		points[p] = make([]float64, e.n)
		for i, s := range e.steps[p] {
			points[p][i] = mirrored(e.mean[i] + e.sigma*s)
		}
	}
	return points
}

// mirrored maps a coordinate into [0, 1], mirroring at both ends.
func mirrored(u float64) float64 {
	u = math.Abs(math.Mod(u, 2))
	if u > 1 {
		return 2 - u
	}
	return u
}

// tell moves the distribution towards the better half of the last generation.
func (e *evolution) tell(values []float64) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	step := make([]float64, e.n)
	for i, w := range e.weights {
		for x, s := range e.steps[order[i]] {
			step[x] += w * s
		}
	}
	for x, s := range step {
		e.mean[x] = min(1, max(0, e.mean[x]+e.sigma*s))
	}
	e.generation++
	length := e.updatePath(step)
	expected := math.Sqrt(1 - math.Pow(1-e.cSigma, 2*float64(e.generation)))
	stalled := 1.0 // h_sigma
	if length/expected/e.norm >= 1.4+2/float64(e.n+1) {
		stalled = 0
	}
	for x, s := range step {
		e.pathC[x] = (1-e.cC)*e.pathC[x] + stalled*math.Sqrt(e.cC*(2-e.cC)*e.muEff)*s
	}
	for i := range e.n {
		for j := i; j < e.n; j++ {
			old := e.covariance.At(i, j)
			c := (1-e.c1-e.cMu)*old + e.c1*(e.pathC[i]*e.pathC[j]+(1-stalled)*e.cC*(2-e.cC)*old)
			for p, w := range e.weights {
				s := e.steps[order[p]]
				c += e.cMu * w * s[i] * s[j]
			}
			e.covariance.SetSym(i, j, c)
		}
	}
	e.sigma = min(1, e.sigma*math.Exp(e.cSigma/e.damping*(length/e.norm-1)))
	e.decompose()
}

// updatePath updates the path of sigma, p = (1-c) p + sqrt(c (2-c) muEff) C^-1/2 step, and returns its length.
func (e *evolution) updatePath(step []float64) float64 {
	var rotated, whitened mat.VecDense
	rotated.MulVec(e.axes.T(), mat.NewVecDense(e.n, step))
	for i, length := range e.lengths {
		rotated.SetVec(i, rotated.AtVec(i)/max(length, math.SmallestNonzeroFloat64))
	}
	whitened.MulVec(&e.axes, &rotated)
	square := 0.0
	for x := range e.pathSigma {
		e.pathSigma[x] = (1-e.cSigma)*e.pathSigma[x] + math.Sqrt(e.cSigma*(2-e.cSigma)*e.muEff)*whitened.AtVec(x)
		square += e.pathSigma[x] * e.pathSigma[x]
	}
	return math.Sqrt(square)
}

// converged reports whether steps are too small to matter.
func (e *evolution) converged() bool { return e.sigma*slices.Max(e.lengths) < leastStep }

// leastStep is a change of a coordinate below the printed digits of any parameter.
const leastStep = 1e-4
