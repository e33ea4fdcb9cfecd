// This file is the course of a search: its evaluations, their order, and the end of its stages.

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
	purposeDescent draw.Purpose = "tune-descent" // index: descent
)

const (
	// competitors and finalists are the numbers of activations that remain in the stage Compete, and in the stages
	// Converge and Confirm.
	competitors, finalists = 4, 2
	// exploreBatch is the number of random places evaluated side by side.
	exploreBatch = 8
	// wideStep, narrowStep and freshStep are the standard deviations of coordinates at the start of a descent, when it
	// continues with more features, and when it restarts after convergence.
	wideStep, narrowStep, freshStep = 0.2, 0.08, 0.3
	// confirmFactor is the number of features in the stage Confirm over that of the earlier stages.
	confirmFactor = 2
	// leastRescoring and mostRescoring bound the share of the time that is reserved for rescoring.
	leastRescoring, mostRescoring = 0.2, 0.5
)

// shares are the shares of the search that are spent at the ends of its stages.
var shares = [stageCount]float64{Explore: 0.12, Compete: 0.35, Converge: 0.65, Confirm: 1}

// within reports whether a stage continues: until its share is spent or, in a replayed search, as it did before.
func (t *Tuner) within(stage Stage) bool {
	if t.replayed() {
		return t.rows[len(t.evaluations)].stage() == stage
	}
	return t.spent() < shares[stage]
}

// replayed reports whether the next evaluation is known from an earlier session.
func (t *Tuner) replayed() bool { return len(t.evaluations) < len(t.rows) }

// spent returns the spent part of the search's budget; rescoring comes after 1.
func (t *Tuner) spent() float64 {
	part := 0.0
	if t.options.Evaluations > 0 {
		cost := 0.0
		for _, e := range t.evaluations {
			if e.Stage != Rescore {
				r := float64(e.Features) / float64(t.problem.features)
				cost += r * r
			}
		}
		part = cost / float64(t.options.Evaluations)
	}
	if t.options.Time > 0 {
		all := t.options.Time.Seconds()
		kept := min(mostRescoring*all, max(leastRescoring*all, t.unit*t.problem.cost(t.rescoring(candidates+1,
			t.problem.final))))
		part = max(part, t.elapsed()/(all-kept))
	}
	return part
}

// An arm is a kind of features with the best parameters found for it.
type arm struct {
	place   Place
	score   float64
	descent *evolution
}

// search goes through the stages. The error is ctx's, or evaluate's.
func (t *Tuner) search(ctx context.Context) error {
	if _, err := t.evaluate(ctx, []request{{Stage: Start, Features: t.problem.features}}); err != nil {
		return err
	}
	arms, err := t.explore(ctx)
	if err != nil {
		return err
	}
	descents := 0
	for _, stage := range []Stage{Compete, Converge, Confirm} {
		features, left := t.problem.features, finalists
		switch stage {
		case Compete:
			left = competitors
		case Confirm:
			features = min(t.problem.final, confirmFactor*features)
		}
		slices.SortStableFunc(arms, func(a, b *arm) int { return cmp.Compare(a.score, b.score) })
		arms = arms[:min(left, len(arms))]
		for _, a := range arms {
			if stage == Confirm { // earlier scores are not comparable
				a.score, a.descent = math.Inf(1), nil
			}
			if err := t.toggle(ctx, stage, a, features); err != nil {
				return err
			}
		}
		for i := 0; t.within(stage); i++ {
			if err := t.descend(ctx, stage, arms[i%len(arms)], features, &descents); err != nil {
				return err
			}
		}
	}
	return t.rescore(ctx)
}

// explore evaluates the same random places for every kind of features. The first of them is the place closest to the
// start.
func (t *Tuner) explore(ctx context.Context) ([]*arm, error) {
	trial, err := t.problem.trial(request{Features: t.problem.features})
	if err != nil {
		return nil, err
	}
	rms, err := trial.rms(ctx, t.start, max(1, t.options.Workers))
	if err != nil {
		return nil, err
	}
	origin := t.space.nearest(t.start, rms)
	kinds := t.space.kinds.Choices
	arms := make([]*arm, max(1, len(kinds)))
	for i := range arms {
		arms[i] = &arm{score: math.Inf(1)}
	}
	for index := 0; index < len(arms) || t.within(Explore); {
		var batch []request
		for range exploreBatch {
			p := t.random(origin, index/len(arms))
			if kinds != nil {
				p = p.chosen(t.space.kinds.Name, kinds[index%len(kinds)])
			}
			batch = append(batch, request{Stage: Explore, Place: &p, Features: t.problem.features})
			index++
		}
		results, err := t.evaluate(ctx, batch)
		if err != nil {
			return nil, err
		}
		for i, e := range results {
			arms[(index-exploreBatch+i)%len(arms)].update(e)
		}
	}
	return arms, nil
}

// random returns the place with an index: the origin, then uniform draws.
func (t *Tuner) random(origin Place, index int) Place {
	if index == 0 {
		return origin
	}
	p := Place{Choices: origin.Choices, Coordinates: make([]float64, len(origin.Coordinates))}
	r := draw.Stream(t.options.Seed, purposeExplore, index)
	for i := range p.Coordinates {
		p.Coordinates[i] = r.Float64()
	}
	for _, toggle := range t.space.toggles {
		p = p.chosen(toggle.Name, toggle.values[r.IntN(len(toggle.values))])
	}
	return p
}

func (a *arm) update(e Evaluation) {
	if e.Error < a.score {
		a.place, a.score = *e.Place, e.Error
	}
}

// toggle evaluates an arm's best place with every value of every choice but the kind.
func (t *Tuner) toggle(ctx context.Context, stage Stage, a *arm, features int) error {
	if !t.within(stage) {
		return nil
	}
	batch := []request{{Stage: stage, Place: &Place{a.place.Choices, a.place.Coordinates}, Features: features}}
	for _, toggle := range t.space.toggles {
		for _, value := range toggle.values {
			if p := a.place.chosen(toggle.Name, value); value != a.place.Choices[toggle.Name] {
				batch = append(batch, request{Stage: stage, Place: &p, Features: features})
			}
		}
	}
	results, err := t.evaluate(ctx, batch)
	for _, e := range results {
		a.update(e)
	}
	return err
}

// descend evaluates one generation of an arm's descent.
func (t *Tuner) descend(ctx context.Context, stage Stage, a *arm, features int, descents *int) error {
	if a.descent == nil || a.descent.converged() {
		step := wideStep
		switch {
		case a.descent != nil:
			step = freshStep
		case stage == Confirm:
			step = narrowStep
		}
		a.descent = newEvolution(a.place.Coordinates, step, draw.Stream(t.options.Seed, purposeDescent, *descents))
		*descents++
	}
	points := a.descent.ask()
	batch := make([]request, len(points))
	for i, x := range points {
		batch[i] = request{Stage: stage, Place: &Place{a.place.Choices, x}, Features: features}
	}
	results, err := t.evaluate(ctx, batch)
	if err != nil {
		return err
	}
	values := make([]float64, len(results))
	for i, e := range results {
		values[i] = e.Error
		a.update(e)
	}
	a.descent.tell(values)
	return nil
}
