// This file decides which methods a model is compared with, by counts of operations.

package engine

import (
	"fmt"
	"strings"

	"rfm/config"
	"rfm/model/learn/fno"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/solver/space/grid"
)

// comparison lists the methods that are trained besides the configured one, or among which the best is chosen.
type comparison struct {
	methods  []operator.Method // without random features
	features bool              // random features, too
	dearer   []string          // titles of methods that are left out because they cost more than the configured one
}

// leastBudget is the number of operations that a comparison may cost whatever the method: about a second of one core.
const leastBudget = 2e10

// comparisonOf returns the comparison of a configuration with functions on some domains. A named method is compared with
// others that together cost no more than itself, or than leastBudget, by counts of operations, so that equal runs have equal
// results. The best is chosen among all, and random features of a known equation are compared with the reference methods.
func comparisonOf(c config.Config, in, out grid.Domain) comparison {
	all := method.Compared(c, in, out)
	if c.Train.Method == config.Best {
		return comparison{methods: all, features: true}
	}
	if !c.Of().Files && c.Train.Method == config.RandomFeatures {
		return comparison{methods: all}
	}
	var compared comparison
	left := max(leastBudget, ownWork(c, all, out)) // operations that are not spent
	take := func(title string, work float64) bool {
		if work > left {
			compared.dearer = append(compared.dearer, title)
			return false
		}
		left -= work
		return true
	}
	for _, m := range all {
		if m.Name == c.Train.Method {
			continue
		}
		if take(m.Title, workOf(m, c, min(c.Data.Train, m.Most), out)) {
			compared.methods = append(compared.methods, m)
		}
	}
	features := random.Random{Config: c}.Method()
	if c.Train.Method != features.Name && features.Suits(in, out, c.Data.Symmetry) {
		compared.features = take(features.Title, featureWork(c))
	}
	return compared
}

// ownWork returns the operations of the configured method, which is random features or one of all.
func ownWork(c config.Config, all []operator.Method, out grid.Domain) float64 {
	if c.Train.Method == config.RandomFeatures {
		return featureWork(c)
	}
	kernels := 0.0 // with which layers and corrections begin
	for _, m := range all {
		work := workOf(m, c, c.Data.Train, out)
		beginsWithKernels := m.Name == config.Layers || m.Name == config.Corrected
		switch {
		case m.Name != c.Train.Method && beginsWithKernels:
		case m.Name != c.Train.Method:
			kernels += work
		case beginsWithKernels:
			return kernels + work
		default:
			return work
		}
	}
	return 0
}

// featureEvaluation is the cost of a feature at a point, in operations of the sums over the points.
const featureEvaluation = 50

// featureWork returns the operations of training random features.
func featureWork(c config.Config) float64 {
	cost := c.Cost()
	return featureEvaluation*cost.TrainEvaluations + cost.GramFlops + solveSlowdown(c)*cost.SolveFlops
}

// workOf returns the operations of training a method on n pairs. Layers and corrections begin with kernels that are known.
func workOf(m operator.Method, c config.Config, n int, out grid.Domain) float64 {
	if m.Timed {
		const perSecond = 1e10 // operations of a core
		return perSecond * c.NetworkSeconds() * fno.Lanes
	}
	return works[m.Name](sizeOf(m, c, n, out))
}

// sizeOf returns the size of learning from n pairs by a method.
func sizeOf(m operator.Method, c config.Config, n int, out grid.Domain) size {
	outputs := grid.Batch{Domain: out, Points: c.Train.Grid}
	if m.Folds && c.Closed() {
		outputs.Domain = out.Doubled()
		outputs.Points = out.DoubledPoints(c.Train.Grid)
	}
	in, _ := c.Channels()
	return size{
		pairs:  float64(n),
		values: float64(outputs.Values()),
		domain: outputs.Domain.One(),
		in:     float64(in),
		out:    float64(out.Width()),
	}
}

// sentence tells which methods are not compared since they cost too much, beside the configured one with a title.
func (c comparison) sentence(title string) string {
	return fmt.Sprintf(aboutMethods+"%s are not compared: together with those that are, they cost more than %s "+
		"(train.method = %s compares all).", strings.Join(c.dearer, "; "), title, config.Best)
}
