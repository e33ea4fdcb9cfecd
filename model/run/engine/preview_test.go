package engine

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/run/reading"
	"rfm/model/run/setup"
	"rfm/model/show/report"
	"rfm/solver/base/parallel/detector"
)

func TestPreviewShowsTheRunsOwnDraws(t *testing.T) {
	c := tiny(t, "data.grid=257")
	e := generated(t, c)
	p := new(Previewer).Preview(c)
	train, _ := onDataGrid(t, c)
	for name, pair := range map[string][2][]float64{"input": {p.Input, train.Inputs.At(0)},
		"theta": {p.Theta, e.learning.features.(feature.Spectral).Theta.At(0)}} {
		for x := range pair[0] {
			if math.Abs(pair[0][x]-pair[1][x]) > 1e-14 {
				t.Fatalf("%s: value %d is %g, in the run %g", name, x, pair[0][x], pair[1][x])
			}
		}
	}
	if p.Filter[0] != 0 || len(p.Values) != previewPoints {
		t.Errorf("chi(0) = %g, feature on %d points", p.Filter[0], len(p.Values))
	}
}

// The first input is read once, and always belongs to the current configuration.
func TestPreviewerKeepsTheInputWhileFeaturesChange(t *testing.T) {
	train, _ := onDataGrid(t, tiny(t))
	file := writePairs(t, train, 129)
	own := preset(t, config.Functions)
	own.Data.TrainFile = file
	var p Previewer
	first := p.Preview(own)
	if n := len(first.Input); n != 129 {
		t.Errorf("the input is shown on %d points, the file has 129", n)
	}
	noError(t, os.Remove(file))
	own.Features.Delta *= 2
	again := p.Preview(own)
	if !slices.Equal(again.Input, first.Input) || slices.Equal(again.Filter, first.Filter) {
		t.Error("after a change of the filter the input is another, or the filter the same")
	}
	if own.Data.Endpoint = config.Excluded; slices.Equal(p.Preview(own).Input, first.Input) {
		t.Error("after a change of the data the input is the same, although its file is gone")
	}
	if c := tiny(t); !slices.Equal(p.Preview(c).Input, new(Previewer).Preview(c).Input) {
		t.Error("after a change of the problem the input is another one")
	}
}

// Of functions with several channels the first is previewed.
func TestPreviewOfChannels(t *testing.T) {
	c := preset(t, "functions")
	c.Data.In, c.Data.Out, c.Data.Grid = 2, 2, 33
	if p := new(Previewer).Preview(c); len(p.Input) == 0 || len(p.Values) != len(p.Input) {
		t.Errorf("%d values of the input, %d of the feature", len(p.Input), len(p.Values))
	}
}

// The picture of every preset takes a twentieth of a second of one core at most, a fifth on a slow machine: the solver
// advances 1e8 values by a step in a second.
func TestPicturesAreQuick(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	t.Parallel()
	const rate, seconds = 1e8, 0.05
	for _, p := range config.Presets() {
		if p.Config.Equation.Text == "" {
			continue
		}
		s, err := drawn(t.Context(), p.Config)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		fields := len(config.Lines(p.Config.Equation.Text))
		work := float64(s.Steps) * float64(fields) * 8 * math.Pow(float64(s.Input.Points-1), float64(p.Config.Dims()))
		if t.Logf("%s: %d steps, %.2g values", p.Name, s.Steps, work); !(0 < work && work <= rate*seconds) {
			t.Errorf("%s: %d steps of %.2g values take about %.2g s", p.Name, s.Steps, work/float64(s.Steps), work/rate)
		}
	}
}

// A picture begins with the initial values, in its lowest row.
func TestPicturesBeginAtTimeZero(t *testing.T) {
	c := preset(t, "fitzhugh-nagumo")
	c.Equation.Output = "v"
	s, err := drawn(t.Context(), c)
	noError(t, err)
	page, err := Picture(t.Context(), c)
	noError(t, err)
	f := page.Fields[0]
	for x, a := range s.Input.Data {
		if v := f.Values[x*f.Columns()]; math.Abs(v-(-0.4+0.3*a)) > 1e-9 {
			t.Fatalf("v(%d) is %g at first, a is %g", x, v, a)
		}
	}
}

