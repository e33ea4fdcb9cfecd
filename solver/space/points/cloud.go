// Package points describes functions that are known at points of any geometry: their places, quadrature weights and
// cells, the eigenfunctions of the Laplacian there, and their pictures. No order of points means anything.
package points

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unique"
)

// MostAxes is the largest number of coordinates of a point.
const MostAxes = 3

// Places are the points at which functions are known.
type Places struct {
	Axes    int       // coordinates of a point, 0 to MostAxes; 0: places are not known
	At      []float64 // count x Axes, row-major
	Weights []float64 // of quadrature, count values, positive, with sum 1
	Corners int       // of a cell: 2 (segments), 3 (triangles), 4 (tetrahedra); 0: cells are not known
	Cells   []int     // cells x Corners: numbers of points
}

// Count returns the number of points.
func (p Places) Count() int { return len(p.Weights) }

// Place returns the coordinates of a point; they share memory with p.
func (p Places) Place(point int) []float64 {
	return p.At[point*p.Axes:][:p.Axes]
}

// Check returns what is wrong with the places, in words; empty if nothing is.
func (p Places) Check() string {
	count := p.Count()
	hasCorners := p.Corners >= 2 && p.Corners <= 4
	switch {
	case count == 0:
		return "there are no points"
	case p.Axes < 0 || p.Axes > MostAxes:
		return fmt.Sprintf("points have %d coordinates, want at most %d", p.Axes, MostAxes)
	case len(p.At) != count*p.Axes:
		return fmt.Sprintf("%d points have %d coordinates, want %d each", count, len(p.At), p.Axes)
	case p.Corners != 0 && (!hasCorners || len(p.Cells)%p.Corners != 0):
		return fmt.Sprintf("cells have %d corners, want 2, 3 or 4", p.Corners)
	}
	for _, w := range p.Weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return fmt.Sprintf("a point has the weight %g, want one above 0", w)
		}
	}
	for _, v := range p.At {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "a coordinate is not finite"
		}
	}
	for _, point := range p.Cells {
		if point < 0 || point >= count {
			return fmt.Sprintf("a cell has the corner %d, and there are %d points", point, count)
		}
	}
	return ""
}

// Cloud is the domain of pairs of functions at points. Inputs may be known at other points than outputs. Then a
// function of the cloud has the values of both, those at the points of inputs first: inputs are 0 at the points of
// outputs, and outputs at those of inputs, so that one inner product serves both. Clouds can be compared with ==. The
// zero value is no cloud.
type Cloud struct{ of unique.Handle[content] }

// content is a cloud in a form that can be compared: numbers are packed into strings.
type content struct {
	in  packed
	out packed
}

// packed holds the fields of Places, see text.
type packed struct {
	axes    int
	corners int
	at      string
	weights string
	cells   string
}

// New returns the cloud of inputs and outputs at these points. in is nil if they are the same. It panics if Check
// refuses the places.
func New(in *Places, out Places) Cloud {
	c := content{out: pack(out)}
	if in != nil {
		c.in = pack(*in)
	}
	return Cloud{unique.Make(c)}
}

func pack(p Places) packed {
	wrong := p.Check()
	if wrong != "" {
		panic("points: " + wrong)
	}
	cells := make([]float64, len(p.Cells))
	for i, point := range p.Cells {
		cells[i] = float64(point)
	}
	return packed{
		axes:    p.Axes,
		corners: p.Corners,
		at:      text(p.At),
		weights: text(p.Weights),
		cells:   text(cells),
	}
}

func (p packed) places() Places {
	places := Places{
		Axes:    p.axes,
		At:      numbers(p.at),
		Weights: numbers(p.weights),
		Corners: p.corners,
	}
	for _, point := range numbers(p.cells) {
		places.Cells = append(places.Cells, int(point))
	}
	return places
}

const numberBytes = 8

