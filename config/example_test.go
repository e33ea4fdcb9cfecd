package config_test

import (
	"fmt"

	"rfm/config"
)

// A configuration is a preset with assignments, as on the command line. Keys have short names where these are enough.
func ExampleAssign() {
	c, err := config.PresetByName("burgers")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := config.Assign(&c, "data.train=64", "nu=0.02"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Data.Train, c.Equation.Parameters)
	fmt.Println(config.Assign(&c, "features.delt=0.01"))
	// Output:
	// 64 nu = 0.02
	// features.delt is not a setting of problem equation; did you mean "features.delta"?
}
