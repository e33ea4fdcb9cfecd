package poisson_test

import (
	"fmt"
	"math"

	"rfm/solver/pde/poisson"
)

// The solution of -lap u = f with zero boundary values, where f is an eigenfunction. It is that of the five-point
// formula, whose error is of second order.
func ExampleSolver() {
	const r = 65
	f := make([]float64, r*r)
	for i := range r {
		for j := range r {
			x, y := float64(i)/(r-1), float64(j)/(r-1)
			f[i*r+j] = 2 * math.Pi * math.Pi * math.Sin(math.Pi*x) * math.Sin(math.Pi*y)
		}
	}
	u := make([]float64, r*r)
	poisson.NewSolver(r).Solve(u, f)
	fmt.Printf("%.3f at the centre, exactly 1\n", u[r*(r/2)+r/2])
	// Output:
	// 1.000 at the centre, exactly 1
}
