// This file counts the work and the memory of an experiment before anything runs.

package config

import "math"

// Cost is the predicted work of an experiment, in machine-independent counts. Counts of other problems are zero.
type Cost struct {
	TruthTransforms  float64 // points x log2(points) of Fourier transforms in the reference solver
	TrainEvaluations float64 // functions: values phi(a_i; theta_j)(x) computed while training
	TestEvaluations  float64 // functions: the same while evaluating (test and training pairs)
	TruthPoints      float64 // fields: grid points of fast Poisson solves, or of equal work, in the reference solver
	TrainPoints      float64 // fields: the same while training
	TestPoints       float64 // fields: the same while evaluating
	GramFlops        float64 // multiplications and additions of the Gram matrix, its upper triangle only, or of equal work
	SolveFlops       float64 // multiplications and additions of the solution of the normal equations
	Bytes            float64 // peak memory
}

const (
	// blockRows is the approximate number of rows (sample, grid point) of the feature matrix in memory during training.
	blockRows = 2048
	// drawSolves and predictionSolves are the costs of drawing theta and of a prediction, in Poisson solves.
	drawSolves, predictionSolves = 5, 13
	// readSolves is the cost of a value in a file, in units of a point of a Poisson solve.
	readSolves = 5
	// iterations is the number of conjugate gradient iterations for the paper's permeabilities at residual 1e-10,
	// iterationSolves the cost of each in Poisson solves.
	iterations, iterationSolves = 25, 2.3
	// stepsAtTolerance are the steps of presets at tolerance 1e-6, with as many transforms as Burgers' equation.
	stepsAtTolerance = 150
	// transformSolves is the cost of a feature of fields from files, in units of one Poisson solve.
	transformSolves = 1
	// offsetPoints and offsetSide bound the grid on which a function of x alone is fitted to functions and fields from
	// files.
	offsetPoints, offsetSide = 129, 65
	// program is the memory of the program without data in bytes, heapGrowth the growth of its heap before garbage
	// collection, relative to the memory in use. Both are fitted to peaks of presets and own data, within a third.
	program, heapGrowth = 30 << 20, 1.5
)

// Cost counts the work of a valid configuration.
func (c Config) Cost() Cost {
	var cost Cost
	n, test, m, pool := float64(c.Data.Train), float64(c.Data.Test), float64(c.Features.Count),
		float64(c.Features.Drawn())
	N, Nt, Nd := float64(c.Train.Grid-1), float64(c.TestGrid()-1), float64(c.Data.Grid-1)

	generated := 0.0
	if c.Data.TrainFile == "" {
		generated += n
	}
	if c.Data.TestFile == "" {
		generated += test
	}
	// values of a sample in the feature matrix, of a stored function, of a prediction
	rows, values, kept := N, float64(c.Data.Grid), Nt
	features := pool*values + 2*pool*max(N, Nt) // theta and its spectra
	p := c.Of()
	switch {
	case c.Map().Solves:
		rows, kept = N*N, Nt*Nt
		features = 2 * pool * rows
		cost.TrainPoints = n*pool*(1+float64(c.Features.Sweeps))*rows + 2*pool*drawSolves*Nd*Nd
		cost.TestPoints = (n+test)*predictionSolves*Nt*Nt + 2*m*drawSolves*Nd*Nd
	case p.Dims == 2:
		stretch := c.stretch()
		cost.TruthPoints = pool * drawSolves * Nd * Nd * stretch
		rows, values, kept = (N+1)*(N+1)*stretch, float64(c.Data.Grid*c.Data.Grid)*stretch, (Nt+1)*(Nt+1)*stretch
		features = pool*values + pool*max(rows, kept)
		offset := 0.0
		if c.Train.Offset {
			offset = m * min(values, offsetSide*offsetSide)
		}
		cost.TrainPoints = n * transformSolves * (pool*rows + offset)
		cost.TestPoints = (n + test) * m * transformSolves * kept
	default:
		offset := 0.0
		if c.Train.Offset {
			offset = m * min(values, offsetPoints)
		}
		cost.TrainEvaluations = n * (pool*N + offset)
		cost.TestEvaluations = (n + test) * m * Nt
	}
	switch p.Name {
	case Darcy:
		cost.TruthPoints += generated * iterations * iterationSolves * Nd * Nd
	case Fields: // reading files takes longer than all other work before training
		cost.TruthPoints += 2 * (n + test) * values * readSolves
	case TextEquation:
		values := math.Pow(Nd, float64(c.Equation.Dims)) * float64(len(c.Equation.fields()))
		solutions := generated * float64(c.Equation.Steps+1) / 2 // some inputs are states along trajectories
		cost.TruthTransforms = solutions * stepsAtTolerance * math.Pow(1e-6/c.Equation.Tolerance, 0.25) * 8 * values *
			math.Log2(values)
	}

	in, out := c.Channels()
	rows *= float64(out)
	kept *= float64(out)
	if max(in, out) > 1 { // random features of one channel are drawn, but other methods learn
		cost.TrainEvaluations, cost.TrainPoints, cost.TestEvaluations, cost.TestPoints = 0, 0, 0, 0
		features, pool, m = pool*values, 0, 0
	}
	summed := rows // values of a sample in the sums
	if c.Train.Rows > 0 {
		summed = min(rows, float64(c.Train.Rows))
	}
	cost.GramFlops = n * summed * pool * (pool + 1)
	cost.SolveFlops = 4. / 3 * m * m * m
	if pool > m {
		cost.SolveFlops += 2*pool*pool*m - pool*m*m // the greedy choice
	}
	if c.ChoosesLambda() { // up to five times: training with four fifths of the pairs, on a coarse grid
		folds, coarse := min(5, n, math.Ceil(5*256/n)), math.Pow(float64(c.CoarseGrid(c.Train.Grid)), float64(c.Dims()))
		cost.SolveFlops += folds * (cost.SolveFlops + 0.8*n*coarse*pool*pool)
	}
	cholesky := c.Train.Lambda > 0 && !c.ChoosesLambda()
	if cholesky {
		cost.SolveFlops = m * m * m / 3
	}
	pairs := float64(in+out) * c.pairsValues(n, test)
	if p.Files { // and as they are read
		pairs *= 2
	}
	block := 1.1 * pool * max(blockRows, rows)
	if summed < rows {
		block += pool * rows
	}
	sums, solving := pool*pool, 2*m*m // blocks of features are freed before the sums are solved
	if cholesky && pool == m {
		solving = 0 // Cholesky's factorisation overwrites the sums
	}
	working := max(block, solving)
	if c.ChoosesLambda() {
		working = block + solving
	}
	if c.Evaluation.Baselines && p.Dims == 2 { // the kernel of the baseline sees pairs in eight positions
		working = max(working, 2*8*n*rows)
	}
	// the model's predictions, and those of the test inputs by the mean of the outputs and other methods, one at a time
	predictions := (n + 2*test) * kept
	cost.Bytes = program + heapGrowth*8*(pairs+features+sums+working+predictions)
	return cost
}
