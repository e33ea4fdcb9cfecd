package command

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rfm/tui/terminal"
	"rfm/tui/tuitest"
)

// docs/commands.md is the help of all commands.
func TestPageOfCommandsIsUpToDate(t *testing.T) {
	var page strings.Builder
	writeMarkdown(&page, chapters((&app{Terminal: terminal.New(nil, io.Discard, io.Discard, nil)}).root()))
	tuitest.Compare(t, filepath.Join("..", "..", "docs", "commands.md"),
		"# Commands\n\n*For people who look up a command or an option: the help of all commands. `go test ./tui/command -update` renews this page.*\n"+page.String()+
			"\nNext: [settings](configuration.md).\n")
}

// chapter is a part of the manual: a title, sentences, and lines that keep their form.
type chapter struct{ title, text, form string }

// chapters returns the chapters after the description of the program: topics common to all commands, the commands, and
// topics that the command tree does not cover.
func chapters(root *cobra.Command) []chapter {
	shared, experiments := pflag.NewFlagSet("", pflag.PanicOnError), pflag.NewFlagSet("", pflag.PanicOnError)
	run, _, _ := root.Find([]string{"run"})
	for _, name := range []string{"workers", "runs", "json", "quiet"} {
		shared.AddFlag(run.Flags().Lookup(name))
	}
	var settings settings
	experiment := &cobra.Command{}
	settings.define(experiment)
	experiments.SortFlags = false
	experiments.AddFlagSet(experiment.Flags())
	own := func(cmd *cobra.Command) (text string) {
		flags, of := pflag.NewFlagSet("", pflag.PanicOnError), []string{}
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			switch {
			case f.Name == "set" && cmd.Flags().Lookup("equation") != nil:
				of = append(of, "those of experiments")
			case shared.Lookup(f.Name) != nil && f.Name != "help":
				of = append(of, "--"+f.Name)
			case experiments.Lookup(f.Name) == nil || cmd.Flags().Lookup("equation") == nil: // others have flags of the same name
				flags.AddFlag(f)
			}
		})
		if text = flags.FlagUsagesWrapped(terminal.Usual); len(of) > 0 {
			text += "      and " + strings.Join(of, ", ") + "\n"
		}
		return text
	}
	all := []chapter{{"options of several commands", "", shared.FlagUsagesWrapped(terminal.Usual)},
		{"options of experiments", "", experiments.FlagUsagesWrapped(terminal.Usual)},
		{"options without a command", "", own(root)}}
	for _, cmd := range root.Commands() {
		if !cmd.IsAvailableCommand() {
			continue
		}
		text, table := folded(cmd.Long), ""
		if at := strings.Index("\n"+text, "\n "); at >= 0 { // a table or a list
			text, table = text[:at], text[at:]
		}
		form := ""
		for _, part := range []string{table, cmd.CommandPath() + strings.TrimPrefix(cmd.Use, cmd.Name()),
			own(cmd), cmd.Example} {
			if part = strings.Trim(part, "\n"); part != "" {
				form += part + "\n\n"
			}
		}
		all = append(all, chapter{cmd.CommandPath(), cmd.Short + ".\n\n" + text, form})
	}
	pair := func(p [2]string) (name, meaning string) { return p[0], p[1] }
	return append(all, chapter{"exit status", "", helpTable(exitMeanings, pair)},
		chapter{"environment", "", helpTable([][2]string{
			{"RFM_WORKERS, RFM_RUNS", "stand in for --workers and --runs where they are not given."},
			{"RFM_SIMD", "off or avx2 keep the program from using wider instructions than these."},
			{"RFM_THEME", "light or dark: the background, where the terminal does not tell it."},
			{"NO_COLOR", "no colours."},
			{"CLICOLOR_FORCE", "1: colours in pipes and files, too."},
			{"LANG, LC_ALL, LC_CTYPE", "a locale without UTF-8, for example LC_ALL=C: ASCII characters only."}}, pair)},
		chapter{"files", "runs/NAME/ is a stored run: config.toml, which repeats it, program.json, SHA256SUMS, the data, " +
			"model.npz, " +
			"report.json, report.md and tables.", ""},
		chapter{"see also", "N. H. Nelsen and A. M. Stuart: The random feature model for input-output maps between Banach " +
			"spaces. SIAM J. Sci. Comput. 43(5), A3212-A3243, 2021.", ""})
}

// writeMarkdown writes the description of the program and the chapters in Markdown.
func writeMarkdown(out io.Writer, chapters []chapter) {
	for _, c := range chapters {
		if title := c.title; strings.HasPrefix(title, "rfm") {
			fmt.Fprintf(out, "\n## %s\n", title)
		} else {
			fmt.Fprintf(out, "\n## %s\n", strings.ToUpper(title[:1])+title[1:])
		}
		if text := strings.TrimSpace(c.text); text != "" {
			fmt.Fprintf(out, "\n%s\n", text)
		}
		if c.form != "" {
			fmt.Fprintf(out, "\n```\n%s\n```\n", strings.TrimRight(c.form, "\n"))
		}
	}
}

// exitMeanings describe the exit codes.
var exitMeanings = [][2]string{
	{strconv.Itoa(exitDone), "done"},
	{strconv.Itoa(exitInternal), "a bug of this program"},
	{strconv.Itoa(exitUsage), "a mistake in the command line"},
	{strconv.Itoa(exitConfig), "a configuration that makes no sense"},
	{strconv.Itoa(exitData), "a file or data that cannot be used"},
	{strconv.Itoa(exitNumerical), "a computation that did not reach a result that can be trusted"},
	{strconv.Itoa(exitUnsound), "a check has failed"},
	{strconv.Itoa(exitInterrupted), "interrupted; finished work is stored, and the work can go on"},
	{strconv.Itoa(exitCancelled), "cancelled; nothing was stored"},
}

// A flag is explained in at most 60 characters, without the name of its setting.
func TestFlagsAreExplainedBriefly(t *testing.T) {
	const most = 60
	root := (&app{Terminal: terminal.New(nil, io.Discard, io.Discard, nil)}).root()
	for _, cmd := range append(root.Commands(), root) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			help, _, _ := strings.Cut(strings.ReplaceAll(f.Usage, "`", ""), " [")
			if n := len([]rune(help)); n > most || help == "" {
				t.Errorf("%s --%s: %d characters, at most %d: %s", cmd.Name(), f.Name, n, most, help)
			}
		})
	}
}
