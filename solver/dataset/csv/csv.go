// Package csv reads tables of numbers in text: a line of values for each function, or a column, separated by commas,
// semicolons, tabs or blanks. Names above the numbers, in the first line or in a comment (#) before the numbers, make
// arrays: columns a_1, a_2, ... are the array a of shape (lines, count), columns a_1_1, a_1_2, ... one of shape (lines,
// rows, columns), a column of another name is an array of one axis. Without names the table is one array, or the array
// a next to a first column that counts lines or has the points of a grid.
//
// The reader is strict: all lines have as many values, all values are numbers. Lines have at most 8 MiB, files 128 MiB;
// a number takes eight bytes of memory.
package csv

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

const (
	maxFile = 1 << 27
	maxLine = 1 << 23
)

// Table is a table of numbers.
type Table struct {
	Arrays []npy.Named // one array has no name if the table has no names
	Rows   [][]float64

	columns int
	values  []float64 // one line after the other
}

// Read reads a table of size bytes; it is nil if the beginning of the text is none. Errors are *fault.Data at where,
// with the line and the value.
func Read(in io.ReaderAt, size int64, where string) (*Table, error) {
	if size > maxFile {
		return nil, fault.Bad(where, "convert it in Python: numpy.save('a.npy', numpy.loadtxt(NAME, delimiter=','))",
			"is a text of %d bytes, at most %d are read", size, maxFile)
	}
	start := make([]byte, min(size, 1<<16))
	if _, err := in.ReadAt(start, 0); err != nil && err != io.EOF {
		return nil, fault.Unread(where, err)
	}
	mark := int64(len(start) - len(bytes.TrimPrefix(start, []byte("\ufeff"))))
	comma := separator(start[mark:])
	text := bufio.NewScanner(io.NewSectionReader(in, mark, size-mark))
	text.Buffer(nil, maxLine)
	t := &Table{}
	var names []string
	for number := 1; text.Scan(); number++ {
		line := strings.Trim(text.Text(), " \r")
		comment, ok := strings.CutPrefix(line, "#")
		if ok && t.columns == 0 && strings.TrimSpace(comment) != "" {
			names = named(comment)
		}
		if ok || line == "" {
			continue
		}
		words := strings.Fields(line)
		if comma != ' ' {
			words = strings.Split(line, string(comma))
		}
		values, at := numbers(words, comma)
		before := t.columns
		switch t.columns = len(words); {
		case at < 0 && (before == 0 || before == t.columns):
			t.values = append(t.values, values...)
		case before == 0 && names == nil:
			names = words
		case len(t.values) == 0 && len(values) == 0:
			return nil, nil
		case before != 0 && before != t.columns:
			return nil, fault.Bad(where, "give a table of numbers with as many in each line; names may stand in the first line",
				"has %d values in line %d, %d in the lines before", len(words), number, before)
		default:
			return nil, fault.Bad(where, "write nan where values are missing, and leave out columns of text",
				"line %d: value %d is %q, a number is expected", number, at+1, printable.Cut(words[at], 40))
		}
	}
	switch err := text.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fault.Bad(where, "give fewer numbers in a line", "a line has more than %d bytes", maxLine)
	case err != nil:
		return nil, fault.Unread(where, err)
	case len(t.values) == 0:
		return nil, nil
	}
	t.arrange(names)
	return t, nil
}

// numbers returns the numbers among words, which it unquotes, and the index of the first word that is not one, or -1.
func numbers(words []string, comma rune) (values []float64, other int) {
	values, other = make([]float64, 0, len(words)), -1
	for i, word := range words {
		if word = strings.TrimSpace(word); len(word) > 1 && word[0] == '"' && word[len(word)-1] == '"' {
			word = word[1 : len(word)-1]
		}
		if words[i] = word; comma != ',' {
			word = strings.Replace(word, ",", ".", 1) // a decimal comma
		}
		if v, err := strconv.ParseFloat(word, 64); err == nil {
			values = append(values, v)
		} else if other < 0 {
			other = i
		}
	}
	return values, other
}

