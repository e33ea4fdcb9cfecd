// Package config defines the configuration of one experiment with the random feature model: a value that can be read
// from and written to TOML, edited key by key, checked, and costed before anything runs.
//
// Settings of the computation (workers, files, output) are not part of it: two runs with equal configurations give
// byte-identical results with the same build and the same instruction set.
package config

import "math"

// problems lists the operators that can be learned. A new problem needs an entry here and its section in Config.
var problems = []Problem{burgers, darcy, textEquation, functions, fields}

// Values of Features.Kind, Train.Choice, Train.Method, Features.Mean, Data.Endpoint, Data.Layout, Data.Symmetry and
// Data.Skip, and of keys that are yes or no.
const (
	Given       = "given"
	LeaveOneOut = "loo"

	RandomFeatures    = "features"
	Linear            = "linear"
	KernelRidge       = "kernel"
	LocalKernel       = "local"
	EquivariantKernel = "equivariant"
	Sheared           = "sheared"   // the equivariant kernel of outputs whose fronts are made flat
	Corrected         = "corrected" // a kernel, corrected by random features
	Best              = "best"      // the method with the least leave-one-out error

	KeepMean   = "keep"
	RemoveMean = "remove"

	AutoPoints = "auto"
	Included   = "included"
	Excluded   = "excluded"
	Centres    = "centres"

	Periodic = "periodic"
	Closed   = "closed"

	AutoLayout     = "auto"
	FunctionsFirst = "functions-first"
	PointsFirst    = "points-first"

	AutoSymmetry = "auto"
	NoSymmetry   = "none"

	// values of data.groups
	AutoGroups    = "auto"
	NoGroups      = "none"
	Translations  = "translations"
	Reflection    = "reflection"     // of every axis, on periodic domains together with translations
	OddReflection = "odd-reflection" // periodic: a(-x), u(-x) with opposite signs
	WholeSquare   = "square"         // all eight symmetries of the square

	SkipNone      = "none"
	SkipNonFinite = "nonfinite"
	SkipZero      = "zero"
	SkipBoth      = "both"

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
// sections and fields are the names in TOML; Keys lists them. Fields of other problems are zero.
type Config struct {
	Problem    string     // operator to learn
	Seed       uint64     // root of every random stream
	Data       Data       // number of pairs, and their grid or files
	Input      Field      // distribution of the inputs a
	Burgers    Viscous    // Burgers: the solver's equation
	Darcy      Flow       // Darcy: the solver's equation and the values of the permeability
	Equation   Equation   // equations as text
	Features   Features   // random feature pair (phi, mu)
	Train      Train      // normal equations and their solution
	Evaluation Evaluation // where the trained model is tested
}

// Data is the set of input-output pairs (a_i, u_i).
type Data struct {
	Train int // n, number of training pairs; problems from files: 0 takes all that are not test pairs
	Test  int // n', number of test pairs; problems from files: 0 takes a fifth of the file, or all of TestFile
	// K (fields: r, along an axis) of the data's grid, both ends counted; problems from files: 0 takes the grid of the
	// file, or one near it that suits training
	Grid       int
	TrainFile  string // read training pairs from this .npy, .npz or .mat instead of generating them
	TestFile   string // the same for test pairs; problems from files: empty takes a random part of TrainFile
	Input      string // name of the array of inputs in .npz and .mat files
	Output     string // name of the array of outputs
	TestInput  string // the same for test pairs; empty takes Input. Without a TestFile they are in TrainFile
	TestOutput string
	Split      uint64 // problems from files: seed of the split of one file; 0 takes Seed, see SplitSeed
	Layout     string // files whose shape has two readings: order of their axes, or "auto" to infer it from the values
	Skip       string // files: pairs that are left out
	Boundary   string // problems from files: "periodic" or "closed"
	// files: where points lie along an axis: with both ends, without the right one, at the centres of cells; see
	// setup.Domain
	Endpoint string
	Symmetry string // symmetry transformations that the operator commutes with, or "auto": each method detects them
	// problems from files: training pairs that depend on each other, which are left out together: "auto" detects them,
	// "none", the length of blocks in the file, or the name of an array of integers in it, one for each pair
	Groups  string
	Columns int // fields from files on a rectangle: points along the second axis; 0: as many as along the first
	// problems from files: channels, values of inputs and outputs at each point; 0: one, see Channels
	In, Out int
}

// Field is the Gaussian measure N(0, tau^(2 alpha-d) (-Laplacian + tau^2)^-alpha) on mean-zero functions of d
// variables, section 3 of the paper. They are periodic (Burgers, d = 1) or have homogeneous Neumann boundaries (Darcy,
// d = 2).
type Field struct {
	Tau   float64 // inverse length scale
	Alpha float64 // regularity: draws are almost surely H^s for s < alpha - d/2
	Scale float64 // Burgers: factor of the draws
	// Darcy: weight of the modes that vary along one axis only; 2 as computed by the authors, sqrt2 normalised
	Axis float64
}

// Features is the random feature pair (phi, mu). Burgers has the Fourier space pair of section 3.1, phi(a; theta) =
// sigma(gain * F^-1(chi F a F theta)), theta ~ N(0, C'). Darcy has the predictor-corrector pair of section 3.2, p0 =
// P[1/a + sigma(theta_1)], phi = P[1/a + sigma(theta_2) + grad log a_eps . grad p0], P = (-Laplacian)^-1. Functions
// from files have the Fourier pair, fields from files its analogue with cosine transforms.
type Features struct {
	Kind       string  // the feature map: spectral, or predictor-corrector
	Count      int     // m, number of random features
	Pool       int     // draws from which the m features are chosen greedily for the training data; 0 takes the first m
	Activation string  // Fourier: sigma
	Gain       float64 // Fourier: factor inside sigma; the authors' unnormalised transforms on K = 1025 amount to 1024
	// Fourier: root mean square inside sigma over training inputs and features, which sets the gain; 0 takes Gain
	RMS   float64
	Bias  float64 // Fourier: standard deviation of the random bias b_j inside sigma
	Mean  string  // Fourier: "keep" or "remove" the spatial mean of each feature
	Plus  float64 // Darcy: limit of sigma at +infinity
	Minus float64 // Darcy: limit of sigma at -infinity
	// Fourier: filter scale, chi(k) = min(2r, (r+1/2)^-beta), r = 2 pi |k| delta; Darcy: width of sigma's step
	Delta     float64
	Beta      float64 // Fourier: filter decay
	Eta       float64 // Darcy: diffusivity of the mollifier that maps a to a_eps
	Step      float64 // Darcy: time step of the mollifier
	Steps     int     // Darcy: number of its steps
	Sweeps    int     // Darcy: corrections of a feature; 1 in the paper
	Tau       float64 // inverse length scale of theta
	Alpha     float64 // regularity of theta
	Axis      float64 // fields on the square: as for the inputs
	Window    float64 // periodic functions: width of a Gaussian window on theta, which makes features local; 0 is none
	Spread    float64 // periodic functions: standard deviation of the logarithm of random amplitudes of theta
	ThetaFile string  // read theta from this .npy, (K, m, 2) or (r, r, m, 2), instead of drawing it
}

// Train is the regularised least squares problem of section 2.4.
type Train struct {
	Grid     int     // K (fields: r) on which inner products and features are evaluated; problems from files: 0 chooses it
	Rows     int     // spectral features: points of each pair that enter the sums, drawn at random; 0 takes all
	Lambda   float64 // ridge; 0 gives the minimum norm solution
	Relative float64 // lambda as a fraction of the largest eigenvalue of G; 0 takes Lambda
	Choice   string  // "given", or "loo": the lambda with the smallest leave-one-out error
	Offset   bool    // fit a function of x alone with the features, the common part of all outputs
	Method   string  // the method of training: "features", another method, or "best"
	// seconds of one core that the search for these features took, which a model has to save; 0: none
	Searched float64
	// share of the error by which predictions may change when they are interpolated from a coarser grid; 0: predictions
	// are made on the full grid
	Coarsen float64
	Rcond   float64 // lambda = 0 only: eigenvalues below rcond * max are dropped
}

// Evaluation describes the test of the trained model.
type Evaluation struct {
	Baselines bool // compare the model with other methods that learn from the same pairs
	Grid      int  // K (Darcy: r) on which errors are measured; 0 is the training grid
	Bands     bool // calibrate prediction bands on training pairs that are held out
}

// HasTest reports whether test pairs are named, instead of taken from the training pairs.
func (d Data) HasTest() bool { return d.TestFile != "" || d.TestInput != "" || d.TestOutput != "" }

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
	c.Features, c.Train, c.Evaluation = Features{}, Train{}, Evaluation{}
	return c
}

// TestGrid returns the K on which errors are measured.
func (c Config) TestGrid() int {
	if c.Evaluation.Grid == 0 {
		return c.Train.Grid
	}
	return c.Evaluation.Grid
}
