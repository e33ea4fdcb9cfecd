package setup_test

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/setup"
)

// From a configuration to its operator, and to the random features that learn it.
func Example() {
	c, err := config.PresetByName("burgers")
	if err != nil {
		fmt.Println(err)
		return
	}
	domain, points := setup.Truth(c).Grid()
	fmt.Println(c.Of().Operator)
	fmt.Println("solved on", domain.Grid(points))

	features, err := feature.New(context.Background(), c, c.Seed, 4, c.Train.Grid, 1)
	fmt.Println(features.Count(), "features on", features.Domain().Grid(features.Finest()), err)
	// Output:
	// initial condition a -> solution u(T, .) of viscous Burgers' equation on the torus
	// solved on K=1025
	// 4 features on K=129 <nil>
}
