// This file writes what `rfm inspect` has found for people.

package command

import (
	"fmt"
	"io"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/printable"
	"rfm/tui/quantity"
	"rfm/tui/theme"
)

func (a *app) printInspected(i inspected) {
	out, th := a.out, theme.New(theme.Options{ASCII: a.flags.ascii})
	fmt.Fprintf(out, "%s: %s, %s\n", th.Title.Render(printable.Line(i.File)), i.Kind, quantity.Bytes(float64(i.Bytes)))
	for _, m := range i.Arrays {
		printArray(out, m)
	}
	for _, fact := range i.Facts {
		for line := range strings.SplitSeq(printable.Text(fact), "\n") {
			if strings.HasPrefix(line, " ") { // of a recipe
				fmt.Fprintf(out, "  %s\n", line)
				continue
			}
			fmt.Fprintln(out, paragraph("  ", line, 4))
		}
	}
	if i.Command != "" {
		fmt.Fprintf(out, "  %s\n", th.Key.Render(i.Command))
	}
}

func printArray(out io.Writer, m arrayFacts) {
	line := "  " + m.Name
	if m.Name == "" {
		line = "  array"
	}
	if m.Shape != nil {
		line += fmt.Sprintf(" %s", shapeText(m.Shape))
	}
	line += " " + m.Type
	if m.Order == string(exchange.Fortran) && len(m.Shape) > 1 {
		line += ", Fortran order"
	}
	if m.Min != nil {
		line += fmt.Sprintf(", %.6g to %.6g", *m.Min, *m.Max)
	}
	if m.Mean != nil {
		line += fmt.Sprintf(", mean %.6g", *m.Mean)
	}
	if m.NotFinite > 0 {
		line += fmt.Sprintf(", %d values that are not finite", m.NotFinite)
	}
	if m.Fault != "" {
		line += ": " + m.Fault
	}
	fmt.Fprintln(out, printable.Line(line))
}

// shapeText is a shape as NumPy writes it.
func shapeText(shape []int) string {
	sizes := make([]string, len(shape))
	for i, n := range shape {
		sizes[i] = fmt.Sprint(n)
	}
	if len(sizes) == 1 {
		return "(" + sizes[0] + ",)"
	}
	return "(" + strings.Join(sizes, ", ") + ")"
}
