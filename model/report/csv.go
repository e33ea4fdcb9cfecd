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
		panic("report: " + err.Error()) // a buffer does not fail
	}
	return text.Bytes()
}

// Exact formats a number with the fewest digits that parse to the same number.
func Exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// A File is the content of a file with an extension.
type File struct {
	Extension string
	Content   []byte
}

// Files returns the page as CSV and, if it has figures or fields, as SVG. The error is one of SVG.
func (p Page) Files() ([]File, error) {
	list := []File{{".csv", p.CSV()}}
	picture, err := p.SVG()
	if picture != nil {
		list = append(list, File{".svg", picture})
	}
	return list, err
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
				own, published := Exact(c.Y[i]), ""
				if c.Published {
					own, published = published, own
				}
				add("curve", f.Title+": "+c.Name, Exact(x), own, published)
			}
		}
	}
	for _, f := range p.Fields {
		columns := len(f.Values) / max(1, f.R)
		for i, v := range f.Values {
			x1, x2 := float64(i/columns)/float64(f.R-1), float64(i%columns)/float64(columns-1)
			add("field", f.Title, Exact(x1)+" "+Exact(x2), Exact(v), "")
		}
	}
	return CSV(rows)
}
