package config

import (
	"fmt"
	"strings"
)

// A Map describes a value of features.kind, a feature map, to other packages. Package feature computes the map of the
// same name. A new map needs a row in featureMaps here.
type Map struct {
	Name string
	// Solves reports that features start an iteration that solves the equation, at the cost of several solutions. Rows of
	// the feature matrix of other maps are points of the grid, some of which can stand for all.
	Solves bool
	// Formula returns the feature for display: symbols, each with the text after it.
	Formula func(c Config) [][2]string
	start   func() Config // initial features if the problem's preset has others
	paper   func() Config // the features of the paper
}

var featureMaps = []Map{
	{Name: Spectral, Formula: spectralFormula, start: fields.Start, paper: Reference},
	{Name: PredictorCorrector, Solves: true, Formula: predictorFormula, start: darcy.Start, paper: darcy.Start},
}

// Map returns the feature map of the configuration. Validate refuses unknown ones.
func (c Config) Map() Map {
	for _, m := range featureMaps {
		if m.Name == c.Features.Kind {
			return m
		}
	}
	return Map{}
}

func predictorFormula(c Config) [][2]string {
	corrector := "phi"
	if c.Features.Sweeps > 1 {
		corrector = fmt.Sprintf("phi, %d times,", c.Features.Sweeps)
	}
	return [][2]string{{"p0", "= P[f/a + sigma(theta_1)],  P = (-Laplacian)^-1,  theta_i ~ N(0, C')"},
		{corrector, "= P[f/a + sigma(theta_2) + grad log a_eps . grad p0]"}}
}

func spectralFormula(c Config) [][2]string {
	f := c.Features
	inside := fmt.Sprintf("%g F^-1[ chi  F a  F theta ]", f.Gain)
	rest := "theta ~ N(0, C')"
	if f.RMS > 0 {
		inside = "gain F^-1[ chi  F a  F theta ]"
	}
	if f.Bias > 0 {
		inside += " + b"
		rest += fmt.Sprintf(",  b ~ N(0, %g^2)", f.Bias)
	}
	if f.RMS > 0 {
		rest += fmt.Sprintf(",  rms %g", f.RMS)
	}
	if f.Mean == RemoveMean {
		rest += ",  no mean"
	}
	return [][2]string{{"phi(a; theta)", fmt.Sprintf("= %s( %s ),  %s", strings.ToUpper(f.Activation), inside, rest)}}
}

// A Method describes a value of train.method and the data that it refuses. Package method implements it under the same
// name. A new method needs a row in methods here.
type Method struct {
	Name    string
	Help    string // the method, in half a line
	Formula string // of F(a), for display; empty: the formula of random features
	Drawn   bool   // random features of the problem are a part of it
	single  bool   // functions have one channel
	// Periodic methods always commute with translations: functions must be periodic, or continue to periodic ones.
	Periodic bool
	line     bool // functions have one variable
	axes     bool // functions have neighbours along axes, as they have on grids
	placed   int  // least number of variables with which the method cannot commute with translations; 0: it can
}

var methods = []Method{
	{Name: RandomFeatures, Help: "the random features that are drawn, each with a coefficient", Drawn: true,
		single: true},
	{Name: Mean, Help: "the mean of the training outputs, whatever the input",
		Formula: "= (1/n) sum_i u_i, the least that a method has to beat"},
	{Name: Linear, Help: "a linear map, by ridge regression",
		Formula: "= b + A a, ridge regression", placed: 2},
	{Name: KernelRidge, Help: "outputs of the inputs that are similar, as a kernel measures it",
		Formula: "= sum_i k(a, a_i) c_i, k Matern 5/2 on principal components or frequencies",
		placed:  1},
	{Name: EquivariantKernel, axes: true, Help: "a kernel on the pairs and all their translations",
		Formula:  "= sum_i sum_s k(a, S_s a_i) S_s c_i, S_s translations",
		Periodic: true, single: true},
	{Name: Sheared, axes: true, Help: "the equivariant kernel of outputs whose fronts are made flat",
		Formula:  "= T^-1 sum_i sum_s k(a, S_s a_i) S_s c_i, T a shear of the graph of outputs",
		Periodic: true, single: true, line: true},
	{Name: Corrected, Help: "a kernel, corrected by random features of inputs and predictions",
		Formula: "= v + sum_j alpha_j phi_j(a, v) in some steps, v first the prediction of a kernel",
		placed:  1},
	{Name: Layers, Help: "random features of inputs and predictions near each point",
		Formula: "= v + sum_j c_j sin(w_j . z(a, v)) in some steps, z values near a point"},
	{Name: NeuralOperator, axes: true, Help: "a Fourier neural operator, trained by descent for train.patience seconds",
		Formula: "= Q(v),  v -> GELU( A v + b + F^-1[ R F v ] ) in some layers, trained by Adam"},
	{Name: Best, Help: "all of these in turn, to keep the one with the smallest cross-validation error", Drawn: true},
}