// text packs numbers into a string, the least significant byte first.
func text(numbers []float64) string {
	bytes := make([]byte, 0, numberBytes*len(numbers))
	for _, v := range numbers {
		bits := math.Float64bits(v)
		bytes = binary.LittleEndian.AppendUint64(bytes, bits)
	}
	return string(bytes)
}

// number returns the i-th number of a text. It is as binary.LittleEndian reads bytes, which would copy those of a text.
func number(text string, i int) float64 {
	s := text[numberBytes*i:][:numberBytes]
	bits := uint64(s[0]) | uint64(s[1])<<8 // the compiler makes one load of these
	bits |= uint64(s[2])<<16 | uint64(s[3])<<24
	bits |= uint64(s[4])<<32 | uint64(s[5])<<40
	bits |= uint64(s[6])<<48 | uint64(s[7])<<56
	return math.Float64frombits(bits)
}

// numbers unpacks a text.
func numbers(text string) []float64 {
	all := make([]float64, len(text)/numberBytes)
	for i := range all {
		all[i] = number(text, i)
	}
	return all
}

// There reports whether c is a cloud.
func (c Cloud) There() bool { return c != Cloud{} }

// Outputs returns the points of outputs.
func (c Cloud) Outputs() Places { return c.of.Value().out.places() }

// Apart reports whether inputs are known at points of their own.
func (c Cloud) Apart() bool { return c.of.Value().in.weights != "" }

// Inputs returns the points of inputs, which may be those of outputs.
func (c Cloud) Inputs() Places {
	if !c.Apart() {
		return c.Outputs()
	}
	return c.of.Value().in.places()
}

// Before returns the number of values of a function before those at the points of outputs.
func (c Cloud) Before() int {
	inputs := c.of.Value().in
	return len(inputs.weights) / numberBytes
}

// Count returns the number of values of a function of one channel.
func (c Cloud) Count() int {
	outputs := len(c.of.Value().out.weights) / numberBytes
	return c.Before() + outputs
}

// OfOutput returns the values at the points of outputs of a function of one channel; they share memory with it.
func (c Cloud) OfOutput(f []float64) []float64 { return f[c.Before():] }

// OfInput returns the values at the points of inputs of a function of one channel; they share memory with it.
func (c Cloud) OfInput(f []float64) []float64 {
	if !c.Apart() {
		return f
	}
	return f[:c.Before()]
}

// Weights returns the weights of quadrature of all values of a function of one channel.
func (c Cloud) Weights() []float64 {
	of := c.of.Value()
	return append(numbers(of.in.weights), numbers(of.out.weights)...)
}

// Inner returns the inner product of two functions of one channel, sum_x w_x f_x g_x.
func (c Cloud) Inner(f, g []float64) float64 {
	of := c.of.Value()
	before := c.Before()
	sum := inner(of.in.weights, f[:before], g[:before])
	return sum + inner(of.out.weights, f[before:], g[before:])
}

func inner(weights string, f, g []float64) float64 {
	sum := 0.0
	for x, v := range f {
		weight := number(weights, x)
		sum += weight * v * g[x]
	}
	return sum
}

// String describes the points for people, as "972 points in the plane" or "42 numbers -> 972 points in the plane".
func (c Cloud) String() string {
	out := c.Outputs().String()
	if !c.Apart() {
		return out
	}
	return c.Inputs().String() + " -> " + out
}

func (p Places) String() string {
	if p.Axes == 0 {
		return fmt.Sprintf("%d values without places", p.Count())
	}
	where := [...]string{1: "on a line", 2: "in the plane", 3: "in space"}[p.Axes]
	return fmt.Sprintf("%d points %s", p.Count(), where)
}

// Equal returns places with equal weights.
func Equal(axes int, at []float64, count int) Places {
	weight := 1 / float64(count)
	return Places{
		Axes:    axes,
		At:      at,
		Weights: slices.Repeat([]float64{weight}, count),
	}
}
