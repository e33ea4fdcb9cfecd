// Package csv reads tables of numbers in text: a line of values for each function, or a column, separated by commas,
// semicolons, tabs or blanks. Names above the numbers, in a line or in a comment, make arrays: columns a_1, a_2, ... are
// the array a of shape (lines, count), columns a_1_1, a_1_2, ... one of shape (lines, rows, columns), a column of another
// name is an array of one axis. Without names the table is one array, or the array a next to a first column that counts
// lines or has the points of a grid. Places of columns, in a line of numbers above the values or in names such as u(0.25),
// are the array x. A table of one value in each line, with the number of its sample and its place, is turned into one
// with a line for each sample; so is one in which the same places follow each other again and again.
//
// The reader is strict: all lines have as many values, all values are numbers or missing. The text is read once to find
// the lines, and then again for the numbers that are wanted, so that memory does not grow with it: lines have at most
// 8 MiB.
package csv

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

const (
	maxFile  = 1 << 32
	maxLine  = 1 << 23
	preamble = 64   // lines of text before the numbers, at most
	stride   = 1024 // lines between places that are kept
	batch    = 4096 // numbers that are passed on at once
)

// Table is a table of numbers.
type Table struct {
	Columns int
	Lines   int
	Note    string // how the table was turned, or where the places of its columns are, in words; may be empty

	all   []int        // columns
	words map[int]bool // columns of words that number samples
	texts []text       // columns of other words, which are left out

	where    string
	hasLists bool     // in cells with quotes
	heads    []string // lines of text above the numbers
	in       io.ReaderAt
	size     int64
	dialect  dialect
	end      byte    // of a line
	places   []place // of every stride-th line of numbers
	arrays   []array
	fixed    []npy.Named  // of the places of columns
	parts    []*Table     // that follow each other in the text
	refused  []npy.Member // other variables
}

// place is where a line begins.
type place struct {
	at     int64
	number int // of the line in the file
}

