// This file splits a text into lines, lines into cells, and reads the numbers in cells.

package csv

import (
	"bufio"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"rfm/solver/base/fault"
)

// dialect is how a table is written.
type dialect struct {
	separator rune // ' ' stands for any number of blanks
	comma     bool // decimal comma
	trailing  bool // every line ends with a separator
}

// lines reads the lines of a text that are not empty and no comments.
type lines struct {
	where  string
	in     *bufio.Reader
	at     int64 // of the next line
	from   int64 // of the line
	number int   // of the line, from 1
	text   string
	end    byte
	heads  []string // lines above the numbers, which some programs write again above each block
}

// linesFrom reads lines from a place on.
func (t *Table) linesFrom(p place) *lines {
	rest := io.NewSectionReader(t.in, p.at, t.size-p.at)
	return &lines{
		where:  t.where,
		in:     bufio.NewReaderSize(rest, 1<<16),
		at:     p.at,
		number: p.number - 1,
		end:    t.end,
		heads:  t.heads,
	}
}

// read reads a line, of at most maxLine bytes. The error is io.EOF at the end, or a *fault.Data.
func (l *lines) read() error {
	l.from = l.at
	var long []byte
	for {
		part, err := l.in.ReadSlice(l.end)
		l.at += int64(len(part))
		length := len(long) + len(part)
		switch {
		case length > maxLine:
			return fault.Bad(
				l.where,
				"give fewer numbers in a line",
				"line %d has more than %d bytes", l.number+1, maxLine,
			)
		case err == nil || err == io.EOF && length > 0:
			l.text = string(part)
			if long != nil {
				l.text = string(append(long, part...))
			}
			l.text = strings.Trim(l.text, " \r\n\x00")
			l.toUTF8()
			l.number++
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			if err != io.EOF {
				err = fault.Unread(l.where, err)
			}
			return err
		}
		long = append(long, part...)
	}
}

// toUTF8 makes UTF-8 of the line if it has another encoding, of which the one of Western Europe is the likeliest.
func (l *lines) toUTF8() {
	if utf8.ValidString(l.text) {
		return
	}
	var letters []rune
	for _, letter := range []byte(l.text) {
		letters = append(letters, rune(letter))
	}
	l.text = string(letters)
}

// next reads the next line that is not empty and no comment. It returns the errors of read.
func (l *lines) next() error {
	for {
		err := l.read()
		isTable := l.text != "" && !isComment(l.text) && !slices.Contains(l.heads, l.text)
		if err != nil || isTable {
			return err
		}
	}
}

// isComment tells whether a line is a comment of Python, MATLAB or C.
func isComment(line string) bool {
	line = strings.TrimPrefix(line, `"`)
	for _, sign := range []string{"#", "%", "//"} {
		if strings.HasPrefix(line, sign) {
			return true
		}
	}
	return false
}

// cells returns the cells of a line, without quotes and blanks around them.
func (d dialect) cells(line string) []string {
	if d.separator == ' ' {
		return fields(line)
	}
	separators := strings.Count(line, string(d.separator))
	all := make([]string, 0, 1+separators)
	for {
		cell, rest, more := d.cell(line)
		all = append(all, cell)
		if !more {
			break
		}
		line = rest
	}
	if last := len(all) - 1; d.trailing && last > 0 && all[last] == "" {
		all = all[:last]
	}
	return all
}

// fields returns the cells between blanks: R puts names and numbers of lines in quotes, Fortran writes 3*0.5 for equal
// numbers.
func fields(line string) []string {
	cells := strings.Fields(line)
	if strings.Contains(line, `"`) {
		cells = quotedFields(line)
	}
	if !strings.Contains(line, "*") {
		return cells
	}
	var all []string
	repeated := 0
	for _, cell := range cells {
		number, times := repeatedNumber(cell)
		repeated += times - 1
		if repeated > mostRepeated {
			return cells
		}
		for range times {
			all = append(all, number)
		}
	}
	return all
}

// quotedFields returns the cells between blanks of a line, where a cell in quotes may have blanks.
func quotedFields(line string) (cells []string) {
	for {
		line = strings.TrimLeft(line, " \t\r\v\f")
		if line == "" {
			return cells
		}
		end := strings.IndexAny(line, " \t\r\v\f")
		if strings.HasPrefix(line, `"`) {
			if closing := strings.Index(line[1:], `"`); closing >= 0 {
				cells = append(cells, line[1:closing+1])
				line = line[closing+2:]
				continue
			}
		}
		if end < 0 {
			return append(cells, line)
		}
		cells = append(cells, line[:end])
		line = line[end:]
	}
}

// mostRepeated bounds the equal numbers that the cells of a line of Fortran stand for, because some bytes take the time and the
// memory of so many cells.
const mostRepeated = 1 << 14

