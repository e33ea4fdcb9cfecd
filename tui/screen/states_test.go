// Pictures of the screens in every state, on terminals of every kind and size.

package screen

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/run/engine"
	"rfm/model/show/paper"
	"rfm/model/show/report"
	"rfm/model/trained/price"
	"rfm/tui/layout"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
)

// plain are the states in colour, made once for all tests that draw them; each test sets the sizes.
var plain map[string]*person

func plainStates(t *testing.T) map[string]*person {
	t.Helper()
	if plain == nil {
		plain = states(t, theme.Options{}, func(string) bool { return true })
	}
	for _, p := range plain {
		p.T = t
		p.M.Update(tea.ColorProfileMsg{Profile: colorprofile.Unknown})
	}
	return plain
}

// states returns a person for every picture that is wanted, by name, from testdata/states.txt. Some hold a job until
// the tests end.
func states(t *testing.T, th theme.Options, wanted func(name string) bool) map[string]*person {
	t.Helper()
	list := map[string]*person{}
	for _, w := range walks(t, "states.txt") {
		if wanted(w.name) {
			w.options.Workers, w.options.Theme = 1, th // by one worker, so that the newest pair is always the same
			p := newPerson(t, w.options)
			p.follow(w.steps)
			p.timed()
			list[w.name] = p
		}
	}
	return list
}

// inventedStudy is a result of the first study with a plot, a map and a table.
func inventedStudy() paper.Result {
	m := []float64{16, 64, 256, 1024}
	return paper.Result{Page: report.Page{Name: paper.All()[0].Name,
		Heading: "55 of 56 published numbers agree.", Notes: []string{"A note about what was found."},
		Figures: []report.Figure{{Title: "error", XLabel: "m", LogX: true, LogY: true,
			Curves: []report.Curve{{Name: "ours", X: m, Y: []float64{0.24, 0.15, 0.06, 0.03}},
				{Name: "published", X: m, Y: []float64{0.23, 0.16, 0.061, 0.031}, Published: true}}}},
		Fields: []report.Field{{Title: "a field", R: 3, Values: []float64{0, 0, 0, 0, 1, 0, 0, 0.5, 0}}},
		Tables: []report.Table{{Title: "errors", Header: []string{"", "m=16", "m=64"},
			Rows: [][]string{{"n=10", "0.2483", "0.1570"}, {"n=1000", "0.2401", "0.1490"}}}}}}
}

// timed replaces the measured times, which differ from run to run.
func (p *person) timed() {
	if e := p.S.Runner.Experiment(); e != nil && e.Evaluation() != nil {
		e.Evaluation().Rows = rows()
	}
}

// rows returns the model and invented baselines: one has a smaller error than the model, one takes less time.
func rows() []engine.Row {
	return []engine.Row{{Offer: price.Offer{Name: "model", Error: 0.0441, Seconds: 220e-6}},
		{Offer: price.Offer{Name: "untrained, once", Error: 0.062, Seconds: 90e-6}},
		{Offer: price.Offer{Name: "untrained, twice", Error: 0.0315, Seconds: 180e-6}},
		{Offer: price.Offer{Name: "full solve", Seconds: 3.4e-3}}}
}

// fits checks that the screen is not larger than a terminal of this size.
func (p *person) fits(name string, width, height int) {
	p.T.Helper()
	p.Resize(width, height)
	p.within(name, width, height)
}

// within checks that the screen is not larger than a size.
func (p *person) within(name string, width, height int) {
	p.T.Helper()
	lines := strings.Split(p.Screen(), "\n")
	if len(lines) > height {
		p.T.Fatalf("%s at %dx%d has %d lines", name, width, height, len(lines))
	}
	for _, line := range lines {
		if ansi.StringWidth(line) > width {
			p.T.Fatalf("%s at %dx%d: line %q has width %d", name, width, height, ansi.Strip(line), ansi.StringWidth(line))
		}
	}
}

