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

// Markdown returns the page in Markdown; pictures are its figures and fields as text.
func (p Page) Markdown(pictures []string) string {
	var b strings.Builder
	title := p.Title
	if p.Source != "" {
		title += " (" + p.Source + ")"
	}
	fmt.Fprintf(&b, "## %s\n", title)
	for _, t := range p.Tables {
		fmt.Fprintf(&b, "\n%s", t.Markdown())
	}
	for _, picture := range pictures {
		fmt.Fprintf(&b, "\n```\n%s\n```\n", picture)
	}
	for _, note := range p.Notes {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	return b.String()
}
