// This file lists the arrays in structures and cells as members of a file.

package mat

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// nested lists the arrays in a structure or a cell.
func (v *variable) nested(where string) (all []npy.Member, err error) {
	in, err := v.open(&npy.Inflater{})
	if err != nil {
		return nil, err
	}
	w := walker{in: bufio.NewReader(in), big: v.Big}
	var root node
	err = cursor.Attempt(func() {
		if v.compressed {
			w.skip(tagBytes) // of the array
		}
		root = w.matrix(v.limit, 0)
	})
	if err != nil {
		return nil, err
	}
	if v.compressed { // compare the checksum now, since some numbers may never be read
		if _, err := io.Copy(io.Discard, w.in); err != nil {
			return nil, err
		}
	}
	l := lister{v: v, where: where}
	l.list(v.name, []node{root}, false)
	return l.all, nil
}

// lister makes members of nodes.
type lister struct {
	v     *variable
	where string
	all   []npy.Member
}

// list adds the arrays that some nodes are: one for each, or one for all of them if these are equal and belong to a list.
func (l *lister) list(name string, nodes []node, isList bool) {
	first := nodes[0]
	isUnlike := func(n node) bool {
		holdsArrays := n.elements != nil
		return n.isStruct() != first.isStruct() ||
			holdsArrays != (first.elements != nil) ||
			!slices.Equal(n.fields, first.fields)
	}
	same := !slices.ContainsFunc(nodes, isUnlike)
	switch {
	case same && first.isStruct():
		l.structures(name, nodes, isList)
	case len(nodes) == 1 && first.elements != nil:
		l.list(name, first.elements, true)
	case len(nodes) == 1 && !isList:
		l.one(name, first)
	case len(nodes) >= leastList && l.series(name, nodes):
	case len(nodes) >= many && isRagged(nodes):
		l.refuse(name, first, ragged(name, nodes))
		l.all[len(l.all)-1].Shape = nil // of all of them there is none
	case len(nodes) > maxListed:
		l.refuse(name, first, "holds arrays of different shapes or kinds")
	default:
		for i, n := range nodes {
			l.list(fmt.Sprintf("%s{%d}", name, i+1), []node{n}, false)
		}
	}
}

// many is the number of arrays of numbers in a cell of which it is likely that they are functions.
const many = 8

// isRagged reports whether all nodes are arrays of numbers.
func isRagged(nodes []node) bool {
	return !slices.ContainsFunc(nodes, func(n node) bool { return n.class.Width == 0 })
}

// ragged names the first array that differs from the one before it in its class or shape.
func ragged(name string, nodes []node) string {
	for i := 1; i < len(nodes); i++ {
		before := nodes[i-1]
		after := nodes[i]
		if before.class.Name != after.class.Name {
			return fmt.Sprintf("holds arrays of different classes: %s{%d} is %s, %s{%d} is %s",
				name, i, before.class.Name, name, i+1, after.class.Name)
		}
		if !slices.Equal(npy.Long(before.shape), npy.Long(after.shape)) {
			return fmt.Sprintf("holds arrays of different shapes: %s{%d} has %v, %s{%d} has %v",
				name, i, before.shape, name, i+1, after.shape)
		}
	}
	return "holds arrays of different kinds"
}

// structures adds the fields of structures with the same fields: an array of each, over all elements of all structures.
func (l *lister) structures(name string, nodes []node, isList bool) {
	for i, field := range nodes[0].fields {
		var values []node
		for _, n := range nodes {
			for k := i; k < len(n.elements); k += len(n.fields) {
				values = append(values, n.elements[k])
			}
		}
		if len(values) > 0 {
			l.list(name+"."+field, values, isList || len(values) > 1)
		}
	}
}

// series adds one array of nodes of numbers of one class and shape; it reports whether they are.
func (l *lister) series(name string, nodes []node) bool {
	var parts, imaginary []npy.Block
	for _, n := range nodes {
		shape := npy.Shape(npy.Long(n.shape))
		isOther := n.class.Name != nodes[0].class.Name
		if n.class.Width == 0 || isOther {
			return false
		}
		if len(parts) > 0 && !slices.Equal(shape, parts[0].Shape) {
			return false
		}
		parts = append(parts, npy.Block{
			Type:    n.class,
			Shape:   shape,
			Fortran: true,
			Before:  n.skip,
		})
		if n.imaginary.skip > 0 {
			part := parts[len(parts)-1]
			part.Type = n.imaginary.class
			part.Before = n.imaginary.skip
			imaginary = append(imaginary, part)
		}
	}
	open := func() (io.Reader, error) { return l.v.open(&npy.Inflater{}) }
	where := npy.Place(l.where, name)
	m := npy.Series(name, where, parts, l.v.compressed, open)
	if imaginary != nil {
		m = npy.WithParts(m, m.Numbers, npy.Series(name, where, imaginary, l.v.compressed, open).Numbers)
	}
	m.Note = fmt.Sprintf("%d arrays of one shape", len(nodes))
	m.Sealed = l.v.compressed
	l.all = append(l.all, m)
	return true
}

// one adds an array of numbers, or the reason why it is none.
func (l *lister) one(name string, n node) {
	isEmpty := n.shape != nil && npy.Count(n.shape) == 0
	if n.class.Width == 0 && !isEmpty {
		why := fmt.Sprintf("is of class %s; full arrays of numbers are read", n.class.Name)
		l.refuse(name, n, why)
		return
	}
	part := *l.v
	part.name = name
	part.class = n.class
	part.shape = n.shape
	part.skip = n.skip
	part.imaginary = n.imaginary
	if n.class.Width == 0 {
		part.class = npy.TypeOf("<f8")
	}
	l.all = append(l.all, part.member(l.where))
}

func (l *lister) refuse(name string, n node, why string) {
	do := "save the numbers in it as a variable of its own"
	if n.class.Width > 0 {
		do = "give all functions on one grid, for example by interp1 in MATLAB"
	}
	l.all = append(l.all, npy.Member{
		Name:    name,
		Type:    n.class.Name,
		Shape:   n.shape,
		Fortran: true,
		Refused: fault.Bad(npy.Place(l.where, name), do, "%s", why),
	})
}
