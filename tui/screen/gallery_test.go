// How pictures are arranged, and turned.

package screen

import (
	"fmt"
	"strings"
	"testing"

	"rfm/tui/layout"
)

func TestArrangementShowsAsManyAsFit(t *testing.T) {
	least := pictureSize{30, 9}
	for _, test := range []struct {
		width, height, count int
		want                 shape
	}{
		{72, 30, 4, shape{2, 2}}, {40, 14, 4, shape{1, 1}}, {40, 20, 4, shape{1, 2}}, {130, 12, 4, shape{4, 1}}, {200, 12, 3, shape{3, 1}},
		{62, 9, 2, shape{2, 1}}, {1, 1, 4, shape{1, 1}}, {130, 30, 1, shape{1, 1}},
	} {
		if got := arrange(test.width, test.height, test.count, least); got != test.want {
			t.Errorf("%d pictures in %dx%d: %v, want %v", test.count, test.width, test.height, got, test.want)
		}
	}
}

// Turning shows every picture, whatever the size.
func TestTurningShowsEveryPicture(t *testing.T) {
	s := &New(Options{Config: tiny(t)}).session
	least := pictureSize{30, 9}
	var list []picture
	for i := range 5 {
		name := fmt.Sprintf("picture %c", 'A'+i)
		list = append(list, picture{name, func(width, height int) string { return layout.Fit("<"+name+">", width, height) }})
	}
	for _, size := range [][2]int{{40, 12}, {70, 12}, {70, 20}, {100, 30}, {200, 60}} {
		var g gallery
		seen := ""
		for range list {
			seen += g.render(s, size[0], size[1], least, list)
			g.next(size[0], size[1], len(list), least)
		}
		for _, p := range list {
			if !strings.Contains(seen, "<"+p.name+">") {
				t.Errorf("%dx%d: %s is never shown", size[0], size[1], p.name)
			}
		}
	}
}
