package setup_test

import (
	"fmt"

	"rfm/config"
	"rfm/model/run/setup"
)

// A configuration names the operator that makes its pairs.
func ExampleTruth() {
	c := config.Reference()
	operator := setup.Truth(c)
	fmt.Println(operator.Domain.Name(), operator.Points == c.Data.Grid, operator.Times)
	// Output:
	// periodic functions true [1]
}
