package report

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// rounding is far above the error of a few operations and far below a row.
const rounding = 1e-6

// ranges returns spans of all signs, sizes and proportions.
func ranges() []Span {
	var s []Span
	for _, size := range []float64{1e-290, 1e-12, 0.003, 1, 7, 12345, 1e9, 1e290} {
		for _, r := range []Span{{0, 1}, {-1, 1}, {-0.3, 0.9}, {2, 3}, {-5, -4.1}, {0.01, 1}, {1, 1.001}} {
			s = append(s, Span{r.Lo * size, r.Hi * size})
		}
	}
	return s
}

// An axis covers the data and leaves little empty, and its ticks have different labels.
func TestRowAxisFillsItsRows(t *testing.T) {
	const least = 0.75 // of the axis; the remaining rows are the price of round ticks
	for _, s := range ranges() {
		for rows := 2; rows <= 45; rows++ {
			a := rowAxis(s, rows, false, false, false)
			slack := rounding * (s.Hi - s.Lo)
			if a.Lo > s.Lo+slack || a.Hi < s.Hi-slack || rows >= 4 && (s.Hi-s.Lo)/(a.Hi-a.Lo) < least {
				t.Fatalf("%v on %d rows: axis [%g, %g]", s, rows, a.Lo, a.Hi)
			}
			l := labels(a)
			if slices.Sort(l); len(slices.Compact(l)) != len(a.Ticks) || rows >= 5 && len(a.Ticks) < 2 {
				t.Fatalf("%v on %d rows: %v", s, rows, l)
			}
		}
	}
}

func TestPinnedEndsStay(t *testing.T) {
	for _, s := range ranges() {
		for _, log := range []bool{false, true} {
			if log && math.Abs(s.Hi) > 300 {
				continue // no such logarithm
			}
			for rows := 2; rows <= 45; rows++ {
				if a := rowAxis(s, rows, true, true, log); a.Lo != s.Lo || a.Hi != s.Hi {
					t.Fatalf("%v became [%g, %g]", s, a.Lo, a.Hi)
				}
				if s.Lo > 0 && s.Lo < 0.2*s.Hi {
					continue
				}
				if a := rowAxis(s, rows, true, false, log); a.Lo != s.Lo {
					t.Fatalf("low end of %v became %g", s, a.Lo)
				}
				if a := rowAxis(s, rows, false, true, log); a.Hi != s.Hi {
					t.Fatalf("high end of %v became %g", s, a.Hi)
				}
			}
		}
	}
}

func labels(a Axis) (l []string) {
	for _, t := range a.Ticks {
		l = append(l, t.Label)
	}
	return l
}

func TestTickLabels(t *testing.T) {
	for _, c := range []struct {
		name string
		got  []string
		want string
	}{
		{"unit interval", labels(columnAxis(0, 1, 72, false)), "0 0.25 0.5 0.75 1"},
		{"narrow unit interval", labels(columnAxis(0, 1, 30, false)), "0 0.5 1"},
		{"decades", labels(columnAxis(0, 3, 60, true)), "1 10 100 1000"},
		{"small decades", labels(columnAxis(-6, -3, 60, true)), "1e-6 1e-5 1e-4 1e-3"},
		{"within two decades", labels(columnAxis(math.Log10(64), math.Log10(1024), 60, true)), "100 200 500 1000"},
		{"linear rows", labels(rowAxis(Span{0, 1}, 11, false, false, false)), "0.0 0.2 0.4 0.6 0.8 1.0"},
		{"rows close together", labels(rowAxis(Span{math.Log10(0.0434), math.Log10(0.0447)}, 6, false, false, true)),
			"0.04350 0.04375 0.04400 0.04425 0.04450"},
		{"nearly constant rows", labels(rowAxis(Span{1, 1 + 4e-7}, 5, false, false, false)), "1 +2e-7 +4e-7"},
		{"rows around a round number", labels(rowAxis(Span{-0.1250002, -0.1249998}, 5, false, false, false)), "-2e-7 -0.125 +2e-7"},
		{"tiny rows", labels(rowAxis(Span{0, 1e-5}, 11, false, false, false)), "0 2e-6 4e-6 6e-6 8e-6 1e-5"},
	} {
		if got := strings.Join(c.got, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestFormatValue(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.0416: "0.0416", 1: "1", 12.345: "12.3", 1234: "1234", 1.23456e-5: "1.23e-05", -0.5: "-0.5", 1e9: "1.00e+09",
		100: "100", math.Inf(1): "+Inf", math.Inf(-1): "-Inf",
	} {
		if got := FormatValue(v); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
	if got := FormatValue(math.NaN()); got != "NaN" {
		t.Errorf("NaN: %s", got)
	}
}

func TestLogRowAxisFillsItsRows(t *testing.T) {
	const least = 0.75 // of the axis
	for length := 0.3; length < 30; length += 0.35 {
		for _, lo := range []float64{-12.3, -3, 0.1} {
			for rows := 4; rows <= 45; rows++ {
				s := Span{lo, lo + length}
				a := rowAxis(s, rows, false, false, true)
				if used := length / (a.Hi - a.Lo); used < least || a.Lo > s.Lo+rounding || a.Hi < s.Hi-rounding {
					t.Fatalf("%v on %d rows uses %.2f of [%g, %g]", s, rows, used, a.Lo, a.Hi)
				}
				if len(a.Ticks) < 2 && rows >= 5 {
					t.Fatalf("%v on %d rows: %d ticks", s, rows, len(a.Ticks))
				}
			}
		}
	}
}

// Times are written with the unit that is best for each.
func TestTimesHaveUnits(t *testing.T) {
	for want, seconds := range map[string][]float64{
		"1 us 100 us 10 ms 1 s":              {5e-8, 5e1},
		"180 us 185 us 190 us 195 us 200 us": {1.78e-4, 2.02e-4},
	} {
		f := Figure{
			LogX:   true,
			Timed:  true,
			Curves: []Curve{{X: seconds, Y: []float64{1, 2}}},
		}
		if got := strings.Join(labels(f.Bottom(48)), " "); got != want {
			t.Errorf("seconds %g have the ticks %q, want %q", seconds, got, want)
		}
	}
}
