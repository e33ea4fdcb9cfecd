package draw

import (
	"math"
	"slices"
	"testing"

	"rfm/model/run/engine"
	"rfm/solver/space/grid"
)

// on returns a sketch of a function that is zero, of a law of size 1.
func on(domain grid.Domain, points int, left, right engine.EndCondition) *sketch {
	t := &engine.Trial{Domain: domain, Points: points}
	if domain.Dims == 2 {
		t.Side = points
	}
	values := domain.Values(points)
	t.Law = engine.Law{Low: slices.Repeat([]float64{-1}, values), High: slices.Repeat([]float64{1}, values), Size: 1,
		Left: left, Right: right, Numbers: make([]bool, domain.Width()), Means: make([]float64, domain.Width())}
	return &sketch{trial: t, values: make([]float64, values), width: firstWidth, value: 1}
}

var (
	free = engine.EndCondition{}
	flat = engine.EndCondition{Flat: true}
	held = engine.EndCondition{Held: true}
)

// edits are all edits of curves, by names.
var edits = map[string]func(*sketch){
	"bend": func(s *sketch) { s.bend(3) }, "widen and bend": func(s *sketch) { s.widen(10); s.bend(-2) },
	"scale": func(s *sketch) { s.bend(1); s.scale(2) }, "wave": func(s *sketch) { s.wave(); s.wave() },
	"step": (*sketch).step, "smooth": func(s *sketch) { s.step(); s.smooth() },
	"trace":  func(s *sketch) { s.remember(); s.trace(60, 0.5, 0, 2) },
	"center": func(s *sketch) { s.bend(1); s.center() },
	"shift":  func(s *sketch) { s.bend(1); s.shift(7) },
}

// Every edit, near an end, leaves the values that are held there, and makes periodic functions periodic.
func TestConditionsAtTheEndsHold(t *testing.T) {
	const points = 65
	for name, edit := range edits {
		for _, at := range []int{0, 2, points / 2, points - 1} {
			periodic := on(grid.Torus, points, free, free)
			periodic.place.first = at
			edit(periodic)
			if f := periodic.values; f[0] != f[points-1] {
				t.Errorf("%s at %d: %g and %g at the ends of a periodic function", name, at, f[0], f[points-1])
			}
			if name == "shift" {
				continue
			}
			one := engine.EndCondition{Held: true, Value: 1}
			between := on(grid.Interval, points, one, held)
			between.place.first = at
			edit(between)
			if f := between.values; f[0] != 1 || math.Abs(f[points-1]) > 1e-15 {
				t.Errorf("%s at %d: %g and %g at the ends, 1 and 0 are held", name, at, f[0], f[points-1])
			}
		}
	}
}

// A bump at an end where the derivative is zero is flat there, as is one next to it.
func TestBumpsAreFlatWhereInputsAre(t *testing.T) {
	const points = 129
	for _, at := range []int{0, 3, 20} {
		s := on(grid.Interval, points, flat, flat)
		s.place.first = at
		s.bend(1)
		f := s.values
		slope := (-25*f[0] + 48*f[1] - 36*f[2] + 16*f[3] - 3*f[4]) / 12 * (points - 1)
		if math.Abs(slope) > 1e-3 {
			t.Errorf("bump at point %d: slope %g at the end", at, slope)
		}
	}
}

// A bump has the height and the width that are shown.
func TestBumpsHaveTheirHeightAndWidth(t *testing.T) {
	const points = 1025
	s := on(grid.Torus, points, free, free)
	s.place.first = 512
	s.width = 0.125
	s.bend(1)
	if got := s.values[512]; math.Abs(got-bumpHeight) > 1e-6 {
		t.Errorf("height %g, want %g", got, bumpHeight)
	}
	if got := s.values[512+128]; math.Abs(got-bumpHeight*math.Exp(-0.5)) > 1e-3 {
		t.Errorf("%g one width away, want %g", got, bumpHeight*math.Exp(-0.5))
	}
}

