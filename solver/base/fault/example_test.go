package fault_test

import (
	"fmt"

	"rfm/solver/base/fault"
)

// An error says where, what and what to do, and whether the input is to blame.
func ExampleBad() {
	err := fault.Bad("pairs.npz", "give functions on three points or more", "has functions on %d points", 2)
	fmt.Println(err)
	fmt.Println(fault.BlamesInput(err))
	// Output:
	// pairs.npz has functions on 2 points; give functions on three points or more
	// true
}
