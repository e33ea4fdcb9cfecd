// This file counts the work and the memory of an experiment before anything runs.

package config

import "math"

// Cost is what an experiment will do, in machine-independent counts.
type Cost struct {
	TruthTransforms  float64 // points x log2(points) of Fourier transforms in the truth solver
	TrainEvaluations float64 // values phi(a_i; theta_j)(x) computed while training
	TestEvaluations  float64 // the same while evaluating (test and training pairs)
	GramFlops        float64 // multiplications and additions of the Gram matrix, its upper triangle only
	SolveFlops       float64 // multiplications and additions of the solution of the normal equations
	Bytes            float64 // peak memory
}

// stepsAtTolerance is the number of time steps over T = 1 that the truth solver takes at tolerance 1e-8 for the
// paper's inputs; the count goes as tolerance^(-1/4).
const stepsAtTolerance = 310

// blockRows is about the number of rows (sample, grid point) of the feature matrix that training holds at a time.
const blockRows = 2048

// Cost counts the work of a valid configuration.
func (c Config) Cost() Cost {
	var cost Cost
	n, test, m := float64(c.Data.Train), float64(c.Data.Test), float64(c.Features.Count)
	N, Nt, Nd := float64(c.Train.Grid-1), float64(c.TestGrid()-1), float64(c.Data.Grid-1)

	generated := 0.0
	if c.Data.TrainFile == "" {
		generated += n
	}
	if c.Data.TestFile == "" {
		generated += test
	}
	steps := stepsAtTolerance * c.Burgers.Time * math.Pow(1e-8/c.Burgers.Tolerance, 0.25)
	cost.TruthTransforms = generated * steps * 8 * Nd * math.Log2(Nd) // four stages, there and back

	cost.TrainEvaluations = n * m * N
	cost.TestEvaluations = (n + test) * m * Nt
	cost.GramFlops = n * N * m * (m + 1)
	cost.SolveFlops = 4. / 3 * m * m * m
	if c.Train.Lambda > 0 {
		cost.SolveFlops = m * m * m / 3
	}

	pairs := 2 * (n + test) * float64(c.Data.Grid)
	theta := m * float64(c.Data.Grid)
	spectra := 2 * m * max(N, Nt)
	block := 1.1 * m * blockRows
	matrices := 3 * m * m
	predictions := (n + test) * Nt
	cost.Bytes = 8 * (pairs + theta + spectra + block + matrices + predictions)
	return cost
}
