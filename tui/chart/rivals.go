package chart

import (
	"fmt"
	"math"

	"rfm/model/engine"
)

// RivalError is the error of one of the ways to the solution, with so many digits, and a star if it is better than the
// model, the first of them; else a blank.
func RivalError(rivals []engine.Rival, i, digits int) (text, star string) {
	text, star = "truth", " "
	if !math.IsNaN(rivals[i].Error) {
		text = fmt.Sprintf("%.*f", digits, rivals[i].Error)
	}
	if rivals[i].Better(rivals[0]) {
		star = "*"
	}
	return text, star
}
