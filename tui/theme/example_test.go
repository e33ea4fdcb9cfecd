package theme_test

import (
	"fmt"

	"rfm/tui/theme"
)

func ExampleNew() {
	for _, o := range []theme.Options{{NoColor: true}, {NoColor: true, ASCII: true}} {
		th := theme.New(o)
		fmt.Printf("%c Configure  %c Generate  %c Train\n", th.Glyphs.Done, th.Glyphs.Current, th.Glyphs.Todo)
	}
	// Output:
	// ✓ Configure  ● Generate  ○ Train
	// * Configure  > Generate  . Train
}
