// This file reads complex numbers as pairs of real ones.

package npy

import (
	"slices"
)

// part tells which numbers a type decodes of complex ones.
type part byte

const (
	realPart part = iota + 1
	imaginaryPart
)

// parts returns the types that decode the real and the imaginary parts of complex numbers; ok is false for other types, and
// for those of the parts.
func (t Type) parts() (real, imaginary Type, ok bool) {
	if t.kind != 'c' || t.part != 0 {
		return t, t, false
	}
	real = t
	real.part = realPart
	imaginary = t
	imaginary.part = imaginaryPart
	return real, imaginary, true
}

// IsComplex reports whether elements of a type are complex numbers.
func (t Type) IsComplex() bool { return t.kind == 'c' }

// IsImaginary reports whether a type decodes the imaginary parts of complex numbers.
func (t Type) IsImaginary() bool { return t.part == imaginaryPart }

// complexNote tells how the numbers of a complex array are read.
const complexNote = "complex numbers, of which the last axis has the real and the imaginary parts"

// Numbers passes on the wanted numbers of an array, as Member.Numbers does.
type Numbers = func(at []Axis, put Put) error

// WithParts describes the array of complex numbers that a member lists: a last axis has the real and the imaginary parts.
func WithParts(m Member, real, imaginary Numbers) Member {
	m.Complex = true
	m.Note = complexNote
	m.Shape = append(slices.Clone(m.Shape), 2)
	parts := Stack(m.Name, []Member{{Numbers: real}, {Numbers: imaginary}})
	m.Numbers = func(at []Axis, put Put) error {
		last := len(at) - 1
		partsFirst := append([]Axis{at[last]}, at[:last]...)
		return parts.Numbers(partsFirst, put)
	}
	return m
}

// Decoded describes the array that a member lists, whose elements have a type. numbers returns how they are read if they are
// decoded as those of a type, which is that of one part of complex numbers.
func Decoded(m Member, t Type, numbers func(t Type) Numbers) Member {
	real, imaginary, isComplex := t.parts()
	if isComplex {
		return WithParts(m, numbers(real), numbers(imaginary))
	}
	m.Numbers = numbers(t)
	return m
}
