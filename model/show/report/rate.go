package report

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// Rate is a power law y ~ x^Slope that was fitted to positive numbers.
type Rate struct {
	Slope float64 `json:"slope"`
	Error float64 `json:"error"` // standard error of the slope, from the residuals; 0 of two points, which have none
}

// FitRate fits a line through (log x, log y) by least squares. It panics unless there are two points.
func FitRate(x, y []float64) Rate {
	logX := make([]float64, len(x))
	logY := make([]float64, len(y))
	for i := range x {
		logX[i] = math.Log(x[i])
		logY[i] = math.Log(y[i])
	}
	offset, slope := stat.LinearRegression(logX, logY, nil, false)
	freedom := len(x) - 2
	if freedom < 1 {
		return Rate{Slope: slope}
	}
	residuals := 0.0
	for i := range logX {
		r := logY[i] - offset - slope*logX[i]
		residuals += r * r
	}
	spread := stat.Variance(logX, nil) * float64(len(x)-1) // sum of squares around the mean
	return Rate{Slope: slope, Error: math.Sqrt(residuals / float64(freedom) / spread)}
}

// String formats the slope with its standard error.
func (r Rate) String() string {
	if r.Error == 0 {
		return fmt.Sprintf("%.2f", r.Slope)
	}
	return fmt.Sprintf("%.2f +- %.2f", r.Slope, r.Error)
}

// Guarantee returns the line of a guaranteed slope through the first point of a curve, to compare with the curve.
func Guarantee(name string, slope float64, x, y []float64) Curve {
	c := Curve{Name: name, X: x, Role: AsLevel}
	for _, v := range x {
		c.Y = append(c.Y, y[0]*math.Pow(v/x[0], slope))
	}
	return c
}
