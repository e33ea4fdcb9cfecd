// Package manual writes the manual of a program from its command tree: a page in the macros of man(7), or Markdown.
package manual

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Entry is a term with its explanation: an exit code, an environment variable, a file.
type Entry struct{ Term, Text string }

// Section is a part of the page after the commands.
type Section struct {
	Title   string
	Entries []Entry
}

// Write writes the page of the program: name, synopsis, description and options of root, every command that is not
// hidden with its description, options and examples, then the sections. In descriptions a line that begins with a space is
// shown as it is, other lines are filled. The error is out's.
func Write(out io.Writer, root *cobra.Command, sections []Section) error {
	p := &page{bufio.NewWriter(out)}
	name := root.Name()
	p.line(".TH %s 1 \"\" %q \"User Commands\"", strings.ToUpper(name), name+" "+root.Version)
	p.line(".SH NAME")
	p.line("%s \\- %s", escape(name), escape(uncapital(root.Short)))
	p.line(".SH SYNOPSIS")
	p.line(".B %s", escape(name))
	p.line("[COMMAND] [ARGUMENT ...] [OPTION ...]")
	p.line(".SH DESCRIPTION")
	p.text(root.Long)
	p.examples(root.Example)
	p.options(".SH OPTIONS", root.LocalFlags())
	p.line(".SH COMMANDS")
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			p.command(c)
		}
	}
	for _, s := range sections {
		p.line(".SH %s", escape(strings.ToUpper(s.Title)))
		for _, e := range s.Entries {
			p.entry(escape(e.Term), e.Text)
		}
	}
	return p.out.Flush()
}

// page is what is being written; out keeps its first error.
type page struct{ out *bufio.Writer }

func (p *page) line(format string, values ...any) { fmt.Fprintf(p.out, format+"\n", values...) }

func (p *page) command(c *cobra.Command) {
	p.line(".SS %s", escape(c.CommandPath()+strings.TrimPrefix(c.Use, c.Name())))
	p.text(c.Short + ".")
	if c.Long != "" {
		p.line(".PP")
		p.text(c.Long)
	}
	p.options("", c.LocalFlags())
	p.examples(c.Example)
	for _, child := range c.Commands() {
		if child.IsAvailableCommand() {
			p.command(child)
		}
	}
}

// text writes paragraphs; lines that begin with a space keep their form.
func (p *page) text(text string) {
	filled := true
	fill := func(wanted bool) {
		if wanted != filled {
			p.line(map[bool]string{true: ".fi\n.PP", false: ".PP\n.nf"}[wanted])
			filled = wanted
		}
	}
	blank := false
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if strings.TrimSpace(line) == "" {
			blank = true
			continue
		}
		fill(!strings.HasPrefix(line, " "))
		if blank && filled {
			p.line(".PP")
		} else if blank {
			p.line("")
		}
		blank = false
		p.line("%s", escape(line))
	}
	fill(true)
}

func (p *page) examples(text string) {
	if text == "" {
		return
	}
	p.line(".PP\nExamples:\n.PP\n.nf")
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		p.line("%s", escape(line))
	}
	p.line(".fi")
}

// options lists flags below a heading, if there are any.
func (p *page) options(heading string, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if heading != "" {
			p.line(heading)
			heading = ""
		}
		names, kind, usage := described(f)
		for i := range names {
			names[i] = `\fB` + escape(names[i]) + `\fR`
		}
		term := strings.Join(names, ", ")
		if kind != "" {
			term += ` \fI` + escape(kind) + `\fR`
		}
		p.entry(term, usage)
	})
}

// described is a flag as it is written: its names, the shorter first, what its value is, and its meaning with its default.
func described(f *pflag.Flag) (names []string, kind, usage string) {
	if f.Shorthand != "" {
		names = append(names, "-"+f.Shorthand)
	}
	kind, usage = pflag.UnquoteUsage(f)
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && !strings.Contains(usage, "default") {
		usage += " (default: " + f.DefValue + ")"
	}
	return append(names, "--"+f.Name), kind, usage
}

// entry is a tagged paragraph; term is escaped already.
func (p *page) entry(term, text string) {
	p.line(".TP\n%s\n%s", term, escape(text))
}

// special are characters that roff would take for something else.
var special = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`)

// escape writes text such that roff shows it as it is. Characters beyond ASCII are named by their code points.
func escape(text string) string {
	var b strings.Builder
	for _, r := range special.Replace(text) {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	if s := b.String(); strings.HasPrefix(s, ".") {
		return `\&` + s
	}
	return b.String()
}

// uncapital is a sentence as the words after a dash.
func uncapital(text string) string {
	if text == "" {
		return text
	}
	return strings.ToLower(text[:1]) + text[1:]
}
