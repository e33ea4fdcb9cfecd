// This file is the help of all commands as one page, for man(1) or in Markdown.

package command

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// Manual writes the manual page of a version of the program in the macros of man(7), from the texts of the help.
func Manual(out io.Writer, version string) {
	root := newApp(streams{out: io.Discard, err: io.Discard}, nil).root()
	writeMan(out, root, version, chapters(root))
}

// chapter is a part of the manual: a title, sentences, and lines that keep their form.
type chapter struct{ title, text, form string }

// chapters are the chapters after the description of the program: what all commands share, the commands, and what the
// command tree does not say.
func chapters(root *cobra.Command) []chapter {
	all := []chapter{{"options of every command", "", root.PersistentFlags().FlagUsagesWrapped(helpWidth)},
		{"options without a command", "", root.LocalNonPersistentFlags().FlagUsagesWrapped(helpWidth)}}
	for _, cmd := range root.Commands() {
		if !cmd.IsAvailableCommand() {
			continue
		}
		text, table := cmd.Long, ""
		if at := strings.Index("\n"+text, "\n "); at >= 0 { // a table or a list
			text, table = text[:at], text[at:]
		}
		flags := cmd.LocalNonPersistentFlags()
		flags.SortFlags = cmd.Flags().SortFlags
		form := ""
		for _, part := range []string{table, cmd.CommandPath() + strings.TrimPrefix(cmd.Use, cmd.Name()),
			flags.FlagUsagesWrapped(helpWidth), cmd.Example} {
			if part = strings.Trim(part, "\n"); part != "" {
				form += part + "\n\n"
			}
		}
		all = append(all, chapter{cmd.CommandPath(), cmd.Short + ".\n\n" + text, form})
	}
	var codes, meanings []string
	for _, e := range exitMeanings {
		codes, meanings = append(codes, strconv.Itoa(e.code)), append(meanings, e.meaning)
	}
	return append(all, chapter{"exit status", "", helpTable(codes, meanings)},
		chapter{"environment", "", helpTable([]string{"RFM_WORKERS, RFM_RUNS", "RFM_SIMD", "NO_COLOR", "LANG, LC_ALL, LC_CTYPE"},
			[]string{"stand in for --workers and --runs where they are not given.",
				"off or avx2 keep the program from using wider instructions than these.",
				"no colours unless --color always.",
				"a locale without UTF-8 means --ascii."})},
		chapter{"files", "runs/NAME/ is a stored run: config.toml, which repeats it, program.json, SHA256SUMS, the data, model.npz, " +
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

// writeMan writes the program's manual page in the macros of man(7).
func writeMan(out io.Writer, root *cobra.Command, version string, chapters []chapter) {
	name := root.Name()
	fmt.Fprintf(out, ".TH %s 1 \"\" %q \"User Commands\"\n", strings.ToUpper(name), name+" "+version)
	chapters = append([]chapter{{"name", name + " - " + strings.ToLower(root.Short[:1]) + root.Short[1:], ""},
		{"synopsis", "", name + " [COMMAND] [ARGUMENT ...] [OPTION ...]"},
		{"description", root.Long, root.Example}}, chapters...)
	for _, c := range chapters {
		fmt.Fprintf(out, ".SH %s\n%s\n", roff(strings.ToUpper(c.title)),
			strings.ReplaceAll(roff(strings.TrimSpace(c.text)), "\n\n", "\n.PP\n"))
		if c.form != "" {
			fmt.Fprintf(out, ".PP\n.in 0\n.nf\n%s\n.fi\n.in\n", optionNames.ReplaceAllString(roff(strings.TrimRight(c.form,
				"\n")), `$1\fB$2\fR`))
		}
	}
}

// optionNames are the names of an option at the beginning of a line, as roff writes them.
var optionNames = regexp.MustCompile(`(?m)^( +)((?:\\-\w, )?\\-\\-[\w\\-]+)`)

// roff writes text such that it is shown as it is: characters that mean something there are escaped, those beyond ASCII
// named by their code points, and no line begins with a dot.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`, "\n.", "\n\\&.").Replace(text)
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	return b.String()
}
