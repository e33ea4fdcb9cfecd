package tune

import (
	"cmp"
	"context"
	"math"
	"slices"

	"rfm/solver/draw"
)

// The purposes of the search's streams.
const (
	purposeDraw    draw.Purpose = "tune-draw"    // index: draw; the seed of features
	purposeExplore draw.Purpose = "tune-explore" // index: random place
	purposeEvolve  draw.Purpose = "tune-evolve"  // index: child
)

const (
	// batch is the number of places evaluated side by side.
	batch = 8
	// exploration is the share of random places, leastPopulation and mostPopulation bound the number of them that evolve.
	exploration                     = 0.1
	leastPopulation, mostPopulation = 24, 40
	// evolution is the share after which the best confirmed places evolve with confirmFactor as many features.
	evolution, confirmed, confirmFactor = 0.6, 12, 2
	// tournament is the number of places of which the best is the base of a child, crossover the share of coordinates
	// that a child has from the base, mutation the share of random choices.
	tournament, crossover, mutation = 4, 0.9, 0.05
	// leastRescoring and mostRescoring bound the share of the time that is reserved for rescoring.
	leastRescoring, mostRescoring = 0.2, 0.5
	// candidates is the number of places that are scored again, survivors the number of those scored on all draws.
	candidates, survivors = 8, 3
	// rescoreDraws is the number of fresh draws.
	rescoreDraws = 3
	// separation is the distance below which places are the same.
	separation = 0.1
)

// search goes through the stages. The error is ctx's, or evaluate's.
func (t *tuner) search(ctx context.Context) error {
	if _, err := t.evaluate(ctx, []request{{Stage: Start, Features: t.problem.features}}); err != nil {
		return err
	}
	population, err := t.explore(ctx)
	if err == nil {
		err = t.evolve(ctx, Evolve, evolution, population)
	}
	if err == nil && t.within(Confirm, 1) {
		population, err = t.confirm(ctx, population)
	}
	if err == nil {
		err = t.evolve(ctx, Confirm, 1, population)
	}
	if err != nil {
		return err
	}
	return t.rescore(ctx)
}

// within reports whether a stage continues: until a share of the search is spent or, in a replay, as it did before.
func (t *tuner) within(stage Stage, share float64) bool {
	if t.replayed() {
		return Stage(t.rows[len(t.evaluations)][0]) == stage
	}
	return t.spent() < share
}

// replayed reports whether the next evaluation is known from an earlier session.
func (t *tuner) replayed() bool { return len(t.evaluations) < len(t.rows) }

// spent returns the spent part of the search's budget; rescoring comes after 1.
func (t *tuner) spent() float64 {
	part := 0.0
	if t.options.Evaluations > 0 {
		cost := 0.0
		for _, e := range t.evaluations {
			if e.Stage != Rescore {
				cost += t.cost([]request{e.request})
			}
		}
		part = cost / float64(t.options.Evaluations)
	}
	if t.options.Time > 0 {
		all := t.options.Time.Seconds()
		kept := min(mostRescoring*all, max(leastRescoring*all, t.rescoring(candidates+1, t.problem.final)))
		part = max(part, t.elapsed()/(all-kept))
	}
	return part
}

// rescoring returns the seconds of count scores on a fresh draw.
func (t *tuner) rescoring(count, features int) float64 {
	return t.unit * float64(count) * t.cost([]request{{Features: features, Draw: 1}})
}

// explore evaluates the place closest to the start and random ones, and returns the best.
func (t *tuner) explore(ctx context.Context) (population []Evaluation, err error) {
	for len(population) == 0 || t.within(Explore, exploration) ||
		!t.replayed() && len(population) < leastPopulation && t.spent() < 1 {
		var requests []request
		for i := range batch {
			p := nearest(t.space, t.start)
			if index := len(population) + i; index > 0 {
				r := draw.Stream(t.options.Seed, purposeExplore, index)
				for k, d := range t.space {
					p[k] = d.coordinate(d.value(r.Float64()))
				}
			}
			requests = append(requests, request{Stage: Explore, Place: p, Features: t.problem.features})
		}
		results, err := t.evaluate(ctx, requests)
		if err != nil {
			return nil, err
		}
		population = append(population, results...)
	}
	return fittest(population, mostPopulation), nil
}

// fittest returns up to count members of a population, the best first.
func fittest(population []Evaluation, count int) []Evaluation {
	slices.SortStableFunc(population, func(a, b Evaluation) int { return cmp.Compare(a.Error, b.Error) })
	return population[:min(count, len(population))]
}

