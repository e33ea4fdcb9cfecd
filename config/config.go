// Package config says what to compute: one experiment with the random feature model, as a value that can be
// read from and written to TOML, edited key by key, checked, and costed before anything runs.
//
// How to compute (workers, where to save, what to print) is not in here: two runs with equal configurations
// give byte-identical results.
package config

// Problem names of the operators that can be learned.
const (
	Burgers = "burgers" // initial condition a -> solution u(T, .) of viscous Burgers' equation on the unit torus
)

// MachineRcond is the default relative cut-off for eigenvalues when lambda = 0: 1e6 times the spacing of double
// precision numbers at 1, which is what the SciPy routine behind the paper's numbers uses.
const MachineRcond = 1e6 * 0x1p-52

// Config is one experiment: the data, the random features, the training and the evaluation.
// Section and key names in TOML are the lower-case names of sections and fields; Fields lists them all.
type Config struct {
	Problem    string     // operator to learn
	Seed       uint64     // root of every random stream
	Data       Data       // how many pairs, on which grid, or from which files
	Input      Field      // distribution of the inputs a
	Burgers    Equation   // the solver's equation
	Features   Features   // random feature pair (phi, mu)
	Train      Train      // normal equations and their solution
	Evaluation Evaluation // where the trained model is tested
}

// Data is the set of input-output pairs (a_i, u_i).
type Data struct {
	Train     int    // n, number of training pairs
	Test      int    // n', number of test pairs
	Grid      int    // K of the grid the data are generated on, both ends counted
	TrainFile string // read training pairs from this .npy (K, n, 2) instead of generating them
	TestFile  string // the same for test pairs
}

// Field is the Gaussian measure N(0, tau^(2 alpha-1) (-Laplacian + tau^2)^-alpha) on mean-zero periodic functions,
// eq. 3.4 of the paper.
type Field struct {
	Tau   float64 // inverse length scale
	Alpha float64 // regularity: draws are almost surely H^s for s < alpha - 1/2
}

// Equation is viscous Burgers' equation u_t + (u^2/2)_x = nu u_xx, eq. 3.1.
type Equation struct {
	Viscosity float64 // nu (epsilon in the paper)
	Time      float64 // T, time at which the solution is the output
	Tolerance float64 // relative L2 error allowed in u(T, .)
}

// Features is the Fourier space random feature pair of eqs. 3.6 and 3.7:
// phi(a; theta) = sigma(gain * F^-1(chi F a F theta)), theta ~ N(0, C').
type Features struct {
	Count      int     // m, number of random features
	Activation string  // sigma
	Gain       float64 // factor inside sigma; the authors' unnormalised transforms on K = 1025 amount to 1024
	Delta      float64 // filter scale: chi(k) = min(2r, (r+1/2)^-beta), r = 2 pi |k| delta
	Beta       float64 // filter decay
	Tau        float64 // inverse length scale of theta
	Alpha      float64 // regularity of theta
	ThetaFile  string  // read theta from this .npy (K, m, 2) instead of drawing it
}

// Train is the regularised least squares problem of eq. 2.25.
type Train struct {
	Grid   int     // K on which inner products and features are evaluated
	Lambda float64 // regularisation; 0 is the minimum norm solution
	Rcond  float64 // lambda = 0 only: eigenvalues below rcond * max are dropped
}

// Evaluation says where the trained model is tested.
type Evaluation struct {
	Grid int // K on which errors are measured; 0 is the training grid
}

// TestGrid is the K on which errors are measured.
func (c Config) TestGrid() int {
	if c.Evaluation.Grid == 0 {
		return c.Train.Grid
	}
	return c.Evaluation.Grid
}
