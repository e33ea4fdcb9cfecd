package chart

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/study"
	"rfm/solver/printable"
)

// Comparison writes runs beside each other: a line of names, and a line for each measure and each key that differs.
// Where the names make that too wide the columns have numbers, and the names are above.
func Comparison(c study.Comparison, width int) (above []string, head string, lines []string) {
	header, rows := c.Table()
	write := func() string { return printable.Text(Table(study.Table{Header: header, Rows: rows})) }
	text := write()
	if ansi.StringWidth(strings.SplitN(text, "\n", 2)[0]) > width {
		for i, r := range c.Runs {
			header[i+1] = fmt.Sprintf("(%d)", i+1)
			above = append(above, header[i+1]+" "+printable.Line(r.Name))
		}
		text = write()
	}
	lines = strings.Split(text, "\n")
	return above, lines[0], lines[1:]
}
