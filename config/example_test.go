package config_test

import (
	"fmt"

	"rfm/config"
)

// A configuration starts as a preset and is changed key by key; an invalid value is refused with a reason.
func Example() {
	c, err := config.PresetByName("burgers")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, assignment := range []string{"features.count=256", "delta=0.005", "train.grid=100"} {
		if err := config.Assign(&c, assignment); err != nil {
			fmt.Println(err)
		}
	}
	for _, k := range c.Keys() {
		if k.Name == "features.delta" {
			fmt.Printf("%s = %s, in the paper %s: %s\n", k.Name, k.Text(c), k.Paper(), k.Help)
		}
	}
	fmt.Println(config.Assign(&c, "features.count=0"))
	fmt.Println(c.Validate())
	// Output:
	// features.delta = 0.005, in the paper 0.0025: scale of the filter chi
	// features.count (m) = 0 must be a whole number from 1 to 131072; try 1024
	// train.grid (K) = 100 must divide the data grid: its 99 intervals must divide the 1024 of data.grid = 1025; try 129
}
