package trained_test

import (
	"context"
	"fmt"
	"math"

	"rfm/model/trained"
	"rfm/solver/grid"
)

// A model file needs no other file, and evaluates on any grid.
func Example() {
	m, err := trained.ReadFile("testdata/format6-fourier-plain.npz")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m)
	for _, K := range []int{17, 24} {
		a := grid.NewBatch(m.Domain(), K, 1)
		for i := range a.Data {
			a.Data[i] = math.Sin(2 * math.Pi * float64(i) / float64(K-1))
		}
		u, err := m.Predict(context.Background(), a, 1, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %.2f at the ends\n", u.Domain.Grid(u.Points), u.Data[0])
	}
	// Output:
	// burgers: 3 Fourier features (tanh) with lambda=0.125, rank 2, trained on K=9
	// K=17: 0.17 at the ends
	// K=24: 0.17 at the ends
}
