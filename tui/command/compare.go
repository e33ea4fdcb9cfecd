// This file is `rfm compare`: stored runs beside each other.

package command

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"rfm/model/store"
	"rfm/model/study"
	"rfm/tui/chart"
)

func (a *app) compareCommand() *cobra.Command {
	asCSV := false
	cmd := &cobra.Command{
		Use:   "compare RUN RUN...",
		Short: "Set stored runs beside each other",
		Long: `Sets runs beside each other: their results, and the configuration keys in which they differ. Where a model was tested on the
same pairs as the first one, it says on how many of them it is better, and by which factor.`,
		Example: `  rfm compare small large
  rfm compare runs/a /data/runs/b --json
  rfm compare a b c --csv > compared.csv`,
		Args: arguments(2, math.MaxInt, "two runs or more"),
		RunE: func(_ *cobra.Command, args []string) error {
			if asCSV && a.flags.json {
				return misuse("--csv and --json exclude each other")
			}
			var paths []string
			for _, name := range args {
				path, err := store.Find(a.flags.runs, name)
				if err != nil {
					return err
				}
				paths = append(paths, path)
			}
			c, err := study.Compare(paths)
			switch {
			case err != nil:
				return err
			case asCSV:
				_, err = a.out.Write(c.CSV())
				return err
			case a.flags.json:
				return a.encode(c)
			}
			a.printComparison(c)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asCSV, "csv", false, "print a line of numbers for each run")
	return a.flags.share(cmd, "runs", "json")
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
