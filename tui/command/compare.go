// This file is the comparison of stored runs.

package command

import (
	"fmt"
	"strings"

	"rfm/model/study"
	"rfm/tui/chart"
)

// compare prints the results of several runs and the settings in which they differ.
func (a *app) compare(paths []string, csv bool) error {
	c, err := study.Compare(paths)
	switch {
	case err != nil:
		return err
	case csv:
		_, err = a.out.Write(c.CSV())
		return err
	case a.flags.json:
		return a.encode(c)
	}
	a.printComparison(c)
	return nil
}

// printComparison writes a comparison for a person.
func (a *app) printComparison(c study.Comparison) {
	above, head, lines := chart.Comparison(c, helpWidth)
	if len(above) > 0 {
		fmt.Fprintf(a.out, "%s\n\n", strings.Join(above, "\n"))
	}
	fmt.Fprintf(a.out, "%s\n%s\n", a.theme().Label.Render(head),
		strings.Join(lines, "\n"))
}
