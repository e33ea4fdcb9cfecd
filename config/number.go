package config

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// parseReal reads a real number, which may be a product, quotient or sum such as 2*pi, 1/3 or 4*(1 + pi).
func parseReal(text string) (v float64, ok bool) {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v, true
	}
	const longest = 200 // letters, which bound the depth of parentheses, too
	if len(text) > longest {
		return 0, false
	}
	r := &sumReader{rest: strings.ReplaceAll(text, " ", ""), ok: true}
	v = r.sum()
	return v, r.ok && r.rest == "" && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// parseSeconds reads a time with units, such as 90s, 5m or 1h30m.
func parseSeconds(text string) (v float64, ok bool) {
	d, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	return d.Seconds(), err == nil
}

// sumReader reads arithmetic from the front of a text. The grammar is that of equations without names.
type sumReader struct {
	rest string
	ok   bool
}

// take removes a word from the front, if it is there.
func (r *sumReader) take(word string) bool {
	rest, found := strings.CutPrefix(r.rest, word)
	if found {
		r.rest = rest
	}
	return found
}

func (r *sumReader) sum() float64 {
	v := r.product()
	for {
		if r.take("+") {
			v += r.product()
		} else if r.take("-") {
			v -= r.product()
		} else {
			return v
		}
	}
}

func (r *sumReader) product() float64 {
	v := r.power()
	for {
		switch {
		case strings.HasPrefix(r.rest, "**"): // a power without its base
			r.ok = false
			return v
		case r.take("*"):
			v *= r.power()
		case r.take("/"):
			v /= r.power()
		default:
			return v
		}
	}
}

func (r *sumReader) power() float64 {
	if r.take("-") {
		return -r.power()
	}
	base := r.operand()
	if r.take("^") || r.take("**") {
		return math.Pow(base, r.power())
	}
	return base
}

func (r *sumReader) operand() float64 {
	if r.take("pi") {
		return math.Pi
	}
	if r.take("sqrt(") {
		return math.Sqrt(r.closed())
	}
	if r.take("(") {
		return r.closed()
	}
	digits := words.FindStringIndex(r.rest)
	if digits == nil || digits[0] != 0 {
		r.ok = false
		return 0
	}
	v, err := strconv.ParseFloat(r.rest[:digits[1]], 64)
	r.ok = r.ok && err == nil
	r.rest = r.rest[digits[1]:]
	if strings.HasPrefix(r.rest, "pi") || strings.HasPrefix(r.rest, "(") { // 2pi
		r.rest = "*" + r.rest
	}
	return v
}

// closed reads a sum and the parenthesis behind it.
func (r *sumReader) closed() float64 {
	v := r.sum()
	r.ok = r.take(")") && r.ok
	return v
}
