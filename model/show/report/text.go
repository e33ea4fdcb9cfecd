// This file writes pages as text, Markdown and CSV. The table of lipgloss takes 47 times as long for the same text: a
// list of a hundred runs would miss several frames at every key.

package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rfm/solver/base/fault"
	"rfm/solver/base/files"
)

// gap is the number of cells between columns.
const gap = 2

// aligned returns rows with equally many cells as lines of text, in columns of natural width with gap cells between.
// The first column and those in words are aligned left, the others, of numbers, right. Lines have no trailing blanks.
func aligned(rows [][]string, words ...int) []string {
	widths := natural(rows)
	lines := make([]string, len(rows))
	for i, row := range rows {
		var line strings.Builder
		for j, text := range row {
			if j > 0 {
				line.WriteString(strings.Repeat(" ", gap))
			}
			pad := strings.Repeat(" ", widths[j]-ansi.StringWidth(text))
			if j == 0 || slices.Contains(words, j) {
				line.WriteString(text + pad)
			} else {
				line.WriteString(pad + text)
			}
		}
		lines[i] = strings.TrimRight(line.String(), " ")
	}
	return lines
}

// natural returns the widths of the columns.
func natural(rows [][]string) []int {
	var widths []int
	for _, row := range rows {
		for j, text := range row {
			if j == len(widths) {
				widths = append(widths, 0)
			}
			widths[j] = max(widths[j], ansi.StringWidth(text))
		}
	}
	return widths
}

// A Column describes how a column is shortened in a narrow table.
type Column struct {
	Words bool
	Least int    // least width in cells; 0 if it is never cut
	Goes  int    // rank of its removal, the largest first; 0 if it always stays
	Parts string // what stands between parts, of which the last are left out before the first is cut; "" for none
}

// cut returns a text in at most room cells.
func (c Column) cut(text string, room int) string {
	for c.Parts != "" && ansi.StringWidth(text) > room {
		last := strings.LastIndex(text, c.Parts)
		if last < 0 {
			break
		}
		text = text[:last]
	}
	return ansi.Truncate(text, room, "…")
}

// Fit is Lines in a width: columns are left out and cut if needed, those in front get the remaining room.
func Fit(columns []Column, rows [][]string, width int) []string {
	widths := natural(rows)
	least := func(j int) int {
		if columns[j].Least > 0 {
			return min(widths[j], columns[j].Least)
		}
		return widths[j]
	}
	var chosen []int
	free := width + gap
	for j := range columns {
		chosen = append(chosen, j)
		free -= gap + least(j)
	}
	for free < 0 {
		at := 0
		for i, j := range chosen {
			if columns[j].Goes > columns[chosen[at]].Goes {
				at = i
			}
		}
		if columns[chosen[at]].Goes == 0 {
			break
		}
		free += gap + least(chosen[at])
		chosen = slices.Delete(chosen, at, at+1)
	}
	fitted := make([][]string, len(rows))
	var words []int
	for i, j := range chosen {
		room := widths[j]
		if columns[j].Least > 0 {
			room = max(0, min(room, least(j)+free))
			free -= room - least(j)
		}
		if columns[j].Words {
			words = append(words, i)
		}
		for k, row := range rows {
			fitted[k] = append(fitted[k], columns[j].cut(row[j], room))
		}
	}
	return aligned(fitted, words...)
}

// Text returns the header and the rows as lines, with columns of natural width.
func (t Table) Text() string {
	rows := slices.Concat([][]string{t.Header}, t.Rows)
	return strings.Join(aligned(rows, t.Words...), "\n")
}

// Markdown returns the table in Markdown, below its title if it has one.
func (t Table) Markdown() string {
	var b strings.Builder
	if t.Title != "" {
		fmt.Fprintf(&b, "%s\n\n", t.Title)
	}
	header := strings.Join(t.Header, " | ")
	rule := strings.Repeat("---|", len(t.Header))
	fmt.Fprintf(&b, "| %s |\n|%s\n", header, rule)
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

// CSV writes rows of text as comma-separated values; the first row is the header.
func CSV(rows [][]string) []byte {
	var text bytes.Buffer
	err := csv.NewWriter(&text).WriteAll(rows)
	if err != nil {
		panic("report: " + err.Error()) // a buffer does not fail
	}
	return text.Bytes()
}

// Exact formats a number with the fewest digits that parse to the same number.
func Exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Files returns NAME.csv and, if the page has figures or fields, NAME.svg. The error is a *fault.Data.
func (p Page) Files() (list []files.File, err error) {
	list = append(list, files.Text(p.Name+".csv", p.CSV()))
	picture, err := p.SVG()
	if err != nil {
		return nil, &fault.Data{
			Where: p.Name,
			What:  "cannot be drawn",
			Err:   err,
		}
	}
	if picture != nil {
		list = append(list, files.Text(p.Name+".svg", picture))
	}
	return list, nil
}

// Save writes the files of the page to a directory and returns their paths. The error is a *fault.Data with the advice
// do.
func (p Page) Save(directory, do string) (paths []string, err error) {
	list, err := p.Files()
	for _, f := range list {
		paths = append(paths, filepath.Join(directory, f.Name))
	}
	if err == nil {
		err = fault.Unwritten(paths[0], files.WriteAll(directory, directory, list...), do)
	}
	return paths, err
}

// CSV returns the page as CSV: its tables below one another if it has nothing else. Otherwise it has a row for each
// cell of the tables, with the head of its column as x, and for each point of the curves and the fields. Columns that
// do not apply are empty.
func (p Page) CSV() []byte {
	var rows [][]string
	if len(p.Figures)+len(p.Fields) == 0 {
		for _, t := range p.Tables {
			rows = slices.Concat(rows, [][]string{t.Header}, t.Rows)
		}
		return CSV(rows)
	}
	add := func(kind, name, x, value, published string) {
		rows = append(rows, []string{kind, name, x, value, published})
	}
	add("kind", "name", "x", "value", "published")
	for _, t := range p.Tables {
		for _, line := range t.Rows {
			for j := 1; j < len(line); j++ {
				add("table", t.Title+": "+line[0], t.Header[j], line[j], "")
			}
		}
	}
	for _, f := range p.Figures {
		for _, c := range f.Curves {
			for i, x := range c.X {
				var own, published string
				if c.Published {
					published = Exact(c.Y[i])
				} else {
					own = Exact(c.Y[i])
				}
				add("curve", f.Title+": "+c.Name, Exact(x), own, published)
			}
		}
	}
	for _, f := range p.Fields {
		columns := f.Columns()
		for i, v := range f.Values {
			across := f.Horizontal().At(i/columns, f.R)
			up := f.Vertical().At(i%columns, columns)
			add("field", f.Title, Exact(across)+" "+Exact(up), Exact(v), "")
		}
	}
	return CSV(rows)
}
