package shear_test

import (
	"fmt"
	"math"

	"rfm/model/learn/shear"
	"rfm/solver/space/grid"
)

// A steep periodic function becomes one of moderate slope, and comes back.
func ExampleTransform() {
	const points = 129
	u := grid.NewBatch(grid.Torus, points, 1)
	for k := range points {
		x := float64(k) / (points - 1)
		u.Data[k] = math.Tanh(20 * math.Sin(2*math.Pi*x))
	}
	t := shear.Transform{
		Levels: []float64{-1, 1},
		Shifts: []float64{0.1, -0.1}, // low values move by 0.1 to the left, high ones by 0.1 to the right
	}
	sheared := t.Forward(u)
	back := t.Back(sheared)
	fmt.Printf("steepest slope %.0f, sheared %.1f, back again %.0f\n", steepest(u), steepest(sheared), steepest(back))
	// Output:
	// steepest slope 96, sheared 2.1, back again 96
}

// steepest returns the largest absolute slope between neighbouring points of a function.
func steepest(b grid.Batch) float64 {
	u := b.At(0)
	intervals := float64(len(u) - 1)
	most := 0.0
	for k, v := range u[1:] {
		most = max(most, math.Abs(v-u[k])*intervals)
	}
	return most
}
