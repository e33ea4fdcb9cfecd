// This file is `rfm version` and `rfm --version`: which program this is.

package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rfm/model/machine"
	"rfm/model/store"
)

func (a *app) versionCommand() *cobra.Command {
	return a.flags.share(&cobra.Command{
		Use:   "version",
		Short: "Print which program this is",
		Long: `Prints the version, the commit that it was built from and its date, the Go release, the platform, the instructions that the
compiler may use, and those that the kernels use on this machine: what the manifest of a run says about the program.`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			p := machine.Program()
			if a.flags.json {
				return a.encode(p)
			}
			for _, line := range [][2]string{{"version", p.Version}, {"commit", p.Revision}, {"date", p.Date}, {"Go", p.Go},
				{"platform", p.Platform}, {"target", p.Target}, {"SIMD", p.SIMD}} {
				if line[1] != "" {
					fmt.Fprintf(a.out, "%-9s %s\n", line[0], line[1])
				}
			}
			return nil
		},
	}, "json")
}

// versionLine is what --version says after the name of the program, without what the build does not know.
func versionLine(p store.Program) string {
	var about []string
	for _, text := range []string{p.Revision, p.Date, p.Go, p.Platform, p.SIMD} {
		if text != "" {
			about = append(about, text)
		}
	}
	return fmt.Sprintf("%s (%s)", p.Version, strings.Join(about, ", "))
}
