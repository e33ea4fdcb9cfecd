// This file scores the best places on fresh draws, which removes the bias of their selection.

package tune

import (
	"cmp"
	"context"
	"math"
	"slices"

	"rfm/config"
)

const (
	// candidates is the number of places that are scored again, survivors the number of those scored on all draws.
	candidates, survivors = 8, 3
	// rescoreDraws is the number of draws.
	rescoreDraws = 3
	// separation is the distance below which places are the same.
	separation = 0.1
)

// rescoring returns the requests for count scores on a first fresh draw.
func (t *Tuner) rescoring(count, features int) []request {
	batch := make([]request, count)
	for i := range batch {
		batch[i] = request{Stage: Rescore, Features: features, Draw: 1}
	}
	return batch
}

// affordable returns the number of places, the start among them, to score on a first fresh draw in the time left, and
// the number of features: all candidates with all features if possible, or else fewer candidates, or else fewer
// features. A replayed search keeps its earlier numbers.
func (t *Tuner) affordable() (count, features int) {
	count, features = candidates+1, t.problem.final
	if t.options.Time == 0 {
		return count, features
	}
	if t.replayed() {
		count, features = 0, t.rows[len(t.evaluations)].features()
		for _, r := range t.rows[len(t.evaluations):] {
			if r.draw() == 1 {
				count++
			}
		}
		return count, features
	}
	left := t.options.Time.Seconds() - t.elapsed()
	for t.unit*t.problem.cost(t.rescoring(count, features)) > left {
		switch {
		case count > survivors+1:
			count--
		case features > t.problem.features:
			count, features = candidates+1, max(t.problem.features, features/2)
		default:
			return count, features
		}
	}
	return count, features
}

// rescore scores the best places, and the start, on a first fresh draw, and the best of these on more. The error is
// context.DeadlineExceeded if the time left is too short for another draw.
func (t *Tuner) rescore(ctx context.Context) error {
	count, features := t.affordable()
	places := append([]*Place{nil}, t.best(candidates)...)
	places = places[:min(count, len(places))]
	for d := 1; d <= rescoreDraws; d++ {
		batch := make([]request, len(places)) // all or nothing: means are over the same draws
		for i, p := range places {
			batch[i] = request{Stage: Rescore, Place: p, Features: features, Draw: d}
		}
		if d > 1 && !t.replayed() && t.options.Time > 0 &&
			t.elapsed()+t.unit*t.problem.cost(batch) > t.options.Time.Seconds() {
			return context.DeadlineExceeded
		}
		results, err := t.evaluate(ctx, batch)
		if err != nil {
			return err
		}
		if d == 1 {
			rivals := results[1:]
			order := make([]int, len(rivals))
			for i := range order {
				order[i] = i
			}
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rivals[a].Error, rivals[b].Error) })
			places = []*Place{nil}
			for _, i := range order[:min(len(order), survivors)] {
				places = append(places, rivals[i].Place)
			}
		}
	}
	return nil
}

// best returns the best distinct places of the search: first those with most features, which were chosen from the
// others, then a few of the others.
func (t *Tuner) best(count int) []*Place {
	order := make([]*Evaluation, 0, len(t.evaluations))
	for i := range t.evaluations {
		if e := &t.evaluations[i]; e.Place != nil && e.Stage != Rescore {
			order = append(order, e)
		}
	}
	slices.SortStableFunc(order, func(a, b *Evaluation) int {
		return cmp.Or(cmp.Compare(b.Features, a.Features), cmp.Compare(a.Error, b.Error))
	})
	var chosen []*Place
	most, level := 0, 0
	for _, e := range order {
		if e.Features != level {
			level, most = e.Features, len(chosen)+count*3/4 // errors with the same number of features
		}
		if len(chosen) < min(count, most) && !slices.ContainsFunc(chosen,
			func(p *Place) bool { return p.distance(*e.Place) < separation }) {
			chosen = append(chosen, e.Place)
		}
	}
	return chosen
}

// A Leader is a configuration with its scores.
type Leader struct {
	Config   config.Config // with its best lambda
	Start    bool          // it is the initial configuration
	Features int           // m of the search's evaluation
	Error    float64       // in the search; NaN if it has none
	Rescored []float64     // errors on fresh draws, with that lambda
}

// Mean returns the mean of the errors on fresh draws, or NaN if there are none.
func (l Leader) Mean() float64 {
	sum := 0.0
	for _, e := range l.Rescored {
		sum += e
	}
	return sum / float64(len(l.Rescored))
}

// rescored returns the configurations that were scored again, by descending number of draws, then by mean error.
func (t *Tuner) rescored(evaluations []Evaluation) []Leader {
	type group struct {
		place       *Place
		evaluations []Evaluation
	}
	var groups []*group
	for _, e := range evaluations {
		if e.Stage != Rescore {
			continue
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return g.place.same(e.Place) })
		if i < 0 {
			i, groups = len(groups), append(groups, &group{place: e.Place})
		}
		groups[i].evaluations = append(groups[i].evaluations, e)
	}
	leaders := make([]Leader, len(groups))
	for i, g := range groups {
		var mean scores
		for l := range mean {
			for _, e := range g.evaluations {
				mean[l] += e.scores[l] / float64(len(g.evaluations))
			}
		}
		_, relative := mean.least()
		leader := Leader{Config: t.withLambda(g.place, relative), Start: g.place == nil, Error: math.NaN()}
		for _, e := range g.evaluations {
			leader.Rescored = append(leader.Rescored, e.scores[slices.Index(relatives[:], relative)])
		}
		for _, e := range evaluations {
			if e.Stage != Rescore && e.Place.same(g.place) {
				leader.Features, leader.Error = e.Features, e.Error
			}
		}
		leaders[i] = leader
	}
	slices.SortStableFunc(leaders, func(a, b Leader) int {
		return cmp.Or(cmp.Compare(len(b.Rescored), len(a.Rescored)), cmp.Compare(a.Mean(), b.Mean()))
	})
	return leaders
}

// withLambda returns the configuration of a place, with lambda relative to the largest eigenvalue.
func (t *Tuner) withLambda(p *Place, relative float64) config.Config {
	c := t.configuration(p)
	c.Train.Lambda, c.Train.Relative, c.Train.Choice = 0, relative, config.Given
	if c.Train.Method == config.Best { // compares leave-one-out errors: training finds lambda again
		c.Train.Relative, c.Train.Choice = 0, config.LeaveOneOut
	} else {
		c.Train.Method = config.RandomFeatures
	}
	return c
}
