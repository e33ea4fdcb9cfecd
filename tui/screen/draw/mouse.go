package draw

import (
	"math"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/plot"
	"rfm/tui/ui"
)

// pen is the mouse while its button is down.
type pen struct {
	down  bool
	at    int     // the last point of a curve
	value float64 // its value there
}

// Mouse reports whether the terminal is to report the mouse: it then no longer selects text.
func (s *Screen) Mouse() bool { return s.mouse }

// Point handles the mouse: dragging draws.
func (s *Screen) Point(p ui.Pointer, c ui.Canvas) tea.Cmd {
	if p.Kind == ui.Released || s.help || s.shown == nil || s.sketch.isNumber() {
		s.pen.down = false
		return nil
	}
	begins := p.Kind == ui.Pressed
	if !begins && !s.pen.down {
		return nil
	}
	draws := s.drag
	if s.sketch.isField() {
		draws = s.dab
	}
	if !draws(p, c, begins) {
		return nil
	}
	return s.edited(time.Now())
}

// drag draws a curve through the place of the mouse, and reports whether that is in the picture.
func (s *Screen) drag(p ui.Pointer, c ui.Canvas, begins bool) bool {
	input, _ := sides(c)
	area, ok := plot.FigureArea(c.Theme, s.shown.inputFigure(), input.width, input.height)
	if !ok {
		return false
	}
	x, value, inside := area.At(p.X-input.left, p.Y-input.top)
	if begins && !inside {
		return false
	}
	first, _ := s.sketch.axes()
	point := int(math.Round(x * float64(first-1)))
	if begins {
		s.sketch.remember()
		s.pen = pen{
			down:  true,
			at:    point,
			value: value,
		}
	}
	s.sketch.trace(s.pen.at, s.pen.value, point, value)
	s.pen.at = point
	s.pen.value = value
	return true
}

// dab places the brush where the mouse is, and reports whether that is on the field. The right button picks the value
// there.
func (s *Screen) dab(p ui.Pointer, c ui.Canvas, begins bool) bool {
	there := mapPlaces(c, 1+len(s.shown.answerFields()))[0]
	area, ok := plot.FieldArea(c.Theme, s.shown.inputField(), there.width, there.height)
	if !ok {
		return false
	}
	x, y, inside := area.At(p.X-there.left, p.Y-there.top)
	if begins && !inside {
		return false
	}
	first, second := s.sketch.axes()
	s.sketch.place = place{
		first:  int(math.Round(x * float64(first-1))),
		second: int(math.Round(y * float64(second-1))),
	}
	if p.Picks {
		s.sketch.pick()
		return true
	}
	if begins {
		s.sketch.remember()
		s.pen.down = true
	}
	s.sketch.touch()
	return true
}
