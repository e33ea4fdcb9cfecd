package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
)

// Values beyond ±Largest are drawn as out of range, values and ranges below Smallest as zero, so that no arithmetic on
// an axis overflows.
const (
	Largest  = 1e300
	Smallest = 1e-300
)

// Axis maps a coordinate to [lo, hi]. On a logarithmic axis coordinates, lo and hi are decimal logarithms.
type Axis struct {
	Lo    float64
	Hi    float64
	Log   bool
	Ticks []Tick
}

// Tick is a marked coordinate of an axis.
type Tick struct {
	At    float64 // coordinate
	Label string
}

// mostEmpty is the share of an axis that may be left empty so that ticks fall on rows.
const mostEmpty = 0.2

// Coordinate transforms a value; on a logarithmic axis values that are not positive become -Inf.
func Coordinate(v float64, log bool) float64 {
	switch {
	case !log:
		return v
	case v < Smallest:
		return math.Inf(-1)
	case v > Largest:
		return math.Inf(1)
	}
	return math.Log10(v)
}

// Fraction returns 0 at lo and 1 at hi. Halves avoid overflow of the differences.
func (a Axis) Fraction(c float64) float64 {
	part := c/2 - a.Lo/2
	whole := a.Hi/2 - a.Lo/2
	return part / whole
}

// Span collects the range of finite coordinates.
type Span struct {
	Lo float64
	Hi float64
}

// newSpan returns an empty range.
func newSpan() Span {
	return Span{
		Lo: math.Inf(1),
		Hi: math.Inf(-1),
	}
}

// Add reports whether c is finite, and so in the range.
func (s *Span) Add(c float64) bool {
	finite := math.Abs(c) <= Largest
	if !finite {
		return false
	}
	s.Lo = min(s.Lo, c)
	s.Hi = max(s.Hi, c)
	return true
}

func (s Span) Empty() bool { return s.Lo > s.Hi }

// Widened returns s with a length that labels can resolve: a nearly constant range gets a margin of ten percent of its
// value on both sides, or half a decade.
func (s Span) Widened(log bool) Span {
	if s.Empty() {
		return Span{0, 1}
	}
	const resolvable = 1e-9 // a narrower range is the errors of computing it
	size := max(math.Abs(s.Lo), math.Abs(s.Hi))
	length := s.Hi - s.Lo
	if length > Smallest && length > resolvable*size {
		return s
	}
	middle := s.Lo/2 + s.Hi/2
	if log {
		return Span{middle - 0.5, middle + 0.5}
	}
	pad := 0.1 * math.Abs(middle)
	if pad < Smallest {
		return Span{-1, 1}
	}
	return Span{middle - pad, middle + pad}
}

// Pinned returns the range of an axis: s widened, but with the given ends. An end that is nil or not finite follows the
// data, or the other end if all data are beyond that.
func (s Span) Pinned(lo, hi *float64, log bool) Span {
	s = s.Widened(log)
	low := lo != nil && shows(*lo, log)
	high := hi != nil && shows(*hi, log)
	if low {
		s.Lo = Coordinate(*lo, log)
	}
	if high {
		s.Hi = Coordinate(*hi, log)
	}
	switch {
	case s.Lo < s.Hi:
	case high:
		s.Lo = Span{s.Hi, s.Hi}.Widened(log).Lo
	case low:
		s.Hi = Span{s.Lo, s.Lo}.Widened(log).Hi
	}
	return s
}

// niceMantissas are the mantissas of steps between ticks.
var niceMantissas = [...]float64{1, 2, 2.5, 5}

// power returns m * 10^k, correctly rounded.
func power(m float64, k int) float64 {
	text := strconv.FormatFloat(m, 'g', -1, 64) + "e" + strconv.Itoa(k)
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.Inf(1)
	}
	return v
}

// niceStep returns the smallest nice step that is at least least.
func niceStep(least float64) float64 {
	for e := decadeOf(least); ; e++ {
		for _, m := range niceMantissas {
			step := power(m, e)
			if step >= least*(1-1e-9) {
				return step
			}
		}
	}
}

// linearTicks returns the multiples of step in [lo, hi].
func linearTicks(lo, hi, step float64) []Tick {
	const slack = 1e-6
	const most = 1000
	first := math.Ceil(lo/step - slack)
	last := math.Floor(hi/step + slack)
	few := last-first < most
	if !few { // or not a number
		return nil
	}
	var at []float64
	for i := first; i <= last; i++ {
		at = append(at, i*step)
	}
	return label(at, writeNumbers(at, step))
}

// label pairs coordinates with their labels.
func label(at []float64, labels []string) []Tick {
	ticks := make([]Tick, len(at))
	for i := range at {
		ticks[i] = Tick{At: at[i], Label: labels[i]}
	}
	return ticks
}

