package chart

import (
	"rfm/model/report"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/widget"
)

// FigurePicture returns a figure as a picture of a gallery.
func FigurePicture(on look.Look, name string, f report.Figure) widget.Picture {
	return widget.Picture{Name: name, Draw: func(width, height int) string { return Figure(on, f, width, height) }}
}

// FieldPicture returns a field as a picture of a gallery.
func FieldPicture(on look.Look, f report.Field) widget.Picture {
	return widget.Picture{Name: f.Title, Map: true, Draw: func(width, height int) string {
		return Field(on, f, width, height)
	}}
}

// Pictures returns the fields of a page and then its figures, by their titles, for a gallery. If tall is set, a figure
// below another one is part of the other's picture.
func Pictures(on look.Look, p report.Page, tall bool) []widget.Picture {
	var list []widget.Picture
	for _, f := range p.Fields {
		list = append(list, FieldPicture(on, f))
	}
	for i, f := range p.Figures {
		switch {
		case f.Below && tall: // drawn in the previous picture
		case tall && i+1 < len(p.Figures) && p.Figures[i+1].Below:
			list = append(list, widget.Picture{Name: f.Title, Draw: func(width, height int) string {
				upper := height * 3 / 5
				return Figure(on, f, width, upper) + "\n" + Figure(on, p.Figures[i+1], width, height-upper)
			}})
		case f.Title == "" && len(f.Curves) > 0:
			list = append(list, FigurePicture(on, f.Curves[0].Name, f))
		default:
			list = append(list, FigurePicture(on, f.Title, f))
		}
	}
	return list
}

// LeastTall is the number of lines below which a figure and the one below it are not worth drawing in one picture.
const LeastTall = 14

// Field draws a field on the unit square.
func Field(on look.Look, f report.Field, width, height int) string {
	return plot.HeatMap{Field: f, Width: width, Height: height, Colors: on.Depth, Theme: on.Theme}.Render()
}
