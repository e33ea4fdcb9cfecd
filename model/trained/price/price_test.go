package price

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/learn/score"
	"rfm/model/run/setup"
	"rfm/solver/base/draw"
	"rfm/solver/base/processor"
	"rfm/solver/dataset"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

// market has 16 test pairs of a preset on a small grid.
func market(t *testing.T, preset string, points int) Market {
	t.Helper()
	c := must(config.PresetByName(preset))
	c.Data.Grid = points
	solver := setup.Truth(c)
	a, u, err := truth.Generate(t.Context(), solver, truth.Wanted{Purpose: draw.InputTest, Count: 16}, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Market{Solver: solver, Pairs: dataset.Pairs{Inputs: a, Outputs: u[0]}, Grid: (points + 1) / 2, Workers: 2}
}

// An offer found by error has at most the requested error, and the error that it reports.
func TestEqualSolveHasTheError(t *testing.T) {
	for _, c := range []struct {
		preset string
		points int
		most   float64
	}{{"burgers", 129, 0.02}, {"burgers", 129, 1e-4}, {"darcy", 33, 0.05}, {"advection-variable", 129, 1e-3}} {
		m := market(t, c.preset, c.points)
		pairs := m.Pairs.Count() // a slow machine measures fewer
		o, _, err := m.Equal(t.Context(), func(some int) float64 {
			pairs = min(pairs, some)
			return c.most
		})
		if err != nil {
			t.Fatalf("%s: %v", c.preset, err)
		}
		if !(o.Error <= c.most) || !(o.Seconds > 0) || o.Tolerance < 1e-8 {
			t.Errorf("%s: %+v for an error of %g", c.preset, o, c.most)
		}
		s, err := m.at(o.Grid, o.Tolerance)
		if err != nil {
			t.Fatal(err)
		}
		outputs := must(s.outputs(t.Context(), m.Pairs.Count(), 1))
		if got, err := m.Miss(outputs); err != nil || pairs == m.Pairs.Count() && math.Abs(got-o.Error) > 1e-12 {
			t.Errorf("%s: error %g, said to be %g; %v", c.preset, got, o.Error, err)
		}
	}
}

func TestNoSolverBeatsWhatIsExact(t *testing.T) {
	m := market(t, "burgers", 65)
	if o, isWhole, err := m.Equal(t.Context(), func(int) float64 { return 0 }); o.Seconds > 0 || !isWhole || err != nil {
		t.Errorf("%+v, whole: %t, %v", o, isWhole, err)
	}
}

// A search that takes long ends early and says so; the time in which other programs compute does not count.
func TestLongSearchesEndEarlyAndSaySo(t *testing.T) {
	m := market(t, "burgers", 65)
	for _, c := range []struct {
		wall, processor time.Duration // of what happens between two readings
		isWhole         bool
	}{
		{time.Minute, time.Minute, false},
		{time.Minute, 100 * processor.Step, true},
	} {
		var wall, used time.Duration
		now := func() (time.Duration, time.Duration) {
			wall += c.wall
			used += c.processor
			return wall, used
		}
		if _, isWhole, err := m.equal(t.Context(), now, func(int) float64 { return 0 }); isWhole != c.isWhole || err != nil {
			t.Errorf("%+v: whole: %t, %v", c, isWhole, err)
		}
	}
}

// Linear equations are solved exactly: a tolerance changes nothing, and each grid has one offer.
func TestExactSolversAreOfferedOnceAGrid(t *testing.T) {
	m := market(t, "heat", 65)
	all := must(m.Solvers(t.Context(), math.Inf(1)))
	last := 0
	for _, o := range all {
		if o.Grid <= last {
			t.Errorf("grid %d after %d", o.Grid, last)
		}
		last = o.Grid
	}
	if last != 65 || all[len(all)-1].Error > 1e-12 {
		t.Errorf("%+v", all)
	}
}

func TestTighterTolerancesHaveSmallerErrors(t *testing.T) {
	m := market(t, "burgers", 129)
	all := must(m.Solvers(t.Context(), math.Inf(1)))
	finest := map[float64]float64{}
	for _, o := range all {
		if o.Grid == 129 {
			finest[o.Tolerance] = o.Error
		}
	}
	if !(finest[0.1] > finest[1e-2] && finest[1e-2] > finest[1e-4] && finest[1e-4] < 1e-4) {
		t.Errorf("errors by tolerance: %v", finest)
	}
}

func TestSearchEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := market(t, "burgers", 65)
	cancel()
	if _, _, err := m.Equal(ctx, func(int) float64 { return 0.1 }); err == nil {
		t.Error("no error")
	}
}

func TestFrontIsWhatNothingBeatsInBoth(t *testing.T) {
	got := Front([]Offer{{Seconds: 1, Error: 3}, {Seconds: 2, Error: 2}, {Seconds: 2, Error: 2.5}, {Seconds: 3, Error: 2},
		{Seconds: 9, Error: 1}, {Seconds: 1, Error: 0}})
	for i, want := range []bool{true, true, false, false, true, false} {
		if got[i] != want {
			t.Errorf("offer %d: %v", i, got[i])
		}
	}
}

// machineOf is the clock of a machine on which a prediction of n inputs takes 100 + 10 n microseconds of processor
// time, and a predictor on it. Other programs delay call i by delay(i) microseconds.
type machineOf struct {
	score.Predictor
	wall, processor time.Duration
	fine            bool // whether the processor time is measured
	calls           int
	delay           func(call int) int
}

func (m *machineOf) Predict(_ context.Context, inputs grid.Batch, _ int, _ func(int)) (grid.Batch, error) {
	took := time.Duration(100+10*inputs.Count) * time.Microsecond
	m.wall += took + time.Duration(m.delay(m.calls))*time.Microsecond
	m.calls++
	if m.fine {
		m.processor += took
	}
	return inputs, nil
}

// The time of a prediction is right on a busy machine, or said to be an upper bound.
func TestOtherProgramsDoNotChangeThePrice(t *testing.T) {
	const right = 10e-6
	random := rand.New(rand.NewPCG(1, 1))
	always := func(int) int { return 500 + random.IntN(5000) }
	half := func(call int) int { return []int{0, 319, 0}[call%3] }
	for _, c := range []struct {
		name  string
		fine  bool
		delay func(call int) int
		bound bool
	}{
		{"calm", false, func(int) int { return 0 }, false},
		{"busy, with processor time", true, always, false},
		{"busy at first", false, func(call int) int { return always(call) * max(0, min(1, 60-call)) }, false},
		{"always busy", false, always, true},
		{"as long for half of the inputs", false, half, true},
	} {
		m := &machineOf{fine: c.fine, delay: c.delay}
		now := clock(func() (time.Duration, time.Duration) { return m.wall, m.processor })
		got, bound, err := now.prediction(t.Context(), m, grid.NewBatch(grid.Torus, 9, 100))
		if err != nil || bound != c.bound || bound && got < right || !bound && math.Abs(got-right) > 1e-9 {
			t.Errorf("%s: %g s, bound %v, %v", c.name, got, bound, err)
		}
	}
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
