package paper

import (
	"context"
	"sync"
	"testing"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/solver/dataset/filetest"
)

var noError = filetest.NoError

// tiny returns studies of fractions of a second.
func tiny(problem string) plan {
	p := planOf(problem, true)
	p.base.Data.Test = 10
	p.samplingM, p.resolutionM = []int{4, 8, 16}, []int{8, 16}
	p.n, p.m, p.draws = 12, 16, 2
	p.sampleN, p.sampleM = 12, 16
	if problem == config.Darcy {
		p.base.Data.Grid = 33
		p.base.Train.Grid, p.samplingGrid, p.sampleGrid = 17, 17, 33
		p.samplingN = []int{3, 7, 14}
		p.grids, p.transferFrom, p.transferTo = []int{9, 17, 33}, []int{9, 33}, []int{9, 17, 33}
		p.sampleN = 9
	} else {
		p.base.Data.Grid, p.base.Equation.Tolerance = 129, 1e-6
		p.base.Train.Grid, p.samplingGrid, p.sampleGrid = 33, 33, 129
		p.samplingN = []int{5, 12, 20}
		p.grids, p.transferFrom, p.transferTo = []int{17, 33, 129}, []int{17, 129}, []int{17, 33, 129}
	}
	p.base.Data.Train = p.samplingN[len(p.samplingN)-1]
	p.base.Features.Count = 16
	return p
}

const tinySeed = 5

// tinySession returns a session of tiny studies.
func tinySession(workers int, directory string) *Session {
	s := NewSession(Options{Quick: true, Seed: tinySeed, Workers: workers, Directory: directory})
	s.plan = func(problem string, _ bool) plan { return tiny(problem) }
	return s
}

// labs are the problems with their pairs, made once; tests leave them as they are.
var labs = map[string]func() *lab{"burgers": tinyLabOf("burgers"), config.Darcy: tinyLabOf(config.Darcy)}

func tinyLabOf(problem string) func() *lab {
	return sync.OnceValue(func() *lab {
		l, err := newLab(context.Background(), tiny(problem), tinySeed, 2, new(tracker))
		if err != nil {
			panic(err)
		}
		return l
	})
}

func tinyLab(problem string) *lab { return labs[problem]() }

// experiment returns a separate experiment, whose test error is the oracle of all studies.
func experiment(t *testing.T, p plan, change func(*config.Config)) *engine.Experiment {
	t.Helper()
	c := p.base
	c.Seed, c.Data.Train, c.Features.Count, c.Evaluation.Baselines = tinySeed, p.n, p.m, false
	change(&c)
	e, err := engine.New(t.Context(), c, engine.Options{Workers: 1})
	if err == nil {
		err = e.Run(t.Context())
	}
	noError(t, err)
	return e
}

// experimentError returns the expected relative test error of a separate experiment.
func experimentError(t *testing.T, p plan, change func(*config.Config)) float64 {
	t.Helper()
	return experiment(t, p, change).Evaluation().Test.ExpectedRelative
}