// Method returns the configuration's method; an unknown name has a method that refuses nothing.
func (c Config) Method() Method {
	for _, m := range methods {
		if m.Name == c.Train.Method {
			return m
		}
	}
	return Method{}
}

// FirstMethod returns the method of a quick first model: that of the configuration if it learns quickly, else kernel ridge.
// Where the method is still to be chosen it is random features, unless conditions at sides, files or several channels do not
// suit them.
func (c Config) FirstMethod() string {
	in, out := c.Channels()
	suitFeatures := !c.Of().Files && !c.Equation.Bounded() && max(in, out) == 1
	switch c.Train.Method {
	case RandomFeatures:
		if suitFeatures {
			return RandomFeatures
		}
	case KernelRidge, Linear, Mean:
		return c.Train.Method
	case Best:
		if suitFeatures {
			return RandomFeatures
		}
	}
	return KernelRidge
}

// LearnsFeatures reports whether the method has random features of whole functions, or may choose them.
func (c Config) LearnsFeatures() bool {
	switch c.Train.Method {
	case RandomFeatures, Corrected:
		return true
	case Best:
		return c.FirstMethod() == RandomFeatures
	}
	return false
}

// methodsOf restricts the choices of a key to the methods for the domains that the problem may have.
func methodsOf(p Problem, k *Key) {
	k.Choices = nil
	for _, m := range methods {
		if !m.Periodic || p.Periodic || p.Files {
			k.Choices = append(k.Choices, m.Name)
		}
	}
}

// mayFold reports whether functions between sides may continue to a torus: as data.symmetry tells, or as the reading of
// pairs and the solver of equations find if it is open.
func (c Config) mayFold() bool {
	isOpen := c.Data.Symmetry == AutoSymmetry && c.Dims() == 1
	return isOpen || Folds(c.Data.Symmetry)
}

// checkMethod reports data that the method cannot learn from.
func (c *checker) checkMethod() {
	m := c.Method()
	switch {
	case m.axes && c.Scattered():
		c.add("train.method", "needs the neighbours of values along axes, and points of any geometry have no axes",
			"try "+KernelRidge)
	case m.Periodic && c.Closed() && !c.mayFold():
		c.add("train.method", "is translation-equivariant: functions must be periodic", "try "+KernelRidge)
	case m.line && c.Dims() > 1:
		c.add("train.method", "is for functions of one variable", "try "+KernelRidge)
	}
	if in, out := c.Channels(); m.single && max(in, out) > 1 {
		problem := fmt.Sprintf("learns functions with one channel: inputs have %d, outputs %d", in, out)
		if len(c.Equation.Numbers()) > 0 {
			problem = "learns from functions alone, and the inputs are " + c.InputNames()
		}
		c.add("train.method", problem, "try "+KernelRidge)
	}
	if c.Network.Width%4 != 0 {
		c.add("network.width", "is not a multiple of four", fmt.Sprintf("try %d", (c.Network.Width+3)/4*4))
	}
	if c.Train.Noise && c.Train.Method == RandomFeatures {
		c.add("train.noise", "adds leave-one-out errors of kernels, layers or linear maps to inputs",
			"choose another train.method")
	}
}

// ChoosesLambda reports whether lambda of the random features is chosen by the error on held-out pairs, so that
// train.lambda and train.relative have no effect. The method Best always does so, whatever train.choice says, because it
// compares the features with other methods by that error.
func (c Config) ChoosesLambda() bool {
	return c.Train.Choice == LeaveOneOut || c.Train.Method == Best
}

// NetworkSeconds returns the seconds of one core that a neural operator is trained, 0 if there is none: a minute where
// it is the method, unless train.patience has another time, and with train.method = best only if train.patience is set.
func (c Config) NetworkSeconds() float64 {
	const usual = 60
	if c.Train.Patience == 0 && c.Train.Method == NeuralOperator {
		return usual
	}
	return c.Train.Patience
}
