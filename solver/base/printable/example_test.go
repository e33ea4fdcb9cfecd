package printable_test

import (
	"fmt"

	"rfm/solver/base/printable"
)

// Names of files can contain anything; what is printed of them cannot move the cursor.
func ExampleLine() {
	fmt.Println(printable.Line("a\x1b[2Jb"))
	fmt.Println(printable.Several(1, "pair"), printable.Several(2, "pair"))
	// Output:
	// a\u001b[2Jb
	// 1 pair 2 pairs
}
