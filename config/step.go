package config

import (
	"math"
	"slices"
	"strconv"
)

// Neighbour returns the next smaller (direction -1) or larger (+1) sensible value of the key, by its Step, and whether
// one exists. Choices are cyclic.
func (k Key) Neighbour(c Config, direction int) (string, bool) {
	text := k.Text(c)
	value, err := strconv.ParseFloat(text, 64)
	var next float64
	switch {
	case k.Kind == Choice || k.Kind == YesNo:
		n := len(k.Choices)
		return k.Choices[(slices.Index(k.Choices, text)+direction+n)%n], true
	case k.Step == ones: // seeds have more digits than floating point
		whole, _ := strconv.ParseUint(text, 10, 64)
		after := whole + uint64(direction)
		return strconv.FormatUint(after, 10), direction > 0 == (after > whole) && k.allows(float64(after))
	case k.parameter != "" && err == nil: // else it is an expression
		k.Min, k.Max = math.Inf(-1), math.Inf(1)
		next = neighbour(ladder, value, direction)
	case k.Kind == Real:
		next = neighbour(ladder, value, direction)
	case k.Kind != Integer:
		return "", false
	case k.Step == divisors:
		grids := []float64{0}
		for _, g := range c.Grids(c.Data.Grid) {
			grids = append(grids, float64(g))
		}
		next = neighbour(grids, value, direction)
	case k.Step == intervalsDouble:
		next = double(value-1, direction) + 1
	default:
		next = double(value, direction)
	}
	return formatNumber(next), k.allows(next)
}

// double doubles a whole number, or halves it.
func double(value float64, direction int) float64 {
	if direction > 0 {
		return max(1, 2*value)
	}
	return math.Floor(value / 2)
}

// ladder are the numbers 1, 2 and 5 times powers of ten, zero, and their negatives, ascending.
var ladder = func() []float64 {
	all := []float64{0}
	for exponent := -12; exponent <= 15; exponent++ {
		for _, digit := range []string{"1", "2", "5"} {
			v, _ := strconv.ParseFloat(digit+"e"+strconv.Itoa(exponent), 64)
			all = append(all, v, -v)
		}
	}
	slices.Sort(all)
	return all
}()

// neighbour returns the element of an ascending list that is next to a value, which may have a rounding error; NaN if
// there is none.
func neighbour(all []float64, value float64, direction int) float64 {
	const rounding = 1e-9
	if direction < 0 {
		all = slices.Clone(all)
		slices.Reverse(all)
	}
	for _, v := range all {
		if float64(direction)*(v-value) > rounding*math.Abs(value) {
			return v
		}
	}
	return math.NaN()
}
