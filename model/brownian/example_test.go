package brownian_test

import (
	"context"
	"fmt"

	"rfm/model/brownian"
)

// The figure of Example 2.8: with more and more features the model approaches the piecewise linear interpolant of 32
// values.
func Example() {
	problem := brownian.Paper(1)
	limit, err := problem.Interpolant()
	if err != nil {
		fmt.Println(err)
		return
	}
	models, err := problem.Train(context.Background(), brownian.PaperCounts(), 0, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("f(x) =", problem.Target.Formula)
	for _, f := range models {
		fmt.Printf("m = %4d: distance %.4f\n", len(f.Alpha), f.Distance(limit))
	}
	// Output:
	// f(x) = sin 2 pi x + (1/2) sin 5 pi x
	// m =   50: distance 0.1486
	// m =  500: distance 0.0263
	// m = 5000: distance 0.0093
}
