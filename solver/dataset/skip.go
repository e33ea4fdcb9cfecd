// This file leaves out pairs of a file that are useless for training.

package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/dataset/npy"
)

// Unusable is the error of a pair that Source.Skip can leave out.
type Unusable struct{ error }

func (u *Unusable) Unwrap() error { return u.error }

// Skipped describes the pairs of a file that were left out.
type Skipped struct {
	NonFinite, Zero int
	First           int // its number in the file
	Of              int // number of pairs in the file
}

// String returns a text such as "3 of 240 pairs left out, ...", or "" if all pairs are kept.
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
	return fmt.Sprintf("%d of %d pairs left out (data.skip): %s; the first is pair %d, counted from 0",
		s.NonFinite+s.Zero, s.Of, strings.Join(kinds, ", "), s.First)
}

// LeaveOut reads all pairs and leaves out those with values that are not finite, and those whose output is zero, whose
// relative error does not exist. It returns the errors of reading them.
func (f *Functions) LeaveOut() error {
	infinite, moving := make([]bool, f.Count), make([]bool, f.Count)
	for i, p := range f.arrays() {
		outputs, strides := i >= len(f.in), make([]int, len(p.shape)) // a position is 2 function + side
		if p.Count >= 0 {
			strides[p.Count] = 2
		}
		if p.Side >= 0 {
			strides[p.Side] = 1
		}
		if err := p.of.Scan(npy.Along(strides...), func(at []int, values []float64) bool {
			for j, v := range values {
				infinite[at[j]/2] = infinite[at[j]/2] || math.IsNaN(v) || math.IsInf(v, 0)
				moving[at[j]/2] = moving[at[j]/2] || v != 0 && (outputs || at[j]%2 == 1)
			}
			return true
		}); err != nil {
			return err
		}
	}
	f.usable, f.Skipped.Of = []int{}, f.Count
	for i := range f.Count {
		switch {
		case infinite[i]:
			f.Skipped.NonFinite++
		case !moving[i]:
			f.Skipped.Zero++
		default:
			f.usable = append(f.usable, i)
			continue
		}
		if f.Skipped.NonFinite+f.Skipped.Zero == 1 {
			f.Skipped.First = i
		}
	}
	f.Count = len(f.usable)
	return nil
}

// numbers returns the numbers of functions in the file.
func (f *Functions) numbers(rows []int) []int {
	if f.usable == nil {
		return rows
	}
	numbers := slices.Clone(rows)
	for i, row := range rows {
		numbers[i] = f.usable[row]
	}
	return numbers
}
