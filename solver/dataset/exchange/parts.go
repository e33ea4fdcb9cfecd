// This file reads parts of arrays, written as in NumPy.

package exchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/npy"
)

// part returns the part of an array that an index selects.
func (f *File) part(m npy.Member, index string) npy.Member {
	if m.Refused != nil {
		return m
	}
	sections, err := sectionsOf(index, m.Shape)
	if err != nil {
		m.Refused = fault.Bad(
			f.Name,
			"give an index or a slice for each axis, as in NumPy: [:, 0] or [:1000, ::64]",
			"has %q of shape %v, of which there is no [%s]: %v", m.Name, m.Shape, index, err,
		)
	}
	if len(sections) == 0 {
		return m
	}
	numbers := m.Numbers
	m.Name = fmt.Sprintf("%s[%s]", m.Name, index)
	m.Shape = npy.Shape{}
	for _, s := range sections {
		if !s.single {
			m.Shape = append(m.Shape, s.count)
		}
	}
	m.Numbers = func(at []npy.Axis, put npy.Put) error {
		return numbers(within(sections, at), put)
	}
	return m
}

// section selects the indices first + i*step of an axis, i from 0 to count-1; a single one drops the axis.
type section struct {
	first  int
	step   int
	count  int
	single bool
}

// sectionsOf parses an index of an array of the given shape.
func sectionsOf(index string, shape []int) (all []section, err error) {
	words := strings.Split(index, ",")
	isRest := func(word string) bool { return strings.TrimSpace(word) == "..." }
	rest := slices.IndexFunc(words, isRest)
	if rest < 0 { // axes that are not mentioned are the last ones
		rest = len(words)
		words = append(words, "...")
	}
	missing := max(0, len(shape)-len(words)+1)
	others := slices.Repeat([]string{":"}, missing)
	words = slices.Concat(words[:rest], others, words[rest+1:])
	if len(words) > len(shape) {
		return nil, fmt.Errorf("it has %d axes", len(shape))
	}
	for d, n := range shape {
		s, err := sectionOf(words[d], n)
		if err != nil {
			return nil, err
		}
		if s.single && s.count == 0 {
			return nil, fmt.Errorf("axis %d has %d", d, n)
		}
		all = append(all, s)
	}
	return all, nil
}

// sectionOf parses the index of an axis of length n: a number, or a slice first:end:step. A number beyond the axis gives
// a single section without an index.
func sectionOf(word string, n int) (section, error) {
	malformed := fmt.Errorf("%q is not a whole number, and not a slice with a positive step", word)
	parts := strings.Split(word, ":")
	if strings.TrimSpace(word) == "" || len(parts) > 3 {
		return section{}, malformed
	}
	numbers := [3]int{0, n, 1} // first, end, step
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		k, err := strconv.ParseInt(part, 10, 52) // so that no sum overflows
		if err != nil {
			return section{}, malformed
		}
		numbers[i] = int(k)
		isStep := i == 2
		if k < 0 && !isStep { // counts from the end
			numbers[i] += n
		}
	}
	first := numbers[0]
	end := numbers[1]
	step := numbers[2]
	if step < 1 {
		return section{}, malformed
	}
	if len(parts) == 1 {
		s := section{first: first, step: 1, single: true}
		if first >= 0 && first < n {
			s.count = 1
		}
		return s, nil
	}
	first = min(max(first, 0), n)
	end = min(max(end, 0), n)
	count := (end - first + step - 1) / step
	return section{first: first, step: step, count: max(0, count)}, nil
}

// within returns the axes of a whole array with the axes of its part: index first + k step of the whole has index k.
func within(sections []section, part []npy.Axis) (whole []npy.Axis) {
	for _, s := range sections {
		along := npy.Axis(func(int) int { return 0 })
		if !s.single {
			along = part[0]
			part = part[1:]
		}
		whole = append(whole, along.Of(s.first, s.step, s.count))
	}
	return whole
}
