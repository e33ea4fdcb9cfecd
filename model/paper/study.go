// Package paper repeats the numerical results of Nelsen & Stuart, SIAM J. Sci. Comput. 43(5) A3212-A3243, 2021: each
// study is a figure or a table of the paper, computed again and compared with the published numbers.
//
// A prediction is linear in the coefficients alpha, the Gram matrix of every m is part of the largest one, and sums
// over n samples pass through the sums over every smaller n. So a study over m and n makes one pass over the training
// features and one over the test features, and solves a small system for each cell in between.
package paper

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/paper/published"
	"rfm/model/report"
)

// scalarProblem is the problem of the Brownian bridge, a scalar function of one variable.
const scalarProblem = "scalar"

// Study is one figure or table of the paper for one problem.
type Study struct {
	Name    string // problem-item, e.g. burgers-m-n
	Item    string // the same item of every problem, e.g. m-n
	Problem string // config.Burgers, config.Darcy, or Scalar
	Title   string
	Short   string // title in two words
	Source  string // figure or table of the paper
	run     run
}

// Published returns the paper's numbers for the study, as a figure and its table; an empty page if it has none.
func (s Study) Published() report.Page { return published.Page(s.Problem, s.Item) }

// judged reports whether the numbers of the study are judged by the spreads of its problem.
func (s Study) judged() bool { return slices.Contains(panels, s.Item) }

// run computes the study of a problem.
type run func(ctx context.Context, s *Session, problem string) (Result, error)

// inLab adapts a study that needs the lab of its problem.
func inLab(study func(ctx context.Context, s *Session, l *lab) (Result, error)) run {
	return func(ctx context.Context, s *Session, problem string) (Result, error) {
		l, err := s.lab(ctx, problem)
		if err != nil {
			return Result{}, err
		}
		return study(ctx, s, l)
	}
}

// All returns the studies, grouped by problem.
func All() []Study {
	const ours = "not in the paper"
	all := []Study{{Name: "brownian", Item: "brownian", Problem: scalarProblem, Short: "Brownian bridges",
		Title: "Brownian bridges: from random features to the interpolant", Source: "Example 2.8", run: bridge}}
	for _, problem := range []string{config.Burgers, config.Darcy} {
		for _, s := range []struct {
			item, title, burgers, darcy string
			run                         run
		}{
			{"seeds", "deviation over seeds", ours, ours, seedsStudy},
			{"feature", "a random feature", "Figure 3.1", "Figure 3.2", featureStudy},
			{"sample", "a test sample", "Figure 4.1", "Figure 4.4", inLab(sampleStudy)},
			{"semigroup", "composing the model for T = 0.5", "Table 4.1", "", panelStudy("semigroup")},
			{"transfer", "training on one grid, testing on others", "Figure 4.2 left", "Figure 4.5 left",
				panelStudy("transfer")},
			{"m-n", "error against the number of features and samples", "Figure 4.2 right", "Figure 4.5 right",
				panelStudy("m-n")},
			{"resolution", "error against the grid", "Figure 4.3 left", "Figure 4.6 left", panelStudy("resolution")},
			{"coefficients", "coefficients against the grid", "Figure 4.3 right", "Figure 4.6 right",
				panelStudy("coefficients")},
		} {
			who, source := strings.ToUpper(problem[:1])+problem[1:], s.burgers
			if problem == config.Darcy {
				source = s.darcy
			}
			if source != "" {
				all = append(all, Study{Name: problem + "-" + s.item, Item: s.item, Problem: problem, Title: who + ": " + s.title,
					Short: who + " " + s.item, Source: source, run: s.run})
			}
		}
	}
	return all
}

// UnknownError is the error of a name without a study.
type UnknownError struct {
	Name       string
	Suggestion string
	Known      []string
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no item %q to reproduce; did you mean %q? There are %s", e.Name, e.Suggestion,
		strings.Join(e.Known, ", "))
}

// Select returns the studies with the given names, items or problems, in the order of All and each once; no names
// select all. The error is an *UnknownError.
func Select(names []string) ([]Study, error) {
	all := All()
	var chosen []Study
	for _, s := range all {
		if len(names) == 0 || slices.ContainsFunc(names, s.named) {
			chosen = append(chosen, s)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(s Study) bool { return s.named(name) }) {
			return nil, unknown(name, all)
		}
	}
	return chosen, nil
}

// named reports whether a name selects the study.
func (s Study) named(name string) bool { return name == s.Name || name == s.Item || name == s.Problem }

// unknown returns an error that suggests the nearest name.
func unknown(name string, all []Study) *UnknownError {
	e := &UnknownError{Name: name}
	var names []string
	for _, s := range all {
		if !slices.Contains(e.Known, s.Item) {
			e.Known = append(e.Known, s.Item)
		}
		names = append(names, s.Name, s.Problem)
	}
	e.Suggestion = config.Nearest(strings.ToLower(name), slices.Concat(e.Known, names))
	return e
}

// Schedule returns the studies to run for the wanted ones. The study of a problem's spreads precedes the first judged
// study of the problem.
func Schedule(wanted []Study) []Study {
	return slices.DeleteFunc(All(), func(s Study) bool {
		return !slices.ContainsFunc(wanted, func(w Study) bool {
			return w.Name == s.Name || w.judged() && w.Problem == s.Problem && s.Item == "seeds"
		})
	})
}
