// Ranges, ticks and labels.

package plot

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/tui/theme"
)

// rounding is far above the error of a few operations and far below a row.
const rounding = 1e-6

// ranges returns spans of all signs, sizes and proportions.
func ranges() []span {
	var s []span
	for _, size := range []float64{1e-290, 1e-12, 0.003, 1, 7, 12345, 1e9, 1e290} {
		for _, r := range []span{{0, 1}, {-1, 1}, {-0.3, 0.9}, {2, 3}, {-5, -4.1}, {0.01, 1}, {1, 1.001}} {
			s = append(s, span{r.lo * size, r.hi * size})
		}
	}
	return s
}

func TestRowAxisCoversTheData(t *testing.T) {
	for _, s := range ranges() {
		for rows := 2; rows <= 45; rows++ {
			a := rowAxis(s, rows, false, false, false)
			slack := rounding * (s.hi - s.lo)
			if a.lo > s.lo+slack || a.hi < s.hi-slack {
				t.Fatalf("%v on %d rows: axis [%g, %g]", s, rows, a.lo, a.hi)
			}
		}
	}
}

func TestRowAxisFillsItsRows(t *testing.T) {
	const least = 0.75 // of the axis; the remaining rows are the price of round ticks
	for _, s := range ranges() {
		for rows := 4; rows <= 45; rows++ {
			a := rowAxis(s, rows, false, false, false)
			if used := (s.hi - s.lo) / (a.hi - a.lo); used < least {
				t.Fatalf("%v on %d rows uses %.2f of [%g, %g]", s, rows, used, a.lo, a.hi)
			}
		}
	}
}

func TestRowAxisHasAtLeastTwoTicks(t *testing.T) {
	for _, s := range ranges() {
		for rows := 5; rows <= 45; rows++ {
			if a := rowAxis(s, rows, false, false, false); len(a.ticks) < 2 {
				t.Fatalf("%v on %d rows: %d ticks", s, rows, len(a.ticks))
			}
		}
	}
}

func TestPinnedEndsStay(t *testing.T) {
	for _, s := range ranges() {
		for _, log := range []bool{false, true} {
			if log && math.Abs(s.hi) > 300 {
				continue // no such logarithm
			}
			for rows := 2; rows <= 45; rows++ {
				if a := rowAxis(s, rows, true, true, log); a.lo != s.lo || a.hi != s.hi {
					t.Fatalf("%v became [%g, %g]", s, a.lo, a.hi)
				}
				if s.lo > 0 && s.lo < 0.2*s.hi {
					continue
				}
				if a := rowAxis(s, rows, true, false, log); a.lo != s.lo {
					t.Fatalf("low end of %v became %g", s, a.lo)
				}
				if a := rowAxis(s, rows, false, true, log); a.hi != s.hi {
					t.Fatalf("high end of %v became %g", s, a.hi)
				}
			}
		}
	}
}

func TestLogRowAxisCoversTheData(t *testing.T) {
	for _, s := range []span{{-3, 0}, {-0.2, 0.1}, {-15.3, -2.2}, {0, 300}, {2.05, 2.1}, {-300, 300}} {
		for rows := 2; rows <= 45; rows++ {
			a := rowAxis(s, rows, false, false, true)
			if a.lo > s.lo+rounding || a.hi < s.hi-rounding {
				t.Fatalf("%v on %d rows: axis [%g, %g]", s, rows, a.lo, a.hi)
			}
		}
	}
}

func labels(a axis) (l []string) {
	for _, t := range a.ticks {
		l = append(l, t.label)
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
		{"small decades", labels(columnAxis(-6, -3, 60, true)), "1e-06 1e-05 1e-04 1e-03"},
		{"within two decades", labels(columnAxis(math.Log10(64), math.Log10(1024), 60, true)), "100 200 500 1000"},
		{"linear rows", labels(rowAxis(span{0, 1}, 11, false, false, false)), "0.0 0.2 0.4 0.6 0.8 1.0"},
		{"tiny rows", labels(rowAxis(span{0, 1e-5}, 11, false, false, false)), "0 2e-06 4e-06 6e-06 8e-06 1e-05"},
	} {
		if got := strings.Join(c.got, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTicksOfAllRangesHaveDifferentLabels(t *testing.T) {
	for _, s := range ranges() {
		for _, rows := range []int{5, 11, 25, 40} {
			l := labels(rowAxis(s, rows, false, false, false))
			slices.Sort(l)
			if len(slices.Compact(l)) != len(rowAxis(s, rows, false, false, false).ticks) {
				t.Errorf("%v on %d rows: %v", s, rows, l)
			}
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

func TestFewDipsDoNotSetALogarithmicAxis(t *testing.T) {
	y := make([]float64, 1000)
	for i := range y {
		y[i] = 0.01 * (1 + 0.5*math.Sin(float64(i)))
	}
	y[500] = 1e-18
	l := bare(y, 76, 14)
	l.LogY = true
	if s := l.Render(); strings.Contains(s, "e-1") {
		t.Errorf("one dip to 1e-18 sets the scale:\n%s", s)
	}
}

// An axis whose labels leave no room for its name drops some of them but no ticks. Logarithmic axes are named so.
func TestNameOfAnAxisIsShown(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		values[i] = 0.01 * math.Pow(20, float64(i)/99)
	}
	for _, width := range []int{36, 40, 60, 100} {
		h := Histogram{Values: values, Log: true, Width: width, Height: 10, XLabel: "relative error",
			Theme: theme.New(theme.Options{ASCII: true, NoColor: true})}
		lines := strings.Split(ansi.Strip(h.Render()), "\n")
		axis, labels := lines[len(lines)-2], lines[len(lines)-1]
		ticks, numbers := strings.Count(axis[4:], "+"), len(regexp.MustCompile(`[0-9.]+`).FindAllString(labels, -1))
		if !strings.Contains(labels, "error (log)") || ticks != numbers {
			t.Errorf("%d columns, %d ticks, %d labels:\n%s", width, ticks, numbers, strings.Join(lines, "\n"))
		}
	}
}

func TestLogRowAxisFillsItsRows(t *testing.T) {
	const least = 0.75 // of the axis
	for length := 0.3; length < 30; length += 0.35 {
		for _, lo := range []float64{-12.3, -3, 0.1} {
			for rows := 4; rows <= 45; rows++ {
				s := span{lo, lo + length}
				a := rowAxis(s, rows, false, false, true)
				if used := length / (a.hi - a.lo); used < least || a.lo > s.lo+rounding || a.hi < s.hi-rounding {
					t.Fatalf("%v on %d rows uses %.2f of [%g, %g]", s, rows, used, a.lo, a.hi)
				}
				if len(a.ticks) < 2 && rows >= 5 {
					t.Fatalf("%v on %d rows: %d ticks", s, rows, len(a.ticks))
				}
			}
		}
	}
}

// A logarithmic axis is named as such before all its ticks get labels.
func TestLogarithmicAxesSaySo(t *testing.T) {
	l := Line{Width: 36, Height: 8, X0: 9, X1: 257, LogX: true, XLabel: "K", Theme: theme.New(theme.Options{ASCII: true}),
		Series: []Series{{X: []float64{9, 257}, Y: []float64{1, 2}}}}
	if text := l.Render(); !strings.Contains(text, "K (log)") {
		t.Errorf("nothing says that the axis is logarithmic:\n%s", text)
	}
}
