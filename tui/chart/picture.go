package chart

import (
	"rfm/model/report"
	"rfm/tui/look"
	"rfm/tui/widget"
)

// FigurePicture is a figure for a gallery.
func FigurePicture(on look.Look, name string, f report.Figure) widget.Picture {
	return widget.Picture{Name: name, Draw: func(width, height int) string { return Figure(on, f, width, height) }}
}

// FieldPicture is a field for a gallery.
func FieldPicture(on look.Look, f report.Field) widget.Picture {
	return widget.Picture{Name: f.Title, Map: true, Draw: func(width,
		height int) string {
		return Field(on, f, width, height)
	}}
}

// Pictures are figures, by their titles, and then fields for a gallery.
func Pictures(on look.Look, figures []report.Figure, fields []report.Field) []widget.Picture {
	var list []widget.Picture
	for _, f := range figures {
		list = append(list, FigurePicture(on, f.Title, f))
	}
	for _, f := range fields {
		list = append(list, FieldPicture(on, f))
	}
	return list
}
