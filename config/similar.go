package config

import (
	"slices"
	"strings"
)

// nearest returns the key whose symbol is the last part of name (features.sigma is the activation). Without one it
// returns the key closest to name: of those with the same last part, or else the number of such things, or else of all.
// Where name has no dot it is compared with groups and the beginnings of the last parts. similar reports a slip.
func (c Config) nearest(name string) (key string, similar bool) {
	group, last, inGroup := strings.Cut(name, ".")
	if !inGroup {
		last = name
	}
	const far = 1000 // above all distances
	from := func(k Key) int {
		isOfGroup := !inGroup || k.Group() == group
		isSymbol := k.Symbol != "" && k.Symbol == last
		switch {
		case isSymbol && isOfGroup:
			return -2 * far
		case !inGroup:
			short := k.Short()
			beginning := short[:min(len(name)+1, len(short))]
			return min(distance(name, beginning), distance(name, k.Group()))
		case k.Short() == last:
			return distance(name, k.Name) - far
		case k.Name == last+".count":
			return 0
		}
		return distance(name, k.Name)
	}
	best := slices.MinFunc(c.Keys(), func(a, b Key) int { return from(a) - from(b) })
	similar = from(best) <= slip(name)
	if inGroup && best.Group() == group { // which is right, so that its letters say nothing about the others
		const exchanged = 2 // the distance of two letters in the other order, as in cuont
		similar = from(best) <= max(exchanged, slip(last))
	}
	return best.Name, similar
}

// closest returns the candidate with the smallest edit distance to name.
func closest(name string, candidates []string) string {
	return slices.MinFunc(candidates, func(a, b string) int { return distance(name, a) - distance(name, b) })
}

// Similar returns the closest candidate if name may be a slip of the keyboard for it, and "" otherwise.
func Similar(name string, candidates []string) string {
	best := closest(name, candidates)
	if distance(name, best) > slip(name) {
		return ""
	}
	return best
}

// slip bounds the distance of a name from the one that was meant.
func slip(name string) int {
	third := max(1, len(name)/3)
	return min(len(name)-1, third)
}

// distance returns the Levenshtein distance of a and b in bytes; only the first 64 bytes count.
func distance(a, b string) int {
	const most = 64
	a = a[:min(len(a), most)]
	b = b[:min(len(b), most)]
	row := make([]int, len(b)+1) // distances of the beginning of a, so far empty, from all beginnings of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			above := row[j+1]
			left := row[j]
			row[j+1] = min(cost, left+1, above+1)
			diagonal = above
		}
	}
	return row[len(b)]
}
