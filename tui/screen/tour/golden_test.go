// Scenes on terminals of every kind and size.

package tour

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rfm/tui/theme"
	"rfm/tui/tuitest"
)

// state is a screen of the tour under a name.
type state struct {
	name string
	m    tour
	show func(m tour)
}

// states returns all scenes with their first and last pictures, and screens of a waiting and a failed scene.
func states(t *testing.T, o theme.Options) []state {
	m := whole(t, o)
	waiting, failed := begun(t, o, 1), begun(t, o, 0)
	failed.found(findings{}, errors.New("the solution is not resolved by the grid; use a finer one"))
	list := []state{
		{"waiting", waiting, func(m tour) { m.show(7) }},
		{"failed", failed, func(m tour) { m.show(0) }},
		{"paused", m, func(m tour) { m.paused = true; m.show(3) }},
	}
	for i := range m.scenes {
		list = append(list, state{fmt.Sprintf("scene %d, end", i+1), m,
			func(m tour) { m.paused = false; m.show(i); m.elapsed = 0.99 * m.scenes[i].seconds }})
		if m.scenes[i].frames > 1 {
			list = append(list, state{fmt.Sprintf("scene %d, begin", i+1), m, func(m tour) { m.paused = false; m.show(i) }})
		}
	}
	return list
}

func TestEverySceneFitsEverySize(t *testing.T) {
	widths, heights := 23, 11 // steps
	if testing.Short() {
		widths, heights = 43, 11
	}
	for _, s := range states(t, theme.Options{}) {
		s.m.shell.Update(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
		for w := 1; w <= 130; w += widths {
			for h := 1; h <= 45; h += heights {
				s.m.size(w, h)
				s.show(s.m)
				lines := strings.Split(s.m.content(), "\n")
				if len(lines) > h {
					t.Fatalf("%s at %dx%d has %d lines", s.name, w, h, len(lines))
				}
				for _, line := range lines {
					if ansi.StringWidth(line) > w {
						t.Fatalf("%s at %dx%d: line %q has width %d", s.name, w, h, ansi.Strip(line), ansi.StringWidth(line))
					}
				}
			}
		}
	}
}

// In ASCII and without colours a scene has neither other characters nor colours.
func TestGoldenScenes(t *testing.T) {
	color := regexp.MustCompile(`\x1b\[[0-9;]*[34]8[;:]`)
	for mode, o := range map[string]theme.Options{"": {}, "-ascii": {ASCII: true, NoColor: true}} {
		list := states(t, o)
		for _, size := range [][2]int{{80, 24}, {120, 40}, {60, 15}} {
			var all strings.Builder
			for _, s := range list {
				if size[0] != 80 && strings.HasSuffix(s.name, "begin") {
					continue // the same layout as at the end
				}
				s.m.size(size[0], size[1])
				s.show(s.m)
				if plain := s.m.content(); mode != "" && (color.MatchString(plain) || strings.ContainsFunc(s.m.screen(),
					func(r rune) bool { return r != '\n' && (r < 0x20 || r > 0x7e) })) {
					t.Errorf("%s at %v:\n%q", s.name, size, plain)
				}
				fmt.Fprintf(&all, "== %s\n", s.name)
				for line := range strings.SplitSeq(s.m.screen(), "\n") {
					all.WriteString(strings.TrimRight(line, " ") + "\n")
				}
			}
			file := filepath.Join("testdata", fmt.Sprintf("scenes-%dx%d%s.txt", size[0], size[1], mode))
			tuitest.Compare(t, file, all.String())
		}
	}
}
