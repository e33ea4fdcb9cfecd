package report

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"rfm/model/learn/score"
	"rfm/solver/base/printable"
)

// Duration formats a time in seconds, see printable.Duration.
func Duration(seconds float64) string { return printable.Duration(seconds) }

// DurationRange formats two times, see printable.DurationRange.
func DurationRange(least, most float64) string { return printable.DurationRange(least, most) }

// Bytes formats a size with binary units: 512 B, 1.5 MiB, 300 MiB.
func Bytes(n float64) string {
	if math.IsNaN(n) || n < 0 {
		return "? B"
	}
	for _, unit := range []string{"B", "KiB", "MiB", "GiB"} {
		if n < 1000 {
			if n < 9.95 && unit != "B" {
				return fmt.Sprintf("%.1f %s", n, unit)
			}
			return fmt.Sprintf("%.0f %s", n, unit)
		}
		n /= 1024
	}
	return fmt.Sprintf("%.1f TiB", n)
}

// Error formats a relative error with the given number of decimals, a small one with three digits: never as zero unless
// it is zero. NaN, an unknown error, is a dash.
func Error(e float64, decimals int) string {
	const small = 1e-3
	switch {
	case math.IsNaN(e):
		return "-"
	case e == 0:
		return "0"
	case math.Abs(e) < small:
		return fmt.Sprintf("%.2e", e)
	}
	return fmt.Sprintf("%.*f", decimals, e)
}

// Measured formats an error that was measured: with four digits, because another seed or other test inputs change the
// second or third. A small one has three, so that it is no wider.
func Measured(e float64) string {
	const (
		small  = 1e-3
		digits = 4
	)
	if math.Abs(e) < small {
		return Error(e, digits)
	}
	return Significant(e, digits)
}

// Lambda formats a regularisation parameter with four digits.
func Lambda(v float64) string { return fmt.Sprintf("%.4g", v) }

// Median returns the 0.5-quantile; NaN of no values.
func Median(values []float64) float64 { return score.Quantile(values, 0.5) }

// Mean returns the arithmetic mean; NaN of no values.
func Mean(values []float64) float64 { return stat.Mean(values, nil) }

// Spread returns the standard deviation of the values, with the divisor of an unbiased variance; NaN of fewer than two.
func Spread(values []float64) float64 { return stat.StdDev(values, nil) }

// Significant formats a number with some significant digits, small ones in scientific notation: 0.0350, 1.2, 340, 5.4e-05.
func Significant(v float64, digits int) string {
	size := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return "-"
	case v == 0:
		return "0"
	case size < 1e-3:
		return strconv.FormatFloat(v, 'e', digits-1, 64)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(size, 'e', digits-1, 64), 64)
	if err != nil || math.IsInf(rounded, 0) {
		return strconv.FormatFloat(v, 'g', digits, 64)
	}
	decimals := max(0, digits-1-decadeOf(rounded))
	return strconv.FormatFloat(math.Copysign(rounded, v), 'f', decimals, 64)
}
