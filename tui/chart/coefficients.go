package chart

import (
	"fmt"
	"math"
	"slices"

	"rfm/model/report"
)

// Coefficients summarizes how a trained model spreads over its features. The table gives the sizes of the coefficients
// and the numbers of them that hold 50% and 90% of |alpha|^2; the figure shows |alpha_j| in descending order.
func Coefficients(alpha []float64, rank int, lambda float64) (report.Table, report.Figure) {
	sizes, total := make([]float64, len(alpha)), 0.0
	for j, a := range alpha {
		sizes[j] = math.Abs(a)
		total += a * a
	}
	slices.Sort(sizes)
	slices.Reverse(sizes)
	holding := func(share float64) int {
		sum := 0.0
		for j, a := range sizes {
			if sum += a * a; sum >= share*total {
				return j + 1
			}
		}
		return len(sizes)
	}
	m := len(sizes)
	table := report.Table{Header: []string{"coefficients", ""}, Rows: [][]string{
		{"features m", fmt.Sprint(m)},
		{"rank", fmt.Sprint(rank)},
		{"lambda", report.FormatValue(lambda)},
		{"largest", report.FormatValue(sizes[0])},
		{"median", report.FormatValue(report.Median(sizes))},
		{"smallest", report.FormatValue(sizes[m-1])},
		{"|alpha| / m", report.FormatValue(math.Sqrt(total) / float64(m))},
		{"hold 50% of |alpha|^2", fmt.Sprint(holding(0.5))},
		{"hold 90% of |alpha|^2", fmt.Sprint(holding(0.9))},
	}}
	return table, report.Figure{Title: "|alpha_j|, descending", XLabel: "j", LogX: true, LogY: true, X0: 1,
		X1:     math.Max(2, float64(m)),
		Curves: []report.Curve{{X: report.Counting(m), Y: sizes, Role: report.AsPrediction}}}
}
