// This file is when a model has paid for itself.

package engine

import "slices"

// FullSolve is what an evaluation calls the solver at equal resolution.
const FullSolve = "full solve"

// Payoff compares a model with the solver that it stands in for.
type Payoff struct {
	Faster      float64 // how many times as fast as the solver the model is; below 1 it never pays
	Spent       float64 // seconds of one core, at most, that data and training took
	Evaluations float64 // number of evaluations after which these are saved; 0 if it never pays
}

// Payoff says when the model of a complete experiment has paid for its data and its training; ok is false if the solver
// was not timed, as for pairs from files.
func (e *Experiment) Payoff() (p Payoff, ok bool) {
	if e.evaluation == nil {
		return p, false
	}
	rivals := e.evaluation.Rivals
	at := slices.IndexFunc(rivals, func(r Rival) bool { return r.Name == FullSolve })
	if at < 1 {
		return p, false
	}
	model, solver := rivals[0].Seconds, rivals[at].Seconds
	p = Payoff{Faster: solver / model, Spent: (e.seconds.Generate + e.seconds.Train) * float64(e.workers)}
	if solver > model {
		p.Evaluations = p.Spent / (solver - model)
	}
	return p, true
}
