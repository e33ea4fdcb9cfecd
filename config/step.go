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
	switch {
	case k.Kind == Choice || k.Kind == YesNo:
		i := slices.Index(k.Choices, text)
		n := len(k.Choices)
		return k.Choices[((i+direction)%n+n)%n], true
	case k.parameter != "":
		value, err := strconv.ParseFloat(text, 64)
		if err != nil { // an expression
			return "", false
		}
		k.Min, k.Max = -math.MaxFloat64, math.MaxFloat64
		return oneTwoFive(k, value, direction)
	case k.Kind == Path || k.Kind == Name || k.Kind == Text:
		return "", false
	case k.Step == ones:
		value, _ := strconv.ParseUint(text, 10, 64)
		next := value + uint64(direction)
		return strconv.FormatUint(next, 10), (direction > 0) == (next > value) && float64(next) >= k.Min &&
			float64(next) <= k.Max
	case k.Step == intervalsDouble:
		value, _ := strconv.Atoi(text)
		return double(k, value-1, direction, 1)
	case k.Step == divisors:
		value, _ := strconv.Atoi(text)
		best, found := 0, false
		for _, g := range append(c.Grids(c.Data.Grid), 0) {
			if ahead := direction * (g - value); ahead > 0 && (g > 0 || k.Min == 0) &&
				(!found || ahead < direction*(best-value)) {
				best, found = g, true
			}
		}
		if !found {
			return "", false
		}
		return strconv.Itoa(best), true
	case k.Kind == Integer:
		value, _ := strconv.Atoi(text)
		return double(k, value, direction, 0)
	}
	value, _ := strconv.ParseFloat(text, 64)
	return oneTwoFive(k, value, direction)
}

// double doubles or halves value, and adds plus, the points of a grid beyond its intervals.
func double(k Key, value, direction, plus int) (string, bool) {
	if direction > 0 {
		value = max(1, 2*value)
	} else {
		value /= 2
	}
	result := float64(value + plus)
	return strconv.Itoa(value + plus), result >= k.Min && result <= k.Max
}

// smallest is the value after zero of keys that may be zero.
const smallest = 1e-12

// oneTwoFive steps through 1, 2, 5, 10, ... times powers of ten, and zero where the key allows it.
func oneTwoFive(k Key, value float64, direction int) (string, bool) {
	switch {
	case value == 0 && direction < 0 && k.Min < 0:
		return strconv.FormatFloat(-smallest, 'g', -1, 64), true
	case value == 0:
		return strconv.FormatFloat(smallest, 'g', -1, 64), direction > 0
	case value < 0:
		mirrored := k
		mirrored.Min, mirrored.Max = -k.Max, -k.Min
		text, ok := oneTwoFive(mirrored, -value, -direction)
		if text != "0" {
			text = "-" + text
		}
		return text, ok
	}
	exponent, best := int(math.Floor(math.Log10(value)+1e-9)), 0.0
	const rounding = 1e-9
	for e := exponent - 1; e <= exponent+1; e++ {
		for _, digit := range []string{"1", "2", "5"} {
			v, err := strconv.ParseFloat(digit+"e"+strconv.Itoa(e), 64)
			if err == nil && (direction > 0 && v > value*(1+rounding) && (best == 0 || v < best) ||
				direction < 0 && v < value*(1-rounding) && v > best) {
				best = v
			}
		}
	}
	switch {
	case best == 0:
		return "", false
	case best < smallest && k.Min <= 0 && !k.Above:
		return "0", true
	}
	return strconv.FormatFloat(best, 'g', -1, 64), best <= k.Max && best >= k.Min && !(k.Above && best == k.Min)
}
