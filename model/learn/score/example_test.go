package score_test

import (
	"fmt"

	"rfm/model/learn/score"
	"rfm/solver/space/grid"
)

// Two predictions of functions: the first is 10% too large, the second is right.
func ExampleMeasure() {
	truth := grid.BatchOf(grid.Interval, 3, []float64{1, 2, 1, 2, 4, 2})
	predictions := grid.BatchOf(grid.Interval, 3, []float64{1.1, 2.2, 1.1, 2, 4, 2})
	errors, err := score.Measure(predictions, truth)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean %.2f, median %.2f, worst %.2f\n", errors.ExpectedRelative, errors.Median(), errors.Max())
	fmt.Println("from best to worst:", errors.Ranking())
	// Output:
	// mean 0.05, median 0.05, worst 0.10
	// from best to worst: [1 0]
}
