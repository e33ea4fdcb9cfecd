// What the screens look like: every state, on terminals of every kind and size.

package screen

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
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
	"rfm/model/study"
	"rfm/solver/fault"
	"rfm/tui/golden"
	"rfm/tui/theme"
)

// states are all the pictures there are, by name. They share one finished experiment.
func states(t *testing.T, th theme.Options) map[string]*person {
	t.Helper()
	list := map[string]*person{}
	add := func(name string, c config.Config, press ...string) {
		p := newPerson(t, Options{Config: c, Workers: 1, Theme: th, Load: config.PresetByName})
		p.press(press...)
		list[name] = p
	}
	at := func(name string, press ...string) { add(name, tiny(t), press...) }
	at("configure")
	at("configure-last", "v", "end")
	at("configure-folded", "z")
	at("configure-load", "o", "x")
	at("presets", "p", "down")
	edited := func(name string, press ...string) {
		p := newPerson(t, Options{Config: tiny(t), Workers: 1, Theme: th, Load: config.PresetByName})
		p.visit("data.train")
		p.press(press...)
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
	for i, page := range []string{"plot", "map", "table", "text"} { // of a made-up result
		at("paper-"+page, "5")
		p := list["paper-"+page]
		st := p.m.studies
		st.pane.library.shelf().keep(study.Result{Study: st.selected().Name, Notes: []string{"A note about what was found."},
			Figures: []study.Figure{{Title: "error", XLabel: "m", LogX: true, LogY: true, Curves: []study.Curve{{Name: "ours", X: []float64{16, 64, 256, 1024}, Y: []float64{0.24, 0.15, 0.06, 0.03}},
				{Name: "published", X: []float64{16, 64, 256, 1024}, Y: []float64{0.23, 0.16, 0.061, 0.031}, Published: true}}}},
			Fields: []study.Field{{Title: "a field", R: 3, Values: []float64{0, 0, 0, 0, 1, 0, 0, 0.5, 0}}},
			Tables: []study.Table{{Title: "errors", Header: []string{"", "m=16", "m=64"}, Rows: [][]string{{"n=10", "0.2483", "0.1570"}, {"n=1000", "0.2401", "0.1490"}}}},
			Cells:  []study.Cell{{Where: "n=10, m=16", Ours: 0.24, Published: 0.21, Spread: 0.001, Verdict: study.Differs}}})
		p.press(slices.Repeat([]string{"v"}, i)...)
	}
	darcy := func(name string, press ...string) { add("darcy-"+name, tinyDarcy(t), press...) }
	darcy("configure")
	darcy("configure-theta", "v", "end")
	darcy("generate", "enter", "right")
	darcy("train", "enter", "enter")
	for i, name := range []string{"input", "truth", "prediction", "cut"} {
		darcy("evaluate-"+name, append([]string{"a", "w"}, slices.Repeat([]string{"v"}, i)...)...)
	}
	wrong := newPerson(t, Options{Config: tiny(t, "train.grid=17", "data.grid=513"), Theme: th})
	wrong.m.session.config.Train.Grid = 100
	wrong.press("enter")
	list["invalid"] = wrong
	for name, c := range map[string]config.Config{"generate-running": tiny(t), "darcy-generate-running": tinyDarcy(t)} {
		add(name, c, "enter") // by one worker, so that the newest pair is always the same
		m := list[name].m
		m.session.reached, m.session.job = configuring, &job{step: generating, generation: m.generation}
	}
	add("train-running", tiny(t), "enter", "enter")
	m := list["train-running"].m
	m.session.reached, m.session.job = generating, &job{step: training, generation: m.generation}
	m.session.seen[training].Validation = []engine.Validation{{Samples: 1, Error: 4.2}, {Samples: 2, Error: 0.71}, {Samples: 4, Error: 0.52}, {Samples: 8, Error: 0.27}, {Samples: 16, Error: 0.16}, {Samples: 32, Error: 0.08}}
	at("configure-unfinished")
	list["configure-unfinished"].m.Update(someRuns())
	at("runs")
	list["runs"].m.session.options.Runs = "runs"
	list["runs"].m.Update(someRuns())
	list["runs"].m.configure.panel = &runList{configure: list["runs"].m.configure, line: 1}
	at("cancelled", "enter")
	list["cancelled"].m.session.failure = context.Canceled
	at("preparing")
	list["preparing"].m.session.preparing, list["preparing"].m.preparation = "opening runs/night", &preparation{cancel: func() {}}
	at("failed", "enter")
	list["failed"].m.session.failure = &fault.Data{Where: "train.npy", What: "has 12 functions, 40 are needed", Do: "lower data.train"}
	asking := newPerson(t, Options{Config: tiny(t), Workers: 2, Theme: th})
	asking.press("enter")
	asking.m.session.job = &job{step: generating, generation: asking.m.generation}
	asking.m.Update(key("q"))
	list["asking"] = asking
	tabStates(t, th, add, list)
	tuneStates(t, th, list)
	for _, p := range list {
		if e := p.m.session.experiment; e != nil && e.Evaluation() != nil {
			e.Evaluation().Rivals = rivals() // measured times differ from run to run
		}
	}
	return list
}

// rivals are made up: one is better than the model by its error, one by its time.
func rivals() []engine.Rival {
	return []engine.Rival{{Name: "model", Error: 0.0441, Seconds: 220e-6}, {Name: "untrained, 1 sweep", Error: 0.062, Seconds: 90e-6},
		{Name: "untrained, 2 sweeps", Error: 0.0315, Seconds: 180e-6}, {Name: "full solve", Error: math.NaN(), Seconds: 3.4e-3}}
}

// fits checks that the screen is not larger than the terminal.
func (p *person) fits(name string, width, height int) {
	p.t.Helper()
	p.resize(width, height)
	lines := strings.Split(p.m.content(), "\n")
	if len(lines) > height {
		p.t.Fatalf("%s at %dx%d has %d lines", name, width, height, len(lines))
	}
	for _, line := range lines {
		if ansi.StringWidth(line) > width {
			p.t.Fatalf("%s at %dx%d: line %q has width %d", name, width, height, ansi.Strip(line), ansi.StringWidth(line))
		}
	}
}

// Every state is drawn at every height and at every other width, the next state at the widths between, in pairs that mix
// narrow with low and high.
func TestEveryStateFitsEverySize(t *testing.T) {
	const widest, highest = 130, 45
	const heights, apart = highest - MinHeight + 1, 11 // 2 apart and heights have no common divisor: all heights have their turn
	step := 2
	if testing.Short() {
		step = 32
	}
	list := states(t, theme.Options{})
	for n, name := range slices.Sorted(maps.Keys(list)) {
		p := list[name]
		p.m.Update(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
		for i := n % step; i <= widest-MinWidth; i += step {
			p.fits(name, MinWidth+i, MinHeight+apart*i%heights)
		}
		p.fits(name, widest, MinHeight)
		p.fits(name, MinWidth, highest)
	}
}

// A terminal that is too small says so, whatever there is to show.
func TestSmallTerminalsAreNotOverfull(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	for w := 1; w <= MinWidth; w += 3 {
		for h := 1; h <= MinHeight; h++ {
			p.fits("configure", w, h)
		}
	}
}

func TestASCIIStatesAreASCII(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*-ascii.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d golden screens, %v", len(files), err)
	}
	for _, file := range files { // which TestGoldenScreens compares
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if i := bytes.IndexFunc(text, func(r rune) bool { return r != '\n' && (r < 0x20 || r > 0x7e) }); i >= 0 {
			t.Errorf("%s has %q at byte %d", file, text[i:i+1], i)
		}
	}
}

// times and the machine differ from run to run.
var changing = regexp.MustCompile(`(about )?[0-9.]+ (ms|s|min \d+ s|MiB)\b|AVX2\+FMA|AVX-512|pure Go|[0-9.e+]+/s|after \d+ evaluations`)

func TestGoldenScreens(t *testing.T) {
	for mode, th := range map[string]theme.Options{"": {}, "-ascii": {ASCII: true, NoColor: true}} {
		for name, p := range states(t, th) {
			for _, size := range sizes([2]int{80, 24}, [2]int{120, 40}, [2]int{60, 15}) {
				p.m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				var lines []string
				for line := range strings.SplitSeq(p.screen(), "\n") {
					line = changing.ReplaceAllString(line, "#")
					lines = append(lines, strings.TrimRight(line, " "))
				}
				got := strings.Join(lines, "\n") + "\n"
				file := filepath.Join("testdata", fmt.Sprintf("%s-%dx%d%s.txt", name, size[0], size[1], mode))
				golden.Compare(t, file, got)
			}
		}
	}
}
