// This file writes the mathematics of an experiment as text.

package screen

import (
	"fmt"
	"strings"

	"rfm/config"
)

// describe is a configuration in a few words.
func describe(c config.Config) string {
	return fmt.Sprintf("%s n=%d m=%d %s=%d", c.Problem, c.Data.Train, c.Features.Count, gridSymbol(c), c.Train.Grid)
}

// gridSymbol is what the paper calls the number of points of a grid (K) or along an axis of it (r).
func gridSymbol(c config.Config) string {
	if c.Problem == config.Darcy {
		return "r"
	}
	return "K"
}

// gridText writes a grid: K=129 or r=33.
func gridText(c config.Config, points int) string { return fmt.Sprintf("%s=%d", gridSymbol(c), points) }

// equation is the problem whose solution operator is learned.
func equation(c config.Config) string {
	if c.Problem == config.Darcy {
		return fmt.Sprintf("-div(a grad u) = 1,  u = 0 on the boundary,  %s", gridText(c, c.Data.Grid))
	}
	return fmt.Sprintf("u_t + (u^2/2)_x = %g u_xx,  a = u(0),  u = u(%g),  %s", c.Burgers.Viscosity, c.Burgers.Time, gridText(c, c.Data.Grid))
}

// A definition is a symbol and the text after it.
type definition struct{ symbol, text string }

// features defines the random feature of the problem.
func features(c config.Config) []definition {
	if c.Problem == config.Darcy {
		return []definition{
			{"p0", "= P[f/a + sigma(theta_1)],  P = (-Laplacian)^-1,  theta_i ~ N(0, C')"},
			{"phi", "= P[f/a + sigma(theta_2) + grad log a_eps . grad p0]"},
		}
	}
	return []definition{{"phi(a; theta)", fmt.Sprintf("= %s( %g F^-1[ chi  F a  F theta ] ),  theta ~ N(0, C')", strings.ToUpper(c.Features.Activation), c.Features.Gain)}}
}

// trainingProblem defines the linear system and how it is solved.
func trainingProblem(c config.Config) []definition {
	how := fmt.Sprintf("solves G alpha = b, minimum norm, eigenvalues above %.2g max", c.Train.Rcond)
	if c.Train.Lambda > 0 {
		how = fmt.Sprintf("solves (G + %g I) alpha = b, by Cholesky", c.Train.Lambda)
	}
	return []definition{
		{"G", fmt.Sprintf("= (1/m) sum_i <phi_j(a_i), phi_l(a_i)>,  m=%d, n=%d, %s", c.Features.Count, c.Data.Train, gridText(c, c.Train.Grid))},
		{"alpha", how},
	}
}
