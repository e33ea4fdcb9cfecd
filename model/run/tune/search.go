package tune

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/draw"
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
	exploration     = 0.1
	leastPopulation = 24
	mostPopulation  = 40
	// evolution is the share after which the best confirmed places evolve with confirmFactor as many features.
	evolution     = 0.6
	confirmed     = 12
	confirmFactor = 2
	// tournament is the number of places of which the best is the base of a child, crossover the share of coordinates
	// that a child has from the base, mutation the share of random choices.
	tournament = 4
	crossover  = 0.9
	mutation   = 0.05
	// leastRescoring and mostRescoring bound the share of the time that is reserved for rescoring.
	leastRescoring = 0.2
	mostRescoring  = 0.5
	// candidates is the number of places that are scored again, survivors the number of those scored on all draws.
	candidates = 8
	survivors  = 3
	// rescoreDraws is the number of fresh draws.
	rescoreDraws = 3
	// separation is the distance below which places are the same.
	separation = 0.1
)

// search goes through the stages. The error is ctx.Err(), or evaluate's.
func (s *Session) search(ctx context.Context) error {
	start := request{Stage: Start, Features: s.problem.features}
	_, err := s.evaluate(ctx, []request{start})
	if err != nil {
		return err
	}
	population, err := s.explore(ctx)
	if err != nil {
		return err
	}
	err = s.evolve(ctx, Evolve, evolution, population)
	if err != nil {
		return err
	}
	if s.within(Confirm, 1) {
		population, err = s.confirm(ctx, population)
		if err != nil {
			return err
		}
	}
	err = s.evolve(ctx, Confirm, 1, population)
	if err != nil {
		return err
	}
	return s.rescore(ctx)
}

// within reports whether a stage continues: until a share of the search is spent or, in a replay, as it did before.
func (s *Session) within(stage Stage, share float64) bool {
	if s.replayed() {
		next := s.records[len(s.evaluations)]
		return next.asked.stage == stage
	}
	return s.spent() < share
}

// replayed reports whether the next evaluation is known from an earlier session.
func (s *Session) replayed() bool { return len(s.evaluations) < len(s.records) }

// spent returns the spent part of the search's budget; rescoring comes after 1.
func (s *Session) spent() float64 {
	part := 0.0
	if s.options.Evaluations > 0 {
		var searched []request
		for _, e := range s.evaluations {
			if e.Stage != Rescore {
				searched = append(searched, e.request)
			}
		}
		part = s.cost(searched) / float64(s.options.Evaluations)
	}
	if s.options.Time > 0 {
		all := s.options.Time.Seconds()
		rescoring := s.rescoring(candidates+1, s.problem.final)
		reserved := min(mostRescoring*all, max(leastRescoring*all, rescoring))
		part = max(part, s.elapsed()/(all-reserved))
	}
	return part
}

// rescoring returns the seconds of count scores on a fresh draw.
func (s *Session) rescoring(count, features int) float64 {
	one := request{Features: features, Draw: 1}
	cost := s.cost([]request{one})
	return s.unit * float64(count) * cost
}

// explore evaluates the place closest to the start and random ones, and returns the best.
func (s *Session) explore(ctx context.Context) (population []Evaluation, err error) {
	for len(population) == 0 || s.within(Explore, exploration) || s.tooFew(population) {
		var requests []request
		for i := range batch {
			requests = append(requests, request{
				Stage:    Explore,
				Place:    s.explored(len(population) + i),
				Features: s.problem.features,
			})
		}
		results, err := s.evaluate(ctx, requests)
		if err != nil {
			return nil, err
		}
		population = append(population, results...)
	}
	return fittest(population, mostPopulation), nil
}

// explored returns a place of the first stage: the one closest to the start, then random ones.
func (s *Session) explored(index int) Place {
	p := nearest(s.space, s.start)
	if index == 0 {
		return p
	}
	r := draw.Stream(s.options.Seed, purposeExplore, index)
	for k, d := range s.space {
		value := d.value(r.Float64())
		p[k] = d.coordinate(value)
	}
	return p
}

// tooFew reports whether a population is too small to evolve, although there is time to make it larger. A replayed
// search has decided that before.
func (s *Session) tooFew(population []Evaluation) bool {
	return !s.replayed() && len(population) < leastPopulation && s.spent() < 1
}

// fittest returns up to count members of a population, the best first.
func fittest(population []Evaluation, count int) []Evaluation {
	slices.SortStableFunc(population, func(a, b Evaluation) int {
		return cmp.Compare(a.Error, b.Error)
	})
	return population[:min(count, len(population))]
}

