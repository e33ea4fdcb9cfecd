// This file writes the manual in Markdown.

package manual

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Markdown writes what Write writes, in Markdown and without the version: the options that every command takes, every
// command that is not hidden with its description, usage, options and examples, then the sections. The error is out's.
func Markdown(out io.Writer, root *cobra.Command, sections []Section) error {
	p := &markdown{bufio.NewWriter(out)}
	p.text(root.Long)
	p.code(root.Example)
	p.flags("Options of every command:", root.PersistentFlags())
	p.flags("Options without a command, beside these:", root.LocalNonPersistentFlags())
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			p.command(c)
		}
	}
	for _, s := range sections {
		fmt.Fprintf(p.out, "\n## %s\n\n| | |\n|---|---|\n", strings.ToUpper(s.Title[:1])+s.Title[1:])
		for _, e := range s.Entries {
			fmt.Fprintf(p.out, "| `%s` | %s |\n", cell(e.Term), cell(e.Text))
		}
	}
	return p.out.Flush()
}

// markdown is what is being written; out keeps its first error.
type markdown struct{ out *bufio.Writer }

func (p *markdown) command(c *cobra.Command) {
	fmt.Fprintf(p.out, "\n## %s\n\n%s.\n", c.CommandPath(), c.Short)
	p.text(c.Long)
	p.code(c.CommandPath() + strings.TrimPrefix(c.Use, c.Name()))
	p.flags("", c.LocalNonPersistentFlags())
	if c.Example != "" {
		fmt.Fprint(p.out, "\nExamples:\n")
		p.code(c.Example)
	}
	for _, child := range c.Commands() {
		if child.IsAvailableCommand() {
			p.command(child)
		}
	}
}

// text writes paragraphs; lines that begin with a space keep their form.
func (p *markdown) text(text string) {
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		plain, form := paragraph, ""
		if strings.HasPrefix(paragraph, " ") {
			plain, form = "", paragraph
		} else if at := strings.Index(paragraph, "\n "); at >= 0 {
			plain, form = paragraph[:at], paragraph[at+1:]
		}
		if plain != "" {
			fmt.Fprintf(p.out, "\n%s\n", plain)
		}
		p.code(form)
	}
}

// code writes lines as they are, if there are any.
func (p *markdown) code(text string) {
	if text = strings.Trim(text, "\n"); text != "" {
		fmt.Fprintf(p.out, "\n```\n%s\n```\n", text)
	}
}

// flags writes a table of flags below a heading, if there are any.
func (p *markdown) flags(heading string, flags *pflag.FlagSet) {
	begun := false
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		if !begun {
			begun = true
			if heading != "" {
				fmt.Fprintf(p.out, "\n%s\n", heading)
			}
			fmt.Fprint(p.out, "\n| option | meaning |\n|---|---|\n")
		}
		names, kind, usage := described(f)
		if kind != "" {
			names[len(names)-1] += " " + kind
		}
		fmt.Fprintf(p.out, "| `%s` | %s |\n", cell(strings.Join(names, "`, `")), cell(usage))
	})
}

// cell is text in a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}
