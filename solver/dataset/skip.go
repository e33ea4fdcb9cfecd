// This file leaves out pairs of a file that are useless for training.

package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/dataset/npy"
)

// Skip selects the pairs of a file that are left out and not counted.
type Skip string

// The values of Skip. Unusable pairs that are not left out are an error.
const (
	SkipNone      Skip = "none"
	SkipNonFinite Skip = "nonfinite" // pairs with values that are NaN or infinite
	SkipZero      Skip = "zero"      // pairs whose output is zero, whose relative error does not exist
	SkipBoth      Skip = "both"
)

// Unusable is the error of a pair that Skip can leave out.
type Unusable struct{ error }

func (u *Unusable) Unwrap() error { return u.error }

// and returns the Skip that leaves out the pairs of both.
func (s Skip) and(other Skip) Skip {
	if s == "" || s == SkipNone || s == other {
		return other
	}
	return SkipBoth
}

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

// LeaveOut reads all pairs and leaves some out. It returns the errors of reading them.
func (f *Functions) LeaveOut(which Skip) error {
	if which == "" || which == SkipNone || f.form != pairForm {
		return nil
	}
	v := sieve{make([]bool, f.Count), make([]bool, f.Count)}
	for i, p := range f.arrays() {
		if err := v.look(p, i >= len(f.in)); err != nil {
			return err
		}
	}
	f.Skip = which
	f.usable, f.Skipped = v.keep(which)
	f.Count = len(f.usable)
	return nil
}

// sieve records the pairs with values that are not finite and the pairs with an output that is not zero.
type sieve struct{ infinite, moving []bool }

// look examines all values of an array: of outputs, of inputs, or of both if it has sides.
func (v sieve) look(p array, outputs bool) error {
	strides := make([]int, len(p.shape)) // a position is 2 function + side
	if p.Count >= 0 {
		strides[p.Count] = 2
	}
	if p.Side >= 0 {
		strides[p.Side] = 1
	}
	return p.of.Scan(strides, npy.Selection{Put: func(run npy.Run, values []float64) bool {
		for j, value := range values {
			at := run.At + j*run.Step
			v.infinite[at/2] = v.infinite[at/2] || math.IsNaN(value) || math.IsInf(value, 0)
			v.moving[at/2] = v.moving[at/2] || value != 0 && (outputs || at%2 == 1)
		}
		return true
	}})
}

// keep returns the numbers of the pairs that are not left out.
func (v sieve) keep(which Skip) (usable []int, out Skipped) {
	out.Of, usable = len(v.moving), []int{}
	for f := range v.moving {
		switch {
		case v.infinite[f] && which != SkipZero:
			out.NonFinite++
		case !v.moving[f] && which != SkipNonFinite:
			out.Zero++
		default:
			usable = append(usable, f)
			continue
		}
		if out.NonFinite+out.Zero == 1 {
			out.First = f
		}
	}
	return usable, out
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
