package parallel_test

import (
	"context"
	"fmt"

	"rfm/solver/base/parallel"
)

// Every index writes its own place, so that the result does not depend on the number of workers.
func ExampleFor() {
	squares := make([]int, 5)
	err := parallel.For(context.Background(), 2, len(squares), func(_, i int) error {
		squares[i] = i * i
		return nil
	})
	fmt.Println(squares, err)
	// Output:
	// [0 1 4 9 16] <nil>
}
