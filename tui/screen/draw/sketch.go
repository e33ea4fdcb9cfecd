package draw

import (
	"math"
	"slices"

	"rfm/model/run/engine"
)

// A sketch is an input while a person draws it. Every edit makes new values, so that those before can be brought back,
// and so that work on them in the background is not disturbed. It knows nothing of screens.
type sketch struct {
	trial   *engine.Trial
	values  []float64   // of all channels
	version int         // counts the changes of the values
	past    [][]float64 // values before the edits, the newest last
	channel int         // that is edited
	place   place
	width   float64 // of a bump: its standard deviation; of a brush: its radius. A part of the length of the first axis
	value   float64 // that a brush places on a field
	down    bool    // the brush draws as it moves
	drawn   int     // number of inputs drawn from the law
	waves   int     // periods of the last wave
}

// A place is a position in a function: a point of the first axis, and for fields one of the second.
type place struct{ first, second int }

// The widths of bumps, and their change.
const (
	leastWidth   = 0.01
	mostWidth    = 0.25
	widthChange  = 1.25
	firstWidth   = 0.08
	firstRadius  = 0.12
	amplitude    = 1.1  // factor of the whole input
	bumpHeight   = 0.2  // of an edit, in sizes of training inputs
	numberChange = 0.02 // of the training range of a number
)

// newSketch begins with an input of the law.
func newSketch(t *engine.Trial) *sketch {
	s := &sketch{
		trial:   t,
		values:  t.Draw(0),
		version: 1,
		width:   firstWidth,
	}
	for c, number := range t.Law.Numbers {
		if !number {
			s.channel = c
			break
		}
	}
	first, second := s.axes()
	s.place = place{first / 2, second / 2}
	if s.isField() {
		s.width = firstRadius
	}
	_, s.value = s.lawRange()
	return s
}

// isField reports whether inputs are functions of two variables.
func (s *sketch) isField() bool { return s.trial.Side > 0 }

// isNumber reports whether the channel that is edited is a number.
func (s *sketch) isNumber() bool {
	return s.trial.Law.Numbers[s.channel]
}

// axes returns the points along both axes; functions of one variable have one along the second.
func (s *sketch) axes() (first, second int) {
	rows, columns := s.trial.Domain.Axes(s.trial.Points)
	if s.isField() {
		return rows, columns
	}
	return columns, 1
}

// at returns the index of a place among the values of a channel.
func (s *sketch) at(p place) int {
	_, second := s.axes()
	return p.first*second + p.second
}

// of returns the values of the edited channel among those of all.
func (s *sketch) of(values []float64) []float64 {
	return channelOf(values, s.channel, len(s.trial.Law.Numbers))
}

// channelOf returns the values of one of several channels.
func channelOf(values []float64, channel, channels int) []float64 {
	size := len(values) / channels
	return values[channel*size : (channel+1)*size]
}

// lawRange returns the least and the largest value of the edited channel in training inputs.
func (s *sketch) lawRange() (low, high float64) {
	law := s.trial.Law
	low = slices.Min(s.of(law.Low))
	high = slices.Max(s.of(law.High))
	return low, high
}

// mostPast bounds the edits that can be taken back.
const mostPast = 500

// remember keeps the values before an edit.
func (s *sketch) remember() {
	s.past = append(s.past, s.values)
	if len(s.past) > mostPast {
		s.past = slices.Delete(s.past, 0, 1)
	}
}

// edit changes a copy of the values of the edited channel, which it then makes an input: it satisfies the conditions at
// the ends.
func (s *sketch) edit(change func(f []float64)) {
	s.remember()
	s.alter(change)
}

// alter is an edit that is part of the one before.
func (s *sketch) alter(change func(f []float64)) {
	s.version++
	s.values = slices.Clone(s.values)
	f := s.of(s.values)
	change(f)
	s.hold(f)
	if s.trial.Domain.Periodic {
		s.trial.Domain.One().Wrap(f)
	}
}

