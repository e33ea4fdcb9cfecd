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
		fmt.Printf("m = %4d: F(0.3) = %7.4f, distance %.4f\n", len(f.Alpha), f.Predict(0.3), f.Distance(limit))
	}
	fmt.Printf("m = inf.: F(0.3) = %7.4f\n", limit.Predict(0.3))
	// Output:
	// f(x) = sin 2 pi x + (1/2) sin 5 pi x
	// m =   50: F(0.3) =  0.4060, distance 0.1486
	// m =  500: F(0.3) =  0.4601, distance 0.0263
	// m = 5000: F(0.3) =  0.4490, distance 0.0093
	// m = inf.: F(0.3) =  0.4525
}