// confirm evaluates the best of a population with more features.
func (s *Session) confirm(ctx context.Context, population []Evaluation) ([]Evaluation, error) {
	var requests []request
	for _, e := range fittest(population, confirmed) {
		features := min(s.problem.final, confirmFactor*e.Features)
		requests = append(requests, request{
			Stage:    Confirm,
			Place:    e.Place,
			Features: features,
		})
	}
	return s.evaluate(ctx, requests)
}

// evolve evaluates children in place of members of the population, and keeps the better ones.
func (s *Session) evolve(ctx context.Context, stage Stage, share float64, population []Evaluation) error {
	for first := 0; s.within(stage, share); first += batch {
		requests := make([]request, batch)
		for i := range requests {
			place := s.child(population, first+i, stage)
			requests[i] = request{
				Stage:    stage,
				Place:    place,
				Features: population[0].Features,
			}
		}
		results, err := s.evaluate(ctx, requests)
		if err != nil {
			return err
		}
		for i, e := range results {
			member := &population[(first+i)%len(population)]
			if e.Error <= member.Error {
				*member = e
			}
		}
	}
	return nil
}

// child returns the place base + factor (b - c), where it is not that of the member that it may replace: base is the
// best of a few members, b and c are any. Choices are those of the base.
func (s *Session) child(population []Evaluation, number int, stage Stage) Place {
	r := draw.Stream(s.options.Seed, purposeEvolve, stageCount*number+int(stage))
	pick := func() Evaluation {
		return population[r.IntN(len(population))]
	}
	base := pick()
	for range tournament - 1 {
		rival := pick()
		if rival.Error < base.Error {
			base = rival
		}
	}
	b := pick().Place
	c := pick().Place
	factor := 0.3 + 0.6*r.Float64()
	p := slices.Clone(population[number%len(population)].Place)
	always := r.IntN(len(p))
	for k, d := range s.space {
		u := r.Float64()
		switch {
		case d.values != nil && u < mutation:
			p[k] = d.coordinate(d.values[r.IntN(len(d.values))])
		case u > crossover && k != always: // the member's own coordinate stays
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
	return min(u, 2-u)
}

// affordable returns the number of places, the start among them, to score on a first fresh draw in the time left, and
// the number of features: all candidates with all features if possible, or else fewer candidates, or else fewer
// features. A replayed search keeps its earlier numbers.
func (s *Session) affordable() (count, features int) {
	if s.replayed() {
		records := s.records[len(s.evaluations):]
		for _, r := range records {
			if r.asked.draw == 1 {
				count++
			}
		}
		return count, records[0].asked.features
	}
	count = candidates + 1
	features = s.problem.final
	if s.options.Time == 0 {
		return count, features
	}
	for {
		left := s.options.Time.Seconds() - s.elapsed()
		if s.rescoring(count, features) <= left {
			return count, features
		}
		switch {
		case count > survivors+1:
			count--
		case features > s.problem.features:
			count = candidates + 1
			features = max(s.problem.features, features/2)
		default:
			return count, features
		}
	}
}

// rescore scores the best places, and the start, on a first fresh draw, and the best of these on more. The error is
// context.DeadlineExceeded if the time left is too short for another draw.
func (s *Session) rescore(ctx context.Context) error {
	count, features := s.affordable()
	places := append([]Place{nil}, s.best()...)
	places = places[:min(count, len(places))]
	for d := 1; d <= rescoreDraws; d++ {
		requests := make([]request, len(places)) // all or nothing: means are over the same draws
		for i, p := range places {
			requests[i] = request{
				Stage:    Rescore,
				Place:    p,
				Features: features,
				Draw:     d,
			}
		}
		isFurther := d > 1 && !s.replayed()
		if isFurther && s.options.Time > 0 {
			end := s.elapsed() + s.rescoring(len(places), features)
			if end > s.options.Time.Seconds() {
				return context.DeadlineExceeded
			}
		}
		results, err := s.evaluate(ctx, requests)
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
func (s *Session) best() (chosen []Place) {
	ofNoPlace := func(e Evaluation) bool { return e.Place == nil || e.Stage == Rescore }
	order := slices.DeleteFunc(s.Evaluations(), ofNoPlace)
	slices.SortStableFunc(order, func(a, b Evaluation) int {
		byFeatures := cmp.Compare(b.Features, a.Features)
		byError := cmp.Compare(a.Error, b.Error)
		return cmp.Or(byFeatures, byError)
	})
	for _, e := range order {
		isSame := func(p Place) bool {
			return floats.Distance(p, e.Place, 2) < separation
		}
		if len(chosen) < candidates && !slices.ContainsFunc(chosen, isSame) {
			chosen = append(chosen, e.Place)
		}
	}
	return chosen
}
