package chart

import (
	"rfm/model/report"
	"rfm/tui/look"
	"rfm/tui/plot"
)

// Field draws a field on the unit square.
func Field(on look.Look, f report.Field, width, height int) string {
	return plot.HeatMap{Field: f, Width: width, Height: height, Colors: on.Depth, Theme: on.Theme}.Render()
}
