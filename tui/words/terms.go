package words

import (
	"regexp"
	"slices"
	"strings"
)

// A Term is a term of the field with its explanation.
type Term struct {
	Name     string
	Shown    []string // spellings in heads of columns and rows
	Settings []string // the settings that it explains
	Text     string   // two sentences
}

// Terms returns all terms, in the order in which they are explained: the names of measures, methods and grids.
func Terms() []Term { return slices.Clone(terms) }

var terms = []Term{
	{"expected relative test error", []string{"expected relative", "relative L2 error", "one evaluation", "test error"},
		[]string{"data.test"},
		"The mean of |u - F(a)| / |u| over the test pairs, in the L2 norm. " +
			"The column train has the same mean over the training pairs."},
	{"reference solution", []string{"truth", "truth u"}, nil,
		"The output with which predictions are compared: the solver's solution, or the output in the file. " +
			"Pictures call it truth."},
	{"mean of the outputs", []string{"mean of the outputs", "of the mean of the outputs"},
		[]string{"train.method", "evaluation.baselines"},
		"The mean of the training outputs, taken as the prediction for every input. A model whose error is not clearly " +
			"smaller has learned nothing from the inputs."},
	{"error of the fluctuation", []string{"of the fluctuation"}, nil,
		"The root of the sum of |u - F(a)|^2, divided by the root of the sum of |u - mean|^2: the error of what differs " +
			"from the mean of the training outputs. It is shown where this mean carries over 90% of the norm."},
	{"Bochner error", []string{"Bochner"}, nil,
		"The root of the sum of |u - F(a)|^2 over all pairs, divided by the root of the sum of |u|^2. " +
			"Pairs with a large output count more than in the expected relative error."},
	{"quantiles of the error", []string{"best", "10% quantile", "median", "90% quantile", "worst"}, nil,
		"The relative errors of the single pairs in ascending order. " +
			"The 90% quantile exceeds the error of nine pairs out of ten."},
	{"channel", []string{"channel"}, []string{"data.in", "data.out"},
		"One component of functions with several. " +
			"The table has the expected relative error of each output channel."},
	{"published value", []string{"paper"}, nil,
		"The expected relative test error in the paper, computed from a single realisation of the random features. " +
			"Other seeds have other errors: the screen paper compares with their standard deviation."},
	{"number of training pairs", []string{"n"}, []string{"data.train"},
		"The pairs (a, u) from which the model is trained. " +
			"More pairs reduce the error until the number of features limits it."},
	{"number of features", []string{"m", "features m"}, []string{"features.count"},
		"The random features whose weighted mean is the model. " +
			"Training solves a linear system of m equations."},
	{"random features", []string{"model", "random features"}, []string{"features.kind", "train.method"},
		"Maps from functions to functions with random parameters that stay fixed. " +
			"Training finds only their coefficients, by ridge regression."},
	{"corrector iteration without training", []string{"untrained, once", "untrained, twice"}, nil,
		"The Darcy solver's own fixed-point iteration, applied once or twice. " +
			"Its error shows how much the features know before any training."},
	{"full solve", []string{"full solve"}, nil,
		"The reference solver at its own tolerance on the test grid, as the data were made. " +
			"Its time is that of one solution on one core."},
	{"equal solve", []string{"equal solve"}, nil,
		"The same solver at matched accuracy: the fastest solve, on any grid and to any tolerance, whose error is at most " +
			"the model's. A model that is slower than it does not save time."},
	{"linear", []string{"linear"}, []string{"train.method", "evaluation.baselines"},
		"The best linear operator from inputs to outputs, regularised by the cross-validation error. " +
			"A model that is not better than it has learned nothing nonlinear."},
	{"kernel ridge", []string{"kernel ridge"}, []string{"train.method", "evaluation.baselines"},
		"Kernel ridge regression with a kernel of the distance between inputs. " +
			"Its parameters have the smallest cross-validation error."},
	{"kernel, sheared", []string{"kernel, sheared"}, []string{"train.method"},
		"The equivariant kernel of outputs with steep fronts, whose graphs are moved sideways by their values until the " +
			"fronts are flat. The prediction is moved back."},
	{"equivariant kernel", []string{"equivariant kernel"}, []string{"train.method", "data.symmetry"},
		"Kernel ridge regression on all translations of every pair, for periodic data, and for functions that are reflected at their ends. " +
			"A translated input then gives the translated output, exactly."},
	{"local layers", []string{"local layers"}, []string{"train.method"},
		"Random features of the input and a prediction around each point, with numbers as coefficients. " +
			"The same rule holds at all points, so that one pair teaches many values."},
	{"neural operator", []string{"neural operator"}, []string{"train.method", "train.patience"},
		"A Fourier neural operator: layers of filters and pointwise maps, all of whose weights are trained by gradient descent. " +
			"It takes the time that train.patience gives it."},
	{"corrected", []string{"kernel, corrected", "corrected"}, []string{"train.method"},
		"Residual correction: a kernel predicts first, and random features learn its residual. " +
			"The features see the input and the kernel's prediction."},
	{"rank", []string{"rank"}, []string{"train.rcond"},
		"The eigenvalues of the Gram matrix that are large enough to be used when lambda = 0. " +
			"A rank below m means that some features are combinations of others."},
	{"lambda", []string{"lambda"}, []string{"train.lambda", "train.relative", "train.choice"},
		"The regularisation of the least squares problem, which keeps the coefficients small. " +
			"0 asks for the solution of minimum norm."},
	{"cross-validation error", []string{"cross-validation", "left out", "leave-one-out"}, []string{"train.choice"},
		"The mean relative error on training pairs of models trained without them: without one pair at a time " +
			"(leave-one-out) or, for random features, without a fifth. It chooses lambda and methods without test pairs."},
	{"coefficients", []string{"coefficients", "largest", "smallest", "|alpha| / m", "hold 50%", "hold 90%"}, nil,
		"The numbers alpha that training finds, one for each feature. " +
			"If few of them hold most of |alpha|^2, few features make the prediction."},
	{"data grid", nil, []string{"data.grid"},
		"The grid on which the reference solver computes the pairs. " +
			"K counts its points with both endpoints; a field has r x r."},
	{"training grid", nil, []string{"train.grid"},
		"The grid to which the pairs are restricted for training. " +
			"A coarser one makes training cheaper; the model can be evaluated on any other."},
	{"test grid", []string{"K", "r"}, []string{"evaluation.grid"},
		"The grid on which predictions are compared with the reference solution. " +
			"The tab transfer shows the error on all of them."},
	{"coverage of bands", []string{"promised", "functions", "whole", "points"}, []string{"evaluation.bands"},
		"The share of test pairs whose solution lies inside the prediction band: within the radius in L2, everywhere, or " +
			"at a point. It should be at least the nominal coverage that is promised."},
	{"radius", []string{"mean radius"}, []string{"evaluation.bands"},
		"The half-width of a prediction band: the largest L2 distance from the prediction that it promises. " +
			"The table has its mean, relative to the norm of the prediction."},
	{"sweep", []string{"sweep"}, nil,
		"A run for each of several values. In the form, 128,256,512 or 1..20 in place of a number is a sweep; " +
			"its page draws the errors as they come in, and opens each run."},
}

// TermsOf returns the terms that explain a setting.
func TermsOf(setting string) []Term {
	return slices.DeleteFunc(Terms(), func(t Term) bool { return !slices.Contains(t.Settings, setting) })
}

// TermsOn returns the terms that head a row or a column of a text in cells, without escape sequences.
func TermsOn(text string) []Term {
	var cells []string
	for _, cell := range between.Split(text, -1) {
		cells = append(cells, strings.TrimLeft(cell, " ")+" ")
	}
	return slices.DeleteFunc(Terms(), func(t Term) bool {
		return !slices.ContainsFunc(t.Shown, func(shown string) bool {
			return slices.ContainsFunc(cells, func(cell string) bool {
				rest, ok := strings.CutPrefix(cell, shown)
				return ok && strings.IndexAny(rest, " =,") == 0
			})
		})
	})
}

// between matches the gaps between cells of tables: two spaces, or lines.
var between = regexp.MustCompile(`\n ?| {2,}|[│|] `)
