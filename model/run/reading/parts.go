// This file finds the part of arrays with one axis too many that can be read.

package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/npy"
	"rfm/solver/pairs"
)

// triedParts bounds the parts that are tried of the arrays of a file.
const triedParts = 12

// advisePart replaces the advice of an error by settings that read a part of the arrays, if one of the guesses names
// arrays with one axis too many: one entry along an axis of the outputs, of both sides, or of the inputs. The settings
// are tried before they are advised. Another error is ctx.Err().
func (s *search) advisePart(ctx context.Context, guesses []pairs.Guess, reason error) error {
	var data *fault.Data
	if !errors.As(reason, &data) || s.told("axes", "layout") {
		return reason
	}
	tried := 0
	for _, g := range guesses {
		a, u := pairs.Lookup(s.file, g.Input), pairs.Lookup(s.file, g.Output)
		if g.Input == "" || !a.Readable() || !u.Readable() || max(len(a.Shape), len(u.Shape)) < 4 {
			continue
		}
		for _, part := range partsOf(g, a, u) {
			if tried++; tried > triedParts {
				return reason
			}
			if _, err := s.try(ctx, part); err != nil {
				if err := ctx.Err(); err != nil {
					return err
				}
				continue
			}
			input, output := part.Input, part.Output
			if input == g.Input {
				input = ""
			}
			if output == g.Output {
				output = ""
			}
			data.Do = "take one entry along an axis, for example: " + pairs.Settings(input, output) +
				"; or all as values at points: --set data.points=axes"
			return reason
		}
	}
	return reason
}

// partsOf returns guesses with one axis less of the outputs a, of both sides, or of the inputs u: the last entry, or of
// both sides the middle, which may be a plane of a volume.
func partsOf(g pairs.Guess, a, u npy.Member) (all []pairs.Guess) {
	only := pairs.Guess{
		Known:  g.Known,
		Input:  g.Input,
		Output: g.Output,
	}
	for _, d := range surplus(u.Shape, a.Shape) {
		part := only
		part.Output += pairs.Entry(len(u.Shape), d, "-1")
		all = append(all, part)
	}
	shared := min(len(a.Shape), len(u.Shape)) // axes
	const ofVolume = 4                        // with that of the pairs; one side may have channels besides
	if len(a.Shape) == len(u.Shape) || shared >= ofVolume {
		for d := shared - 1; d > 0; d-- {
			if a.Shape[d] != u.Shape[d] {
				continue
			}
			part := only
			middle := fmt.Sprint(a.Shape[d] / 2)
			part.Input += pairs.Entry(len(a.Shape), d, middle)
			part.Output += pairs.Entry(len(u.Shape), d, middle)
			all = append(all, part)
		}
	}
	for _, d := range surplus(a.Shape, u.Shape) {
		part := only
		part.Input += pairs.Entry(len(a.Shape), d, "-1")
		all = append(all, part)
	}
	return all
}

// surplus returns the axes of a shape, except the first, that another one has not, the longest first.
func surplus(shape, other []int) []int {
	rest := slices.Clone(other)
	var all []int
	for d, n := range shape {
		if at := slices.Index(rest, n); at >= 0 {
			rest = slices.Delete(rest, at, at+1)
		} else if d > 0 {
			all = append(all, d)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int {
		return cmp.Compare(shape[b], shape[a])
	})
	return all
}
