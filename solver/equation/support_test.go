package equation

import (
	"math"
	"testing"
)

// parsed parses a system; an error ends the test.
func parsed(t testing.TB, dims int, parameters map[string]string, lines ...string) *System {
	t.Helper()
	s, err := parseSystem(lines, parameters, dims)
	if err != nil {
		t.Fatalf("%v\n%s", err, err.(*Error).Caret())
	}
	return s
}

// solver discretises a system on a torus; an error ends the test.
func solver(t testing.TB, sys *System, points int, length, tolerance float64) *Solver {
	t.Helper()
	s, err := newSolver(sys, Problem{Points: points + 1, Lengths: [2]float64{length, length}, Tolerance: tolerance})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type function = func(field, lane int, x [2]float64) float64

// load sets initial values; time begins at 0.
func load(w *Worker, initial function) {
	w.load(func(f, l, p int) float64 {
		if f >= len(w.solver.Fields) {
			return 0
		}
		return initial(f, l, w.solver.points[p])
	})
}

// solve returns the values of all fields after a time, by field.
func solve(t testing.TB, s *Solver, time float64, initial function) ([][]float64, *Worker) {
	t.Helper()
	w := s.NewWorker()
	load(w, initial)
	if err := w.advance(t.Context(), []float64{time}, "", func(int) {}); err != nil {
		t.Fatal(err)
	}
	return values(w), w
}

func values(w *Worker) (all [][]float64) {
	for f := range w.solver.Fields {
		all = append(all, append([]float64(nil), w.onPoints(f)...))
	}
	return all
}

// onGrid samples a function.
func onGrid(s *Solver, f function) [][]float64 {
	all := make([][]float64, len(s.Fields))
	for i := range all {
		for _, x := range s.points {
			for l := range block {
				all[i] = append(all[i], f(i, l, x))
			}
		}
	}
	return all
}

// relative returns the largest relative L2 distance of trajectories, over all fields.
func relative(u, v [][]float64) float64 {
	worst := 0.0
	for l := range block {
		d, n := 0.0, 0.0
		for i := range v {
			for p := l; p < len(v[i]); p += block {
				d += math.Pow(u[i][p]-v[i][p], 2)
				n += math.Pow(v[i][p], 2)
			}
		}
		worst = math.Max(worst, math.Sqrt(d/n))
	}
	return worst
}
