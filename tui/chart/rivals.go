package chart

import (
	"math"

	"rfm/model/engine"
	"rfm/model/report"
)

// RivalError is the error of one of the ways to the solution, with so many digits, and a star if it is better than the
// model, the first of them; else a blank.
func RivalError(rivals []engine.Rival, i, digits int) (text, star string) {
	text, star = "truth", " "
	if !math.IsNaN(rivals[i].Error) {
		text = report.Error(rivals[i].Error, digits)
	}
	if rivals[i].Better(rivals[0]) {
		star = "*"
	}
	return text, star
}
