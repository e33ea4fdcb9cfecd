package equation

import (
	"slices"
	"testing"

	"rfm/solver/grf"
)

// problem returns a problem whose initial values come from load.
func problem(dims int, parameters map[string]string, lines ...string) Problem {
	p := Problem{Text: lines, Parameters: parameters, Inputs: grf.Periodic{Tau: 1, Alpha: 1}}
	if dims == 2 {
		p.Inputs = grf.Field{Tau: 1, Alpha: 2}
	}
	if sys, err := parseSystem(lines, parameters, dims); err == nil {
		p.Initial = slices.Repeat([]string{"a"}, len(sys.Fields))
	}
	return p
}

// on returns the problem on a grid of a torus.
func (p Problem) on(points int, length, tolerance float64) Problem {
	p.Points, p.Lengths, p.Tolerance = points+1, [2]float64{length, length}, tolerance
	return p
}

// solver prepares a problem; an error ends the test.
func solver(t testing.TB, p Problem, points int, length, tolerance float64) *evolution {
	t.Helper()
	s := newSolver(p.on(points, length, tolerance))
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s
}

type function = func(field, lane int, x [2]float64) float64

// load returns a worker with initial values.
func load(s *evolution, initial function) *worker {
	w := s.newWorker()
	for i := range w.Fields {
		for j := range w.u[i] {
			w.u[i][j] = initial(i, j%block, w.points[j/block])
		}
	}
	w.begin()
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
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// values returns the values of all fields.
func values(w *worker) (all [][]float64) {
	for f := range w.Fields {
		all = append(all, slices.Clone(w.onPoints(f)))
	}
	return all
}