// hold gives a function the values that are held at the ends of its interval.
func (s *sketch) hold(f []float64) {
	law := s.trial.Law
	last := len(f) - 1
	left := 0.0 // what is missing at each end
	right := 0.0
	if law.Left.Held {
		left = law.Left.Value - f[0]
	}
	if law.Right.Held {
		right = law.Right.Value - f[last]
	}
	if left == 0 && right == 0 {
		return
	}
	for i := range f {
		x := float64(i) / float64(last)
		f[i] += (1-x)*left + x*right
	}
}

// undo takes the last edit back, and reports whether there was one.
func (s *sketch) undo() bool {
	if len(s.past) == 0 {
		return false
	}
	last := len(s.past) - 1
	s.version++
	s.values = s.past[last]
	s.past = s.past[:last]
	return true
}

// move moves the cursor. On a periodic domain it goes around. A brush that is down draws on its way.
func (s *sketch) move(first, second int) {
	rows, columns := s.axes()
	s.place.first = s.stepped(s.place.first, first, rows)
	s.place.second = s.stepped(s.place.second, second, columns)
	if s.down {
		s.paint()
	}
}

// stepped returns the point some steps from another one on an axis.
func (s *sketch) stepped(at, steps, points int) int {
	at += steps
	if s.trial.Domain.Periodic && points > 1 {
		intervals := points - 1
		return (at%intervals + intervals) % intervals
	}
	return max(0, min(at, points-1))
}

// stride returns the points of a step of the cursor: about one cell of a picture.
func (s *sketch) stride() int {
	const steps = 40
	first, _ := s.axes()
	return max(1, first/steps)
}

// widen changes the width of bumps and brushes.
func (s *sketch) widen(factor float64) {
	s.width = max(leastWidth, min(s.width*factor, mostWidth))
}

// bend adds a bump at the cursor, some heights high.
func (s *sketch) bend(heights float64) {
	height := heights * bumpHeight * s.trial.Law.Size
	s.edit(func(f []float64) {
		for i := range f {
			f[i] += height * s.bump(i)
		}
	})
}

// bump returns the bump at the cursor at a point of an interval: a Gaussian, with its images behind the ends, so that the
// sum is periodic, flat or zero there as inputs are.
func (s *sketch) bump(point int) float64 {
	first, _ := s.axes()
	intervals := float64(s.trial.Domain.Intervals(first))
	x := float64(point) / intervals
	center := float64(s.place.first) / intervals
	gaussian := func(center float64) float64 {
		z := (x - center) / s.width
		return math.Exp(-z * z / 2)
	}
	if s.trial.Domain.Periodic {
		return gaussian(center) + gaussian(center-1) + gaussian(center+1)
	}
	law := s.trial.Law
	behindLeft := mirrored(law.Left) * gaussian(-center)
	behindRight := mirrored(law.Right) * gaussian(2-center)
	return gaussian(center) + behindLeft + behindRight
}

// mirrored returns the factor of the image of a bump behind an end.
func mirrored(end engine.EndCondition) float64 {
	switch {
	case end.Flat:
		return 1
	case end.Held:
		return -1
	}
	return 0
}

// scale multiplies the edited channel.
func (s *sketch) scale(factor float64) {
	s.edit(func(f []float64) {
		for i := range f {
			f[i] *= factor
		}
	})
}

// center gives the edited channel the mean over x that training inputs have.
func (s *sketch) center() {
	s.edit(func(f []float64) {
		change := s.trial.Law.Means[s.channel] - s.trial.Mean(f)
		for i := range f {
			f[i] += change
		}
	})
}

// shift moves a periodic function by some points.
func (s *sketch) shift(points int) {
	s.edit(func(f []float64) {
		before := slices.Clone(f)
		intervals := len(f) - 1
		for i := range intervals {
			f[i] = before[((i-points)%intervals+intervals)%intervals]
		}
	})
}

// draw takes the next input of the law.
func (s *sketch) draw() {
	s.drawn++
	s.replace(s.trial.Draw(s.drawn))
}

