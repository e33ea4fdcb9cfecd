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
	blockRows = 1024
	// drawSolves is the cost of drawing theta, predictionSolves that of a prediction, in Poisson solves.
	drawSolves       = 5
	predictionSolves = 13
	// readSolves is the cost of a value in a file, in units of a point of a Poisson solve.
	readSolves = 5
	// iterations is the number of conjugate gradient iterations for the paper's permeabilities at residual 1e-10,
	// iterationSolves the cost of each in Poisson solves.
	iterations      = 25
	iterationSolves = 2.3
	// stepsAtTolerance are the steps of presets at tolerance 1e-6, with as many transforms as Burgers' equation.
	stepsAtTolerance = 150
	// transformSolves is the cost of a feature of fields from files, in units of one Poisson solve.
	transformSolves = 1
	// offsetPoints and offsetSide bound the grids on which a function of x alone is fitted to functions and to fields.
	offsetPoints = 129
	offsetSide   = 65
	// program is the memory of the program without data in bytes, heapGrowth the growth of its heap before garbage
	// collection, relative to the memory in use. Both are fitted to peaks of presets and own data, within a third.
	program    = 30 << 20
	heapGrowth = 1.5
)

// Cost counts the work of a valid configuration.
func (c Config) Cost() Cost {
	var cost Cost
	p := c.Of()
	train := float64(c.Data.Train)
	test := float64(c.Data.Test)
	count := float64(c.Features.Count)
	pool := float64(c.Features.Drawn())
	size := c.addFeatures(&cost)
	c.addTruth(&cost, size)

	in, out := c.Channels()
	rows := size.rows * float64(out)
	predicted := size.predicted * float64(out)
	features := size.features
	if max(in, out) > 1 { // random features of one channel are drawn, but other methods learn
		cost.TrainEvaluations = 0
		cost.TrainPoints = 0
		cost.TestEvaluations = 0
		cost.TestPoints = 0
		features = pool * size.values
		pool = 0
		count = 0
	}
	summed := rows // values of a sample in the sums
	if c.Train.Rows > 0 {
		summed = min(rows, float64(c.Train.Rows))
	}
	cost.GramFlops = train * summed * pool * (pool + 1)
	cholesky := c.Train.Lambda > 0 && !c.ChoosesLambda()
	cost.SolveFlops = c.solveFlops(count, pool, cholesky)

	pairs := float64(in+out) * c.pairsValues(train, test)
	if p.Files { // and as they are read
		pairs *= 2
	}
	block := 1.1 * pool * max(blockRows, rows)
	if summed < rows {
		block += pool * rows
	}
	sums := pool * pool
	solving := 2 * count * count
	if cholesky && pool == count {
		solving = 0 // because Cholesky's factorisation overwrites the sums
	}
	working := max(block, solving) // because blocks of features are freed before the sums are solved
	if c.ChoosesLambda() {
		working = block + solving
	}
	if c.Evaluation.Baselines && p.Dims == 2 { // the kernel of the baseline sees pairs in eight positions
		working = max(working, 2*8*train*rows)
	}
	// the model's predictions, and those of the test inputs by the mean of the outputs and other methods, one at a time
	predictions := (train + 2*test) * predicted
	numbers := pairs + features + sums + working + predictions
	cost.Bytes = program + heapGrowth*8*numbers
	return cost
}

// sizes are numbers of values that an experiment with random features holds.
type sizes struct {
	rows      float64 // of a sample in the feature matrix
	values    float64 // of a function as it is stored
	predicted float64 // of a prediction
	features  float64 // of all features
}

