// This file deduces the meaning of the axes of an array from its shape.

package pairs

import (
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/npy"
)

// array is an array of a file, or a part of one, with inputs, outputs or both.
type array struct {
	npy.Member
	output bool
	// axes has a letter for each axis: n counts functions, x and y the points of their grid, c channels, s the sides of
	// pairs (inputs, outputs); a blank has length one. Functions of one variable among fields depend on x or y. Functions
	// at points of any geometry have axes p, or q if they are inputs at other points than outputs.
	axes    string
	dims    int // variables of the functions; 0: parameters
	points  int // along the first axis of their grid, both ends counted
	columns int // along the second one
	first   int // of the points q of all inputs, the first of this array
}

// axis returns the index of the axis with a letter, or -1.
func (p array) axis(letter byte) int { return strings.IndexByte(p.axes, letter) }

// size returns the length of the axis with a letter, or 1 if the array does not have it.
func (p array) size(letter byte) int {
	if d := p.axis(letter); d >= 0 {
		return p.Shape[d]
	}
	return 1
}

// along returns the axes of the array with the given parts of positions, 0 for other letters.
func (p array) along(parts map[rune]npy.Axis) []npy.Axis {
	at := npy.Along(make([]int, len(p.Shape))...)
	for d, letter := range p.axes {
		if part := parts[letter]; part != nil {
			at[d] = part
		}
	}
	return at
}

// layout reports whether functions or their points come first; a single function has both layouts.
func (p array) layout() string {
	points := strings.IndexAny(p.axes, "xypq")
	if points >= 0 && points < p.axis('n') {
		return config.PointsFirst
	}
	return config.FunctionsFirst
}

