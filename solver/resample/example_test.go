package resample_test

import (
	"fmt"
	"math"

	"rfm/solver/grid"
	"rfm/solver/resample"
)

// A smooth periodic function on 17 points, resampled on 24 points; the grids share only the ends.
func ExampleTo() {
	b := grid.NewBatch(grid.Torus, 17, 1)
	for i := range b.Data {
		b.Data[i] = math.Sin(2 * math.Pi * float64(i) / 16)
	}
	c, err := resample.To(b, 24)
	if err != nil {
		fmt.Println(err)
		return
	}
	worst := 0.0
	for i, v := range c.Data {
		worst = max(worst, math.Abs(v-math.Sin(2*math.Pi*float64(i)/23)))
	}
	fmt.Println(c.Domain.Grid(c.Points), worst < 1e-14)
	// Output:
	// K=24 true
}
