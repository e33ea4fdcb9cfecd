// This file joins arrays that a list of references leads to, as in MATLAB's cells and arrays of structures.

package hdf5

import (
	"fmt"
	"io"
	"slices"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// listed is an array of references to objects.
type listed struct {
	of     storage
	header header
	member int    // its number among the members
	name   string // of the array
}

// maxList is the number of references in a list that are followed.
const maxList = 1 << 14

// resolve replaces lists of references to arrays of numbers by what they lead to.
func (f *file) resolve() {
	for _, l := range f.lists {
		err := cursor.Attempt(func() { f.follow(l) })
		what, ok := err.(unsupported)
		if err != nil && !ok {
			cursor.End(err)
		}
		if ok {
			f.members[l.member].Refused = f.refused(l.name, what)
		}
	}
}

// follow replaces a list by the array of its targets, if these are equal in type and shape.
func (f *file) follow(l listed) {
	const bytesOfReference = 8
	s := l.of
	count := npy.Count(s.shape)
	if s.size != bytesOfReference || count > maxList {
		unread("has %d references of %d bytes; at most %d to objects are followed", count, s.size, maxList)
	}
	if count == 0 {
		return
	}
	s.locate(l.header)
	var targets []npy.Member
	for _, at := range s.addresses() {
		if at < 0 {
			unread("has a reference that leads nowhere")
		}
		target := f.target(at, fmt.Sprintf("%s{%d}", l.name, len(targets)+1))
		targets = append(targets, npy.Squeezed(target))
	}
	for i, m := range targets {
		if m.Refused != nil {
			unread("is a list of references, of which number %d leads to no array of numbers", i+1)
		}
		if first := targets[0].Shape; !slices.Equal(m.Shape, first) {
			unread("is a list of references to arrays of different shapes: %v, and %v at number %d", first, m.Shape, i+1)
		}
	}
	joined := npy.Stack(l.name, targets)
	joined.Note = fmt.Sprintf("%d arrays of one shape, one for each reference", len(targets))
	f.members[l.member] = joined
}

// addresses reads the references of a list.
func (s *storage) addresses() (all []int64) {
	var room buffers
	if len(s.chunks) != 1 || s.total != 1 {
		unread("is a list of references in %d chunks; one is followed", s.total)
	}
	in, err := s.open(s.chunks[0], &room)
	if err == nil {
		b := make([]byte, s.size*npy.Count(s.shape))
		_, err = io.ReadFull(in, b)
		all = references(b)
	}
	if err != nil {
		cursor.End(fault.Damaged(s.f.where, err))
	}
	return all
}

// target describes the array with a header at an address, which may be a member or have no other name.
func (f *file) target(at int64, name string) npy.Member {
	if number, ok := f.arrays[at]; ok {
		return f.members[number]
	}
	before := len(f.members)
	f.object(at, name, maxDepth)
	number, ok := f.arrays[at]
	if !ok {
		f.forget(before)
		unread("is a list of references that do not all lead to arrays")
	}
	m := f.members[number]
	f.forget(before)
	return m
}

// forget removes the members from a number on.
func (f *file) forget(before int) {
	f.members = f.members[:before]
	for at, number := range f.arrays {
		if number >= before {
			delete(f.arrays, at)
		}
	}
}