// Read finds the lines of a table of size bytes; it is nil if the text does not begin as one. Errors are *fault.Data at
// where, and those of in.
func Read(in io.ReaderAt, size int64, where string) (table *Table, err error) {
	if size > maxFile {
		return nil, fault.Bad(where, "convert it in Python: numpy.save('a.npy', numpy.loadtxt(NAME, delimiter=','))",
			"is a text of %d bytes, want at most %d", size, int64(maxFile))
	}
	text, err := beginning(in, size)
	if err != nil {
		return nil, fault.Unread(where, err)
	}
	const list = `"[`
	mark := int64(len(text) - len(strings.TrimPrefix(text, "\ufeff")))
	t := &Table{where: where, in: in, size: size, end: '\n', hasLists: strings.Contains(text, list)}
	if !strings.Contains(text, "\n") && strings.Contains(text, "\r") { // of old programs for Macintosh
		t.end = '\r'
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	t.dialect = dialectOf(text[mark:])
	read := t.read
	if isOctave(text[mark:]) {
		read = t.readOctave
	}
	err = cursor.Attempt(func() { table = read(mark) })
	return table, err
}

// beginning returns the first lines of a text, of which the first may be long: names of as many columns as functions have
// points.
func beginning(in io.ReaderAt, size int64) (string, error) {
	const (
		least = 1 << 16
		most  = 1 << 22
		lines = 3
	)
	for length := int64(least); ; length *= 4 {
		start := make([]byte, min(size, length))
		if _, err := in.ReadAt(start, 0); err != nil && err != io.EOF {
			return "", err
		}
		ends := bytes.Count(start, []byte("\n")) + bytes.Count(start, []byte("\r"))
		if ends >= lines || length >= min(size, most) {
			return string(start), nil
		}
	}
}

// head is what stands before the numbers.
type head struct {
	comments []string
	texts    [][]string // the cells of lines of text
	mixed    int        // number of the first line, after the first one, with numbers and words; 0 if there is none
	word     string     // that is no number in this line
	column   int        // of the word
}

// read finds the lines from a position on. A text that is no table gives nil.
func (t *Table) read(at int64) *Table {
	l := t.linesFrom(place{at: at, number: 1})
	var h head
	var cells []string
	var above *placeLine
	for {
		err := l.read()
		if err == io.EOF {
			return t.withoutNumbers(h)
		}
		check(err)
		if l.text == "" {
			continue
		}
		if isComment(l.text) {
			if len(h.comments) < preamble {
				comment := strings.Trim(l.text, `"`)
				h.comments = append(h.comments, strings.TrimLeft(comment, "#%/ "))
			}
			continue
		}
		cells = t.dialect.cells(l.text)
		fitting, numbers := t.dialect.numeric(cells)
		if fitting == len(cells) && numbers > 0 {
			break
		}
		if t.namesIndex(cells) {
			above = t.placesAbove(l, h.names(len(cells)), cells)
		}
		if above != nil || t.findColumnsOfWords(h, l, cells) {
			break
		}
		if numbers > 0 && len(h.texts) > 0 && h.mixed == 0 {
			_, h.column = t.dialect.numbers(cells)
			h.mixed = l.number
			h.word = cells[h.column]
		}
		if len(h.texts) == preamble {
			return t.withoutNumbers(h)
		}
		h.texts = append(h.texts, cells)
		if numbers == 0 {
			t.heads = append(t.heads, l.text)
		}
	}
	l.heads = t.heads
	t.Columns = len(cells)
	t.all = countedFrom(0, t.Columns)
	names := h.names(t.Columns)
	t.checkNames(names)
	t.checkMolten(names)
	if above == nil {
		above = t.placesAbove(l, names, cells)
	}
	if above == nil && names == nil {
		above = t.placesInComment(h.comments)
	}
	first := even{}
	turned := longsOf(names)
	anyOrder := tidyOf(names)
	repeated := blocksOf(names, t.Columns)
	labels := map[string]float64{}
	values := make([]float64, 0, t.Columns)
	for {
		if t.Lines%stride == 0 {
			t.places = append(t.places, place{at: l.from, number: l.number})
		}
		values = t.wholeLine(values[:0], l, labels)
		first.observe(values[0])
		anyOrder.observe(values)
		for _, l := range turned {
			l.observe(values)
		}
		for _, b := range repeated {
			b.observe(values)
		}
		t.Lines++
		err := l.next()
		if err == io.EOF {
			break
		}
		check(err)
	}
	for _, b := range repeated {
		if b.regular() {
			t.turnBlocks(names, b)
			t.findNumbers()
			return t
		}
	}
	for _, l := range turned {
		if l.regular() {
			t.turn(names, l)
			t.findNumbers()
			return t
		}
	}
	if t.turnTidy(names, anyOrder) {
		t.findNumbers()
		return t
	}
	switch {
	case above != nil:
		t.withPlaces(above, first)
	case names != nil:
		t.byNames(names)
	default:
		t.withoutNames(first)
	}
	return t
}

func check(err error) {
	if err != nil {
		cursor.End(err)
	}
}

// withoutNumbers returns no table, or ends with the reason why the text, which has numbers, is none.
func (t *Table) withoutNumbers(h head) *Table {
	if h.mixed > 0 {
		check(t.noNumber(h.mixed, h.column, h.word))
	}
	return nil
}

func (t *Table) noNumber(line, column int, word string) error {
	return fault.Bad(
		t.where,
		t.orLists("leave out columns of text, and leave cells empty where values are missing"),
		"line %d, value %d: got %q, want a number", line, column+1, printable.Cut(word, 40),
	)
}

// orLists returns advice, or the lines of Python for a table whose cells are lists, as pandas writes them.
func (t *Table) orLists(advice string) string {
	if !t.hasLists {
		return advice
	}
	base := filepath.Base(t.where)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	return "convert its lists in Python:\n" +
		"  import numpy, pandas\n" +
		fmt.Sprintf("  t = pandas.read_csv(%q)\n", base) +
		"  values = lambda v: [float(w) for w in v.strip('[]').replace(',', ' ').split()]\n" +
		"  lists = {k: numpy.array([values(v) for v in t[k]]) for k in t if str(t[k][0]).startswith('[')}\n" +
		fmt.Sprintf("  numpy.savez(%q, **lists)", stem+".npz")
}

// text is a column of words, such as dates or materials.
type text struct {
	column int
	name   string
	line   int    // the first line of the table
	word   string // in this line
}

// findColumnsOfWords finds the columns of a line below a line of names whose cells are words: those that name samples, and
// others. It reports whether the line belongs to the table, because it has some, and more numbers than other words.
func (t *Table) findColumnsOfWords(h head, l *lines, cells []string) bool {
	names := h.names(len(cells))
	if len(h.texts) == 0 || names == nil {
		return false
	}
	words := map[int]bool{}
	var texts []text
	numbers := 0
	for i, cell := range cells {
		name := strings.Trim(names[i], "# ")
		isSample := isSampleName(name)
		_, isNumber := t.dialect.number(cell)
		switch {
		case isNumber && cell != "":
			numbers++
		case isNumber:
		case isSample:
			words[i] = true
		default:
			texts = append(texts, text{column: i, name: name, line: l.number, word: cell})
		}
	}
	if len(words)+len(texts) == 0 || numbers <= len(texts) {
		return false
	}
	t.words = words
	t.texts = texts
	return true
}

// wholeLine appends the numbers of a line, with one for each different word in columns of words that name samples, and
// none for other words.
func (t *Table) wholeLine(into []float64, l *lines, labels map[string]float64) []float64 {
	if len(t.words)+len(t.texts) == 0 {
		return t.line(into, l, t.all)
	}
	cells := t.cells(l)
	for i, cell := range cells {
		v, isNumber := t.dialect.number(cell)
		at := slices.IndexFunc(t.texts, func(c text) bool { return c.column == i })
		switch {
		case t.words[i]:
			label, known := labels[cell]
			if !known {
				label = float64(len(labels))
				labels[cell] = label
			}
			v = label
		case at >= 0 && isNumber && cell != "": // the word above stands where a number should
			check(t.noNumber(t.texts[at].line, i, t.texts[at].word))
		case at >= 0:
			v = math.NaN()
		case !isNumber:
			check(t.noNumber(l.number, i, cell))
		}
		into = append(into, v)
	}
	return into
}

// hasNumbers reports whether a column has no words.
func (t *Table) hasNumbers(column int) bool { return !t.hasWords(column) }

// hasWords reports whether a column has words, which name samples or not.
func (t *Table) hasWords(column int) bool {
	return t.words[column] || slices.ContainsFunc(t.texts, func(c text) bool { return c.column == column })
}

// noteOn returns how the numbers of an array were found, in words.
func (t *Table) noteOn(a array) string {
	var notes []string
	if a.turn != nil || a.places != nil || a.isSwept {
		notes = append(notes, t.Note)
	}
	if a.isSorted {
		notes = append(notes, "columns are in the order of the numbers in their names")
	}
	if t.texts != nil {
		var names []string
		for _, c := range t.texts {
			if c.name != "" { // as that of the names of lines
				names = append(names, printable.Cut(c.name, 40))
			}
		}
		if names != nil {
			notes = append(notes, "columns of words are left out: "+strings.Join(names, ", "))
		}
	}
	return strings.Join(notes, "; ")
}

// cells returns the cells of a line, as many as the table has columns.
func (t *Table) cells(l *lines) []string {
	cells := t.dialect.cells(l.text)
	if len(cells) != t.Columns {
		check(fault.Bad(
			t.where,
			t.orLists("give a table of numbers with as many in each line; names may stand in the first line"),
			"has %d values in line %d, %d in the lines before", len(cells), l.number, t.Columns,
		))
	}
	return cells
}

// line appends the numbers of a line in some columns.
func (t *Table) line(into []float64, l *lines, columns []int) []float64 {
	cells := t.cells(l)
	for _, column := range columns {
		v, isNumber := t.dialect.number(cells[column])
		if !isNumber {
			check(t.noNumber(l.number, column, cells[column]))
		}
		into = append(into, v)
	}
	return into
}

// turned is the order of a table with one value in each line.
type turned interface {
	shape() npy.Shape                     // samples, and places
	position(line int, at []npy.Axis) int // where the value of a line belongs; negative if that is not wanted
	where(line int) (sample, place int)   // places are counted along all their axes
}

// ofSample is the order of a column whose values are the same at all places of a sample: numbers, one for each sample.
type ofSample struct{ turned }

func (o ofSample) shape() npy.Shape { return o.turned.shape()[:1] }

func (o ofSample) position(line int, at []npy.Axis) int {
	sample, place := o.where(line)
	if place > 0 {
		return -1
	}
	return at[0](sample)
}

// findNumbers makes numbers of turned columns whose values are the same at all places of each sample.
func (t *Table) findNumbers() {
	differ := make([]bool, len(t.arrays))
	first := make([][]float64, len(t.arrays)) // the values of each sample in its first line
	isSeen := make([][]bool, len(t.arrays))
	for i, a := range t.arrays {
		samples := a.turn.shape()[0]
		first[i] = make([]float64, samples)
		isSeen[i] = make([]bool, samples)
	}
	l := t.linesFrom(t.places[0])
	for line := range t.Lines {
		check(l.next())
		cells := t.cells(l)
		for i, a := range t.arrays {
			if differ[i] {
				continue
			}
			value, _ := t.dialect.number(cells[a.columns[0]])
			sample, _ := a.turn.where(line)
			if isSeen[i][sample] && value != first[i][sample] { // not if one is missing
				differ[i] = true
			}
			first[i][sample] = value
			isSeen[i][sample] = true
		}
		if !slices.Contains(differ, false) {
			return
		}
	}
	for i := range t.arrays {
		if !differ[i] {
			t.arrays[i].turn = ofSample{t.arrays[i].turn}
		}
	}
}

// array is an array of a table.
type array struct {
	name     string
	columns  []int
	shape    []int     // of its numbers in a line
	places   []float64 // of its columns; nil if these are not known
	isSorted bool      // the columns have another order in the file
	isSwept  bool      // the columns are those of a sweep
	turn     turned    // nil if each line is an index of the first axis
}

// Members describes the arrays of the table. A single one has no name if the table has no names.
func (t *Table) Members() (all []npy.Member) {
	for _, a := range t.arrays {
		m := npy.Member{
			Name:  a.name,
			Type:  "float64",
			Shape: append(npy.Shape{t.Lines}, a.shape...),
		}
		if a.turn != nil {
			m.Shape = a.turn.shape()
		}
		m.Note = t.noteOn(a)
		m.Numbers = func(at []npy.Axis, put npy.Put) error {
			err := cursor.Attempt(func() { t.scan(a, at, put) })
			return npy.Broken(t.where, err)
		}
		all = append(all, m)
	}
	for _, a := range t.fixed {
		all = append(all, a.Member())
	}
	for _, part := range t.parts {
		all = append(all, part.Members()...)
	}
	return append(all, t.refused...)
}

// Rows returns the numbers of all lines.
func (t *Table) Rows() (rows [][]float64, err error) {
	err = cursor.Attempt(func() {
		l := t.linesFrom(t.places[0])
		for range t.Lines {
			check(l.next())
			rows = append(rows, t.line(nil, l, t.all))
		}
	})
	return rows, err
}

// scan passes on the wanted numbers of an array. Lines without any are not split into cells, and skipped in steps.
func (t *Table) scan(a array, at []npy.Axis, put npy.Put) {
	row, inner := rowsOf(a, at)
	size := len(inner)
	positions := make([]int, 0, max(batch, size))
	values := make([]float64, 0, max(batch, size))
	flush := func() {
		if len(values) > 0 && !put(positions, values) {
			cursor.End(nil)
		}
		positions = positions[:0]
		values = values[:0]
	}
	var l *lines
	line := make([]float64, 0, size)
	for first := 0; first < t.Lines; first += stride {
		end := min(first+stride, t.Lines)
		l = nil
		before := first // the line that l is at
		for number := first; number < end; number++ {
			from := row(number)
			if from < 0 {
				continue
			}
			if l == nil {
				l = t.linesFrom(t.places[first/stride])
			}
			for ; before <= number; before++ {
				check(l.next())
			}
			line = t.line(line[:0], l, a.columns)
			if len(values)+size > cap(values) {
				flush()
			}
			for i, v := range line {
				if inner[i] >= 0 {
					positions = append(positions, from+inner[i])
					values = append(values, v)
				}
			}
		}
	}
	flush()
}

// rowsOf returns the part of a position that belongs to a line, and those of the numbers in it; negative if unwanted.
func rowsOf(a array, at []npy.Axis) (row func(line int) int, inner []int) {
	if a.turn != nil {
		row = func(line int) int { return a.turn.position(line, at) }
		return row, []int{0}
	}
	if len(a.shape) == 0 {
		return at[0], []int{0}
	}
	inner = make([]int, npy.Count(a.shape))
	for i := range inner {
		rest := i
		for d, n := range slices.Backward(a.shape) {
			part := at[d+1](rest % n)
			rest /= n
			if part < 0 {
				inner[i] = -1
				break
			}
			inner[i] += part
		}
	}
	return at[0], inner
}
