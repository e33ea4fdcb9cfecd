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
		next := slices.Index(k.Choices, text) + direction
		return k.Choices[(next+n)%n], true
	case k.Step == ones:
		return k.nextSeed(text, direction)
	case k.parameter != "" && c.Equation.parameter(k.parameter).Ranged:
		return c.Equation.parameter(k.parameter).step(direction)
	case k.parameter != "" && err == nil: // else it is an expression
		k.Min = math.Inf(-1)
		k.Max = math.Inf(1)
		next = tenth(value, direction)
	case k.Step == tenths:
		next = tenth(value, direction)
	case k.Kind == Real:
		next = neighbour(ladder, value, direction)
	case k.Kind != Integer:
		return "", false
	case k.Step == divisors:
		grids := []float64{0} // that of the data
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

// nextSeed is Neighbour for seeds, which have more digits than floating point.
func (k Key) nextSeed(text string, direction int) (string, bool) {
	before, _ := strconv.ParseUint(text, 10, 64)
	after := before + uint64(direction)
	isUpwards := direction > 0
	wraps := isUpwards != (after > before)
	return strconv.FormatUint(after, 10), !wraps && k.allows(float64(after))
}

// double doubles a whole number, or halves it.
func double(value float64, direction int) float64 {
	if direction > 0 {
		return max(1, 2*value)
	}
	return math.Floor(value / 2)
}

// round are the numbers from 1 to 10 that follow each other by about a tenth, so that all of them are short.
var round = []float64{1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.3, 3.6, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 9,
	10}

// tenth returns the next smaller or larger number of one or two digits, about a tenth away; the same steps lead back. A
// step from 0 is a tenth of 1.
func tenth(value float64, direction int) float64 {
	if value == 0 {
		return 0.1 * float64(direction)
	}
	if value < 0 {
		return -tenth(-value, -direction)
	}
	exponent := math.Floor(math.Log10(value))
	const rounding = 1e-9
	if math.Pow10(int(exponent)+1) <= value*(1+rounding) {
		exponent++
	}
	digits := value / math.Pow10(int(exponent)) // from 1 to 10
	next := neighbour(round, digits, direction)
	if math.IsNaN(next) { // below 1
		next = 0.9
	}
	text := strconv.FormatFloat(next, 'f', 1, 64) + "e" + strconv.Itoa(int(exponent))
	exact, _ := strconv.ParseFloat(text, 64) // without the rounding errors of a product
	return exact
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
