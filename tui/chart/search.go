package chart

import (
	"fmt"
	"math"

	"rfm/model/report"
	"rfm/model/tune"
)

// Search returns the course of a search: the best error so far against the number of models tried, of last on the axis
// and up to a share of it. Each number of features has a curve of its own: their errors are not comparable.
func Search(s *tune.Snapshot, last, share float64) report.Figure {
	f := report.Figure{Title: "best error so far", XLabel: "models", LogX: true, LogY: true, X0: 1, X1: last}
	if !math.IsNaN(s.Start) {
		f.Curves = []report.Curve{{Name: "as is", X: []float64{1, last}, Y: []float64{s.Start, s.Start}, Role: report.AsLevel}}
	}
	before := len(f.Curves)
	extend := func(to float64) { // the last curve by a horizontal line
		if n := len(f.Curves); n > before {
			c := &f.Curves[n-1]
			c.X, c.Y = append(c.X, to), append(c.Y, c.Y[len(c.Y)-1])
		}
	}
	end := max(1, share*last)
	for _, p := range s.Curve {
		at, n, name := float64(p.Evaluation), len(f.Curves), fmt.Sprintf("m=%d", p.Features)
		if at > end && n > before {
			break
		}
		extend(at)
		if n == before || f.Curves[n-1].Name != name {
			role := [...]report.Role{report.AsPrediction, report.AsTruth}[n%2]
			f.Curves, n = append(f.Curves, report.Curve{Name: name, Role: role}), n+1
		}
		c := &f.Curves[n-1]
		c.X, c.Y = append(c.X, at), append(c.Y, p.Error)
	}
	extend(end)
	return f
}
