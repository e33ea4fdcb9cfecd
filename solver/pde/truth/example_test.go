package truth_test

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/pde/equation"
	"rfm/solver/pde/truth"
)

// Pairs have numbers, so that a block of them is the same one, whoever makes it, and with any number of workers.
func ExampleGenerate() {
	c := config.Reference()
	const points = 129
	operator := equation.Problem{Equation: c.Equation, Input: c.Input, Points: points}.Operator()
	wanted := truth.Wanted{Purpose: draw.InputTrain, Count: 2 * operator.Block, Points: points}
	_, all, err := truth.Generate(context.Background(), operator, wanted, 2, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	wanted.First = operator.Block
	wanted.Count = 1
	_, one, err := truth.Generate(context.Background(), operator, wanted, 1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(all[0].At(operator.Block)[7] == one[0].At(0)[7])
	// Output:
	// true
}