// replace takes other values as an edit.
func (s *sketch) replace(values []float64) {
	s.remember()
	s.version++
	s.values = values
}

// wave replaces the edited channel by a wave of the size of training inputs, which has one more period each time.
func (s *sketch) wave() {
	const most = 6
	s.waves = s.waves%most + 1
	middle := 0.0
	height := math.Sqrt2 * s.trial.Law.Size // of a sine with this norm
	if s.isField() {
		low, high := s.lawRange()
		middle = (low + high) / 2
		height = (high - low) / 2
	}
	wave := func(x, y float64) float64 {
		return middle + height*s.waveAt(x)*s.alongSecond(y)
	}
	s.edit(func(f []float64) { s.fill(f, wave) })
	s.level()
}

// waveAt returns the last wave at a place of the first axis. It satisfies the conditions at the ends.
func (s *sketch) waveAt(x float64) float64 {
	periods := float64(s.waves)
	law := s.trial.Law
	switch {
	case s.trial.Domain.Periodic:
		return math.Sin(2 * math.Pi * periods * x)
	case law.Left.Held && law.Right.Held:
		return math.Sin(math.Pi * periods * x)
	case law.Left.Held:
		return math.Sin(math.Pi * (periods - 0.5) * x)
	case law.Right.Held:
		return math.Cos(math.Pi * (periods - 0.5) * x)
	}
	return math.Cos(math.Pi * periods * x)
}

// alongSecond returns the last wave along the second axis of a field.
func (s *sketch) alongSecond(y float64) float64 {
	if !s.isField() {
		return 1
	}
	return s.waveAt(y)
}

// fill sets a function by its places, from 0 to 1 along both axes.
func (s *sketch) fill(f []float64, value func(x, y float64) float64) {
	first, second := s.axes()
	for i := range first {
		for j := range second {
			x := float64(i) / float64(first-1)
			y := float64(j) / float64(max(1, second-1))
			f[i*second+j] = value(x, y)
		}
	}
}

// step replaces the edited channel by a box: high in the middle, low outside.
func (s *sketch) step() {
	law := s.trial.Law
	low, high := s.lawRange()
	switch {
	case s.isField():
	case law.Left.Held:
		low = law.Left.Value
		high = low + 2*law.Size
	case law.Right.Held:
		low = law.Right.Value
		high = low + 2*law.Size
	default:
		low = -law.Size
		high = law.Size
	}
	inside := func(x float64) bool { return x >= 0.25 && x < 0.75 }
	s.edit(func(f []float64) {
		s.fill(f, func(x, y float64) float64 {
			if inside(x) && (!s.isField() || inside(y)) {
				return high
			}
			return low
		})
	})
}

// smooth removes short waves: it averages neighbours, several times on a fine grid.
func (s *sketch) smooth() {
	const coarse = 40 // points of a grid on which one time is enough
	first, second := s.axes()
	times := max(1, first*first/(coarse*coarse))
	s.edit(func(f []float64) {
		for range times {
			for j := range second {
				s.average(f[j:], first, second)
			}
			if !s.isField() {
				continue
			}
			for i := range first {
				s.average(f[i*second:(i+1)*second], second, 1)
			}
		}
	})
}

// average replaces every stride-th value by the mean of itself and its neighbours, with weights 1/2, 1/4, 1/4. See
// images for the neighbours of the ends.
func (s *sketch) average(f []float64, points, stride int) {
	before := make([]float64, points)
	for i := range before {
		before[i] = f[i*stride]
	}
	last := points - 1
	beforeFirst, afterLast := s.images(before)
	for i := range before {
		left := beforeFirst
		if i > 0 {
			left = before[i-1]
		}
		right := afterLast
		if i < last {
			right = before[i+1]
		}
		f[i*stride] = before[i]/2 + (left+right)/4
	}
}

