package chart

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/report"
	"rfm/tui/look"
	"rfm/tui/theme"
)

// distribution draws a histogram of values of which one is highlighted, without colours.
func distribution(log bool, width int, current float64, values ...float64) string {
	f := report.Figure{Histogram: true, LogY: log, YLabel: "relative error", Curves: []report.Curve{
		{Name: "samples", Y: values, Role: report.AsError}, {Name: "sample 3", Y: []float64{current}, Points: true}}}
	return ansi.Strip(Figure(look.Look{Theme: theme.New(theme.Options{NoColor: true})}, f, width, 12))
}

// The bars rise from the horizontal axis, in proportion to the counts.
func TestHistogramBarsAreProportional(t *testing.T) {
	text := distribution(false, 44, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3)
	lines := strings.Split(text, "\n")
	var rows []string
	for _, line := range lines[1 : len(lines)-2] {
		if _, bars, ok := strings.Cut(strings.Replace(line, "┤", "│", 1), "│"); ok {
			rows = append(rows, bars)
		}
	}
	columns := len([]rune(rows[0]))
	for bin, count := range []int{8, 0, 4, 0, 2, 1} {
		height := 0.0
		for _, row := range rows {
			height += float64((strings.IndexRune(" ▁▂▃▄▅▆▇█", []rune(row)[bin*columns/6+1])+2)/3) / 8
		}
		if want := float64(count*len(rows)) / 8; math.Abs(height-want) > 0.1 {
			t.Errorf("bin %d is %.2f rows high, want %.2f of %d:\n%s", bin, height, want, len(rows), text)
		}
	}
}

func TestHistogramMarksMedianAndCurrent(t *testing.T) {
	text := distribution(false, 76, 4, 1, 2, 3, 4, 100)
	for _, want := range []string{"▲ median 3", "● sample 3 4"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, "▲") != 2 || strings.Count(text, "●") != 2 {
		t.Errorf("marks are missing on the axis:\n%s", text)
	}
}

func TestHistogramCountsWhatItCannotShow(t *testing.T) {
	text := distribution(true, 90, 1, 1, 2, 0, -1, math.NaN(), math.Inf(1))
	if !strings.Contains(text, "4 not shown") {
		t.Errorf("legend of\n%s", text)
	}
	if text := distribution(true, 76, 1, 0, -1); !strings.Contains(text, "no data") {
		t.Error(text)
	}
}

// On a logarithmic axis, too, the median is the median of the values, as in tables: 2 for 1 and 3, not 1.73.
func TestMedianIsThatOfTheValues(t *testing.T) {
	if text := distribution(true, 76, 1, 1, 3); !strings.Contains(text, "median 2") {
		t.Errorf("legend of\n%s", text)
	}
}

// Every tick of the counts is a whole number, and every size and data have the exact size of the frame.
func TestHistogramOfAnySizeAndData(t *testing.T) {
	for _, values := range [][]float64{nil, {3}, {7, 7, 7}, {1, 2, 3}, {1e-300, 1e300}, {5e-324, 1e-323},
		{math.NaN(), math.Inf(1), 2}, {math.MaxFloat64, -math.MaxFloat64}, {1, 1 + 1e-15, 1 - 1e-15}} {
		for width := 1; width < 130; width += 3 {
			height := 1 + width*7%45
			f := report.Figure{Histogram: true, LogY: width%2 == 0, YLabel: "error", Title: "title", Curves: []report.Curve{
				{Name: "samples", Y: values, Role: report.AsError}, {Name: "sample 1", Y: []float64{float64(width%9 - 4)}}}}
			text := ansi.Strip(Figure(look.Look{Theme: theme.New(theme.Options{NoColor: true})}, f, width, height))
			lines := strings.Split(text, "\n")
			if len(lines) != height {
				t.Fatalf("%v: %d lines, want %d", values, len(lines), height)
			}
			for _, line := range lines {
				if w := ansi.StringWidth(line); w != width {
					t.Fatalf("%v: a line of %d cells, want %d:\n%s", values, w, width, text)
				}
				if !strings.Contains(text, "no data") && regexp.MustCompile(`^ *[0-9]+\.[0-9]*┤`).MatchString(line) {
					t.Errorf("%v: a count with decimals:\n%s", values, text)
				}
			}
		}
	}
}
