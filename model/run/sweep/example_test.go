package sweep_test

import (
	"fmt"

	"rfm/config"
	"rfm/model/run/sweep"
)

// The values of an axis are listed, or counted.
func ExampleParseAxis() {
	for _, text := range []string{"features.count=64,128", "seed=1..3"} {
		axis, err := sweep.ParseAxis(config.Reference(), text)
		fmt.Println(axis.Key, axis.Values, err)
	}
	// Output:
	// features.count [64 128] <nil>
	// seed [1 2 3] <nil>
}
