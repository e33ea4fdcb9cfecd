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

// Parts returns the types that decode the real and the imaginary parts of complex numbers; ok is false for other types, and
// for those of the parts.
func (t Type) Parts() (real, imaginary Type, ok bool) {
	if t.kind != 'c' || t.part != 0 {
		return t, t, false
	}
	real = t
	real.part = realPart
	imaginary = t
	imaginary.part = imaginaryPart
	return real, imaginary, true
}

// complexNote tells how the numbers of a complex array are read.
const complexNote = "complex numbers, of which the last axis has the real and the imaginary parts"

// Numbers passes on the wanted numbers of an array, as Member.Numbers does.
type Numbers = func(at []Axis, put Put) error

// WithParts describes the array of complex numbers that a member lists: a last axis has the real and the imaginary parts.
func WithParts(m Member, real, imaginary Numbers) Member {
	m.Complex = true
	m.Note = complexNote
	m.Shape = append(slices.Clone(m.Shape), 2)
	parts := [2]Member{{Numbers: real}, {Numbers: imaginary}}
	m.Numbers = func(at []Axis, put Put) error {
		last := len(at) - 1
		for i, part := range parts {
			from := at[last](i)
			if from < 0 {
				continue
			}
			more, err := part.numbersFrom(from, at[:last], put)
			if err != nil || !more {
				return err
			}
		}
		return nil
	}
	return m
}
