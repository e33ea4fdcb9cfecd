// Package config defines the configuration of one experiment with the random feature model: a value that can be read
// from and written to TOML, edited key by key, checked, and costed before anything runs.
//
// Settings of the computation (workers, files, output) are not part of it: two runs with equal configurations give
// byte-identical results with the same build and the same instruction set.
package config

import (
	"cmp"
	"math"
	"strings"
)

// problems lists the operators that can be learned. A new problem needs an entry here and its section in Config.
var problems = []Problem{textEquation, darcy, functions, fields, scattered}

// Values of Features.Kind, Train.Choice, Train.Method, Features.Mean, Data.Endpoint, Data.Layout, Data.Symmetry and
// Data.Skip, and of keys that are yes or no.
const (
	Given       = "given"
	LeaveOneOut = "loo"

	RandomFeatures    = "features"
	Mean              = "mean" // of the training outputs, whatever the input
	Linear            = "linear"
	KernelRidge       = "kernel"
	Layers            = "layers" // random features of values near each point
	EquivariantKernel = "equivariant"
	Sheared           = "sheared"   // the equivariant kernel of outputs whose fronts are made flat
	Corrected         = "corrected" // a kernel, corrected by random features
	NeuralOperator    = "fno"       // a Fourier neural operator, trained by descent
	Best              = "best"      // the method with the least error on pairs left out

	KeepMean   = "keep"
	RemoveMean = "remove"

	AutoPoints = "auto"

	// NoPlaces, OnGrid and OnAxes are values of data.points: values at points whose places are not known, functions on grids,
	// values numbered along the axes of arrays.
	NoPlaces = "none"
	OnGrid   = "grid"
	OnAxes   = "axes" // the points of a grid with any axes
	Included = "included"
	Excluded = "excluded"
	Centres  = "centres"

	Periodic = "periodic"
	Closed   = "closed"

	AutoLayout     = "auto"
	FunctionsFirst = "functions-first"
	PointsFirst    = "points-first"

	AutoSymmetry = "auto"
	NoSymmetry   = "none"

	// values of data.groups
	AutoGroups = "auto"
	NoGroups   = "none"

	// What to do with training pairs that may be wrong: data.suspects.
	ReportSuspects = "report"
	LeaveOut       = "leave-out"
	NoMissing      = "none"
	Translations   = "translations"
	Reflection     = "reflection"     // of every axis, on periodic domains together with translations
	OddReflection  = "odd-reflection" // periodic: a(-x), u(-x) with opposite signs
	WholeSquare    = "square"         // all eight symmetries of the square

	// Functions between sides continue to a torus twice as long, with which operators commute: inputs and outputs as even
	// functions, u(-x) = u(x), or as odd ones, u(-x) = -u(x).
	EvenFold  = "even"
	OddFold   = "odd"
	EvenToOdd = "even-to-odd"
	OddToEven = "odd-to-even"
	OddLeft   = "odd-left"  // odd at the left end, even at the right one
	OddRight  = "odd-right" // the reverse

	SkipNone = "none"
	SkipBoth = "both" // pairs with values that are not finite, or with zero outputs

	Yes = "yes"
	No  = "no"

	// features that filter the product of the transforms of a and theta, eq. 3.4
	Spectral           = "spectral"
	PredictorCorrector = "predictor-corrector" // features for elliptic equations, eq. 3.11
)

// MachineRcond is the default relative cut-off for eigenvalues when lambda = 0: 1e6 times the spacing of double
// precision numbers at 1, as in the SciPy routine behind the paper's numbers.
const MachineRcond = 1e6 * 0x1p-52

// Config is one experiment: the data, the random features, the training and the evaluation. The lower-case names of
// sections and fields are the names in TOML; the rows of the table keys and of the problems describe them. Fields of
// other problems are zero.
type Config struct {
	Problem    string
	Seed       uint64
	Data       Data
	Input      Field
	Darcy      Flow
	Equation   Equation
	Features   Features
	Train      Train
	Network    Network
	Evaluation Evaluation
}

// Data is the set of input-output pairs (a_i, u_i), which a solver makes or files contain. Of pairs from files, 0 and
// empty values are found in the file, or chosen to suit it, by reading.Files.Complete.
type Data struct {
	Train, Test, Grid                                         int
	TrainFile, TestFile, Input, Output, TestInput, TestOutput string
	Split                                                     uint64 // 0 takes Seed, see SplitSeed
	Layout, Skip, Boundary, Endpoint, Symmetry, Groups        string
	Suspects                                                  string // ReportSuspects or LeaveOut
	Axes, TestAxes                                            string // meanings of the axes of arrays, see pairs.Source
	// Points names the arrays of the places of points of any geometry, or is NoPlaces, OnGrid or OnAxes; empty: the file decides.
	Points  string
	Missing string // a number for missing values, NoMissing or empty
	Mask    bool   // values that are not finite in all pairs are 0
	Columns int    // 0: as many points as along the first axis
	In, Out int    // see Channels
	// InputGrid is the number of points of inputs along an axis, if it is not Grid: predictions for inputs with as many
	// points are on Grid. 0: inputs and outputs of the file are on one grid.
	InputGrid int
	// Low names a file of many pairs of a cheap approximation of the operator, a low fidelity; LowPairs of them are learned
	// from, 0: all.
	Low      string
	LowPairs int
}

