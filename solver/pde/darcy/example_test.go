package darcy_test

import (
	"context"
	"fmt"

	"rfm/solver/pde/darcy"
)

// With a constant permeability the pressure is a multiple of the solution of Poisson's equation.
func ExampleSolver() {
	const r = 33
	solver := darcy.New(darcy.Paper(), r)
	pressure := make([]float64, r*r)
	for _, permeability := range []float64{1, 2} {
		a := darcy.Constant(permeability).On(r)
		if err := solver.NewWorker().Solve(context.Background(), pressure, a, "the input"); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.4f\n", pressure[r*(r/2)+r/2])
	}
	// Output:
	// 0.0736
	// 0.0368
}
