package engine

import (
	"fmt"
	"math"
	"slices"
)

// Names of the solver in an evaluation.
const (
	FullSolve  = "full solve"  // with the solver's own tolerance, on the evaluation's grid
	EqualSolve = "equal solve" // the fastest with an error of at most the model's, on any grid, to any tolerance
)

// Payoff compares a model with the solver that it replaces: the fastest solve that is no less accurate, or else the
// full solve.
type Payoff struct {
	Against     string  `json:"against"`                  // name of the solve
	Faster      float64 `json:"faster"`                   // time of the solve divided by the time of the model
	Spent       float64 `json:"spent_seconds"`            // upper bound of core time for data, training and search
	Search      float64 `json:"search_seconds,omitempty"` // the part of Spent for the feature search
	Evaluations float64 `json:"evaluations,omitempty"`    // number of evaluations that save Spent; 0: never
}

// payoff returns the payoff of the model of a complete experiment. It is nil if the solver was not timed, as for pairs
// from files.
func (e *Experiment) payoff() *Payoff {
	rivals := e.evaluation.Rivals
	at := slices.IndexFunc(rivals, func(r Rival) bool { return r.Name == EqualSolve })
	if at < 0 {
		at = slices.IndexFunc(rivals, func(r Rival) bool { return r.Name == FullSolve })
	}
	if at < 1 {
		return nil
	}
	model, solver := rivals[0].Seconds, rivals[at].Seconds
	p := &Payoff{Against: rivals[at].Name, Faster: solver / model,
		Spent:  (e.seconds.Generate+e.seconds.Train)*float64(e.evaluation.workers) + e.Config.Train.Searched,
		Search: e.Config.Train.Searched}
	if solver > model {
		p.Evaluations = p.Spent / (solver - model)
	}
	return p
}

// Sentences describes the payoff; spent is Spent formatted for people.
func (p Payoff) Sentences(spent string) []string {
	what := "data and training"
	if p.Search > 0 {
		what = "data, training and the search for features"
	}
	if p.Evaluations == 0 {
		return []string{fmt.Sprintf("The %s is %.1f times as fast as the model here.", p.Against, 1/p.Faster),
			"So the model never pays for its " + what + "."}
	}
	return []string{fmt.Sprintf("The model is %.1f times as fast as the %s here.", p.Faster, p.Against),
		fmt.Sprintf("%s took %s of one core at most.", "D"+what[1:], spent),
		fmt.Sprintf("The model has paid for them after %s evaluations.", twoDigits(p.Evaluations))}
}

// twoDigits rounds n up to an integer with at most two significant digits.
func twoDigits(n float64) string {
	unit := math.Pow(10, max(0, math.Floor(math.Log10(n))-1))
	return fmt.Sprintf("%.0f", math.Ceil(n/unit)*unit)
}
