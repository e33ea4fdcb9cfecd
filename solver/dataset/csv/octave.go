// This file reads the texts of Octave's command save, in which comments with its name, type and size stand above each
// variable.

package csv

import (
	"io"
	"strconv"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/npy"
)

const (
	octaveName    = "# name:"
	mostVariables = 1 << 16
	mostNumbers   = 1 << 40 // of a variable
)

// isOctave reports whether a text begins as one of Octave.
func isOctave(start string) bool {
	for line := range strings.Lines(start) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "#") {
			return false
		}
		if strings.HasPrefix(line, octaveName) {
			return strings.Contains(start, "# type:")
		}
	}
	return false
}

// variable is what the comments above a variable say.
type variable struct {
	name  string
	kind  string         // such as "matrix" or "scalar struct"
	sizes map[string]int // rows, columns, ndims
}

// readOctave finds the variables of a text of Octave.
func (t *Table) readOctave(at int64) *Table {
	t.dialect = dialect{separator: ' '}
	l := t.linesFrom(place{at: at, number: 1})
	for {
		err := l.read()
		if err == io.EOF {
			return t
		}
		check(err)
		name, ok := strings.CutPrefix(l.text, octaveName)
		if !ok {
			continue // between variables, or within one that is not read
		}
		if len(t.parts)+len(t.refused) == mostVariables {
			check(fault.Bad(t.where, "save fewer of them", "has more than %d variables", mostVariables))
		}
		t.readVariable(variable{name: strings.TrimSpace(name), sizes: map[string]int{}}, l)
	}
}

// readVariable finds the numbers of a variable whose name l has read.
func (t *Table) readVariable(v variable, l *lines) {
	check(t.nextOf(v, l))
	for strings.HasPrefix(l.text, "#") {
		key, value, _ := strings.Cut(strings.TrimLeft(l.text, "# "), ":")
		value = strings.TrimSpace(value)
		if size, err := strconv.Atoi(value); err == nil {
			v.sizes[key] = size
		}
		if key == "type" {
			v.kind = value
		}
		if v.kind != "" && !v.isRead() {
			t.refuse(v)
			return
		}
		if v.isEmpty() {
			return
		}
		check(t.nextOf(v, l))
	}
	if v.sizes["ndims"] > 0 {
		t.readStack(v, l)
		return
	}
	rows := 1
	columns := 1
	if v.kind != "scalar" {
		rows = v.sizes["rows"]
		columns = v.sizes["columns"]
	}
	cells := len(t.dialect.cells(l.text))
	if rows < 1 || cells != columns {
		check(fault.Bad(
			t.where,
			"copy or save the file again",
			"has %d numbers in line %d, and %d x %d in the comments above", cells, l.number, rows, columns,
		))
	}
	part := t.partFrom(v, l, rows, columns)
	part.arrays = []array{{name: v.name, columns: part.all, shape: []int{columns}}}
}

func (v variable) isRead() bool {
	switch v.kind {
	case "matrix", "bool matrix", "scalar", "float matrix", "float scalar":
		return true
	}
	return strings.HasPrefix(v.kind, "int") || strings.HasPrefix(v.kind, "uint")
}

// isEmpty reports whether a matrix is known to have no numbers.
func (v variable) isEmpty() bool {
	rows, hasRows := v.sizes["rows"]
	columns, hasColumns := v.sizes["columns"]
	return hasRows && hasColumns && (rows == 0 || columns == 0)
}

// refuse lists a variable that is no matrix of real numbers.
func (t *Table) refuse(v variable) {
	t.refused = append(t.refused, npy.Member{
		Name: v.name,
		Type: v.kind,
		Refused: fault.Bad(
			t.where,
			"save it in Octave as a file of MATLAB: save -v7 pairs.mat",
			"has a variable of type %q, want a matrix of real numbers", printable.Cut(v.kind, 40),
		),
	})
}

// nextOf reads the next line of a variable. The end of the text is an error.
func (t *Table) nextOf(v variable, l *lines) error {
	for {
		err := l.read()
		if err == io.EOF {
			return fault.Bad(t.where, "copy or save the file again", "ends within the variable %q", printable.Cut(v.name, 40))
		}
		if err != nil || l.text != "" {
			return err
		}
	}
}

// partFrom adds a table of so many lines and columns, of which l has read the first line.
func (t *Table) partFrom(v variable, l *lines, rows, columns int) *Table {
	part := &Table{
		Columns: columns,
		Lines:   rows,
		all:     countedFrom(0, columns),
		where:   t.where,
		in:      t.in,
		size:    t.size,
		dialect: t.dialect,
		end:     t.end,
	}
	for row := range rows {
		if row > 0 {
			check(t.nextOf(v, l))
		}
		if row%stride == 0 {
			part.places = append(part.places, place{at: l.from, number: l.number})
		}
	}
	t.parts = append(t.parts, part)
	return part
}

// readStack finds the numbers of an array with more than two axes: its lengths stand in a line, of which l has read, and
// then each number in a line, those along the first axis after one another.
func (t *Table) readStack(v variable, l *lines) {
	var order ofStack
	count := 1
	for _, cell := range t.dialect.cells(l.text) {
		length, err := strconv.Atoi(cell)
		if err != nil || length < 1 || count > mostNumbers/length {
			check(fault.Bad(t.where, "copy or save the file again", "has %q as the lengths of the axes of %q in line %d",
				printable.Cut(l.text, 40), printable.Cut(v.name, 40), l.number))
		}
		count *= length
		order = append(order, length)
	}
	check(t.nextOf(v, l))
	part := t.partFrom(v, l, count, 1)
	part.arrays = []array{{name: v.name, columns: part.all, turn: order}}
}

// ofStack is the order of an array with a number in each line, by the lengths of its axes: the first index changes fastest.
type ofStack []int

func (o ofStack) shape() npy.Shape { return npy.Shape(o) }

func (o ofStack) position(line int, at []npy.Axis) int {
	index := make([]int, len(o))
	for axis, length := range o {
		index[axis] = line % length
		line /= length
	}
	return positionOf(index, at)
}

func (o ofStack) where(line int) (sample, place int) { return line % o[0], line / o[0] }
