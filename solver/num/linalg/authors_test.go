// The linear systems of the paper's authors; testdata/README.md documents their origin.

package linalg

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset/npz"
	"rfm/solver/num/simd"
)

const (
	// alphaTolerance is the relative difference to the authors' solution. The systems with lambda = 0 have effective
	// condition numbers up to 4.5e9, and two ways of solving them differ by about that times the rounding unit.
	alphaTolerance = 1e-8
	// authorsRcond is the relative cutoff of the pseudo-inverse that the authors used.
	authorsRcond = 1e6 * 0x1p-52
)

type system struct {
	gram       *Symmetric
	rhs, alpha []float64
}

// readSystem reads the arrays of an archive.
func readSystem(t *testing.T, name string) system {
	t.Helper()
	file := must(os.ReadFile(filepath.Join("testdata", name+".npz")))
	archive := must(npz.NewReader(bytes.NewReader(file), int64(len(file)), name))
	array := func(name string) []float64 {
		member := must(archive.Array(name))
		return must(member.Array()).Data
	}
	rhs := array("rhs")
	return system{gram: symmetricFromDense(len(rhs), array("gram")), rhs: rhs, alpha: array("alpha")}
}

func TestTruncatedSolutionIsTheAuthors(t *testing.T) {
	for _, name := range []string{"burgers_m256_lambda0", "burgers_m256_filter_lambda0"} {
		system := readSystem(t, name)
		everyLevel(t, func(t *testing.T, level simd.Level) {
			system.gram.level = level
			d := must(Decompose(context.Background(), system.gram.Clone(), 2))
			alpha := make([]float64, len(system.rhs))
			rank := must(d.SolveTruncated(alpha, system.rhs, authorsRcond))
			difference := relative(alpha, system.alpha)
			t.Logf("%s: rank %d of %d, relative difference %.1e", name, rank, len(alpha), difference)
			if !(difference <= alphaTolerance) {
				t.Errorf("%s: relative difference %.2e, want at most %v", name, difference, alphaTolerance)
			}
		})
	}
}

func TestShiftedSolutionIsTheAuthors(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for name, lambda := range map[string]float64{"darcy_m350_lambda1e-8": 1e-8, "darcy_m35_lambda1e-9": 1e-9} {
		system := readSystem(t, name)
		everyLevel(t, func(t *testing.T, level simd.Level) {
			system.gram.level = level
			d := must(Decompose(context.Background(), system.gram.Clone(), 1))
			for method, solve := range map[string]func(dst, b []float64, lambda float64) error{
				"Cholesky": func(dst, b []float64, lambda float64) error {
					return solveShifted(t.Context(), system.gram.Clone(), dst, b, lambda, 2)
				},
				"tridiagonal": d.SolveShifted,
			} {
				alpha := make([]float64, len(system.rhs))
				if err := solve(alpha, system.rhs, lambda); err != nil {
					t.Fatal(err)
				}
				difference := relative(alpha, system.alpha)
				t.Logf("%s, %s: relative difference %.1e", name, method, difference)
				if !(difference <= alphaTolerance) {
					t.Errorf("%s, %s: relative difference %.2e, want at most %v", name, method, difference, alphaTolerance)
				}
			}
		})
	}
}
