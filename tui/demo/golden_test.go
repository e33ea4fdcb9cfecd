// Scenes on terminals of every kind and size.

package demo

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/engine"
	"rfm/model/paper"
	"rfm/tui/golden"
	"rfm/tui/theme"
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
	for _, e := range []*engine.Experiment{m.findings.burgers, m.findings.darcy} {
		e.Evaluation().Rivals = []engine.Rival{{Name: "model", Error: 0.0441, Seconds: 220e-6},
			{Name: "untrained, twice", Error: 0.0315, Seconds: 180e-6},
			{Name: engine.FullSolve, Error: math.NaN(), Seconds: 3.4e-3}} // measured times differ from run to run
		m.findings.seconds[e] = engine.Seconds{Generate: 1.2, Train: 0.34}
	}
	search := *m.findings.large.search
	search.Elapsed = paper.SearchTime
	m.findings.large.search = &search
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
	widths, heights := 11, 6 // steps
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

func TestASCIIScenesAreASCII(t *testing.T) {
	for _, s := range states(t, theme.Options{ASCII: true}) {
		s.show(s.m)
		if i := strings.IndexFunc(s.m.screen(), func(r rune) bool { return r != '\n' && (r < 0x20 || r > 0x7e) }); i >= 0 {
			t.Errorf("%s is not ASCII:\n%s", s.name, s.m.screen())
		}
	}
}

// Scenes drawn without colours consist of characters alone.
func TestScenesWithoutColourHaveNone(t *testing.T) {
	color := regexp.MustCompile(`\x1b\[[0-9;]*[34]8[;:]`)
	for _, s := range states(t, theme.Options{NoColor: true}) {
		s.show(s.m)
		if color.MatchString(s.m.content()) {
			t.Errorf("%s has colours", s.name)
		}
	}
}

func TestGoldenScenes(t *testing.T) {
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
				fmt.Fprintf(&all, "== %s\n", s.name)
				for line := range strings.SplitSeq(s.m.screen(), "\n") {
					all.WriteString(strings.TrimRight(line, " ") + "\n")
				}
			}
			file := filepath.Join("testdata", fmt.Sprintf("scenes-%dx%d%s.txt", size[0], size[1], mode))
			golden.Compare(t, file, all.String())
		}
	}
}

// Every evaluation that the scene of the cost shows names the solver as the scene does.
func TestEvaluationsMeasureTheFullSolve(t *testing.T) {
	m := begun(t, theme.Options{}, all)
	for _, e := range []*engine.Experiment{m.findings.burgers, m.findings.darcy} {
		if !slices.ContainsFunc(e.Evaluation().Rivals, func(r engine.Rival) bool { return r.Name == engine.FullSolve }) {
			t.Errorf("%s: no %q among %v", e.Config.Problem, engine.FullSolve, e.Evaluation().Rivals)
		}
	}
}

func TestNothingIsComputedTwice(t *testing.T) {
	m := whole(t, theme.Options{})
	if m.compute() != nil {
		t.Error("there is another part after the last")
	}
}
