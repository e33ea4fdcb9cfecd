// This file looks at tables of numbers in text, which are not read: what stands between their numbers, and how NumPy
// reads them.

package exchange

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	tableStart = 1 << 16 // bytes of a table that are looked at
	mostHeader = 64      // lines before the numbers
	mark       = "\ufeff"
)

// table is what the beginning of a table tells.
type table struct {
	separator string // between values; empty: blanks
	comma     bool   // decimal commas
	numbers   bool   // all values are numbers, but for the lines before them
	marked    bool   // begins with a byte order mark
	quoted    bool   // values stand in quotation marks
	skip      int    // lines before the numbers, empty ones and comments, too
	lines     int    // with values or words
	whole     bool   // all lines have been looked at
	columns   int    // 0 if not even one line ends where the look does
	first     []string
}

var (
	withPoint = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$|^[+-]?(?i:nan|inf|infinity)$`)
	withComma = regexp.MustCompile(`^[+-]?(\d+|\d*,\d+)([eE][+-]?\d+)?$|^[+-]?(?i:nan|inf|infinity)$`)
)

// tableIn finds a table in the beginning of a file, or in all of it; nil if there is none.
func tableIn(content []byte, whole bool) *table {
	if len(content) > tableStart {
		content, whole = content[:tableStart], false
	}
	for i := 0; !whole && i < utf8.UTFMax && !utf8.Valid(content); i++ { // the last letter may be cut
		content = content[:len(content)-1]
	}
	if !utf8.Valid(content) {
		return nil
	}
	text, marked := bytes.CutPrefix(content, []byte(mark))
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	cut := ""
	if !whole {
		cut, lines = lines[len(lines)-1], lines[:len(lines)-1]
	}
	for _, t := range []table{{separator: "\t"}, {separator: "\t", comma: true}, {separator: ";"},
		{separator: ";", comma: true}, {separator: ","}, {}, {comma: true}} {
		t.numbers, t.marked, t.whole = true, marked, whole
		if t.fits(lines, cut) {
			return &t
		}
	}
	for _, separator := range []string{"\t", ";", ","} { // of words, or with holes
		t := table{separator: separator, marked: marked, whole: whole}
		if t.fits(lines, "") {
			return &t
		}
	}
	return nil
}

// fits reports whether lines are those of the table, of which all others are set. cut is the beginning of another line.
func (t *table) fits(lines []string, cut string) bool {
	rows, holes := 0, []int{} // how many values those lines before the numbers have that are numbers with holes
	for i, line := range lines {
		cells := t.cells(line)
		if len(cells) == 0 {
			continue
		}
		if t.lines++; t.lines == 1 {
			t.first = cells
		}
		switch {
		case t.numbers && !t.areNumbers(cells):
			if rows > 0 || i >= mostHeader {
				return false
			}
			if t.skip = i + 1; !worded(cells) && (t.lines > 1 || cells[0] != "") { // pandas leaves out the first name
				holes = append(holes, len(cells))
			}
		case rows > 0 && len(cells) != t.columns || slices.Contains(holes, len(cells)):
			return false
		default:
			if !t.numbers {
				t.guess(cells, i)
			}
			rows++
			t.columns = len(cells)
			t.quoted = t.quoted || strings.Contains(line, `"`)
		}
	}
	if rows == 0 { // one function alone may be longer than what is looked at
		cells := t.cells(cut)
		if len(cells) < 3 || !t.areNumbers(cells[:len(cells)-1]) {
			return false
		}
		t.quoted = strings.Contains(cut, `"`)
		if t.first == nil {
			t.first = cells
		}
		return true
	}
	return t.columns > 1 && (t.lines > 1 || !t.whole)
}

// guess takes the line with number i of a table that has words or holes into account.
func (t *table) guess(cells []string, i int) {
	if t.lines == 1 && !slices.ContainsFunc(cells, withPoint.MatchString) {
		t.skip = i + 1
	}
	t.comma = t.comma || t.separator != "," && slices.ContainsFunc(cells, func(c string) bool {
		return withComma.MatchString(c) && !withPoint.MatchString(c)
	})
}

// cells are the values of a line, none of a comment.
func (t *table) cells(line string) []string {
	line, _, _ = strings.Cut(line, "#")
	if line = strings.TrimRight(line, " \r"); strings.TrimSpace(line) == "" {
		return nil
	}
	if t.separator == "" {
		return strings.Fields(line)
	}
	r := csv.NewReader(strings.NewReader(line))
	r.Comma, r.LazyQuotes = rune(t.separator[0]), true
	cells, err := r.Read()
	if err != nil {
		return []string{line}
	}
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}
	return cells
}

func (t *table) areNumbers(cells []string) bool {
	number := withPoint
	if t.comma {
		number = withComma
	}
	return !slices.ContainsFunc(cells, func(c string) bool { return !number.MatchString(c) })
}

// worded reports whether there is a word among values.
func worded(cells []string) bool {
	return slices.ContainsFunc(cells, func(c string) bool {
		return c != "" && !withPoint.MatchString(c) && !withComma.MatchString(c)
	})
}

// String says how many lines there are, of which the first is that of the names, if there are any.
func (t *table) String() string {
	text := "lines of values"
	if t.columns > 0 {
		text = fmt.Sprintf("lines of %d values", t.columns)
	}
	if t.whole {
		text = fmt.Sprintf("%d %s", t.lines, text)
	}
	switch t.separator {
	case "\t":
		text += " between tabs"
	case ";":
		text += " between semicolons"
	case "":
		text += " between blanks"
	}
	if t.comma {
		text += ", with decimal commas"
	}
	return text + "; the first: " + beginning(strings.Join(t.first, map[bool]string{false: ", ", true: "; "}[t.comma]))
}

// beginning is a text, or as much of it as a line has room for.
func beginning(text string) string {
	const most = 60
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most-3]) + "..."
	}
	return text
}

// convert is how NumPy reads a table with the given name, and another one like it.
func (t *table) convert(name string) string {
	function, skipped, options := "loadtxt", "skiprows", ""
	if !t.numbers {
		function, skipped = "genfromtxt", "skip_header"
	}
	if t.separator != "" {
		options += ", delimiter=" + map[string]string{"\t": `'\t'`, ";": "';'", ",": "','"}[t.separator]
	}
	if t.skip > 0 {
		options += fmt.Sprintf(", %s=%d", skipped, t.skip)
	}
	if t.quoted && t.numbers {
		options += `, quotechar='"'`
	}
	encoding := ""
	if t.marked {
		encoding = ", encoding='utf-8-sig'"
	}
	read := func(file string) string {
		if t.comma {
			return fmt.Sprintf("numpy.%s((l.replace(',', '.') for l in open(%s%s))%s)", function, file, encoding, options)
		}
		return fmt.Sprintf("numpy.%s(%s%s%s)", function, file, options, encoding)
	}
	what := "convert tables of numbers in Python, a function in each line:"
	if !t.numbers {
		what = "not all of its values are numbers: in Python the others become NaN, a function in each line:"
	}
	return fmt.Sprintf("%s\n  import numpy\n  numpy.savez('pairs.npz', a=%s,\n              u=%s)", what,
		read(strconv.Quote(name)), read("'OUTPUTS.csv'"))
}