// confirm evaluates the best of a population with more features.
func (t *tuner) confirm(ctx context.Context, population []Evaluation) ([]Evaluation, error) {
	var requests []request
	for _, e := range fittest(population, confirmed) {
		requests = append(requests, request{Confirm, e.Place, min(t.problem.final, confirmFactor*e.Features), 0})
	}
	return t.evaluate(ctx, requests)
}

// evolve evaluates children in place of members of the population, and keeps the better ones.
func (t *tuner) evolve(ctx context.Context, stage Stage, share float64, population []Evaluation) error {
	for first := 0; t.within(stage, share); first += batch {
		requests := make([]request, batch)
		for i := range requests {
			requests[i] = request{stage, t.child(population, first+i, stage), population[0].Features, 0}
		}
		results, err := t.evaluate(ctx, requests)
		if err != nil {
			return err
		}
		for i, e := range results {
			if member := &population[(first+i)%len(population)]; e.Error <= member.Error {
				*member = e
			}
		}
	}
	return nil
}

// child returns the place base + factor (b - c), where it is not that of the member that it may replace: base is the
// best of a few members, b and c are any. Choices are those of the base.
func (t *tuner) child(population []Evaluation, number int, stage Stage) Place {
	r := draw.Stream(t.options.Seed, purposeEvolve, stageCount*number+int(stage))
	pick := func() Evaluation { return population[r.IntN(len(population))] }
	base := pick()
	for range tournament - 1 {
		if e := pick(); e.Error < base.Error {
			base = e
		}
	}
	b, c, factor := pick().Place, pick().Place, 0.3+0.6*r.Float64()
	p := slices.Clone(population[number%len(population)].Place)
	always := r.IntN(len(p))
	for k, d := range t.space {
		switch u := r.Float64(); {
		case d.values != nil && u < mutation:
			p[k] = d.coordinate(d.values[r.IntN(len(d.values))])
		case u > crossover && k != always:
		case d.values != nil:
			p[k] = base.Place[k]
		default:
			p[k] = mirrored(base.Place[k] + factor*(b[k]-c[k]))
		}
	}
	return p
}

// mirrored maps a coordinate into [0, 1], mirroring at both ends.
func mirrored(u float64) float64 {
	u = math.Abs(math.Mod(u, 2))
	if u > 1 {
		return 2 - u
	}
	return u
}

// affordable returns the number of places, the start among them, to score on a first fresh draw in the time left, and
// the number of features: all candidates with all features if possible, or else fewer candidates, or else fewer
// features. A replayed search keeps its earlier numbers.
func (t *tuner) affordable() (count, features int) {
	count, features = candidates+1, t.problem.final
	if t.replayed() {
		count, features = 0, int(t.rows[len(t.evaluations)][1])
		for _, r := range t.rows[len(t.evaluations):] {
			if r[2] == 1 {
				count++
			}
		}
		return count, features
	}
	for t.options.Time > 0 && t.rescoring(count, features) > t.options.Time.Seconds()-t.elapsed() {
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
func (t *tuner) rescore(ctx context.Context) error {
	count, features := t.affordable()
	places := append([]Place{nil}, t.best()...)
	places = places[:min(count, len(places))]
	for d := 1; d <= rescoreDraws; d++ {
		requests := make([]request, len(places)) // all or nothing: means are over the same draws
		for i, p := range places {
			requests[i] = request{Stage: Rescore, Place: p, Features: features, Draw: d}
		}
		if d > 1 && !t.replayed() && t.options.Time > 0 &&
			t.elapsed()+t.rescoring(len(places), features) > t.options.Time.Seconds() {
			return context.DeadlineExceeded
		}
		results, err := t.evaluate(ctx, requests)
		if err != nil {
			return err
		}
		if d == 1 {
			places = []Place{nil}
			for _, e := range fittest(results[1:], survivors) {
				places = append(places, e.Place)
			}
		}
	}
	return nil
}

// best returns the best distinct places of the search, those with most features first: they are the best of the others.
func (t *tuner) best() (chosen []Place) {
	order := slices.DeleteFunc(t.all(), func(e Evaluation) bool { return e.Place == nil || e.Stage == Rescore })
	slices.SortStableFunc(order, func(a, b Evaluation) int {
		return cmp.Or(cmp.Compare(b.Features, a.Features), cmp.Compare(a.Error, b.Error))
	})
	for _, e := range order {
		if len(chosen) < candidates && !slices.ContainsFunc(chosen,
			func(p Place) bool { return p.distance(e.Place) < separation }) {
			chosen = append(chosen, e.Place)
		}
	}
	return chosen
}
