// This file describes files (arrays, models, settings) and the command that uses them.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"rfm/model/interchange"
	"rfm/model/report"
	"rfm/solver/printable"
)

// inspect describes files. A file that cannot be read does not hide the others.
func (a *app) inspect(ctx context.Context, names []string) error {
	list, faults := []interchange.Findings{}, []error{}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		facts, err := interchange.Look(ctx, name)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		list = append(list, facts)
		faults = append(faults, facts.Damaged())
		if !a.json {
			a.printInspected(facts)
		}
	}
	if a.json {
		faults = append(faults, a.encode(list))
	}
	return errors.Join(faults...)
}

func (a *app) printInspected(i interchange.Findings) {
	out, th := a.out, a.theme()
	fmt.Fprintf(out, "%s: %s, %s\n", th.Title.Render(printable.Line(i.File)), i.Kind, report.Bytes(float64(i.Bytes)))
	for _, m := range i.Arrays {
		printArray(out, m)
	}
	for _, fact := range i.Facts {
		for line := range strings.SplitSeq(printable.Text(fact), "\n") {
			if strings.HasPrefix(line, " ") { // of a recipe
				fmt.Fprintf(out, "  %s\n", line)
				continue
			}
			fmt.Fprintln(out, paragraph("  ", line, 4, a.width()))
		}
	}
	if i.Command != "" {
		fmt.Fprintf(out, "  %s\n", th.Key.Render(i.Command))
	}
}

func printArray(out io.Writer, m interchange.Array) {
	line := "  " + m.Name
	if m.Name == "" {
		line = "  array"
	}
	if m.Shape != nil {
		line += " " + m.Tuple()
	}
	line += " " + m.Type
	if m.Order == "Fortran" && len(m.Shape) > 1 {
		line += ", Fortran order"
	}
	if m.Min != nil {
		line += fmt.Sprintf(", %.6g to %.6g", *m.Min, *m.Max)
	}
	if m.Mean != nil {
		line += fmt.Sprintf(", mean %.6g", *m.Mean)
	}
	if m.NotFinite > 0 {
		line += ", " + printable.Several(m.NotFinite, "value") + " not finite"
	}
	switch {
	case m.Left > 0 && m.Min == nil:
		line += ", not looked at"
	case m.Left > 0:
		line += ", but for " + printable.Several(m.Left, "value") + " at the end, not looked at"
	}
	if m.Fault != "" {
		line += ": " + m.Fault
	}
	fmt.Fprintln(out, printable.Line(line))
}
