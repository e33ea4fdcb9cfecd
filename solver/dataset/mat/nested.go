// This file finds the arrays in structures and cells, which contain other arrays, one after another.

package mat

import (
	"bufio"
	"io"
	"strings"

	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

const (
	classCell   = 1
	classStruct = 2

	maxNodes  = 1 << 16
	maxDepth  = 8
	maxFields = 1 << 10
	maxListed = 64 // different arrays in a cell that are listed
	leastList = 3  // equal arrays that are taken for one: two may be inputs and outputs
)

// node is an array in a structure or a cell: one of numbers, or one that contains others.
type node struct {
	class     npy.Type // with MATLAB's name
	shape     npy.Shape
	skip      int64    // bytes of the variable before the first number
	imaginary located  // of complex numbers
	fields    []string // of a structure
	elements  []node   // of a cell; of a structure, the fields of one element after the other
}

// isStruct reports whether the node is a structure, which may be without elements.
func (n node) isStruct() bool { return n.fields != nil }

// walker reads the data of a variable from the front to the back.
type walker struct {
	in    *bufio.Reader
	at    int64
	big   bool
	nodes int
}

// take reads so many bytes.
func (w *walker) take(n int64) cursor.Cursor {
	b := make([]byte, n)
	if _, err := io.ReadFull(w.in, b); err != nil {
		cursor.End(err)
	}
	w.at += n
	return cursor.Cursor{Rest: b, Big: w.big}
}

// skip passes over so many bytes.
func (w *walker) skip(n int64) {
	if _, err := io.CopyN(io.Discard, w.in, n); err != nil {
		cursor.End(err)
	}
	w.at += n
}

// tag reads the type of the data that follow and their length. For up to four bytes the tag may hold the data, inline.
func (w *walker) tag() (kind uint64, length int64, inline bool) {
	c := w.take(4)
	kind, length, inline = splitTag(c.Uint(4))
	if !inline {
		c = w.take(4)
		length = int64(c.Uint(4))
	}
	return kind, length, inline
}

// small reads an element of at most most bytes with its padding.
func (w *walker) small(most int64) []byte {
	_, length, inline := w.tag()
	if length > most {
		cursor.Damage(malformed)
	}
	behind := padded(length)
	if inline {
		behind = 4
	}
	c := w.take(behind)
	return c.Rest[:length]
}

// matrix reads an array whose data end at a position.
func (w *walker) matrix(end int64, depth int) node {
	w.nodes++
	if w.nodes > maxNodes || depth > maxDepth {
		cursor.Damage("it has more than %d arrays in each other", maxNodes)
	}
	if w.at == end { // an empty array may have no description
		return node{
			class: npy.Type{Name: "double"},
			shape: npy.Shape{0, 0},
		}
	}
	flags := w.flags()
	n := node{class: npy.Type{Name: classes[flags.class]}}
	if flags.class == classOpaque {
		w.to(end)
		return n
	}
	n.shape = w.dimensions()
	count, ok := npy.Room(n.shape)
	if !ok || len(n.shape) < 2 {
		cursor.Damage(malformed)
	}
	w.small(maxName)
	isFull := classDouble <= flags.class && flags.class <= classUint64
	switch {
	case flags.class == classCell:
		for range count {
			n.elements = append(n.elements, w.element(end, depth))
		}
	case flags.class == classStruct:
		w.structure(&n, count, end, depth)
	case isFull:
		switch {
		case flags.isComplex:
			n.class.Name += ", complex"
		case flags.isLogical:
			n.class.Name = "logical"
		}
		w.numbers(&n, count, flags.isComplex)
	case flags.isComplex: // and sparse
		n.class.Name += ", complex"
	}
	w.to(end)
	return n
}

// arrayFlags are what the first element of an array says of it.
type arrayFlags struct {
	class     int // index in classes
	isComplex bool
	isLogical bool
}

// flags reads the flags of an array.
func (w *walker) flags() arrayFlags {
	c := cursor.Cursor{Rest: w.small(tagBytes), Big: w.big}
	word := c.Uint(4)
	class := int(word & 0xff)
	if class == 0 || class >= len(classes) {
		cursor.Damage("its class is %d, 1 to %d are known", class, len(classes)-1)
	}
	return arrayFlags{
		class:     class,
		isComplex: word&flagComplex != 0,
		isLogical: word&flagLogical != 0,
	}
}

// dimensions reads the shape of an array.
func (w *walker) dimensions() (shape npy.Shape) {
	c := cursor.Cursor{Rest: w.small(4 * npy.MaxRank), Big: w.big}
	for len(c.Rest) >= 4 {
		length := int32(c.Uint(4))
		shape = append(shape, int(length))
	}
	return shape
}

// numbers reads the description of the numbers of an array, which stands before them.
func (w *walker) numbers(n *node, count int, isComplex bool) {
	kind, length, inline := w.tag()
	if isComplex && inline {
		return // as few numbers are no functions
	}
	n.class = numbersOf(kind, w.big, n.class.Name)
	n.skip = w.at
	width := int64(n.class.Width)
	isWhole := width > 0 && int64(count)*width == length
	if count > 0 && !isWhole {
		cursor.Damage("%d bytes of element type %d are no array of shape %v", length, kind, n.shape)
	}
	if !isComplex {
		return
	}
	w.skip(padded(length))
	kind, length, _ = w.tag()
	n.imaginary = located{
		class: numbersOf(kind, w.big, n.class.Name),
		skip:  w.at,
	}
	if !n.imaginary.isWhole(length, count) {
		cursor.Damage("%d bytes of element type %d are no imaginary parts of an array of shape %v", length, kind, n.shape)
	}
}

// to skips what is left of an array that ends at a position.
func (w *walker) to(end int64) {
	if w.at > end {
		cursor.Damage(malformed)
	}
	w.skip(end - w.at)
}

// element reads an array within another that ends at a position.
func (w *walker) element(end int64, depth int) node {
	kind, length, inline := w.tag()
	if kind != miMatrix || inline || length > end-w.at {
		cursor.Damage(malformed)
	}
	return w.matrix(w.at+length, depth+1)
}

// structure reads the names of the fields of a structure and its elements.
func (w *walker) structure(n *node, count int, end int64, depth int) {
	c := cursor.Cursor{Rest: w.small(4), Big: w.big}
	length := int64(c.Uint(4))
	if length < 1 || length > maxName {
		cursor.Damage(malformed)
	}
	names := w.small(length * maxFields)
	n.fields = []string{}
	for ; int64(len(names)) >= length; names = names[length:] {
		name, _, _ := strings.Cut(string(names[:length]), "\x00")
		n.fields = append(n.fields, name)
	}
	if count > maxNodes {
		cursor.Damage(malformed)
	}
	for range count * len(n.fields) {
		n.elements = append(n.elements, w.element(end, depth))
	}
}

// numbersOf returns the type of numbers that are stored with a code, of an array of a class.
func numbersOf(kind uint64, big bool, class string) npy.Type {
	order := "<"
	if big {
		order = ">"
	}
	t := npy.TypeOf(order + stored[kind])
	t.Name = class
	return t
}
