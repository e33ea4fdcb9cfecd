package grid_test

import (
	"fmt"
	"math"

	"rfm/solver/space/grid"
)

// Two periodic functions on five points, the last of which repeats the first, and what they are on a coarser grid.
func ExampleBatch() {
	sine := make([]float64, 5)
	cosine := make([]float64, 5)
	for j := range sine {
		sine[j], cosine[j] = math.Sincos(2 * math.Pi * float64(j) / 4)
	}
	batch := grid.BatchOf(grid.Torus, 5, append(sine, cosine...))
	fmt.Printf("%d functions, inner product %.3f, square of the norm %.3f\n", batch.Count,
		batch.Domain.Inner(batch.At(0), batch.At(1)), batch.Domain.Inner(batch.At(1), batch.At(1)))
	coarse, err := batch.Restrict(3)
	fmt.Printf("%.0f %v\n", coarse.At(1), err)
	_, err = batch.Restrict(4)
	fmt.Println(err)
	// Output:
	// 2 functions, inner product 0.000, square of the norm 0.500
	// [1 -1 1] <nil>
	// grid: periodic functions on K=5 cannot be restricted to K=4: 3 intervals do not divide 4; choose a grid whose intervals divide the data's
}
