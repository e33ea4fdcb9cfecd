package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/show/report"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// example returns a page with more text than a small screen has lines.
func example(figures, rows int) report.Page {
	p := report.Page{Name: "example", Heading: "what was found", Notes: []string{"the last words"},
		Tables: []report.Table{{Title: "numbers", Header: []string{"name", "value"}}}}
	for i := range rows {
		p.Tables[0].Rows = append(p.Tables[0].Rows, []string{fmt.Sprintf("row %d", i), "0.5"})
	}
	for i := range figures {
		p.Figures = append(p.Figures, report.Figure{Title: fmt.Sprintf("figure %d", i),
			Curves: []report.Curve{{X: []float64{0, 1}, Y: []float64{0, 1}}}})
	}
	return p
}

// Pictures of new data come more rarely on a line that may be slow.
func TestPaceOnASlowLine(t *testing.T) {
	pace := func(o theme.Options) time.Duration {
		p := example(2, 0)
		v := View{}
		v.Arrange(ui.Canvas{Width: 120, Height: 40, Theme: theme.New(o)}, 0, p)
		v.Draw(nil)
		return v.Pace(false)
	}
	near := pace(theme.Options{})
	far := pace(theme.Options{Coarse: true})
	if far < 3*near {
		t.Errorf("pictures %v apart on a slow line, %v apart on others", far, near)
	}
}

// A page fits any size, and turning and scrolling reach all of its pictures and text.
func TestEverythingOfAPageIsReached(t *testing.T) {
	on := theme.New(theme.Options{})
	for _, figures := range []int{0, 1, 3} {
		for width := 40; width <= 200; width += 23 {
			for height := 10; height <= 60; height += 9 {
				p, v := example(figures, 40), View{}
				unseen := []string{"what was found", "row 0 ", "row 39 ", "the last words"}
				for i := range figures {
					unseen = append(unseen, fmt.Sprintf("figure %d", i))
				}
				for range 60 {
					if len(unseen) == 0 {
						break
					}
					v.Arrange(ui.Canvas{Theme: on, Width: width, Height: height}, 0, p)
					text := ansi.Strip(v.Draw(nil))
					lines := strings.Split(text, "\n")
					if len(lines) > height {
						t.Fatalf("%dx%d: %d lines", width, height, len(lines))
					}
					for _, line := range lines {
						if ansi.StringWidth(line) > width {
							t.Fatalf("%dx%d: %q", width, height, line)
						}
					}
					unseen = slices.DeleteFunc(unseen, func(want string) bool { return strings.Contains(text, want) })
					for _, key := range []ui.Key{ui.KeyView, ui.KeyPageDown} {
						list := v.Commands(ui.KeyPageDown)
						if c, ok := ui.Find(list, key); ok && c.Why == "" {
							c.Do()
						}
					}
				}
				if len(unseen) > 0 {
					t.Errorf("%dx%d, %d figures: %q are never seen", width, height, figures, unseen)
				}
			}
		}
	}
}

// If a page becomes shorter than its scroll position, its end is shown and not the empty space below.
func TestPageThatBecomesShorterStaysInView(t *testing.T) {
	on, v := theme.New(theme.Options{}), View{}
	long := example(0, 100)
	for range 10 {
		v.Arrange(ui.Canvas{Theme: on, Width: 60, Height: 15}, 0, long)
		if c, ok := ui.Find(v.Commands(ui.KeyPageDown), ui.KeyPageDown); ok {
			c.Do()
		}
	}
	v.Arrange(ui.Canvas{Theme: on, Width: 60, Height: 15}, 0, example(0, 20))
	text := v.Draw(nil)
	if !strings.Contains(text, "the last words") {
		t.Errorf("nothing is left:\n%s", text)
	}
}

// With zoom one picture fills the page, and the others follow.
func TestZoomShowsOnePictureAtATime(t *testing.T) {
	on, v, p, seen := theme.New(theme.Options{Zoom: true}), View{}, example(3, 40), ""
	for range 3 {
		v.Arrange(ui.Canvas{Theme: on, Width: 120, Height: 40}, 0, p)
		text := ansi.Strip(v.Draw(nil))
		if n := strings.Count(text, "figure ") - strings.Count(text, "v shows figure"); n != 1 || strings.Contains(text, "row 1") {
			t.Errorf("%d pictures:\n%s", n, text)
		}
		seen += text
		if c, ok := ui.Find(v.Commands(), ui.KeyView); !ok || c.Why != "" {
			t.Fatal("there is no way to the next picture")
		} else {
			c.Do()
		}
	}
	for i := range 3 {
		if !strings.Contains(seen, fmt.Sprintf("figure %d", i)) {
			t.Errorf("figure %d is never seen", i)
		}
	}
}

// Columns of numbers that do not fit are left out whole, because the beginning of a number is another number.
func TestTablesLeaveOutWholeColumns(t *testing.T) {
	th := theme.New(theme.Options{NoColor: true})
	numbers := report.Table{
		Header: []string{"name", "first", "second"},
		Rows:   [][]string{{"a", "0.123456", "0.654321"}},
	}
	for width, want := range map[int]string{
		30: "name     first    second|a     0.123456  0.654321",
		20: "name   first …|a     0.123456",
	} {
		lines := table(th, numbers, width)
		for i, line := range lines {
			lines[i] = strings.TrimSpace(ansi.Strip(line))
		}
		if got := strings.Join(lines, "|"); got != want {
			t.Errorf("in %d cells %q, want %q", width, got, want)
		}
	}
}
