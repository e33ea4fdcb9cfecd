// This file is `rfm man`: the manual page.

package command

import (
	"strconv"

	"github.com/spf13/cobra"

	"rfm/tui/manual"
)

func (a *app) manCommand() *cobra.Command {
	var markdown bool
	cmd := &cobra.Command{
		Use:   "man",
		Short: "Print the manual page",
		Long:  "Prints the manual page, made from the same text as the help, in the macros of man(7) or in Markdown.",
		Example: `  rfm man | man -l -
  rfm man > ~/.local/share/man/man1/rfm.1
  rfm man --markdown > manual.md`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.flags.resolve(cmd, a.environ); err != nil {
				return err
			}
			if markdown {
				return manual.Markdown(a.out, cmd.Root(), manualSections())
			}
			return manual.Write(a.out, cmd.Root(), manualSections())
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "write Markdown")
	return cmd
}

// manualSections are what the command tree does not say.
func manualSections() []manual.Section {
	exits := manual.Section{Title: "exit status"}
	for _, e := range exitMeanings {
		exits.Entries = append(exits.Entries, manual.Entry{Term: strconv.Itoa(e.code), Text: e.meaning})
	}
	return []manual.Section{exits,
		{Title: "environment", Entries: []manual.Entry{
			{Term: "RFM_NAME", Text: "stands in for a flag --name that is not given, for every flag: RFM_WORKERS=2, RFM_TRAIN_DATA=a.npz. A flag beats the environment, which beats a configuration file, which beats a preset."},
			{Term: "RFM_SIMD", Text: "off or avx2 keep the program from using wider instructions than these."},
			{Term: "NO_COLOR", Text: "no colours unless --color always."},
			{Term: "LANG, LC_ALL, LC_CTYPE", Text: "a locale without UTF-8 means --ascii."},
		}},
		{Title: "files", Entries: []manual.Entry{
			{Term: "runs/NAME/", Text: "a stored run: config.toml, which repeats it, manifest.json, the data, model.npz, report.json, report.md and tables."},
		}},
		{Title: "see also", Entries: []manual.Entry{
			{Term: "N. H. Nelsen and A. M. Stuart", Text: "The random feature model for input-output maps between Banach spaces. SIAM J. Sci. Comput. 43(5), A3212-A3243, 2021."},
		}},
	}
}

// exitMeanings are the exit codes in words.
var exitMeanings = []struct {
	code    int
	meaning string
}{
	{exitDone, "done"},
	{exitInternal, "a bug of this program"},
	{exitUsage, "a mistake in the command line"},
	{exitConfig, "a configuration that makes no sense"},
	{exitData, "a file or data that cannot be used"},
	{exitNumerical, "a computation that did not reach a result that can be trusted"},
	{exitUnsound, "a check has failed, or a screen did not show what a script expects"},
	{exitInterrupted, "interrupted; what is done is stored, and the work can go on"},
	{exitCancelled, "cancelled; nothing was stored"},
}
