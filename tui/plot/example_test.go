package plot_test

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rfm/tui/plot"
	"rfm/tui/theme"
)

func ExampleLine() {
	picture := plot.Line{
		Title: "x(1-x)", XLabel: "x", X1: 1,
		Series: []plot.Series{{Y: []float64{0, 0.1875, 0.25, 0.1875, 0}}},
		Width:  40, Height: 8,
		Theme: theme.New(theme.Options{NoColor: true, ASCII: true}),
	}.Render()
	for line := range strings.Lines(ansi.Strip(picture)) {
		fmt.Println(strings.TrimRight(line, " \n"))
	}
	// Output:
	// x(1-x)
	// 0.25+             .-------.
	//     |       .-----'       '-----.
	//     |    .--'                   '--.
	//     | .--'                         '--.
	// 0.00+-'                               '-
	//     ++----------------+----------------+
	//      0               0.5       x       1
}

func ExampleProgress() {
	fmt.Println(plot.Progress(0.3, 20, theme.New(theme.Options{NoColor: true})))
	// Output: ██████░░░░░░░░░░░░░░
}
