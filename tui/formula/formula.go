// Package formula writes the mathematics of an experiment as text.
package formula

import (
	"fmt"
	"path/filepath"
	"strings"

	"rfm/config"
)

// Describe is a configuration in a few words.
func Describe(c config.Config) string {
	text := c.Problem
	if c.Data.Train > 0 { // else as many as the file has
		text += fmt.Sprintf(" n=%d", c.Data.Train)
	}
	text += fmt.Sprintf(" m=%d", c.Features.Count)
	if c.Train.Grid > 0 { // else it follows from the file
		text += " " + Grid(c, c.Train.Grid)
	}
	return text
}

// Grid writes a grid: K=129 or r=33.
func Grid(c config.Config, points int) string {
	return fmt.Sprintf("%s=%d", c.GridSymbol(), points)
}

// Equation is the problem whose solution operator is learned.
func Equation(c config.Config) string {
	if write := c.Of().Equation; write != nil {
		return fmt.Sprintf("%s,  %s", write(c), Grid(c, c.Data.Grid))
	}
	return fmt.Sprintf("an operator known by pairs: a = %s, u = %s in %s", c.Data.Input, c.Data.Output,
		filepath.Base(c.Data.TrainFile))
}

// A Definition is a symbol and the text after it.
type Definition struct{ Symbol, Text string }

// Features defines the random feature of the problem.
func Features(c config.Config) []Definition {
	f := c.Features
	if f.Kind == config.PredictorCorrector {
		corrector := "phi"
		if f.Sweeps > 1 {
			corrector = fmt.Sprintf("phi, %d times,", f.Sweeps)
		}
		return []Definition{
			{"p0", "= P[f/a + sigma(theta_1)],  P = (-Laplacian)^-1,  theta_i ~ N(0, C')"},
			{corrector, "= P[f/a + sigma(theta_2) + grad log a_eps . grad p0]"},
		}
	}
	inside := fmt.Sprintf("%g F^-1[ chi  F a  F theta ]", f.Gain)
	if f.RMS > 0 {
		inside = "gain F^-1[ chi  F a  F theta ]"
	}
	rest := "theta ~ N(0, C')"
	if f.Bias > 0 {
		inside += " + b"
		rest += fmt.Sprintf(",  b ~ N(0, %g^2)", f.Bias)
	}
	if f.RMS > 0 {
		rest += fmt.Sprintf(",  rms %g", f.RMS)
	}
	if f.Mean == config.RemoveMean {
		rest += ",  no mean"
	}
	return []Definition{{"phi(a; theta)", fmt.Sprintf("= %s( %s ),  %s", strings.ToUpper(f.Activation), inside, rest)}}
}

// methods define what is learned without random features.
var methods = map[string]string{
	config.Linear:            "= b + A a, ridge regression",
	config.KernelRidge:       "= sum_i k(a, a_i) c_i, k Matern 5/2 on principal components or frequencies",
	config.ScalarFeatures:    "= c_0 + sum_j cos(w_j . z(a) + b_j) c_j, c_j functions",
	config.Sum:               "= features + a kernel for what they leave, see kernel",
	config.FittedFluxes:      "solves -div(k grad u) = 1, k between points fitted to what a is around",
	config.EquivariantKernel: "= sum_i sum_s k(a, S_s a_i) S_s c_i, S_s translations",
}

// Training defines the linear system and how it is solved.
func Training(c config.Config) []Definition {
	t := c.Train
	if text, ok := methods[t.Method]; ok {
		return []Definition{{"F(a)", fmt.Sprintf("%s,  n=%d, %s", text, c.Data.Train, Grid(c, t.Grid))}}
	}
	sizes := fmt.Sprintf("m=%d, n=%d", c.Features.Count, c.Data.Train)
	if c.Features.Pool > c.Features.Count {
		sizes = fmt.Sprintf("m=%d chosen out of %d, n=%d", c.Features.Count, c.Features.Pool, c.Data.Train)
	}
	how := fmt.Sprintf("solves G alpha = b, minimum norm, eigenvalues above %.2g max", t.Rcond)
	switch {
	case t.Choice == config.LeaveOneOut:
		how = "solves (G + lambda I) alpha = b, lambda by leaving one function out"
	case t.Relative > 0:
		how = fmt.Sprintf("solves (G + %g lambda_1 I) alpha = b", t.Relative)
	case t.Lambda > 0:
		how = fmt.Sprintf("solves (G + %g I) alpha = b", t.Lambda)
	}
	if t.Solver == config.QR {
		how += ", without forming G"
	}
	list := []Definition{
		{"G", fmt.Sprintf("= (1/m) sum_i <phi_j(a_i), phi_l(a_i)>,  %s, %s", sizes, Grid(c, t.Grid))},
		{"alpha", how},
	}
	if t.Method == config.Best {
		list = append(list, Definition{"F(a)", "features or another method, by the least leave-one-out error"})
	}
	return list
}
