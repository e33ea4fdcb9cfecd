package truth_test

import (
	"context"
	"fmt"

	"rfm/solver/draw"
	"rfm/solver/truth"
)

// Pair i does not depend on the other wanted pairs or on the number of workers.
func ExampleGenerate() {
	ctx := context.Background()
	operator := smallBurgers(1e-2, 129)
	a, u, err := truth.Generate(ctx, operator, truth.Wanted{Purpose: draw.InputTrain, Count: 20, Points: 33}, 2, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Count, "inputs,", len(u), "output of each, on", a.Domain.Grid(a.Points))
	_, one, err := truth.Generate(ctx, operator, truth.Wanted{Purpose: draw.InputTrain, First: 16, Count: 1, Points: 33},
		1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("pair 16 is the same:", u[0].At(16)[5] == one[0].At(0)[5])
	// Output:
	// 20 inputs, 1 output of each, on K=33
	// pair 16 is the same: true
}
