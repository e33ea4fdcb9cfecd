package form

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/reading"
	"rfm/model/show/report"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
)

// hear takes over a model that was trained in the background.
func (l *smallModel) hear(msg tea.Msg) {
	if ended := msg.(computed[trial]); ended.by == &l.latest {
		if wanted, _ := l.took(ended); wanted {
			l.take(ended.value)
		}
	}
}

// Every preset that needs no file shows a small model: the grid taken resolves its solutions.
func TestPresetsShowAModel(t *testing.T) {
	for _, p := range config.Presets() {
		if testing.Short() && p.Name != "kolmogorov-flow" {
			continue
		}
		var m smallModel
		c := tuitest.Of(t, p.Name, "features.count=8") // the data decide
		follow := m.follow(c, false, false)
		if c.Data.TrainFile != "" || follow == nil { // it needs a file
			continue
		}
		if m.hear(follow()); m.err != nil || m.tested == nil {
			t.Errorf("%s shows no model: %v", p.Name, m.err)
		}
	}
}

// A small model is trained on the user's own pairs as well. Its error is not compared with that of another problem.
func TestOwnPairsAreLearned(t *testing.T) {
	own := tuitest.Of(t, "functions", "data.train_file="+filepath.Join("..", "..", "..", "docs", "spring.csv"),
		"data.input=force", "data.output=position", "data.boundary=closed")
	own, _, err := new(reading.Files).Complete(t.Context(), own)
	if err != nil {
		t.Fatal(err)
	}
	var m smallModel
	for _, c := range []config.Config{tuitest.Of(t, "quick"), own} {
		m.hear(m.follow(c, false, false)())
		if m.err != nil || m.tested == nil || m.before != 0 {
			t.Fatalf("%s: %v, error before %g", c.Problem, m.err, m.before)
		}
	}
	if e := m.tested.Test.ExpectedRelative; !(e > 0 && e < 0.2) {
		t.Errorf("error %g", e)
	}
}

// The error of a model is compared with that of the value before, not with those of values while they are typed.
func TestTypedValuesAreNotComparedWith(t *testing.T) {
	var m smallModel
	train := func(features string, typed bool) float64 {
		if follow := m.follow(tuitest.Of(t, "quick", "features.count="+features), typed, false); follow != nil {
			m.hear(follow())
		}
		return m.tested.Test.ExpectedRelative
	}
	first := train("64", false)
	train("1", true)
	if train("128", true); m.before != first {
		t.Errorf("compared with %g, not with %g of the value before", m.before, first)
	}
	if second, third := train("128", false), train("256", true); m.before != second || third == second {
		t.Errorf("compared with %g, not with %g of the accepted value", m.before, second)
	}
}

// The solution of an equation may be there before the first previews.
func TestASolutionBeforeThePreviewsIsDrawn(t *testing.T) {
	for height := 1; height < 40; height++ {
		p := previews{solution: solution{page: new(report.Page)}}
		p.render(theme.New(theme.Options{}), 40, height, false)
	}
}

// Values at points of any geometry have one list of pictures: the small model, and the pair that was read. Without a pair
// that can be read the list says so, and nothing else is drawn.
func TestPairsAtPointsArePreviewed(t *testing.T) {
	on := theme.New(theme.Options{})
	c := tuitest.Of(t, "functions", "data.train_file=pairs.npz")
	p := previews{of: c, seen: engine.Preview{Pair: &report.Sample{Input: []float64{1, 2}, Truth: []float64{3, 4}}}}
	p.small.err = errors.New("a reason")
	var names []string
	for _, picture := range p.list(on) {
		names = append(names, picture.Name)
	}
	if len(names) < 2 || names[0] != "a small model" || !strings.Contains(strings.Join(names, " "), "a pair") {
		t.Errorf("the pictures are %q", names)
	}
	p.seen = engine.Preview{Input: []float64{0, 0}}
	if list := p.list(on); len(list) != 1 || !strings.Contains(list[0].Draw(80, 9), "No input can be read from pairs.npz") {
		t.Errorf("%d pictures where nothing can be read", len(list))
	}
}

