// Package csv reads tables of numbers in text: a line of values for each function, or a column, separated by commas,
// semicolons, tabs or blanks. Names above the numbers, in the first line or in a comment (#) before the numbers, make
// arrays: columns a_1, a_2, ... are the array a of shape (lines, count), columns a_1_1, a_1_2, ... one of shape (lines,
// rows, columns), a column of another name is an array of one axis. Without names the table is one array, or the array
// a next to a first column that counts lines or has the points of a grid.
//
// The reader is strict: all lines have as many values, all values are numbers. Lines have at most 8 MiB, files 128 MiB.
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

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/npy"
)

const (
	maxFile = 1 << 27
	maxLine = 1 << 23
)

// Table is a table of numbers.
type Table struct {
	Arrays []npy.Named // one array has no name if the table has no names
	Rows   [][]float64
}

// Read reads a table of size bytes; it is nil if the text does not begin as one. Errors are *fault.Data at where.
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
	t, columns, names := &Table{}, 0, []string(nil)
	for number := 1; text.Scan(); number++ {
		line := strings.Trim(text.Text(), " \r")
		comment, ok := strings.CutPrefix(line, "#")
		if ok && columns == 0 {
			names = named(comment, names)
		}
		words := strings.Fields(line)
		if comma != ' ' {
			words = strings.Split(line, string(comma))
		}
		if ok || line == "" || len(words) == 0 {
			continue
		}
		values, at := numbers(words, comma)
		switch {
		case at < 0 && (columns == 0 || columns == len(words)):
			t.Rows = append(t.Rows, values)
		case columns == 0 && names == nil:
			names = words
		case t.Rows == nil && len(values) == 0:
			return nil, nil
		case columns != 0 && columns != len(words):
			return nil, fault.Bad(where, "give a table of numbers with as many in each line; names may stand in the first line",
				"has %d values in line %d, %d in the lines before", len(words), number, columns)
		default:
			return nil, fault.Bad(where, "write nan where values are missing, and leave out columns of text",
				"line %d: value %d is %q, a number is expected", number, at+1, printable.Cut(words[at], 40))
		}
		columns = len(words)
	}
	switch err := text.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fault.Bad(where, "give fewer numbers in a line", "a line has more than %d bytes", maxLine)
	case err != nil:
		return nil, fault.Unread(where, err)
	case t.Rows == nil:
		return nil, nil
	}
	t.arrange(names, columns)
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

// named returns the names in a comment if some are numbered, or else the names before it.
func named(comment string, before []string) []string {
	names := strings.FieldsFunc(comment, func(r rune) bool { return strings.ContainsRune(",;\t ", r) })
	if !slices.ContainsFunc(names, func(name string) bool { _, index := numbered(name); return index != nil }) {
		return before
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
func (t *Table) arrange(names []string, columns int) {
	add := func(name string, first int, shape ...int) { // columns from the first one on
		size, a := npy.Count(shape), npy.Named{Name: name}
		a.Shape, a.Data = append([]int{len(t.Rows)}, shape...), make([]float64, 0, len(t.Rows)*size)
		for _, row := range t.Rows {
			a.Data = append(a.Data, row[first:first+size]...)
		}
		t.Arrays = append(t.Arrays, a)
	}
	if len(names) != columns {
		if name := t.counts(); name != "" {
			add("a", 1, columns-1)
			add(name, 0)
		} else {
			add("", 0, columns)
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
func (t *Table) counts() string {
	if len(t.Rows) < 3 || len(t.Rows[0]) < 3 {
		return ""
	}
	first, step := t.Rows[0][0], t.Rows[1][0]-t.Rows[0][0]
	for i, row := range t.Rows {
		if !(math.Abs(row[0]-first-float64(i)*step) <= 1e-6*step) {
			return ""
		}
	}
	switch end := step * float64(len(t.Rows)); {
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
