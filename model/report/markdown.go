package report

import (
	"fmt"
	"strings"
)

// Markdown returns the table in Markdown, below its title if it has one.
func (t Table) Markdown() string {
	var b strings.Builder
	if t.Title != "" {
		fmt.Fprintf(&b, "%s\n\n", t.Title)
	}
	fmt.Fprintf(&b, "| %s |\n|%s\n", strings.Join(t.Header, " | "), strings.Repeat("---|", len(t.Header)))
	for _, row := range t.Rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	return b.String()
}

// Markdown returns the page in Markdown, with its pictures in the file NAME.svg.
func (p Page) Markdown() string {
	var b strings.Builder
	title := p.Title
	if p.Source != "" {
		title += " (" + p.Source + ")"
	}
	fmt.Fprintf(&b, "## %s\n", title)
	if p.Heading != "" {
		fmt.Fprintf(&b, "\n%s\n", p.Heading)
	}
	for _, t := range p.Tables {
		fmt.Fprintf(&b, "\n%s", t.Markdown())
	}
	if len(p.Figures)+len(p.Fields) > 0 {
		fmt.Fprintf(&b, "\n![%s](%s.svg)\n", title, p.Name)
	}
	for _, note := range p.Notes {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	return b.String()
}
