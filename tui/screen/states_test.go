// Pictures of the screens in every state, on terminals of every kind and size.

package screen

import (
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/paper"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/solver/fault"
	"rfm/tui/golden"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/theme"
)

// plain are the states in colour, made once for all tests that draw them; each test sets the sizes.
var plain map[string]*person

func plainStates(t *testing.T) map[string]*person {
	t.Helper()
	if plain == nil {
		plain = states(t, theme.Options{})
	}
	for _, p := range plain {
		p.T = t
	}
	return plain
}

// states returns a person for every picture, by name. Some hold a job until the tests end.
func states(t *testing.T, th theme.Options) map[string]*person {
	t.Helper()
	list := map[string]*person{}
	add := func(name string, c config.Config, press ...string) {
		p := newPerson(t, Options{Config: c, Workers: 1, Theme: th, Load: preset})
		p.Press(press...)
		p.timed()
		list[name] = p
	}
	at := func(name string, press ...string) { add(name, tiny(t), press...) }
	at("configure")
	at("configure-last", "v", "end")
	at("configure-load", "o", "x")
	at("presets", "p", "down")
	list["start"] = newPerson(t, Options{Config: config.Presets()[0].Config, Workers: 1, Theme: th, Load: preset,
		Start: true})
	list["start"].Press("down")
	edited := func(name string, press ...string) {
		p := newPerson(t, Options{Config: tiny(t), Workers: 1, Theme: th, Load: preset})
		p.Visit("data.train")
		p.Press(press...)
		list[name] = p
	}
	edited("configure-edit", "enter", "7", "x")
	edited("configure-trial", "enter", "7")
	edited("changes", "right", "down", "left", "d")
	at("generate", "enter")
	at("train", "enter", "enter")
	at("evaluate", "a")
	at("help", "?")
	at("paper", "5", "down")
	for i, page := range []string{"plot", "map"} { // of an invented result
		at("paper-"+page, "5")
		p := list["paper-"+page]
		p.library.Keep(paper.Result{Page: report.Page{Name: paper.All()[0].Name,
			Notes: []string{"A note about what was found."},
			Figures: []report.Figure{{Title: "error", XLabel: "m", LogX: true, LogY: true,
				Curves: []report.Curve{{Name: "ours", X: []float64{16, 64, 256, 1024}, Y: []float64{0.24, 0.15, 0.06, 0.03}},
					{Name: "published", X: []float64{16, 64, 256, 1024}, Y: []float64{0.23, 0.16, 0.061, 0.031}, Published: true}}}},
			Fields: []report.Field{{Title: "a field", R: 3, Values: []float64{0, 0, 0, 0, 1, 0, 0, 0.5, 0}}},
			Tables: []report.Table{{Title: "errors", Header: []string{"", "m=16", "m=64"},
				Rows: [][]string{{"n=10", "0.2483", "0.1570"}, {"n=1000", "0.2401", "0.1490"}}}}},
			Cells: []paper.Cell{{Where: "n=10, m=16", Ours: 0.24, Published: 0.21, Spread: 0.001, Verdict: paper.Differs}}})
		p.Press(slices.Repeat([]string{"v"}, i)...)
	}
	darcy := func(name string, press ...string) { add("darcy-"+name, tinyDarcy(t), press...) }
	darcy("configure")
	darcy("configure-theta", "v", "end")
	darcy("generate", "enter", "right")
	darcy("train", "enter", "enter")
	for i, name := range []string{"input", "truth", "prediction", "cut"} {
		darcy("evaluate-"+name, append([]string{"a", "end"}, slices.Repeat([]string{"v"}, i)...)...)
	}
	wrong := newPerson(t, Options{Config: tiny(t, "train.grid=17", "data.grid=513"), Theme: th})
	wrong.Set("train.grid=100")
	wrong.Press("enter")
	list["invalid"] = wrong
	held := func(name string, c config.Config, runs string, press ...string) {
		// by one worker, so that the newest pair is always the same
		p := newPerson(t, Options{Config: c, Workers: 1, Theme: th, Runs: runs, Name: "held"})
		p.Press(press[1:]...)
		p.Hold = true
		p.Press(press[0])
		list[name] = p
	}
	held("generate-running", tiny(t), "", "enter")
	held("darcy-generate-running", tinyDarcy(t), "", "enter")
	held("train-running", tiny(t, "data.train=512", "features.count=16"), "", "enter", "enter")
	at("configure-unfinished")
	list["configure-unfinished"].Send(list["configure-unfinished"].S.Listed(someRuns()))
	runs := newPerson(t, Options{Config: tiny(t), Workers: 1, Theme: th, Runs: "runs"})
	runs.Send(runs.S.Listed(someRuns()))
	runs.Press("r")
	runs.Send(runs.S.Listed(someRuns())) // instead of the stored runs
	runs.Press("down")
	list["runs"] = runs
	at("cancelled", "enter")
	list["cancelled"].Run(list["cancelled"].S.Run(session.Job{Name: "train",
		Work: func(context.Context) error { return context.Canceled }}))
	list["cancelled"].Settle()
	at("preparing")
	list["preparing"].S.Open(store.Entry{Path: "runs/night"}) // does not wait for the error that it does not exist
	list["preparing"].Send(nil)
	at("failed", "enter")
	list["failed"].Run(list["failed"].S.Run(session.Job{Name: "train", Work: func(context.Context) error {
		return &fault.Data{Where: "train.npy", What: "has 12 functions, 40 are needed", Do: "lower data.train"}
	}}))
	list["failed"].Settle()
	held("asking", tiny(t), "", "enter")
	list["asking"].begins("q")
	at("tune", "6")
	darcy("tune", "6")
	tabStates(t, th, add, list)
	return list
}

