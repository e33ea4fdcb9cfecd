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
		grids := c.Grids(c.Data.Grid)
		if k.Min == 0 {
			grids = append([]int{0}, grids...)
		}
		value, _ := strconv.Atoi(text)
		if direction > 0 {
			slices.Sort(grids)
		} else {
			slices.SortFunc(grids, func(a, b int) int { return b - a })
		}
		for _, g := range grids {
			if direction > 0 && g > value || direction < 0 && g < value {
				return strconv.Itoa(g), true
			}
		}
		return "", false
	case k.Kind == Integer:
		value, _ := strconv.Atoi(text)
		return double(k, value, direction, 0)
	}
	value, _ := strconv.ParseFloat(text, 64)
	return oneTwoFive(k, value, direction)
}

// double doubles or halves value, and adds plus, the points of a grid beyond its intervals.
func double(k Key, value, direction, plus int) (string, bool) {
	switch {
	case direction > 0 && value == 0:
		value = 1
	case direction > 0:
		value *= 2
	default:
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
	exponent := int(math.Floor(math.Log10(value) + 1e-9))
	var candidates []float64
	for e := exponent - 1; e <= exponent+1; e++ {
		for _, digit := range []string{"1", "2", "5"} {
			v, err := strconv.ParseFloat(digit+"e"+strconv.Itoa(e), 64)
			if err == nil {
				candidates = append(candidates, v)
			}
		}
	}
	if direction < 0 {
		slices.Reverse(candidates)
	}
	const rounding = 1e-9
	for _, v := range candidates {
		if direction > 0 && v > value*(1+rounding) || direction < 0 && v < value*(1-rounding) {
			if v < smallest && k.Min <= 0 && !k.Above {
				return "0", true
			}
			return strconv.FormatFloat(v, 'g', -1, 64), v <= k.Max && v >= k.Min && !(k.Above && v == k.Min)
		}
	}
	return "", false
}
