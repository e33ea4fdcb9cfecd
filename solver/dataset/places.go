package dataset

import (
	"cmp"
	"slices"
)

// places is where functions of a file belong among those that are wanted, by their numbers in the file. It takes memory
// for those that are wanted only: a file may have any number of functions.
type places struct {
	sorted []place
	last   int // in sorted: runs come nearly in order
}

type place struct {
	function int // its number in the file
	at       int // among those that are wanted
}

func placesOf(numbers []int) *places {
	p := &places{sorted: make([]place, len(numbers))}
	for i, n := range numbers {
		p.sorted[i] = place{n, i}
	}
	slices.SortFunc(p.sorted, func(a, b place) int { return cmp.Compare(a.function, b.function) })
	return p
}

// from are those of functions with the number first or a larger one, in that order.
func (p *places) from(first int) []place {
	i := p.last
	if i >= len(p.sorted) || p.sorted[i].function < first || i > 0 && p.sorted[i-1].function >= first {
		i++ // the next one, most often
		if i >= len(p.sorted) || p.sorted[i].function < first || p.sorted[i-1].function >= first {
			i, _ = slices.BinarySearchFunc(p.sorted, first, func(q place, n int) int { return cmp.Compare(q.function, n) })
		}
		p.last = i
	}
	return p.sorted[i:]
}

// of is where the function belongs; ok is false if it is not wanted.
func (p *places) of(function int) (at int, ok bool) {
	rest := p.from(function)
	if len(rest) == 0 || rest[0].function != function {
		return 0, false
	}
	return rest[0].at, true
}