// addFeatures adds the work of features, and returns the sizes of what they make.
func (c Config) addFeatures(cost *Cost) sizes {
	train := float64(c.Data.Train)
	samples := train + float64(c.Data.Test)
	count := float64(c.Features.Count)
	pool := float64(c.Features.Drawn())
	// intervals along an axis
	trainSide := float64(c.Train.Grid - 1)
	testSide := float64(c.TestGrid() - 1)
	dataSide := float64(c.Data.Grid - 1)

	switch {
	case c.Map().Solves:
		rows := trainSide * trainSide
		predicted := testSide * testSide
		draws := 2 * drawSolves * dataSide * dataSide
		cost.TrainPoints = train*pool*(1+float64(c.Features.Sweeps))*rows + pool*draws
		cost.TestPoints = samples*predictionSolves*predicted + count*draws
		return sizes{
			rows:      rows,
			values:    float64(c.Data.Grid),
			predicted: predicted,
			features:  2 * pool * rows,
		}
	case c.Of().Dims == 2:
		stretch := c.stretch()
		rows := (trainSide + 1) * (trainSide + 1) * stretch
		values := float64(c.Data.Grid*c.Data.Grid) * stretch
		predicted := (testSide + 1) * (testSide + 1) * stretch
		cost.TruthPoints = pool * drawSolves * dataSide * dataSide * stretch
		offset := 0.0
		if c.Train.Offset {
			offset = count * min(values, offsetSide*offsetSide)
		}
		cost.TrainPoints = train * transformSolves * (pool*rows + offset)
		cost.TestPoints = samples * count * transformSolves * predicted
		return sizes{
			rows:      rows,
			values:    values,
			predicted: predicted,
			features:  pool*values + pool*max(rows, predicted),
		}
	}
	values := float64(c.Data.Grid)
	offset := 0.0
	if c.Train.Offset {
		offset = count * min(values, offsetPoints)
	}
	cost.TrainEvaluations = train * (pool*trainSide + offset)
	cost.TestEvaluations = samples * count * testSide
	return sizes{
		rows:      trainSide,
		values:    values,
		predicted: testSide,
		features:  pool*values + 2*pool*max(trainSide, testSide), // theta and its spectra
	}
}

// addTruth adds the work of making or reading the pairs.
func (c Config) addTruth(cost *Cost, size sizes) {
	generated := 0.0
	if c.Data.TrainFile == "" {
		generated += float64(c.Data.Train)
	}
	if c.Data.TestFile == "" {
		generated += float64(c.Data.Test)
	}
	side := float64(c.Data.Grid - 1)
	switch c.Problem {
	case Darcy:
		cost.TruthPoints += generated * iterations * iterationSolves * side * side
	case Fields: // reading files takes longer than all other work before training
		cost.TruthPoints += 2 * float64(c.Data.Train+c.Data.Test) * size.values * readSolves
	case TextEquation:
		values := math.Pow(side, float64(c.Equation.Dims)) * float64(len(c.Equation.Fields()))
		solutions := generated * float64(c.Equation.Steps+1) / 2 // some inputs are states along trajectories
		if len(c.Equation.Numbers()) > 0 {
			const alone = 8 // because pairs with other numbers are not solved together
			solutions *= alone
		}
		steps := solutions * stepsAtTolerance * math.Pow(1e-6/c.Equation.Tolerance, 0.25)
		const transforms = 8 // of a step
		cost.TruthTransforms = steps * transforms * values * math.Log2(values)
	}
}

// solveFlops returns the work of choosing count features of a pool, and of solving for their coefficients.
func (c Config) solveFlops(count, pool float64, cholesky bool) float64 {
	if cholesky {
		return count * count * count / 3
	}
	flops := 4. / 3 * count * count * count
	if pool > count {
		flops += 2*pool*pool*count - pool*count*count // the greedy choice
	}
	if !c.ChoosesLambda() {
		return flops
	}
	// up to five times: training with four fifths of the pairs, on a coarse grid
	train := float64(c.Data.Train)
	folds := min(5, train, math.Ceil(5*256/train))
	coarse := math.Pow(float64(c.CoarseGrid(c.Train.Grid)), float64(c.Dims()))
	return flops + folds*(flops+0.8*train*coarse*pool*pool)
}