// Undo brings back the values before each edit, one after another, and every change has a version of its own.
func TestUndoBringsEditsBack(t *testing.T) {
	s := on(grid.Torus, 65, free, free)
	var before [][]float64
	versions := map[int]bool{}
	for _, name := range []string{"bend", "wave", "step", "scale", "smooth"} {
		before = append(before, s.values)
		versions[s.version] = true
		count := len(s.past)
		edits[name](s)
		for len(s.past) > count+1 { // edits of several steps
			s.undo()
		}
		if versions[s.version] {
			t.Errorf("%s: version %d again", name, s.version)
		}
	}
	for s.undo() {
	}
	if &s.values[0] != &before[0][0] {
		t.Error("the first values are not back")
	}
}

// Values that are shown or computed with never change.
func TestEditsLeaveEarlierValuesAlone(t *testing.T) {
	for name, edit := range edits {
		s := on(grid.Torus, 65, free, free)
		shown := s.values
		edit(s)
		for x, v := range shown {
			if v != 0 {
				t.Fatalf("%s has changed value %d of the input before", name, x)
			}
		}
	}
}

// A brush paints on its way once it is down, levels stay levels, and a value that was picked is placed elsewhere.
func TestBrush(t *testing.T) {
	const side = 33
	s := on(grid.Square, side, free, free)
	s.trial.Law.Levels = []float64{-1, 1}
	for x := range s.values {
		s.values[x] = -1
	}
	s.place = place{10, 10}
	s.down = true
	for range 5 {
		s.move(1, 0)
	}
	if s.values[s.at(place{15, 10})] != 1 || s.values[s.at(place{11, 10})] != 1 || s.values[s.at(place{15, 30})] != -1 {
		t.Error("the brush does not paint on its way")
	}
	s.down = false
	s.move(0, 20)
	s.pick()
	if s.value != -1 {
		t.Errorf("picked %g, want -1", s.value)
	}
	s.move(0, -20)
	s.paint()
	if got := s.values[s.at(s.place)]; got != -1 {
		t.Errorf("placed %g, want -1", got)
	}
	s.wave()
	for _, v := range s.values {
		if v != -1 && v != 1 {
			t.Fatalf("a value between the levels: %g", v)
		}
	}
}

// The cursor goes around on a periodic domain and stops at the ends of an interval.
func TestCursorAtTheEnds(t *testing.T) {
	around := on(grid.Torus, 65, free, free)
	around.move(-3, 0)
	if around.place.first != 61 {
		t.Errorf("3 points before the first is %d", around.place.first)
	}
	stops := on(grid.Interval, 65, free, free)
	stops.move(-3, 0)
	if stops.place.first != 0 {
		t.Errorf("3 points before the first is %d", stops.place.first)
	}
}

// Numbers turn by parts of their training range, and also leave it.
func TestNumbersTurn(t *testing.T) {
	s := on(grid.Interval.With(2), 33, free, free)
	s.trial.Law.Numbers = []bool{true, true}
	s.nextNumber(1)
	for range 60 {
		s.turn(1)
	}
	if got := s.of(s.values)[7]; math.Abs(got-60*numberChange*2) > 1e-12 || s.values[0] != 0 {
		t.Errorf("the second number is %g, the first %g", got, s.values[0])
	}
}

// A scale stays while curves change a little, grows with them, and follows when they become small.
func TestScalesStay(t *testing.T) {
	s := scale{}.around([]float64{-1, 1})
	if same := s.around([]float64{-1.2, 0.9}); same != s {
		t.Errorf("%v became %v for curves that fit", s, same)
	}
	if grown := s.around([]float64{-1, 5}); grown.high < 5 || grown == s {
		t.Errorf("%v for curves up to 5", grown)
	}
	if small := s.around([]float64{0, 0.1}); small.high > 0.5 {
		t.Errorf("%v for curves up to 0.1", small)
	}
}
