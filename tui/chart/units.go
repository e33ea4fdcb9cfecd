package chart

import (
	"strings"

	"rfm/model/share"
	"rfm/tui/theme"
)

// Units draws the tiles of a split run, done, at work or open; nothing if there are too many for a line.
func Units(p share.Progress, th theme.Theme) []string {
	const most = 30
	if p.Bands > most {
		return nil
	}
	marks := map[share.State]string{share.Complete: th.Good.Render(string(th.Glyphs.Check)),
		share.InUse: th.Key.Render(string(th.Glyphs.Closed)), share.NotBegun: th.Muted.Render(string(th.Glyphs.Shades[0]))}
	var lines []string
	for i := range p.Bands {
		line := strings.Repeat("  ", i+1)
		for j := i; j < p.Bands; j++ {
			line += " " + marks[p.State(i, j)]
		}
		lines = append(lines, line)
	}
	return lines
}
