package resample_test

import (
	"fmt"
	"math"

	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// The interpolant of a band-limited function is the function.
func ExampleTo() {
	f := make([]float64, 9)
	for j := range f {
		f[j] = math.Cos(2 * math.Pi * float64(j) / 8)
	}
	fine, err := resample.To(grid.BatchOf(grid.Torus, 9, f), 13)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f, exactly %.6f\n", fine.At(0)[1], math.Cos(2*math.Pi/12))
	// Output:
	// 0.866025, exactly 0.866025
}