// A preview that takes too long says so in words, and one that ends in a panic does not end all that come after it.
func TestPreviewsThatFail(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 0)
	defer stop()
	<-ctx.Done()
	err := trained(ctx, small(tuitest.Of(t, "quick")), nil, engine.Options{Workers: 1}).err
	if err == nil {
		t.Fatal("a model was trained in no time")
	}
	if text := inTime(ctx, err, "do this").Error(); strings.Contains(text, "context") || !strings.Contains(text, "do this") {
		t.Errorf("%q", text)
	}
	if inTime(t.Context(), err, "") != err || inTime(ctx, nil, "") != nil {
		t.Error("another error is changed")
	}
	var l latest[int]
	c := tuitest.Of(t, "quick")
	failed := l.want(c, time.Minute, func(context.Context) int { panic("a wrong index") })
	wanted, again := l.took(failed().(computed[int]))
	func() {
		defer func() {
			if v := recover(); v != "a wrong index" || wanted {
				t.Errorf("the panic is lost: %v, wanted: %t", v, wanted)
			}
		}()
		again()
	}()
	c.Seed++
	next := l.want(c, time.Minute, func(context.Context) int { return 7 })
	if next == nil {
		t.Fatal("nothing is computed any more")
	}
	found := next().(computed[int])
	if wanted, again := l.took(found); !wanted || again != nil || found.value != 7 {
		t.Errorf("%d, wanted: %t", found.value, wanted)
	}
	l.of.Seed++
	if wanted, _ := l.took(found); wanted {
		t.Error("the value of another configuration is wanted")
	}
}

// Where the small model takes long, one of few pairs comes before it: it has a quarter of the work, is compared with no
// other, and the next one is not compared with it.
func TestSlowModelsFollowHastyOnes(t *testing.T) {
	var m smallModel
	c := tuitest.Of(t, "quick")
	next := func() (pairs int) {
		follow := m.follow(c, false, false)
		if follow == nil {
			return 0
		}
		m.hear(follow())
		if m.err != nil {
			t.Fatal(m.err)
		}
		return m.shown.Data.Train + m.shown.Data.Test
	}
	whole := next()
	first := m.tested.Test.ExpectedRelative
	if next() != 0 {
		t.Fatal("a model is trained twice")
	}
	change := func(lasted time.Duration) {
		m.lasted = lasted
		c.Seed++
	}
	change(time.Millisecond)
	if pairs := next(); pairs != whole || m.before != first {
		t.Errorf("after a fast model one of %d pairs, compared with %g", pairs, m.before)
	}
	second := m.tested.Test.ExpectedRelative
	change(time.Minute)
	if pairs := next(); pairs > 2*whole/3 || strings.Contains(m.title("", 200), "was") {
		t.Errorf("a hasty model of %d of %d pairs: %q", pairs, whole, m.title("", 200))
	}
	if pairs := next(); pairs != whole || m.before != second || next() != 0 {
		t.Errorf("behind a hasty model one of %d pairs, compared with %g, want %g", pairs, m.before, second)
	}
	m.lasted = time.Minute
	c.Train.Method = config.Linear
	if pairs := next(); pairs != whole {
		t.Errorf("with the same data a model of %d pairs", pairs)
	}
}

// The small model of a preset is not compared with that of the preset before it in the list.
func TestPresetsAreNotComparedWithEachOther(t *testing.T) {
	var m smallModel
	m.alone = true
	for _, name := range []string{"darcy-tuned", "darcy-quick"} {
		c := tuitest.Of(t, name, "features.count=8")
		m.hear(m.follow(c, false, false)())
		if m.err != nil || m.tested == nil || m.before != 0 {
			t.Fatalf("%s: %v, error before %g", name, m.err, m.before)
		}
	}
}
