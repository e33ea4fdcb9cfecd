// This file describes files (arrays, models, settings) and the command that uses them.

package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
			faults = append(faults, a.conclude(nil, describe(facts), ending{next: strings.TrimPrefix(facts.Command, "rfm ")}))
		}
	}
	if a.json {
		faults = append(faults, a.encode(list))
	}
	return errors.Join(faults...)
}

// describe returns the page of a file: its arrays and their values, and the facts about it.
func describe(f interchange.Findings) report.Page {
	p := report.Page{Title: printable.Line(f.File), Source: f.Kind + ", " + report.Bytes(float64(f.Bytes)), Notes: f.Facts}
	t := report.Table{Header: []string{"array", "shape", "type", "from", "to", "mean", ""}, Words: []int{1, 2, 6}}
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return fmt.Sprintf("%.6g", *v)
	}
	for _, m := range f.Arrays {
		shape, remarks := "", []string{}
		if m.Shape != nil {
			shape = m.Shape.String()
		}
		add := func(holds bool, remark string) {
			if holds {
				remarks = append(remarks, remark)
			}
		}
		add(m.Order == "Fortran" && len(m.Shape) > 1, "Fortran order")
		add(m.NotFinite > 0, printable.Several(m.NotFinite, "value")+" not finite")
		add(m.Left > 0 && m.Min == nil, "not looked at")
		add(m.Left > 0 && m.Min != nil, printable.Several(m.Left, "value")+" at the end not looked at")
		add(m.Fault != "", m.Fault)
		row := []string{cmp.Or(m.Name, "array"), shape, m.Type, number(m.Min), number(m.Max), number(m.Mean),
			strings.Join(remarks, ", ")}
		for i, cell := range row {
			row[i] = printable.Line(cell)
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) > 0 {
		p.Tables = []report.Table{t}
	}
	return p
}
