package report

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"
)

// CSV writes rows of text as comma-separated values; the first row is the header.
func CSV(rows [][]string) []byte {
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
		panic("report: " + err.Error()) // a buffer takes everything
	}
	return text.Bytes()
}

// Exact writes a number with the digits that it takes to read the same number again.
func Exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// NumbersHeader names the columns of Numbers.
var NumbersHeader = []string{"kind", "name", "x", "value", "published"}

// Numbers is a row for each cell of the tables, x the head of its column, and for each point of the curves and of the
// fields. What does not apply is empty.
func (p Page) Numbers() (rows [][]string) {
	for _, t := range p.Tables {
		for _, line := range t.Rows {
			for j := 1; j < len(line); j++ {
				rows = append(rows, []string{"table", t.Title + ": " + line[0], t.Header[j], line[j], ""})
			}
		}
	}
	for _, f := range p.Figures {
		for _, c := range f.Curves {
			for i, x := range c.X {
				row := []string{"curve", f.Title + ": " + c.Name, Exact(x), Exact(c.Y[i]), ""}
				if c.Published {
					row[3], row[4] = "", row[3]
				}
				rows = append(rows, row)
			}
		}
	}
	for _, f := range p.Fields {
		columns := len(f.Values) / max(1, f.R)
		for i, v := range f.Values {
			x1, x2 := float64(i/columns)/float64(f.R-1), float64(i%columns)/float64(columns-1)
			rows = append(rows, []string{"field", f.Title, Exact(x1) + " " + Exact(x2), Exact(v), ""})
		}
	}
	return rows
}

// CSV is what the page shows: its tables below one another if there is nothing else, or a row for each number.
func (p Page) CSV() []byte {
	if len(p.Figures)+len(p.Fields) > 0 {
		return CSV(slices.Concat([][]string{NumbersHeader}, p.Numbers()))
	}
	var rows [][]string
	for _, t := range p.Tables {
		rows = slices.Concat(rows, [][]string{t.Header}, t.Rows)
	}
	return CSV(rows)
}