// writeNumbers writes multiples of step with the same number of decimals, the fewest that distinguish them; in
// scientific notation (1.2e-3) when decimals would be long. Numbers that are nearly equal, so that each would be long, are
// written as differences from the shortest of them: 1 and +2e-7.
func writeNumbers(values []float64, step float64) []string {
	labels := alike(values, step)
	const (
		long   = 7  // letters
		nearly = 10 // sizes of the range
	)
	isLong := slices.ContainsFunc(labels, func(label string) bool { return len(label) > long })
	if isLong && floats.Norm(values, math.Inf(1)) > nearly*(values[len(values)-1]-values[0]) {
		return differences(values, step)
	}
	return labels
}

// differences writes ascending multiples of step as the shortest of them and differences from it.
func differences(values []float64, step float64) []string {
	base := 0
	shortest := ""
	for i, v := range values {
		digits, _ := digitsFor([]float64{v}, step, 'e', mostDigits)
		text := strconv.FormatFloat(v, 'g', digits+1, 64)
		if i == 0 || len(text) < len(shortest) {
			base = i
			shortest = text
		}
	}
	labels := make([]string, len(values))
	for i, v := range values {
		steps := math.Round((v - values[base]) / step)
		difference := strconv.FormatFloat(steps*step, 'g', 3, 64)
		labels[i] = "+" + shortExponent(difference)
		if i < base {
			labels[i] = shortExponent(difference)
		}
	}
	labels[base] = shortExponent(shortest)
	return labels
}

// mostDigits is enough for the narrowest span, see Widened.
const mostDigits = 11

// alike writes multiples of step with the same number of decimals.
func alike(values []float64, step float64) []string {
	size := floats.Norm(values, math.Inf(1))
	const (
		fixedBelow   = 1e6
		mostDecimals = 4 // or as many as in scientific notation take no less room
	)
	scientific, _ := digitsFor(values, step, 'e', mostDigits)
	decimals, ok := digitsFor(values, step, 'f', mostDigits)
	const exponent = 3 // more letters in scientific notation
	if ok && size < fixedBelow && decimals <= max(mostDecimals, scientific+exponent) {
		return format(values, 'f', decimals)
	}
	return format(values, 'e', scientific)
}

// digitsFor returns the fewest digits, at most most, that show each value to within a thousandth of step.
func digitsFor(values []float64, step float64, verb byte, most int) (digits int, ok bool) {
	for digits = range most + 1 {
		rough := func(v float64) bool {
			text := strconv.FormatFloat(v, verb, digits, 64)
			shown, _ := strconv.ParseFloat(text, 64)
			return !(math.Abs(shown-v) <= 1e-3*step)
		}
		if !slices.ContainsFunc(values, rough) {
			return digits, true
		}
	}
	return most, false
}

// format writes the labels of an axis; exponents without the zero of 1e-05, so that they are read and compared at a glance.
func format(values []float64, verb byte, digits int) []string {
	out := make([]string, len(values))
	for i, v := range values {
		text := strconv.FormatFloat(v+0, verb, digits, 64) // -0 + 0 has no sign
		out[i] = shortExponent(text)
		if v == 0 && verb == 'e' {
			out[i] = "0"
		}
	}
	return out
}

// shortExponent shortens 1e-05 to 1e-5 and 1e+00 to 1.
func shortExponent(text string) string {
	text = strings.TrimSuffix(text, "e+00")
	text = strings.Replace(text, "e-0", "e-", 1)
	return strings.Replace(text, "e+0", "e+", 1)
}

// writeDecades writes the values of a logarithmic axis: 0.01, 0.1, 1, 10 while that is short for all of them, otherwise
// 1e-5.
func writeDecades(values []float64) []string {
	out := make([]string, len(values))
	short := true
	for i, v := range values {
		short = short && v >= 0.999e-3 && v < 1e5
		out[i] = strconv.FormatFloat(v, 'f', -1, 64)
	}
	if short {
		return out
	}
	return format(values, 'e', 0)
}

// inUnits writes ticks at seconds with the unit that is best for each: 0.1 us, 10 us, 1 ms, 2 s.
func inUnits(ticks []Tick, log bool) {
	for i := range ticks {
		seconds := ticks[i].At
		if log {
			seconds = math.Pow(10, seconds)
		}
		ticks[i].Label = inUnit(seconds)
	}
}

