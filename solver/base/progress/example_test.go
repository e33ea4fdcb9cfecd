package progress_test

import (
	"fmt"
	"time"

	"rfm/solver/base/progress"
)

// A quarter of an hour for a quarter of the pairs leaves three quarters.
func ExampleProgress() {
	began := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	p := progress.Progress{Unit: "pairs", Done: 25, Total: 100, Began: began, Now: began.Add(15 * time.Minute)}
	fmt.Println(p.Fraction(), p.Left())
	// Output:
	// 0.25 45m0s
}
