package equation

import (
	"math"
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

// load sets initial values; time begins at 0.
func load(w *worker, initial function) {
	for i := range w.Fields {
		for j := range w.u[i] {
			w.u[i][j] = initial(i, j%block, w.points[j/block])
		}
	}
	w.begin()
}

// solve returns the values of all fields after a time, by field.
func solve(t testing.TB, s *evolution, time float64, initial function) ([][]float64, *worker) {
	t.Helper()
	w := s.newWorker()
	load(w, initial)
	if err := w.advance(t.Context(), []float64{time}, "", func(int) {}); err != nil {
		t.Fatal(err)
	}
	return values(w), w
}

func values(w *worker) (all [][]float64) {
	for f := range w.Fields {
		all = append(all, append([]float64(nil), w.onPoints(f)...))
	}
	return all
}

// onGrid samples a function.
func onGrid(s *evolution, f function) [][]float64 {
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
