// This file leaves out pairs of a file that nothing can be learned from.

package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/dataset/npy"
)

// Skip says which pairs of a file are left out, as if they were not there.
type Skip string

// What can be left out. Pairs that are not left out are refused.
const (
	SkipNone      Skip = "none"
	SkipNonFinite Skip = "nonfinite" // pairs with values that are NaN or infinite
	SkipZero      Skip = "zero"      // pairs whose output is zero, of which no relative error exists
	SkipBoth      Skip = "both"
)

// and is what leaves out both.
func (s Skip) and(other Skip) Skip {
	if s == "" || s == SkipNone || s == other {
		return other
	}
	return SkipBoth
}

// Skipped is which pairs of a file were left out.
type Skipped struct {
	NonFinite, Zero int
	First           int // its number in the file
	Of              int // pairs that the file has
}

// String is "3 of 240 pairs are left out, ...", empty if none are.
func (s Skipped) String() string {
	var kinds []string
	if s.NonFinite > 0 {
		kinds = append(kinds, fmt.Sprintf("%d with values that are not finite", s.NonFinite))
	}
	if s.Zero > 0 {
		kinds = append(kinds, fmt.Sprintf("%d with outputs that are zero", s.Zero))
	}
	if kinds == nil {
		return ""
	}
	return fmt.Sprintf("%d of %d pairs are left out (data.skip): %s; the first is pair %d, counted from 0",
		s.NonFinite+s.Zero, s.Of, strings.Join(kinds, ", "), s.First)
}

// skip looks at all pairs and leaves some out. The error is that of reading them.
func (s *stored) skip(which Skip) error {
	if which == "" || which == SkipNone {
		return nil
	}
	infinite, moving := make([]bool, s.count), make([]bool, s.count)
	for i, name := range s.arrays {
		strides := make([]int, len(s.shape)) // a position is 2 function + side
		for d, letter := range s.pattern {
			strides[d] = map[rune]int{'n': 2, 's': 1}[letter]
		}
		err := s.file.Scan(name, strides, npy.Selection{Put: func(run npy.Run, values []float64) bool {
			for j, v := range values {
				at := run.At + j*run.Step
				infinite[at/2] = infinite[at/2] || math.IsNaN(v) || math.IsInf(v, 0)
				moving[at/2] = moving[at/2] || v != 0 && at%2+i == 1
			}
			return true
		}})
		if err != nil {
			return err
		}
	}
	s.skipped.Of = s.count
	s.usable = []int{}
	for f := range s.count {
		switch {
		case infinite[f] && which != SkipZero:
			s.skipped.NonFinite++
		case !moving[f] && which != SkipNonFinite:
			s.skipped.Zero++
		default:
			s.usable = append(s.usable, f)
			continue
		}
		if s.skipped.NonFinite+s.skipped.Zero == 1 {
			s.skipped.First = f
		}
	}
	s.count = len(s.usable)
	return nil
}

// numbers are those that functions have in the file.
func (s stored) numbers(rows []int) []int {
	if s.usable == nil {
		return rows
	}
	numbers := slices.Clone(rows)
	for i, row := range rows {
		numbers[i] = s.usable[row]
	}
	return numbers
}
