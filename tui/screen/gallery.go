// This file shows as many pictures of a list as a part of the screen has room for, and turns to the others.

package screen

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/tui/layout"
)

// A picture is a block with a name for the line that says what else there is.
type picture struct {
	name string
	draw layout.Block
}

// gallery is a place for pictures; the first of those on show is remembered.
type gallery struct{ first int }

// pictureSize is the smallest size at which a picture is worth drawing.
type pictureSize struct{ width, height int }

// galleryGap is the number of cells between two pictures.
const galleryGap = 2

// arrange finds the arrangement of most pictures, at most count, of which each has the least size; among those the one
// with the largest pictures. One picture is always shown.
func arrange(width, height, count int, least pictureSize) shape {
	for n := count; n > 1; n-- {
		best, size := shape{}, 0.0
		for columns := 1; columns <= n; columns++ {
			rows := (n + columns - 1) / columns
			w, h := (width-galleryGap*(columns-1))/columns, height/rows
			if w < least.width || h < least.height {
				continue
			}
			if s := min(float64(w)/float64(least.width), float64(h)/float64(least.height)); s > size {
				best, size = shape{columns, rows}, s
			}
		}
		if size > 0 {
			return best
		}
	}
	return shape{1, 1}
}

// turns says whether there are pictures besides those on show, so that next turns to them.
func (g *gallery) turns(width, height, count int, least pictureSize) bool {
	return arrange(width, height, count, least).count() < count
}

// next turns to the pictures after those on show.
func (g *gallery) next(width, height, count int, least pictureSize) {
	g.first = (g.first + arrange(width, height, count, least).count()) % max(1, count)
}

// render draws pictures; if not all are on show, a last line says which are.
func (g *gallery) render(s *session, width, height int, least pictureSize, list []picture) string {
	if len(list) == 0 {
		return ""
	}
	arrangement := arrange(width, height, len(list), least)
	shown := min(arrangement.count(), len(list))
	from := g.first % len(list)
	if shown == len(list) {
		from = 0
	}
	blocks := make([]layout.Block, shown)
	for i := range blocks {
		blocks[i] = list[(from+i)%len(list)].draw
	}
	if shown == len(list) {
		return layout.Tiles(width, height, arrangement.columns, blocks...)
	}
	return layout.Tiles(width, height-1, arrangement.columns, blocks...) + "\n" + g.turn(s, width, from, shown, list)
}

// turn says how many pictures there are and names the next one.
func (g *gallery) turn(s *session, width, from, shown int, list []picture) string {
	what := fmt.Sprint(from + 1)
	if shown > 1 {
		what = fmt.Sprintf("%d to %d", from+1, from+shown)
		if over := from + shown - len(list); over > 0 { // the first ones again
			numbers := make([]string, shown)
			for i := range numbers {
				numbers[i] = fmt.Sprint((from+i)%len(list) + 1)
			}
			what = strings.Join(numbers, ", ")
		}
	}
	text := fmt.Sprintf("%s of %d; v: %s", what, len(list), list[(from+shown)%len(list)].name)
	if lipgloss.Width(text) > width {
		text = fmt.Sprintf("%s of %d; v", what, len(list))
	}
	return s.Theme.Muted.Render(fmt.Sprintf("%*s", width, text))
}