// named returns the names in a comment if some are numbered, or else words.
func named(comment string) []string {
	names := strings.FieldsFunc(comment, func(r rune) bool { return strings.ContainsRune(",;\t ", r) })
	if !slices.ContainsFunc(names, func(name string) bool { _, index := numbered(name); return index != nil }) {
		return nil
	}
	return names
}

// separator returns the separator of values, deduced from the last of the first two lines that are not comments.
func separator(start []byte) rune {
	second, seen := "", 0
	for line := range strings.Lines(string(start)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && seen < 2 {
			second, seen = line, seen+1
		}
	}
	for _, r := range "\t;," {
		if strings.ContainsRune(second, r) {
			return r
		}
	}
	return ' '
}

// arrange makes arrays of columns by their names if every column has one, or else one array of all columns.
func (t *Table) arrange(names []string) {
	t.Rows = slices.Collect(slices.Chunk(t.values, t.columns))
	rows := len(t.Rows)
	add := func(name string, first int, shape ...int) { // columns from the first one on
		a := npy.Named{Name: name, Array: npy.Array{Shape: append([]int{rows}, shape...)}}
		for _, row := range t.Rows {
			a.Data = append(a.Data, row[first:first+npy.Count(shape)]...)
		}
		t.Arrays = append(t.Arrays, a)
	}
	if len(names) != t.columns {
		if name := t.counts(rows); name != "" {
			add("a", 1, t.columns-1)
			add(name, 0)
		} else {
			t.Arrays = []npy.Named{{Array: npy.Array{Shape: []int{rows, t.columns}, Data: t.values}}}
		}
		return
	}
	for first, last := 0, 0; first < len(names); first = last {
		name, index := numbered(names[first])
		for last = first + 1; last < len(names); last++ {
			if other, i := numbered(names[last]); other != name || len(i) != len(index) || len(index) == 0 {
				break
			}
		}
		shape := []int{last - first}
		_, end := numbered(names[last-1])
		switch {
		case last-first == 1:
			name, shape = strings.Trim(names[first], "# "), nil
		case len(index) == 2:
			if r, c := end[0]-index[0]+1, end[1]-index[1]+1; r > 0 && c > 0 && r == (last-first)/c && r*c == last-first {
				shape = []int{r, c}
			}
		}
		if name != "" && !slices.ContainsFunc(t.Arrays, func(b npy.Named) bool { return b.Name == name }) {
			add(name, first, shape...) // pandas leaves out the name of the numbers of lines
		}
	}
}

// counts returns a name for the first column of a table without names if it counts the lines, from 0 or 1, or has the
// points of an even grid of [0, 1] with or without its right end; otherwise "".
func (t *Table) counts(rows int) string {
	if rows < 3 || t.columns < 3 {
		return ""
	}
	first, step := t.values[0], t.values[t.columns]-t.values[0]
	for i := range rows {
		if !(math.Abs(t.values[i*t.columns]-first-float64(i)*step) <= 1e-6*step) {
			return ""
		}
	}
	switch end := step * float64(rows); {
	case step == 1 && (first == 0 || first == 1):
		return "line"
	case first == 0 && (math.Abs(end-1) < 1e-6 || math.Abs(end-step-1) < 1e-6):
		return "points"
	}
	return ""
}

var withNumbers = regexp.MustCompile(`^(.*?)[_\[.\- ]*(\d{1,9})(?:[_\[.\- ]+(\d{1,9}))?\]?$`)

// numbered splits a name into its base and the one or two numbers at its end: the base of a_1_2, a1_2 and a.1 is a.
func numbered(name string) (base string, index []int) {
	base = strings.Trim(name, "# ")
	parts := withNumbers.FindStringSubmatch(base)
	if parts == nil {
		return base, nil
	}
	for _, digits := range parts[2:] {
		if n, err := strconv.Atoi(digits); err == nil { // the second may be missing
			index = append(index, n)
		}
	}
	return parts[1], index
}
