package engine

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/method"
	"rfm/model/run/setup"
	"rfm/solver/space/grid"
)

// slow are rates with which only the methods' operations take time.
var slow = Rates{Transforms: 1e300, Evaluations: 1e300, Poisson: 1e300, Flops: 1e9}

// An estimate grows with the number of compared methods, in the stage of their training.
func TestEstimatesCountTheComparison(t *testing.T) {
	c := config.Reference()
	alone, compared, chosen := c, c, c
	alone.Evaluation.Baselines = false
	chosen.Train.Method = config.Best
	a, b, best := slow.Estimate(alone, 1), slow.Estimate(compared, 1), slow.Estimate(chosen, 1)
	if b.Train != a.Train || b.Evaluate < a.Evaluate+1 {
		t.Errorf("with a comparison training takes %g s and evaluation %g s, without it %g s and %g s", b.Train, b.Evaluate,
			a.Train, a.Evaluate)
	}
	if more := b.Evaluate - a.Evaluate; best.Train-a.Train <= more {
		t.Errorf("best tries all methods in %g s, the reference methods take %g s", best.Train-a.Train, more)
	}
	banded := alone
	banded.Evaluation.Bands = true
	if e := slow.Estimate(banded, 1); e.Evaluate < a.Evaluate+6*a.Train {
		t.Errorf("with bands evaluation takes %g s, without %g s, training %g s", e.Evaluate, a.Evaluate, a.Train)
	}
	more := compared
	more.Data.Train *= 2
	if e := slow.Estimate(more, 1); e.Evaluate <= b.Evaluate {
		t.Errorf("comparing takes %g s, with twice the pairs %g s", b.Evaluate, e.Evaluate)
	}
}

// Every method has an entry for its work, which is the whole work of training by that method alone.
func TestEveryMethodHasItsWork(t *testing.T) {
	for _, preset := range config.Presets() {
		c := preset.Config
		if c.Data.Train == 0 || c.Train.Grid == 0 {
			continue
		}
		c.Evaluation.Baselines = false
		domain := setup.Domain(c)
		kernels := 0.0
		in, out := c.Channels()
		outputs := domain.With(out)
		for _, m := range method.All(domain.With(in), outputs, c.Data.Symmetry) {
			c.Train.Method = m.Name
			if m.Timed {
				if got := slow.Estimate(c, 2).Train; got != c.NetworkSeconds()/2 {
					t.Errorf("%s: %g s are expected, its time is %g s of one core", m.Name, got, c.NetworkSeconds())
				}
				continue
			}
			of := size{
				pairs:  float64(c.Data.Train),
				values: float64(outputs.Values(c.Train.Grid)),
				domain: domain,
				in:     float64(in),
				out:    float64(out),
			}
			want := works[m.Name](of) / slow.learning() / 2
			if m.Name == config.Layers || m.Name == config.Corrected { // they begin with the best kernel
				want += kernels
			} else {
				kernels += want
			}
			if got := slow.Estimate(c, 2).Train; !(math.Abs(got-want) <= 1e-12*want) {
				t.Errorf("%s by %s: %g s, want %g s", preset.Name, m.Name, got, want)
			}
		}
	}
}

// Random features have one channel: with several they are neither trained nor evaluated.
func TestForecastsLeaveOutFeaturesOfSeveralChannels(t *testing.T) {
	c := preset(t, config.Functions)
	c.Train.Method, c.Data.In, c.Data.Out, c.Data.Grid, c.Train.Grid = config.Best, 2, 3, 129, 129
	c.Data.Train, c.Data.Test, c.Data.TrainFile = 128, 32, "pairs.npz"
	few, many := c, c
	few.Features.Count, many.Features.Count = 16, 4096
	speed := Rates{Transforms: 1e9, Evaluations: 1e9, Flops: 1e9, Poisson: 1e9}
	a, b := speed.Estimate(few, 1), speed.Estimate(many, 1)
	if a.Train != b.Train || a.Evaluate != b.Evaluate || a.Train == 0 {
		t.Errorf("16 features are said to take %+v, 4096 %+v", a, b)
	}
	if more := b.Bytes - a.Bytes; more > 3*8*4096*129 {
		t.Errorf("%g bytes more for 4096 functions that are drawn", more)
	}
}

// Random features are not tried from too many values at points of any geometry.
func TestForecastsLeaveOutFeaturesAtManyPoints(t *testing.T) {
	speed := Rates{Transforms: 1e9, Evaluations: 1e9, Flops: 1e9, Poisson: 1e9}
	of := func(pairs, features int) float64 {
		c := preset(t, config.Points)
		noError(t, config.Assign(&c, "data.train="+strconv.Itoa(pairs), "features.count="+strconv.Itoa(features)))
		c.Data.Grid, c.Train.Grid = 1024, 1024
		return speed.Estimate(c, 1).Train
	}
	const few = 64
	const many = 1 + mostScattered/1024
	if of(few, 16) == of(few, 4096) {
		t.Error("random features of few pairs take no time")
	}
	if of(many, 16) != of(many, 4096) {
		t.Errorf("16 features of many pairs are said to take %g s, 4096 %g s", of(many, 16), of(many, 4096))
	}
}

// Kernel ridge regression learns from images of the pairs on squares, but not on the periodic square.
func TestOnlySquaresHaveImages(t *testing.T) {
	work := func(d grid.Domain) float64 { return works["kernel"](size{pairs: 128, values: 289, domain: d}) }
	if square, torus := work(grid.Square), work(grid.Torus2); square < 2*torus {
		t.Errorf("%g operations on the square, %g on the periodic square", square, torus)
	}
}

// Periodic functions of one variable are corrected from two kernels: that of transformed outputs, and the plain one.
func TestForecastsCountBothStartsOfCorrections(t *testing.T) {
	work := func(d grid.Domain) float64 { return works[config.Corrected](size{pairs: 256, values: 65, domain: d}) }
	if periodic, closed := work(grid.Torus), work(grid.Interval); periodic != 2*closed {
		t.Errorf("%g operations from two starts, %g from one", periodic, closed)
	}
}

// The time of a solve in units of the sums over one sample follows from the counts and the slowdowns.
func TestSolvesAreEstimatedByTheWayTheyTake(t *testing.T) {
	rates := Rates{Transforms: 1e300, Evaluations: 1e300, Poisson: 1e300, Flops: 1}
	for _, test := range []struct {
		m    int
		set  string
		want float64 // in units of m^3
	}{{1024, "train.lambda=0", 2.5 * 4. / 3}, {4096, "train.lambda=0", 2.5 * 4. / 3},
		{4096, "train.lambda=1e-3", 2. / 3}} {
		c, err := config.PresetByName("burgers")
		if err == nil {
			err = config.Assign(&c, test.set)
		}
		noError(t, err)
		c.Features.Count = test.m
		m := float64(test.m)
		if solve := rates.Estimate(c, 1).Train - c.Cost().GramFlops; solve < 0.99*test.want*m*m*m ||
			solve > 1.01*test.want*m*m*m {
			t.Errorf("m=%d, %s: got %g m^3 operations, want %g", test.m, test.set, solve/m/m/m, test.want)
		}
	}
}

// That the search for the equal solve ended early is said, because then the model is compared with a slower one.
func TestUnfinishedSearchesAreSaid(t *testing.T) {
	for _, isUnfinished := range []bool{false, true} {
		v := Evaluation{EqualUnfinished: isUnfinished}
		text := strings.Join(v.Times(), " ")
		if strings.Contains(text, "a faster one may exist") != isUnfinished {
			t.Errorf("unfinished: %t, notes: %q", isUnfinished, text)
		}
	}
}