// A wave that moves to the right leans to the right in its picture: x goes to the right and t up, on axes that say so.
func TestAWaveThatMovesToTheRightLeansToTheRight(t *testing.T) {
	c := preset(t, "advection")
	c.Equation.Text = "u_t = -u_x"
	c.Equation.Parameters = ""
	c.Equation.Time = 0.25
	page, err := Picture(t.Context(), c)
	noError(t, err)
	f := page.Fields[0]
	if f.Across != (report.FieldAxis{Name: "x", To: 1}) || f.Up != (report.FieldAxis{Name: "t", To: 0.25}) {
		t.Errorf("axes %v and %v", f.Across, f.Up)
	}
	times := f.Columns()
	crest := func(time int) float64 {
		highest := 0
		for x := range f.R {
			if f.Values[x*times+time] > f.Values[highest*times+time] {
				highest = x
			}
		}
		return float64(highest) / float64(f.R-1)
	}
	for time := range times {
		moved := crest(time) - crest(0)
		want := c.Equation.Time * float64(time) / float64(times-1)
		if away := math.Remainder(moved-want, 1); math.Abs(away) > 0.02 {
			t.Fatalf("at time %d of %d the crest has moved by %g, want %g", time, times, moved, want)
		}
	}
}

// A steady state has no time: on an interval it is a curve.
func TestAPictureOfASteadyStateIsACurve(t *testing.T) {
	c, err := config.PresetByName("equation")
	noError(t, err)
	noError(t, config.Assign(&c, "equation.text=0 = u_xx - u^3 + 10*a", "equation.left=u = 0", "equation.right=u = 1",
		"equation.length=2"))
	page, err := Picture(t.Context(), c)
	noError(t, err)
	if len(page.Fields) != 0 || len(page.Figures) != 1 {
		t.Fatalf("%d fields and %d figures", len(page.Fields), len(page.Figures))
	}
	u := page.Figures[0].Curves[0]
	last := len(u.X) - 1
	if u.X[last] != 2 || math.Abs(u.Y[0]) > 1e-6 || math.Abs(u.Y[last]-1) > 1e-6 {
		t.Errorf("u(0) = %g and u(%g) = %g, want 0 and 1 at 2", u.Y[0], u.X[last], u.Y[last])
	}
}

// The newest pair of a run is read from its units while they are made, and the first one from the whole file.
func TestNewestPairOfARunIsRead(t *testing.T) {
	e := stored(t, tiny(t, "evaluation.baselines=no"), 1)
	s := Newest(t.Context(), e.Directory())
	if s == nil || !slices.Equal(s.Input, e.train.Inputs.Of(0, 0)) || !slices.Equal(s.Truth, e.train.Outputs.Of(0, 0)) {
		t.Errorf("%+v", s)
	}
	if Newest(t.Context(), t.TempDir()) != nil {
		t.Error("a directory without a run has a pair")
	}
}

// A solution that grows without bound is drawn until then, with the reason and with settings that help.
func TestSolutionsThatEndAreDrawnUntilThen(t *testing.T) {
	c, err := config.PresetByName("equation")
	noError(t, err)
	noError(t, config.Assign(&c, "equation.text=u_t = D*u_xx + r*u*(1-u)", "D=0.002", "r=5"))
	page, err := Picture(t.Context(), c)
	if len(page.Fields) != 1 {
		t.Fatalf("%d fields, %v", len(page.Fields), err)
	}
	field := page.Fields[0]
	var end *setup.End
	if !errors.As(err, &end) || !end.Grows || end.Sign != -1 || len(field.Values) == 0 || field.Up.To > end.Time ||
		!strings.Contains(field.Title, "u blows up near t=0.") {
		t.Fatalf("got %v and the title %q, want a solution that blows up downwards, and its picture up to then", err, field.Title)
	}
	if said, _ := Ended(err); said == nil || !strings.HasPrefix(said.Problem, "u grows without bound, downwards near t=0.") ||
		!strings.Contains(said.Suggestion, "equation.initial = 0.1 + 0.1*tanh(a)") {
		t.Error(said)
	}
	if len(end.Remedies) < 2 {
		t.Errorf("%+v", end.Remedies)
	}
	for _, r := range end.Remedies {
		helped := c
		noError(t, config.Assign(&helped, r.Key+"="+r.Value))
		if _, err := Picture(t.Context(), helped); err != nil {
			t.Errorf("the remedy %+v does not help: %v", r, err)
		}
	}
}

// Values at points have no order in which they would be a curve, so a preview shows the first pair at its points.
func TestPreviewAtPointsOfAnyGeometry(t *testing.T) {
	c, _, err := reading.Configuration(t.Context(), scatteredFile(t, false))
	noError(t, err)
	p := new(Previewer).Preview(c)
	if p.Pair == nil {
		t.Fatal("there is no pair")
	}
	_, fields := p.Pair.Pair("a pair")
	if len(fields) != 2 {
		t.Errorf("%d maps, want those of input and output", len(fields))
	}
	c.Data.TrainFile += ".lost"
	if p := new(Previewer).Preview(c); p.Pair != nil {
		t.Error("a file that does not exist has a pair")
	}
}
