package equation

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"rfm/config"
)

// problem returns a problem on a grid of a torus, whose initial values come from load.
func problem(dims, points int, length, tolerance float64, text, parameters string) Problem {
	p := Problem{config.Equation{Text: text, Parameters: parameters, Dims: dims, Length: length, Tolerance: tolerance},
		config.Field{Tau: 1, Alpha: 2}, points + 1, 1}
	p.Initial = strings.Repeat("a;", len(newSolver(p).Fields))
	return p
}

// solver prepares a problem; an error ends the test.
func solver(t testing.TB, dims, points int, length, tolerance float64, text string) *evolution {
	t.Helper()
	s := newSolver(problem(dims, points, length, tolerance, text, ""))
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s
}

type function = func(field, lane int, x [2]float64) float64

// placed reports whether an error has a place in a text.
func placed(err error) bool {
	var e *config.Error
	isOfText := errors.As(err, &e) && (e.Key == "equation.text" || e.Key == "equation.initial")
	return isOfText && strings.Contains(e.Problem, ", column ") &&
		strings.HasSuffix(e.Problem, "^")
}

// load returns a worker with initial values.
func load(s *evolution, initial function) *worker {
	w := s.newWorker()
	for i := range w.Fields {
		for j := range w.starts[i] {
			w.starts[i][j] = initial(i, j%block, w.points[j/block])
		}
	}
	_ = w.begin() // advance begins again
	return w
}

// attempt returns a worker after a time, and the error of the solver.
func attempt(t testing.TB, s *evolution, time float64, initial function) (*worker, error) {
	w := load(s, initial)
	return w, w.advance(t.Context(), []float64{time}, "", func(int) {})
}

// solve returns a worker after a time; an error ends the test.
func solve(t testing.TB, s *evolution, time float64, initial function) *worker {
	t.Helper()
	w, err := attempt(t, s, time, initial)
	noError(t, err)
	return w
}

// values returns the values of all fields.
func values(w *worker) (all [][]float64) {
	for f := range w.Fields {
		all = append(all, slices.Clone(w.onPoints(f)))
	}
	return all
}