// inUnit writes seconds with their best unit, and as many digits as tell neighbouring ticks apart.
func inUnit(seconds float64) string {
	const (
		digits = 3
		slack  = 1e-9 // of a power of ten
	)
	unit := "us"
	size := 1e-6
	switch {
	case seconds >= 1-slack:
		unit = "s"
		size = 1
	case seconds >= 1e-3-slack*1e-3:
		unit = "ms"
		size = 1e-3
	}
	return trimZeros(Significant(seconds/size, digits)) + " " + unit
}

// FormatValue writes one number in at most 10 characters for a legend or a marker: three significant digits, 0.0416 or
// 1.23e-05.
func FormatValue(v float64) string {
	if math.IsNaN(v) {
		return "NaN"
	}
	if v == 0 {
		return "0"
	}
	size := math.Abs(v)
	if size < 1e-3 || size >= 1e5 {
		return strconv.FormatFloat(v, 'e', 2, 64)
	}
	decimals := max(0, 2-decadeOf(size))
	return trimZeros(strconv.FormatFloat(v, 'f', decimals, 64))
}

// trimZeros shortens 0.50 to 0.5 and 1.00 to 1.
func trimZeros(s string) string {
	if !strings.Contains(s, ".") || strings.Contains(s, "e") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// decadeOf returns floor(log10 v) for v > 0.
func decadeOf(v float64) int { return int(math.Floor(math.Log10(v))) }

// rowAxis chooses the vertical axis for coordinates in s on the given number of rows, at least 2. A pinned end stays; a
// free end moves outward so that ticks fall on rows exactly: a row is 1/p of a nice step. Where that would leave too
// much of a low plot empty, the range is the range of the data and ticks are drawn on the nearest row.
func rowAxis(s Span, rows int, pinLo, pinHi, log bool) Axis {
	if log {
		return logRowAxis(s, rows, pinLo, pinHi)
	}
	n := float64(rows - 1)
	if !pinLo && s.Lo > 0 && s.Lo < 0.2*s.Hi {
		s.Lo = 0 // close to zero: include the origin
	}
	need := s.Hi/n - s.Lo/n
	pinned := pinLo && pinHi
	if !pinned {
		aligned, fill := alignedRows(s, rows, need, pinLo, pinHi)
		if fill > 1-mostEmpty {
			return aligned
		}
	}
	ticks := linearTicks(s.Lo, s.Hi, niceStep(2*need))
	if len(ticks) < 2 {
		ticks = linearTicks(s.Lo, s.Hi, niceStep(need))
	}
	return Axis{
		Lo:    s.Lo,
		Hi:    s.Hi,
		Ticks: ticks,
	}
}

// alignedRows returns the axis with ticks exactly on rows that leaves the least space empty, with rows of height at
// least need, and its quality: the share of the axis that the data fill, less a penalty for few or odd ticks.
func alignedRows(s Span, rows int, need float64, pinLo, pinHi bool) (best Axis, bestFill float64) {
	n := float64(rows - 1)
	least := max(1, min(2, rows-2), (rows+7)/8) // rows from tick to tick
	const slack = 1e-9
	for e := decadeOf(need) - 1; e <= decadeOf(need)+2; e++ {
		for _, m := range niceMantissas {
			step := power(m, e)
			for p := least; p <= least+3; p++ {
				row := step / float64(p)
				if row < need*(1-slack) {
					continue
				}
				lo, hi := alignedEnds(s, row, n, pinLo, pinHi, false)
				if hi < s.Hi-slack*row || lo > s.Lo+slack*row {
					continue
				}
				fill := need / row
				if m == 2.5 {
					fill -= 0.05
				}
				first := math.Ceil(lo/step - slack)
				last := math.Floor(hi/step + slack)
				if last-first < 1 {
					fill -= 0.5
				}
				if fill > bestFill {
					best = Axis{
						Lo:    lo,
						Hi:    hi,
						Ticks: linearTicks(lo, hi, step),
					}
					bestFill = fill
				}
			}
		}
	}
	return best, bestFill
}

// alignedEnds places n rows of height row over s, on multiples of row unless pinned. Spare rows are added above, and if
// the axis is not logarithmic also below, but not across zero.
func alignedEnds(s Span, row, n float64, pinLo, pinHi, log bool) (lo, hi float64) {
	const slack = 1e-9
	switch {
	case pinLo:
		return s.Lo, s.Lo + n*row
	case pinHi:
		return s.Hi - n*row, s.Hi
	}
	first := math.Floor(s.Lo/row + slack)
	if log {
		return first * row, (first + n) * row
	}
	last := math.Ceil(s.Hi/row - slack)
	spare := n - (last - first)
	below := math.Floor(spare / 2)
	if s.Lo >= 0 {
		below = min(below, first)
	}
	if s.Hi <= 0 {
		below = max(below, spare+last)
	}
	first -= below
	return first * row, (first + n) * row
}

// columnAxis chooses the ticks of a horizontal axis from lo to hi (coordinates) on the given number of columns. The
// range itself does not change.
func columnAxis(lo, hi float64, columns int, log bool) Axis {
	a := Axis{Lo: lo, Hi: hi, Log: log}
	if log {
		whole := Span{Lo: lo, Hi: hi}
		a.Ticks = logTicks(whole, max(2, columns/8))
		return a
	}
	const widest = 5    // the most ticks; more of them are clutter
	half := hi/2 - lo/2 // the whole might overflow
	for most := min(widest, max(2, columns/10)) - 1; ; most-- {
		a.Ticks = linearTicks(lo, hi, niceStep(half/float64(most)*2))
		if len(a.Ticks) < 2 { // a nice step is up to twice as long as asked: it may leave the range
			a.Ticks = linearTicks(lo, hi, niceStep(half/2))
		}
		width := 0 // of a label and the gap after it
		for i := range a.Ticks {
			t := &a.Ticks[i]
			t.Label = trimZeros(t.Label)
			width = max(width, len(t.Label)+2)
		}
		if len(a.Ticks)*width <= columns+width || most <= 1 {
			return a
		}
	}
}

// logRowAxis is rowAxis for decimal logarithms: a row is 1/p decades, or a whole number of decades with a tick on every
// other row. Where that would leave too much empty, the range is the range of the data.
func logRowAxis(s Span, rows int, pinLo, pinHi bool) Axis {
	n := float64(rows - 1)
	const slack = 1e-9
	length := s.Hi - s.Lo
	covers := func(row float64) (Span, bool) {
		lo, hi := alignedEnds(s, row, n, pinLo, pinHi, true)
		all := hi >= s.Hi-slack && lo <= s.Lo+slack
		full := length >= (1-mostEmpty)*(hi-lo)
		return Span{Lo: lo, Hi: hi}, all && full
	}
	most := max(2, min(rows, 8))
	if pinLo && pinHi {
		return logAxis(s, logTicks(s, most))
	}
	for p := math.Floor(n/length + slack); p >= 1; p-- {
		wide, ok := covers(1 / p)
		if ok {
			return logAxis(wide, logTicks(wide, most))
		}
	}
	perRow := length / n // decades
	for decades := math.Ceil(perRow - slack); decades <= 2+perRow; decades++ {
		row := max(1, decades)
		wide, ok := covers(row)
		if ok {
			step := row * float64(min(2, rows-1))
			return logAxis(wide, decadeTicks(wide, step))
		}
	}
	return logAxis(s, logTicks(s, most))
}

// logAxis returns a logarithmic axis.
func logAxis(s Span, ticks []Tick) Axis {
	return Axis{
		Lo:    s.Lo,
		Hi:    s.Hi,
		Log:   true,
		Ticks: ticks,
	}
}

// logTicks returns about most ticks or fewer in s (decimal logarithms): whole decades; within less than two decades 1,
// 2, 5; and if fewer than two remain, multiples of a nice step.
func logTicks(s Span, most int) []Tick {
	length := s.Hi - s.Lo
	const slack = 1e-6
	decades := math.Floor(s.Hi+slack) - math.Ceil(s.Lo-slack)
	if decades >= 2 || length > 3 {
		step := 1.0
		for _, d := range []float64{1, 2, 3, 5, 10, 20, 50, 100, 200} {
			step = d
			if length/d <= float64(most) {
				break
			}
		}
		return decadeTicks(s, step)
	}
	var at []float64
	var values []float64
	for d := math.Floor(s.Lo); d <= s.Hi+slack; d++ {
		for _, m := range []float64{1, 2, 5} {
			c := d + math.Log10(m)
			if c >= s.Lo-slack && c <= s.Hi+slack {
				at = append(at, c)
				values = append(values, power(m, int(d)))
			}
		}
	}
	if len(at) >= 2 {
		return label(at, writeDecades(values))
	}
	lo := math.Pow(10, s.Lo)
	hi := math.Pow(10, s.Hi)
	ticks := linearTicks(lo, hi, niceStep((hi-lo)/float64(most)))
	for i := range ticks {
		ticks[i].At = math.Log10(ticks[i].At)
	}
	return ticks
}

// decadeTicks returns the powers of ten in s whose logarithm is a multiple of step.
func decadeTicks(s Span, step float64) []Tick {
	const slack = 1e-6
	var at []float64
	var values []float64
	for d := math.Ceil(s.Lo/step-slack) * step; d <= s.Hi+slack; d += step {
		v := power(1, int(math.Round(d)))
		if v >= Smallest && v <= Largest {
			at = append(at, d)
			values = append(values, v)
		}
	}
	return label(at, writeDecades(values))
}
