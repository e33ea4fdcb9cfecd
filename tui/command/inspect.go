// This file describes files (arrays, models, settings) and the command that uses them.

package command

import (
	"cmp"
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
	line := "  " + cmp.Or(m.Name, "array")
	if m.Shape != nil {
		line += " " + m.Shape.String()
	}
	facts := []string{line + " " + m.Type}
	add := func(holds bool, format string, values ...any) {
		if holds {
			facts = append(facts, fmt.Sprintf(format, values...))
		}
	}
	add(m.Order == "Fortran" && len(m.Shape) > 1, "Fortran order")
	if m.Min != nil {
		add(true, "%.6g to %.6g", *m.Min, *m.Max)
	}
	if m.Mean != nil {
		add(true, "mean %.6g", *m.Mean)
	}
	add(m.NotFinite > 0, "%s not finite", printable.Several(m.NotFinite, "value"))
	add(m.Left > 0 && m.Min == nil, "not looked at")
	add(m.Left > 0 && m.Min != nil, "but for %s at the end, not looked at", printable.Several(m.Left, "value"))
	if line = strings.Join(facts, ", "); m.Fault != "" {
		line += ": " + m.Fault
	}
	fmt.Fprintln(out, printable.Line(line))
}
