package ridge_test

import (
	"context"
	"fmt"

	"rfm/model/learn/ridge"
)

// Four of five numbers are on a line. The leave-one-out residual of the fifth is its distance from that line.
func ExampleFeatures_Solve() {
	constant := []float64{1, 1, 1, 1, 1}
	x := []float64{0, 1, 2, 3, 4}
	targets := []float64{1, 3, 5, 7, 12}
	features := ridge.NewFeatures(append(constant, x...), targets, 1)

	const lambda = 1e-12
	each := ridge.Labelled(nil, len(targets)) // every row is left out alone
	solution, err := features.Solve(context.Background(), lambda, each)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("all: %.1f + %.1f x\n", solution.Coefficients[0], solution.Coefficients[1])
	fmt.Printf("without the last one it is missed by %.1f\n", solution.Residuals[4])
	// Output:
	// all: 0.4 + 2.6 x
	// without the last one it is missed by 3.0
}

// States of one trajectory are left out together.
func ExampleLabelled() {
	trajectories := []int{7, 7, 3, 7}
	fmt.Println(ridge.Labelled(trajectories, len(trajectories)))
	// Output:
	// [[0 1 3] [2]]
}
