// This file is the line that says what came of a key, until the next one is pressed.

package screen

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// notice is what has to be said once.
type notice struct {
	text string // empty: nothing
	bad  bool   // something failed
}

// lines is the notice in at most most lines of at most width cells.
func (n notice) lines(s *session, width, most int) string {
	style, mark := s.Theme.Good, s.Theme.Glyphs.Check
	if n.bad {
		style, mark = s.Theme.Bad, s.Theme.Glyphs.Cross
	}
	text := strings.ReplaceAll(n.text, "\n", "; ")
	lines := strings.Split(ansi.Wrap(string(mark)+" "+text, width-2, ""), "\n")
	for i := range lines {
		lines[i] = " " + style.Render(lines[i])
	}
	return strings.Join(lines[:min(len(lines), most)], "\n")
}
