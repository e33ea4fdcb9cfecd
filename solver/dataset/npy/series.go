// This file describes arrays whose parts lie one after another in a stream, as the arrays in a list do.

package npy

import (
	"io"
	"slices"
)

// Series describes an array with the given parts along a new first axis, which all have the shape of the first one. The
// numbers of a part begin at Before in the stream that open returns, and the parts follow each other there, so that one
// pass reads all of them. A stream that is Rest has more bytes after them, such as a checksum, and is read to its end.
// Errors of its numbers are *fault.Data at where.
func Series(name, where string, parts []Block, rest bool, open func() (io.Reader, error)) Member {
	first := parts[0]
	m := Member{
		Name:    name,
		Type:    first.Type.Name,
		Shape:   append(Shape{len(parts)}, first.Shape...),
		Fortran: first.Fortran,
		Refused: first.Type.Check(where),
	}
	return Decoded(m, first.Type, func(t Type) Numbers { return seriesNumbers(where, t, parts, rest, open) })
}

// seriesNumbers returns how the numbers of a series are read, whose elements are decoded as those of a type.
func seriesNumbers(where string, t Type, parts []Block, rest bool, open Opener) Numbers {
	return func(at []Axis, put Put) error {
		stream := &stream{open: open}
		ended := false
		whole := func(places []int, values []float64) bool {
			more := put(places, values)
			ended = !more
			return more
		}
		blocks := func(use func(Block) bool) {
			for i, part := range parts {
				width := int64(Count(part.Shape) * part.Type.Width)
				from := part.Before
				part.Type = t
				part.Before = 0
				part.Shape = append(Shape{1}, part.Shape...)
				part.Inside = part.Shape
				part.First = make([]int, len(part.Shape))
				part.First[0] = i
				part.Open = func() (io.Reader, error) { return stream.section(from, width) }
				if !use(part) {
					return
				}
			}
		}
		err := Scan(where, blocks, at, whole)
		isComplete := err == nil && !ended && stream.in != nil
		if !isComplete || !rest {
			return err
		}
		_, err = io.Copy(io.Discard, stream.in) // its end compares the checksum
		return Broken(where, err)
	}
}

// Alike reports whether two parts can belong to one array.
func Alike(a, b Block) bool {
	return a.Type == b.Type && slices.Equal(a.Shape, b.Shape)
}

// stream is read from the front to the back.
type stream struct {
	open func() (io.Reader, error)
	in   io.Reader // nil until a section is wanted
	at   int64     // position of in
}

// section returns the bytes from a position on, which is not before the end of the last section.
func (s *stream) section(from, length int64) (io.Reader, error) {
	if s.in == nil {
		in, err := s.open()
		if err != nil {
			return nil, err
		}
		s.in = in
	}
	between := from - s.at
	if _, err := io.CopyN(io.Discard, s.in, between); err != nil {
		return nil, err
	}
	s.at = from + length
	return io.LimitReader(s.in, length), nil
}
