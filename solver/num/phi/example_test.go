package phi_test

import (
	"fmt"

	"rfm/solver/num/phi"
)

// phi_1(z) = (e^z - 1)/z, without the digits that this formula loses near zero.
func ExampleOfNumber() {
	all := phi.OfNumber(1e-9)
	fmt.Printf("%.10f\n", real(all[1]))
	// Output:
	// 1.0000000005
}
