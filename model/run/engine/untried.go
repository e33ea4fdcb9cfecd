// This file says what a neural operator costs, and when it may be better than the methods that were tried.

package engine

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/learn/fno"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/run/setup"
	"rfm/model/show/report"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
	"rfm/solver/space/points"
)

// A neural operator is worth its time where other methods leave an error of at least hardError on pairs that are left out:
// on ten such sets of docs/new_sets.py it had the least error on eight, and on the three others on none. From fewer pairs
// than networkPairs it did not learn enough.
const (
	hardError    = 0.01
	networkPairs = 40
)

// UntriedNetwork returns a note on what a neural operator would cost, which train.method = best does not try unless it is
// given time. It is empty if one is tried, or if the functions or the number of pairs do not suit it.
func UntriedNetwork(c config.Config) string {
	if c.Scattered() || c.Train.Method != config.Best || c.Data.Train < networkPairs || c.Train.Patience > 0 {
		return ""
	}
	pairs := shapes(c)
	pairs.Inputs.Count = c.Data.Train
	c.Train.Patience = patienceFor(c, pairs)
	methods := method.Compared(c, pairs.Inputs.Domain, pairs.Outputs.Domain)
	isTimed := func(m operator.Method) bool { return m.Timed }
	if !slices.ContainsFunc(methods, isTimed) {
		return ""
	}
	duration := strings.TrimSuffix(report.Duration(c.Train.Patience), " 0 s")
	return fmt.Sprintf("a neural operator is often better where errors stay above 1%%: --set train.patience=%.0f tries one, "+
		"too, in %s more of one core", c.Train.Patience, duration)
}

// patienceFor returns seconds that let a neural operator learn pairs: as many as docs/new_sets.py gives it, or more if the
// pairs are so many or so large that it would see each of them too few times. Networks of one that is compared with other
// methods are two, of which one tells the error.
func patienceFor(c config.Config, pairs dataset.Pairs) float64 {
	const (
		networks = 2
		minute   = 60
		passes   = 100
	)
	o := operator.Options{Symmetry: c.Data.Symmetry, Network: networkOf(c)}
	seconds := max(minute, fno.Seconds(pairs, o, passes))
	return networks * minute * math.Ceil(seconds/minute)
}

// shapes returns the domains and points of a configuration's functions, without values.
func shapes(c config.Config) dataset.Pairs {
	in, out := c.Channels()
	domain := setup.Domain(c)
	if c.Scattered() {
		domain.Cloud = pointsInPlace(c.Train.Grid)
	}
	return dataset.Pairs{
		Inputs:  grid.Batch{Domain: domain.With(in), Points: c.Train.Grid},
		Outputs: grid.Batch{Domain: domain.With(out), Points: c.Train.Grid},
	}
}

// pointsInPlace returns so many points, in place of those in files that are not read yet: which methods learn at points, and
// what they cost, hardly depends on where these are.
func pointsInPlace(count int) points.Cloud {
	at := make([]float64, count)
	for i := range at {
		at[i] = float64(i)
	}
	return points.New(nil, points.Equal(1, at, count))
}
