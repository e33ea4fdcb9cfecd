// Package study repeats the numerical results of Nelsen & Stuart, SIAM J. Sci. Comput. 43(5) A3212-A3243, 2021: each
// study is a figure or a table of the paper, computed again and compared with the published numbers.
//
// A prediction is linear in the coefficients alpha, the Gram matrix of every m is part of the largest one, and sums
// over n samples pass through the sums over every smaller n. So a study over m, n and lambda makes one pass over the
// training features and one over the test features, and solves a small system for each cell in between.
package study

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/paper"
	"rfm/model/report"
)

// Scalar is the problem of the Brownian bridge, a scalar function of one variable.
const Scalar = "scalar"

// Study is one figure or table of the paper for one problem.
type Study struct {
	Name    string // problem-item, e.g. burgers-m-n
	Item    string // the same item of every problem, e.g. m-n
	Problem string // config.Burgers, config.Darcy, or Scalar
	Title   string
	Short   string // title in two words
	Source  string // figure or table of the paper
	judged  bool   // by the spreads of its problem
	run     run
}

// Published returns the paper's numbers for the study, as a figure and its table; an empty page if it has none.
func (s Study) Published() report.Page { return paper.Page(s.Problem, s.Item) }

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

// item returns the study of an item for a problem.
func item(problem, name, title, source string, judged bool, run run) Study {
	who := strings.ToUpper(problem[:1]) + problem[1:]
	return Study{Name: problem + "-" + name, Item: name, Problem: problem, Title: who + ": " + title, Source: source,
		judged: judged, Short: who + " " + name, run: run}
}

// All returns the studies, grouped by problem.
func All() []Study {
	scalar := []Study{{Name: "brownian", Item: "brownian", Problem: Scalar, Short: "Brownian bridges",
		Title: "Brownian bridges: from random features to the interpolant", Source: "Example 2.8", run: bridge}}
	return slices.Concat(scalar, burgersStudies(), darcyStudies())
}

func burgersStudies() []Study {
	const p = config.Burgers
	return []Study{
		item(p, "seeds", "scatter from draw to draw", "not in the paper", false, seedsStudy),
		item(p, "feature", "a random feature", "Figure 3.1", false, featureStudy),
		item(p, "sample", "a test sample", "Figure 4.1", false, inLab(sampleStudy)),
		item(p, "semigroup", "composing the model for T = 0.5", "Table 4.1", true, inLab(semigroup)),
		item(p, "transfer", "training on one grid, testing on others", "Figure 4.2 left", true, inLab(transferStudy)),
		item(p, "m-n", "error against the number of features and samples", "Figure 4.2 right", true, inLab(samplingStudy)),
		item(p, "resolution", "error against the grid", "Figure 4.3 left", true, inLab(resolutionStudy)),
		item(p, "coefficients", "coefficients against the grid", "Figure 4.3 right", true, inLab(coefficientsStudy)),
		item(p, "lambda", "error against the regularisation", "not in the paper", true, inLab(lambdaStudy)),
	}
}

func darcyStudies() []Study {
	const p = config.Darcy
	return []Study{
		item(p, "seeds", "scatter from draw to draw", "not in the paper", false, seedsStudy),
		item(p, "feature", "a random feature", "Figure 3.2", false, featureStudy),
		item(p, "sample", "a test sample", "Figure 4.4", false, inLab(sampleStudy)),
		item(p, "transfer", "training on one grid, testing on others", "Figure 4.5 left", true, inLab(transferStudy)),
		item(p, "m-n", "error against the number of features and samples", "Figure 4.5 right", true, inLab(samplingStudy)),
		item(p, "resolution", "error against the grid", "Figure 4.6 left", true, inLab(resolutionStudy)),
		item(p, "coefficients", "coefficients against the grid", "Figure 4.6 right", true, inLab(coefficientsStudy)),
		item(p, "lambda", "error against the regularisation", "section 4.2", true, inLab(lambdaStudy)),
	}
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
	if len(names) == 0 {
		return all, nil
	}
	chosen := map[string]bool{}
	for _, name := range names {
		found := false
		for _, s := range all {
			if name == s.Name || name == s.Item || name == s.Problem {
				chosen[s.Name], found = true, true
			}
		}
		if !found {
			return nil, unknown(name, all)
		}
	}
	return slices.DeleteFunc(all, func(s Study) bool { return !chosen[s.Name] }), nil
}

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