// words formats the shape for people, such as (K, count, 2), without axes of length one that mean nothing.
func (p array) words() string {
	points := "K"
	if p.dims == 2 {
		points = "r"
	}
	var all []string
	for d, letter := range p.axes {
		switch letter {
		case 'n':
			all = append(all, "count")
		case 'x', 'y':
			all = append(all, points)
		case 'c':
			all = append(all, fmt.Sprint(p.size('c')))
		case 's':
			all = append(all, "2")
		case 'p':
			all = append(all, "points")
		case 'q':
			all = append(all, fmt.Sprint(p.Shape[d]))
		}
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// channels returns the number of functions of each pair in the array: channels, or sides.
func (p array) channels() int { return p.size('c') * p.size('s') }

// text describes the axes of an array for people, with its name.
func (f *Functions) text(p array) string {
	text := strings.TrimSpace(p.Name + " " + p.words())
	switch {
	case f.NumbersAlone:
	case p.dims == 0:
		text += ", constants"
	case p.dims < f.Domain.Dims:
		letter := byte('y')
		if p.axis('x') >= 0 {
			letter = 'x'
		}
		text += " along the " + f.side(letter) + " axis"
	case !f.onGrid(p):
		own := f.domain(p.dims, p.points, p.columns)
		text += " on " + own.Grid(p.points)
	}
	return text
}

// Orders of axes, the likeliest first; the dot stands for the axes of a function.
var (
	namedOrders  = []string{"n.", ".n"}
	inputOrders  = []string{"n.", ".", ".n"}
	singleOrders = []string{".ns", "ns.", "n.s", "sn.", "s.n", ".sn"} // of both sides in one array
)

// functionAxes lists the axes of a function of two variables, one or none, without and with channels.
var functionAxes = []string{"c", "x", "xc", "cx", "xy", "xyc", "cxy", ""}

// mostParameters is the largest number of parameters of an input, and of channels in one array: grids have more points.
const mostParameters = 8

// describe finds the axes of an array of functions in an order. An array that may be lifted holds parameters or
// functions of fewer variables if its shape suggests that. The error is a *fault.Data.
func (f *Functions) describe(p *array, order string, lifted bool) error {
	hasSides := strings.Contains(order, "s")
	mayHaveChannels := !hasSides && order != "."
	for _, axes := range functionAxes {
		p.dims = len(strings.ReplaceAll(axes, "c", ""))
		isLifted := p.dims < f.Domain.Dims
		if p.dims > f.Domain.Dims || isLifted && !lifted {
			continue
		}
		if strings.Contains(axes, "c") && !mayHaveChannels {
			continue
		}
		if p.fit(strings.Replace(order, ".", axes, 1), lifted) {
			f.setPoints(p)
			return nil
		}
	}
	remedy := fmt.Sprintf("give functions of one variable, with at most %d channels", mostParameters)
	if f.Domain.Dims == 2 {
		const format = "give fields of two variables, with at most %d channels and four points along an axis for each channel"
		remedy = fmt.Sprintf(format, mostParameters)
	}
	if hasSides {
		remedy = "arrange inputs and outputs with numpy.stack([inputs, outputs], axis=1)"
	}
	expected := expectedShapes(f.Domain.Dims, hasSides)
	return fault.Bad(npy.Place(f.File, p.Name), remedy, "has shape %v, want %s", p.Shape, expected)
}

// expectedShapes names the shapes of arrays of functions of one or two variables, of both sides of pairs or one.
func expectedShapes(dims int, hasSides bool) string {
	switch {
	case hasSides && dims == 1:
		return "(count, 2, K) or (K, count, 2)"
	case hasSides:
		return "(count, 2, r, r) or (r, r, count, 2)"
	case dims == 1:
		return "(count, K), (count, K, channels) or (K, count)"
	}
	return "(count, r, r), (count, r, r, channels) or (r, r, count)"
}

// setPoints counts the points along the axes of an array that has dims and letters, with the end that the file omits.
func (f *Functions) setPoints(p *array) {
	p.points = p.size('x')
	p.columns = p.size('y')
	if p.dims == 1 { // along x or y
		p.points *= p.columns
		p.columns = 1
	}
	if p.dims > 0 && !f.Endpoint {
		p.points++
		p.columns += p.dims - 1
	}
}

// fit gives the axes the letters of an order, and blanks to axes of length one, from the last one on, where there are
// more axes than letters. It reports whether their lengths suit the letters.
func (p *array) fit(order string, lifted bool) bool {
	surplus := len(p.Shape) - len(order)
	axes := make([]byte, len(p.Shape))
	for d := len(p.Shape) - 1; d >= 0; d-- {
		switch {
		case surplus > 0 && p.Shape[d] == 1:
			axes[d] = ' '
			surplus--
		case surplus < 0 || d < surplus:
			return false
		default:
			axes[d] = order[d-surplus]
		}
	}
	p.axes = string(axes)
	return surplus == 0 && p.suits(order, lifted)
}

// suits reports whether the lengths of the axes suit their letters, which stand in an order.
func (p *array) suits(order string, lifted bool) bool {
	n := p.size('n')
	c := p.size('c')
	x := p.size('x')
	y := p.size('y')
	isSquare := p.dims == 2 && x == y && x > c // needs fewer points to be told from channels
	switch {
	case p.dims > 0 && x < 3:
		return false
	case p.dims == 2 && y < 3:
		return false
	case p.axis('s') >= 0 && p.size('s') != 2:
		return false
	case p.axis('c') < 0:
		return p.dims < 2 || !lifted || x == y || min(x, y) > mostParameters
	case p.dims == 0:
		return c > 1 && c <= mostParameters
	case p.dims == 1:
		y = x
		isField := n == c || n == x && order == "cxn" && !lifted // a small one on a square
		if c > 2 && isField {
			return false
		}
	}
	hasFew := c > 1 && c <= mostParameters
	isGrid := isSquare || min(x, y) > mostParameters
	return hasFew && isGrid || isSquare && 4*c <= x
}

// axesOf returns the meaning of the axes of all arrays in one text, as in "nx,nc->nx": a letter for each axis, as in
// array.axes, and 1 for an axis of length one. It is empty for functions without a reading.
func (f *Functions) axesOf() string {
	var text strings.Builder
	for i, p := range f.all {
		switch {
		case i == 0:
		case p.output && !f.all[i-1].output:
			text.WriteString("->")
		default:
			text.WriteString(",")
		}
		text.WriteString(strings.ReplaceAll(p.axes, " ", "1"))
	}
	return text.String()
}

// asWritten gives the arrays the axes of a text of axesOf. The error is a *fault.Data.
func (f *Functions) asWritten(text string) error {
	const do = "name the axes of each array, as in data.axes = nx,nc->nx, or leave data.axes empty"
	if err := f.giveAxes(text, do, f.unsuitable); err != nil {
		return err
	}
	for i := range f.all {
		p := &f.all[i]
		p.dims = 0
		for _, letter := range "xy" {
			if p.axis(byte(letter)) >= 0 {
				p.dims++
			}
		}
		f.setPoints(p)
	}
	f.placed = true
	return nil
}

// giveAxes gives the arrays the axes of a text of axesOf. Inputs of a trained model have the part before the arrow, and
// a single one may come without the axis that counts functions. unsuitable tells why axes do not suit their array; empty
// if they do. The error is a *fault.Data with the advice do.
func (f *Functions) giveAxes(text, do string, unsuitable func(array) string) error {
	inputs, outputs, _ := strings.Cut(text, "->")
	all := strings.Split(inputs, ",")
	if outputs != "" && !f.Alone {
		all = append(all, strings.Split(outputs, ",")...)
	}
	if len(all) != len(f.all) {
		return fault.Bad(
			f.File, do,
			"has %d arrays of inputs and outputs, but data.axes = %s has axes for %d", len(f.all), text, len(all),
		)
	}
	for i := range f.all {
		p := &f.all[i]
		p.axes = strings.ReplaceAll(strings.TrimSpace(all[i]), "1", " ")
		single := strings.Replace(p.axes, "n", "", 1)
		if f.Alone && len(p.Shape) == len(single) {
			p.axes = single
		}
		if why := unsuitable(*p); why != "" {
			written := strings.ReplaceAll(p.axes, " ", "1")
			return fault.Bad(
				npy.Place(f.File, p.Name), do,
				"has shape %v, which does not suit the axes %s: %s", p.Shape, written, why,
			)
		}
		count := f.all[0].size('n')
		if p.size('n') != count {
			return fault.Bad(
				f.File, do,
				"has %d functions in %q, want %d as in the arrays before", p.size('n'), p.Name, count,
			)
		}
	}
	return nil
}

// unsuitable tells why the letters of an array's axes do not suit its shape; empty if they do.
func (f *Functions) unsuitable(p array) string {
	if len(p.axes) != len(p.Shape) {
		return fmt.Sprintf("it has %d axes", len(p.Shape))
	}
	for d, letter := range p.axes {
		length := p.Shape[d]
		switch {
		case letter != ' ' && !strings.ContainsRune("nxycs", letter):
			return fmt.Sprintf("%q is none of n, x, y, c, s and 1", letter)
		case letter != ' ' && strings.Count(p.axes, string(letter)) > 1:
			return fmt.Sprintf("%c is there twice", letter)
		case letter == ' ' && length != 1:
			return fmt.Sprintf("axis %d has %d values", d, length)
		case strings.ContainsRune("xy", letter) && length < 3:
			return fmt.Sprintf("axis %d has %d points, want at least 3", d, length)
		case letter == 's' && length != 2:
			return fmt.Sprintf("axis %d has %d sides, want 2: inputs and outputs", d, length)
		case letter == 'y' && f.Domain.Dims == 1:
			return "functions of one variable have no axis y"
		case letter == 'n' && length < 1:
			return "it is empty"
		}
	}
	return ""
}

// Trained returns the source of inputs whose arrays have the axes of training pairs, see Source.Axes. ok is false if the
// file has no such arrays.
func (s Source) Trained(axes string) (known Source, ok bool) {
	inputs, _, _ := strings.Cut(axes, "->")
	all := strings.Split(inputs, ",")
	names := namesIn(s.Open, s.Input)
	only, err := s.Open.Only()
	if err == nil && len(names) == 1 && !strings.Contains(s.Input, "(") { // the array may have any name
		base, part, isPart := strings.Cut(names[0], "[")
		switch {
		case s.Open.Has(base): // a list of numbers, too, which is not the only array of functions
		case isPart:
			names[0] = only.Name + "[" + part
			s.Input = names[0]
		default:
			names[0] = only.Name
			s.Input = quoted(only.Name)
		}
	}
	if len(names) != len(all) {
		return s, false
	}
	side := strings.IndexByte(inputs, 's')
	if side >= 0 { // inputs are the first of both sides
		m := Lookup(s.Open, names[0])
		if len(m.Shape) == len(inputs) && m.Shape[side] == 2 {
			s.Input = names[0] + Entry(len(m.Shape), side, "0")
		}
		axes = strings.Replace(axes, "s", "", 1)
		inputs, _, _ = strings.Cut(axes, "->")
		all = []string{inputs}
		names = namesIn(s.Open, s.Input)
	}
	for i, name := range names {
		m := Lookup(s.Open, name)
		if isOneNumber(all[i]) && m.Readable() {
			if npy.LongAxes(m.Shape) > 1 {
				return s, false
			}
			all[i] = axesOfOneNumber(m.Shape)
		}
		axes := len(all[i])
		fits := len(m.Shape) == axes || len(m.Shape) == axes-1
		if !m.Readable() || !fits {
			return s, false
		}
	}
	_, outputs, _ := strings.Cut(axes, "->")
	s.Axes = strings.Join(all, ",") + "->" + outputs
	return s, true
}

// AreNumbers reports whether all inputs with the axes of training pairs are numbers, and none a function.
func AreNumbers(axes string) bool {
	inputs, _, _ := strings.Cut(axes, "->")
	return inputs != "" && !strings.ContainsAny(inputs, "xyspq")
}

// isOneNumber reports whether the axes of an array are those of one number for each pair.
func isOneNumber(axes string) bool { return strings.Trim(axes, "1") == "n" }

// axesOfOneNumber returns the axes of an array of one number for each pair, whatever axes of length one it has.
func axesOfOneNumber(shape []int) string {
	pairs := max(0, slices.IndexFunc(shape, func(n int) bool { return n != 1 }))
	letters := strings.Repeat("1", max(1, len(shape)))
	return letters[:pairs] + "n" + letters[pairs+1:]
}
