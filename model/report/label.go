package report

import (
	"math"
	"strconv"
	"strings"
)

// writeNumbers writes multiples of step with the same number of decimals, the fewest that distinguish them; in
// scientific notation (1.2e-03) when decimals would be long.
func writeNumbers(values []float64, step float64) []string {
	size := 0.0
	for _, v := range values {
		size = max(size, math.Abs(v))
	}
	const (
		fixedBelow   = 1e6
		mostDecimals = 4
	)
	if size < fixedBelow {
		if d, ok := digitsFor(values, step, 'f', mostDecimals); ok {
			return format(values, 'f', d)
		}
	}
	const mostDigits = 8 // enough for the narrowest span, see widened
	d, _ := digitsFor(values, step, 'e', mostDigits)
	return format(values, 'e', d)
}

// digitsFor returns the fewest digits, at most most, that show each value to within a thousandth of step.
func digitsFor(values []float64, step float64, verb byte, most int) (digits int, ok bool) {
	for digits = range most + 1 {
		ok = true
		for _, v := range values {
			shown, _ := strconv.ParseFloat(strconv.FormatFloat(v, verb, digits, 64), 64)
			if !(math.Abs(shown-v) <= 1e-3*step) {
				ok = false
				break
			}
		}
		if ok {
			return digits, true
		}
	}
	return most, false
}

func format(values []float64, verb byte, digits int) []string {
	out := make([]string, len(values))
	for i, v := range values {
		if v == 0 {
			v = 0 // no minus sign
			if verb == 'e' {
				out[i] = "0"
				continue
			}
		}
		out[i] = strconv.FormatFloat(v, verb, digits, 64)
	}
	return out
}

// writeDecades writes the values of a logarithmic axis: 0.01, 0.1, 1, 10 while that is short for all of them, otherwise
// 1e-05.
func writeDecades(values []float64) []string {
	out := make([]string, len(values))
	short := true
	for i, v := range values {
		short = short && v >= 0.999e-3 && v < 1e5
		out[i] = strconv.FormatFloat(v, 'f', -1, 64)
	}
	if short {
		return out
	}
	return format(values, 'e', 0)
}

// FormatValue writes one number in at most 10 characters for a legend or a marker: three significant digits, 0.0416 or
// 1.23e-05.
func FormatValue(v float64) string {
	switch a := math.Abs(v); {
	case math.IsNaN(v):
		return "NaN"
	case v == 0:
		return "0"
	case a < 1e-3 || a >= 1e5:
		return strconv.FormatFloat(v, 'e', 2, 64)
	}
	decimals := max(0, 2-decadeOf(math.Abs(v)))
	return trimZeros(strconv.FormatFloat(v, 'f', decimals, 64))
}

// trimZeros shortens 0.50 to 0.5 and 1.00 to 1.
func trimZeros(s string) string {
	if !strings.Contains(s, ".") || strings.Contains(s, "e") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// decadeOf returns floor(log10 v) for v > 0.
func decadeOf(v float64) int { return int(math.Floor(math.Log10(v))) }