// Field is the Gaussian measure N(0, tau^(2 alpha-d) (-Laplacian + tau^2)^-alpha) on mean-zero functions of d
// variables, section 3 of the paper: periodic ones times Scale, or with homogeneous Neumann boundaries (Darcy, d = 2).
// Draws are almost surely H^s for s < alpha - d/2.
type Field struct {
	Tau, Alpha, Scale float64
	Axis              float64 // Darcy: weight of the modes that vary along one axis only; sqrt2 is normalised
}

// Features is the random feature pair (phi, mu). Burgers has the Fourier space pair of section 3.1, phi(a; theta) =
// sigma(gain * F^-1(chi F a F theta)), theta ~ N(0, C'), chi(k) = min(2r, (r+1/2)^-beta), r = 2 pi |k| delta. Darcy has
// the predictor-corrector pair of section 3.2, p0 = P[1/a + sigma(theta_1)], phi = P[1/a + sigma(theta_2) + grad log
// a_eps . grad p0], P = (-Laplacian)^-1, with sigma from Minus to Plus over the width Delta. Functions from files have
// the Fourier pair, fields from files its analogue with cosine transforms.
type Features struct {
	Kind        string
	Count, Pool int
	Activation  string
	Gain        float64 // the authors' unnormalised transforms on K = 1025 amount to 1024
	RMS, Bias   float64
	Mean        string
	Plus, Minus float64
	Delta, Beta float64
	Eta, Step   float64
	Steps       int
	Sweeps      int // 1 in the paper
	Tau, Alpha  float64
	Axis        float64
	Window      float64
	Spread      float64 // standard deviation of the logarithm of the amplitudes
	ThetaFile   string
}

// Train is the regularised least squares problem of section 2.4.
type Train struct {
	Grid, Rows       int
	Lambda, Relative float64
	Choice           string
	Offset           bool
	Method           string
	Noise            bool
	Searched         float64
	Coarsen          float64
	Rcond            float64
	Patience         float64 // seconds of one core, see Config.NetworkSeconds
}

// Network holds the sizes of neural operators; 0 is the usual size, see package fno.
type Network struct {
	Width  int // channels between layers
	Modes  int // along an axis
	Layers int
}

// Evaluation describes the test of the trained model.
type Evaluation struct {
	Baselines bool
	Grid      int
	Bands     bool
	Curve     bool
}

// ValuesAtPlaces reports whether several pairs share a function, which data.groups names, and have one number each as
// output, such as the value at a place that is a further input.
func (d Data) ValuesAtPlaces() bool {
	inputs, outputs, _ := strings.Cut(d.Axes, "->")
	haveFunctions := strings.ContainsAny(inputs, "xypq")
	return haveFunctions && !strings.ContainsAny(outputs, "xypsq") && d.LabelArray() != ""
}

// NumbersAlone reports whether inputs and outputs are numbers, and no functions, by the meanings of their axes.
func (d Data) NumbersAlone() bool { return d.Axes != "" && !strings.ContainsAny(d.Axes, "xypsq") }

// HasTest reports whether test pairs are named, instead of taken from the training pairs.
func (d Data) HasTest() bool { return d.TestFile != "" || d.TestInput != "" || d.TestOutput != "" }

// HasLow reports whether there are pairs of low fidelity.
func (d Data) HasLow() bool { return d.Low != "" }

// Drawn returns the number of features that are drawn and trained: the pool, if features are chosen from one, or m.
func (f Features) Drawn() int { return max(f.Count, f.Pool) }

// SplitSeed returns the seed of the split of one file into training and test pairs: data.split, or the seed if
// data.split is 0. The largest value stands for the split of seed 0.
func (c Config) SplitSeed() uint64 {
	switch c.Data.Split {
	case 0:
		return c.Seed
	case math.MaxUint64:
		return 0
	}
	return c.Data.Split
}

// WithSplit returns the configuration with the split of its pairs made explicit, so that another seed keeps it. A
// choice made with the training pairs is then never tested on them.
func (c Config) WithSplit() Config {
	if c.Of().Files && !c.Data.HasTest() && c.Data.Split == 0 {
		if c.Data.Split = c.Seed; c.Seed == 0 {
			c.Data.Split = math.MaxUint64
		}
	}
	return c
}

// DataOnly returns the configuration with the sections that determine the data only.
func (c Config) DataOnly() Config {
	c.Features = Features{}
	c.Train = Train{}
	c.Network = Network{}
	c.Evaluation = Evaluation{}
	return c
}

// TestGrid returns the K on which errors are measured.
func (c Config) TestGrid() int { return cmp.Or(c.Evaluation.Grid, c.Train.Grid) }
