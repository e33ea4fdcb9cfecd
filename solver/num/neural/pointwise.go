package neural

import "math"

// GELU sets y to x P(x) and slope to the derivative P(x) + x p(x), P and p being the standard normal distribution and
// its density (Hendrycks & Gimpel 2016). In float32 the error of P is at most 2e-7. The lengths are equal and multiples
// of eight.
func GELU[T Number](y, slope, x []T) {
	if vectors[T]() {
		geluVectors(any(y).([]float32), any(slope).([]float32), any(x).([]float32))
		return
	}
	for i, v := range x {
		v := float64(v)
		p := 0.5 * math.Erfc(-v/math.Sqrt2)
		density := math.Exp(-v*v/2) / math.Sqrt(2*math.Pi)
		y[i] = T(v * p)
		slope[i] = T(p + v*density)
	}
}

// Multiply multiplies y by x, number by number. The lengths are equal and multiples of eight.
func Multiply[T Number](y, x []T) {
	if vectors[T]() {
		multiplyVectors(any(y).([]float32), any(x).([]float32))
		return
	}
	for i, v := range x {
		y[i] *= v
	}
}

// Add adds x to y. The lengths are equal and multiples of eight.
func Add[T Number](y, x []T) {
	if vectors[T]() {
		addVectors(any(y).([]float32), any(x).([]float32))
		return
	}
	for i, v := range x {
		y[i] += v
	}
}

// Adam is the state of the optimiser of Kingma & Ba (2015), with beta 0.9 and 0.999, epsilon 1e-8, and a decay of
// weights that is added to the gradient.
type Adam[T Number] struct {
	Decay  float64
	Steps  int // that were done
	Mean   []T // moving average of the gradient
	Square []T // moving average of its square
}

// Step moves the weights w against the gradient g, which it overwrites. All lengths are equal and multiples of eight.
func (a *Adam[T]) Step(w, g []T, rate float64) {
	const (
		first   = 0.9
		second  = 0.999
		epsilon = 1e-8
	)
	a.Steps++
	rate /= 1 - math.Pow(first, float64(a.Steps))
	unbiased := 1 / (1 - math.Pow(second, float64(a.Steps)))
	if vectors[T]() {
		adamVectors(
			any(w).([]float32),
			any(g).([]float32),
			any(a.Mean).([]float32),
			any(a.Square).([]float32),
			float32(rate),
			float32(unbiased),
			float32(a.Decay),
			epsilon,
		)
		return
	}
	for i, v := range g {
		v += T(a.Decay) * w[i]
		a.Mean[i] = first*a.Mean[i] + (1-first)*v
		a.Square[i] = second*a.Square[i] + (1-second)*v*v
		variance := float64(T(unbiased) * a.Square[i])
		size := T(math.Sqrt(variance))
		w[i] -= T(rate) * a.Mean[i] / (size + epsilon)
	}
}