// timed replaces the measured times, which differ from run to run.
func (p *person) timed() {
	if e := p.S.Experiment(); e != nil && e.Evaluation() != nil {
		e.Evaluation().Rivals = rivals()
	}
}

// rivals returns the model and invented baselines: one has a smaller error than the model, one takes less time.
func rivals() []engine.Rival {
	return []engine.Rival{{Name: "model", Error: 0.0441, Seconds: 220e-6},
		{Name: "untrained, once", Error: 0.062, Seconds: 90e-6},
		{Name: "untrained, twice", Error: 0.0315, Seconds: 180e-6},
		{Name: "full solve", Error: math.NaN(), Seconds: 3.4e-3}}
}

// fits checks that the screen is not larger than the terminal.
func (p *person) fits(name string, width, height int) {
	p.T.Helper()
	p.Resize(width, height)
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
	const heights, apart = highest - shell.MinHeight + 1, 11
	step := 13
	if testing.Short() {
		step = 32
	}
	list := plainStates(t)
	for n, name := range slices.Sorted(maps.Keys(list)) {
		p := list[name]
		p.M.Update(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
		for i := n % step; i <= widest-shell.MinWidth; i += step {
			p.fits(name, shell.MinWidth+i, shell.MinHeight+apart*i%heights)
		}
		p.fits(name, widest, shell.MinHeight)
		p.fits(name, shell.MinWidth, highest)
	}
}

// A terminal that is too small reports so in every state.
func TestSmallTerminalsAreNotOverfull(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	for w := 1; w <= shell.MinWidth; w += 3 {
		for h := 1; h <= shell.MinHeight; h++ {
			p.fits("configure", w, h)
		}
	}
}

// changing matches times and the machine, which differ from run to run.
var changing = regexp.MustCompile(`(about )?[0-9.]+ (us|ms|s|min \d+ s|MiB)\b|AVX2\+FMA|AVX-512|pure Go|[0-9.e+]+/s|after \d+( evaluations)?`)

// drawn returns a picture without the parts that change from run to run.
func drawn(text string) string {
	var lines []string
	for line := range strings.SplitSeq(ansi.Strip(text), "\n") {
		lines = append(lines, strings.TrimRight(changing.ReplaceAllString(line, "#"), " "))
	}
	return strings.Join(lines, "\n") + "\n"
}

// The bodies of the screens, in one file for each state; TestGoldenFrame covers header and footer once.
func TestGoldenBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	bodies := map[string]string{}
	for _, mode := range []string{"", " ascii"} {
		th := theme.Options{ASCII: mode != "", NoColor: mode != ""}
		for name, p := range states(t, th) {
			for _, size := range [][2]int{{80, 24}, {120, 40}, {60, 15}} {
				if mode != "" && size[0] != 80 {
					continue
				}
				p.Resize(size[0], size[1])
				lines := strings.SplitAfter(drawn(p.M.View().Content), "\n")
				head := 2
				if size[1] < 20 {
					head = 1
				}
				text := strings.Join(lines[head:len(lines)-2], "")
				if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && (r < 0x20 || r > 0x7e) }); mode != "" &&
					i >= 0 {
					t.Errorf("%s in ASCII has %q", name, text[i:])
				}
				bodies[name] += fmt.Sprintf("== %dx%d%s\n%s", size[0], size[1], mode, text)
			}
		}
	}
	for name, text := range bodies {
		golden.Compare(t, filepath.Join("testdata", name+".txt"), text)
	}
}

// Headers and footers, once a width.
func TestGoldenFrame(t *testing.T) {
	text := ""
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}} {
		p := newPerson(t, Options{Config: tiny(t), Workers: 1, Load: preset})
		p.Resize(size[0], size[1])
		frame := func(what string) {
			lines := strings.Split(drawn(p.M.View().Content), "\n")
			text += fmt.Sprintf("== %dx%d %s\n%s\n%s\n", size[0], size[1], what, lines[0], lines[len(lines)-2])
		}
		frame("at the beginning")
		p.Press("o")
		frame("typing")
		p.Press("esc", "p")
		frame("in a list")
		p.Press("esc", "a")
		frame("evaluated")
		for _, screen := range []string{"1", "2", "3", "5", "6"} {
			p.Press(screen)
			frame("on screen " + screen)
		}
		p.Press("?")
		frame("help")
	}
	golden.Compare(t, filepath.Join("testdata", "frame.txt"), text)
}
