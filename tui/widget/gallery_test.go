// How pictures are arranged, and turned.

package widget

import (
	"fmt"
	"strings"
	"testing"

	"rfm/tui/layout"
	"rfm/tui/theme"
)

func TestArrangementShowsAsManyAsFit(t *testing.T) {
	least := Size{30, 9}
	for _, test := range []struct {
		width, height, count int
		want                 layout.Shape
	}{
		{72, 30, 4, layout.Shape{Columns: 2, Rows: 2}}, {40, 14, 4, layout.Shape{Columns: 1, Rows: 1}},
		{40, 20, 4, layout.Shape{Columns: 1, Rows: 2}}, {130, 12, 4, layout.Shape{Columns: 4, Rows: 1}},
		{200, 12, 3, layout.Shape{Columns: 3, Rows: 1}},
		{62, 9, 2, layout.Shape{Columns: 2, Rows: 1}}, {1, 1, 4, layout.Shape{Columns: 1, Rows: 1}},
		{130, 30, 1, layout.Shape{Columns: 1, Rows: 1}},
	} {
		if got := Arrange(test.width, test.height, test.count, least); got != test.want {
			t.Errorf("%d pictures in %dx%d: %v, want %v", test.count, test.width, test.height, got, test.want)
		}
	}
}

// Turning shows every picture, whatever the size.
func TestTurningShowsEveryPicture(t *testing.T) {
	th := theme.New(theme.Options{})
	least := Size{30, 9}
	var list []Picture
	for i := range 5 {
		name := fmt.Sprintf("picture %c", 'A'+i)
		list = append(list, Picture{name, func(width, height int) string { return layout.Fit("<"+name+">", width, height) }})
	}
	for _, size := range [][2]int{{40, 12}, {70, 12}, {70, 20}, {100, 30}, {200, 60}} {
		var g Gallery
		seen := ""
		for range list {
			seen += g.Render(th, size[0], size[1], least, list)
			if c := g.Command(size[0], size[1], len(list), least); c.Why == "" {
				c.Do()
			}
		}
		for _, p := range list {
			if !strings.Contains(seen, "<"+p.Name+">") {
				t.Errorf("%dx%d: %s is never shown", size[0], size[1], p.Name)
			}
		}
	}
}