// Every state is drawn at several sizes, the next state at other ones. The pairs mix narrow with low and high.
func TestEveryStateFitsEverySize(t *testing.T) {
	const widest, highest = 130, 45
	// Apart and heights have no common divisor, and the states begin at different sizes: together they have all widths.
	const heights, apart = highest - layout.MinHeight + 1, 11
	step := 13
	if testing.Short() {
		step = 32
	}
	list := plainStates(t)
	for w := 1; w <= layout.MinWidth; w += 3 {
		for h := 1; h <= layout.MinHeight; h++ {
			list["configure"].fits("the message that a terminal is too small", w, h)
		}
	}
	for n, name := range slices.Sorted(maps.Keys(list)) {
		p := list[name]
		p.M.Update(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
		for i := n % step; i <= widest-layout.MinWidth; i += step {
			p.fits(name, layout.MinWidth+i, layout.MinHeight+apart*i%heights)
		}
		p.fits(name, widest, layout.MinHeight)
		p.fits(name, layout.MinWidth, highest)
	}
}

// changing matches times and the machine, which differ from run to run.
var changing = regexp.MustCompile(`(about )?[0-9.]+ (us|ms|s|min \d+ s|MiB)\b|AVX2\+FMA|AVX-512|pure Go|[0-9.e+]+/s|after ([0-9.]+( million)? predictions|the first prediction\b|\d+( evaluations)?)`)

// drawn returns a picture without the parts that change from run to run.
func drawn(text string) string {
	var lines []string
	for line := range strings.SplitSeq(ansi.Strip(text), "\n") {
		lines = append(lines, strings.TrimRight(changing.ReplaceAllString(line, "#"), " "))
	}
	return strings.Join(lines, "\n") + "\n"
}

// inASCII are the states that are also drawn in ASCII and without colours: one of each kind of picture and table.
var inASCII = []string{"configure", "start", "generate", "train", "evaluate", "paper-plot", "darcy-evaluate-cut",
	"darcy-generate", "runs", "asking", "transfer", "invalid", "draw", "darcy-draw"}

// The bodies of the screens, in one file for each state; TestGoldenFrame covers header and footer once.
func TestGoldenBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	body := func(p *person, width, height int) string {
		p.Resize(width, height)
		lines := strings.SplitAfter(drawn(p.M.View().Content), "\n")
		head := 2
		if height < 20 {
			head = 1
		}
		return strings.Join(lines[head:len(lines)-2], "")
	}
	bodies := map[string]string{}
	for name, p := range plainStates(t) {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {60, 15}} {
			bodies[name] += fmt.Sprintf("== %dx%d\n%s", size[0], size[1], body(p, size[0], size[1]))
		}
	}
	for name, p := range states(t, theme.Options{ASCII: true, NoColor: true}, func(name string) bool {
		return slices.Contains(inASCII, name)
	}) {
		text := body(p, 80, 24)
		if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && (r < 0x20 || r > 0x7e) }); i >= 0 {
			t.Errorf("%s in ASCII has %q", name, text[i:])
		}
		bodies[name] += "== 80x24 ascii\n" + text
	}
	for name, text := range bodies {
		tuitest.Compare(t, filepath.Join("testdata", name+".txt"), text)
	}
}

// Headers and footers, once a width.
func TestGoldenFrame(t *testing.T) {
	p, text := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 1, Load: preset}), ""
	frame := func(what string) {
		for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}} {
			p.Resize(size[0], size[1])
			lines := strings.Split(drawn(p.M.View().Content), "\n")
			text += fmt.Sprintf("== %dx%d %s\n%s\n", size[0], size[1], what, lines[0])
			if rule := strings.Trim(lines[1], "─"); rule != lines[1] && rule != "" { // with the errors
				text += rule + "\n"
			}
			text += lines[len(lines)-2] + "\n"
		}
	}
	frame("at the beginning")
	p.Press("o")
	frame("typing")
	p.Press("esc", "p")
	frame("in a list")
	p.Press("esc", "ctrl+r")
	frame("evaluated")
	for _, screen := range []string{"1", "2", "4", "5"} {
		p.Press(screen)
		frame("on screen " + screen)
	}
	p.Press("?")
	frame("help")
	p.Press("esc", "1")
	p.Set("features.count=24")
	p.Press("ctrl+r")
	frame("evaluated again")
	tuitest.Compare(t, filepath.Join("testdata", "frame.txt"), text)
}

// A line of a small screen may begin as a line of a large one. Then it shows no part of a number, and a part of a word
// only with an ellipsis.
func TestNothingIsCutInSilence(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	number, letters := regexp.MustCompile(`[0-9][-+0-9.e]*$`), regexp.MustCompile(`\pL+$`)
	list := plainStates(t)
	for _, name := range slices.Sorted(maps.Keys(list)) {
		p := list[name]
		wide := map[string]bool{}
		p.Resize(400, 100)
		for _, word := range strings.Fields(changing.ReplaceAllString(p.Screen(), "#")) {
			wide[number.FindString(word)] = true
			wide[letters.FindString(strings.TrimRight(word, ".,;:)?`'\""))] = true
		}
		for _, size := range [][2]int{{60, 15}, {80, 24}} {
			p.Resize(size[0], size[1])
			for line := range strings.SplitSeq(changing.ReplaceAllString(p.Screen(), "#"), "\n") {
				words := strings.Fields(line)
				if len(words) == 0 || len([]rune(strings.TrimRight(line, " "))) < size[0]-1 {
					continue // ends before the edge
				}
				last := number.FindString(words[len(words)-1]) + letters.FindString(words[len(words)-1])
				if len(last) < 3 || wide[last] {
					continue
				}
				for whole := range wide {
					if strings.HasPrefix(whole, last) {
						t.Errorf("%s at %dx%d: %q is cut to %q in %q", name, size[0], size[1], whole, last, line)
					}
				}
			}
		}
	}
}