// images returns the values that a function has behind its ends: those on the other side of a periodic domain, the
// negative ones where a value is held, else those of the even continuation.
func (s *sketch) images(f []float64) (beforeFirst, afterLast float64) {
	second := f[1]
	lastButOne := f[len(f)-2]
	if s.trial.Domain.Periodic {
		return lastButOne, second
	}
	if s.isField() {
		return second, lastButOne
	}
	return reflected(s.trial.Law.Left, second), reflected(s.trial.Law.Right, lastButOne)
}

// reflected returns the image of a value behind an end.
func reflected(end engine.EndCondition, v float64) float64 {
	if end.Held {
		return 2*end.Value - v
	}
	return v
}

// trace sets a function between two points to the values on a straight line, as a pen does. It is part of the edit before.
func (s *sketch) trace(from int, fromValue float64, to int, toValue float64) {
	s.alter(func(f []float64) {
		first := max(0, min(from, to))
		last := min(max(from, to), len(f)-1)
		for i := first; i <= last; i++ {
			share := 1.0
			if to != from {
				share = float64(i-from) / float64(to-from)
			}
			f[i] = fromValue + share*(toValue-fromValue)
		}
	})
	last := len(s.of(s.values)) - 1
	s.place.first = max(0, min(to, last))
}

// paint places the value of the brush on a field, as an edit.
func (s *sketch) paint() {
	s.remember()
	s.touch()
}

// touch places the value of the brush as part of the edit before: all of it on a field that jumps, else most in the
// middle.
func (s *sketch) touch() {
	levels := len(s.trial.Law.Levels) > 0
	s.alter(func(f []float64) {
		first, second := s.axes()
		for i := range first {
			for j := range second {
				z := s.distance(place{i, j}) / s.width
				at := i*second + j
				switch {
				case levels && z <= 1:
					f[at] = s.value
				case !levels:
					f[at] += (s.value - f[at]) * math.Exp(-2*z*z)
				}
			}
		}
	})
}

// distance returns the distance of a place from the cursor, in lengths of the first axis.
func (s *sketch) distance(p place) float64 {
	first, second := s.axes()
	h := 1 / float64(first-1)
	along := func(at, cursor, points int) float64 {
		away := math.Abs(float64(at - cursor))
		if s.trial.Domain.Periodic {
			away = min(away, float64(points-1)-away)
		}
		return away * h
	}
	across := along(p.first, s.place.first, first)
	up := along(p.second, s.place.second, second)
	return math.Hypot(across, up)
}

// pick gives the brush the value below it.
func (s *sketch) pick() {
	s.value = s.of(s.values)[s.at(s.place)]
}

// choose gives the brush a value of the training range, from 1, the least, to 9; or the nearer level of a field that
// jumps.
func (s *sketch) choose(digit int) {
	const least, most = 1, 9
	low, high := s.lawRange()
	part := float64(digit-least) / (most - least)
	if len(s.trial.Law.Levels) > 0 {
		part = math.Round(part)
	}
	s.value = low + part*(high-low)
}

// level makes the values of a field that jumps the nearer of its two levels.
func (s *sketch) level() {
	levels := s.trial.Law.Levels
	if len(levels) == 0 {
		return
	}
	middle := (levels[0] + levels[1]) / 2
	s.alter(func(f []float64) {
		for i, v := range f {
			if v < middle {
				f[i] = levels[0]
			} else {
				f[i] = levels[1]
			}
		}
	})
}

// turn changes the edited number by some steps, also beyond its training range.
func (s *sketch) turn(steps float64) {
	low, high := s.lawRange()
	s.edit(func(f []float64) {
		for i := range f {
			f[i] += steps * numberChange * (high - low)
		}
	})
}

// next edits the next channel, or one some channels away.
func (s *sketch) next(channels int) {
	count := len(s.trial.Law.Numbers)
	s.channel = ((s.channel+channels)%count + count) % count
}

// nextNumber edits the next number of the input in a direction, 1 or -1.
func (s *sketch) nextNumber(direction int) {
	s.next(direction)
	for !s.isNumber() {
		s.next(direction)
	}
}