// repeatedNumber returns the number in a cell, and how often it stands there: 3 for 3*0.5.
func repeatedNumber(cell string) (number string, times int) {
	count, number, ok := strings.Cut(cell, "*")
	times, err := strconv.Atoi(count)
	if !ok || err != nil || times < 1 || times > mostRepeated {
		return cell, 1
	}
	if _, isNumber := (dialect{}).number(number); !isNumber || number == "" {
		return cell, 1
	}
	return number, times
}

// cell returns the first cell of a line, and the rest after the separator, if there is one.
func (d dialect) cell(line string) (cell, rest string, more bool) {
	start := strings.TrimLeft(line, " ")
	if strings.HasPrefix(start, `"`) {
		if end := strings.Index(start[1:], `"`); end >= 0 {
			after := strings.TrimLeft(start[end+2:], " ")
			if after == "" {
				return start[1 : end+1], "", false
			}
			if strings.HasPrefix(after, string(d.separator)) {
				return start[1 : end+1], after[1:], true
			}
		}
	}
	cell, rest, more = strings.Cut(line, string(d.separator))
	return strings.TrimSpace(cell), rest, more
}

var thousands = regexp.MustCompile(`^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$`)

// missing are words for a value that is missing.
func missing(word string) bool {
	switch strings.ToLower(word) {
	case "", "nan", "na", "n/a", "#n/a", "null", "none", ".", "--", "<na>", "missing", "indeterminate":
		return true
	}
	return notFinite.MatchString(word)
}

// notFinite are forms of values that are no numbers: of C on Windows (-nan(ind), 1.#QNAN), and of Fortran where a number
// does not fit into its columns (*****).
var notFinite = regexp.MustCompile(`(?i)^([-+]?(nan\([a-z]*\)|1\.#(ind|qnan|snan)[0-9]*)|\*{2,})$`)

// number reads a number. An empty cell is NaN.
func (d dialect) number(word string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(word, 64)
	if err == nil {
		return v, true
	}
	if missing(word) {
		return math.NaN(), true
	}
	switch {
	case d.comma:
		word = strings.Replace(word, ",", ".", 1)
	case thousands.MatchString(word):
		word = strings.ReplaceAll(word, ",", "")
	}
	word = strings.Replace(word, "*^", "e", 1)      // an exponent of Mathematica
	if at := strings.IndexAny(word, "dD"); at > 0 { // one of Fortran
		word = word[:at] + "e" + word[at+1:]
	}
	v, err = strconv.ParseFloat(word, 64)
	return v, err == nil
}

// numbers returns the numbers of some cells, up to the first that is none; other is its index, or -1.
func (d dialect) numbers(cells []string) (all []float64, other int) {
	for i, cell := range cells {
		v, ok := d.number(cell)
		if !ok {
			return all, i
		}
		all = append(all, v)
	}
	return all, -1
}

// numeric counts the cells that are numbers or empty, and those that are numbers.
func (d dialect) numeric(cells []string) (fitting, numbers int) {
	for _, cell := range cells {
		if _, ok := d.number(cell); ok {
			fitting++
			if cell != "" {
				numbers++
			}
		}
	}
	return fitting, numbers
}

// dialects are the ways in which tables are written, the likeliest of equals first.
var dialects = []dialect{
	{separator: '\t', comma: true},
	{separator: ';', comma: true},
	{separator: '|', comma: true},
	{separator: ','},
	{separator: ' '},
	{separator: ' ', comma: true},
}

// dialectOf deduces how a table is written from its beginning: from the last of the first lines that could be numbers.
func dialectOf(start string) dialect {
	var sample []string
	for line := range strings.Lines(start) {
		whole := strings.HasSuffix(line, "\n")
		line = strings.Trim(line, " \r\n")
		if line == "" || isComment(line) || !whole && len(sample) > 0 {
			continue
		}
		sample = append(sample, line)
	}
	if len(sample) == 0 {
		return dialect{separator: ' '}
	}
	first := max(0, min(len(sample)-8, preamble))
	best := dialect{separator: ' '}
	most := 0
	for _, d := range dialects {
		full := 0 // lines of numbers alone
		all := 0  // numbers
		for _, line := range sample[first:] {
			cells := d.cells(line)
			fitting, numbers := d.numeric(cells)
			if d.separator != ' ' && len(cells) < 2 {
				continue
			}
			all += numbers
			if fitting == len(cells) && numbers > 0 {
				full++
			}
		}
		score := full*len(start) + all // a text has fewer numbers than bytes
		if score > most {
			best = d
			most = score
		}
	}
	if best.separator == ' ' {
		return best
	}
	best.trailing = true
	seen := 0
	for _, line := range sample {
		if _, numbers := best.numeric(best.cells(line)); numbers > 0 {
			seen++
			best.trailing = best.trailing && strings.HasSuffix(line, string(best.separator))
		}
	}
	best.trailing = best.trailing && seen > 1
	return best
}
