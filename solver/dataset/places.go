package dataset

import (
	"cmp"
	"slices"
)

// places maps functions of a file to their indices among the wanted ones, in the order of their numbers in the file. It
// takes memory for the wanted functions only: a file may have any number of functions.
type places []place

type place struct {
	function int // its number in the file
	at       int // index among the wanted functions
}

func placesOf(numbers []int) places {
	p := make(places, len(numbers))
	for i, n := range numbers {
		p[i] = place{n, i}
	}
	slices.SortFunc(p, func(a, b place) int { return cmp.Compare(a.function, b.function) })
	return p
}

// from returns the places of functions numbered first or higher.
func (p places) from(first int) places {
	i, _ := slices.BinarySearchFunc(p, first, func(q place, n int) int { return cmp.Compare(q.function, n) })
	return p[i:]
}

// of returns the index of the function; ok is false if it is not wanted.
func (p places) of(function int) (at int, ok bool) {
	rest := p.from(function)
	if len(rest) == 0 || rest[0].function != function {
		return 0, false
	}
	return rest[0].at, true
}
