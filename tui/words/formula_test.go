package words

import (
	"testing"

	"rfm/config"
)

// A line of the screen has room for the name of a file, not for its directory, and for names of arrays that say
// something.
func TestEquationOfPairsNamesTheirFiles(t *testing.T) {
	for _, test := range []struct{ file, input, output, want string }{
		{"/home/somebody/data/pairs.npz", "a", "u", "an operator known by pairs in pairs.npz"},
		{"/data/x.npy,/data/y.npy", "x", "y", "an operator known by pairs in x.npy, y.npy: a = x, u = y"},
	} {
		c, err := config.PresetByName(config.Functions)
		c.Data.TrainFile, c.Data.Input, c.Data.Output = test.file, test.input, test.output
		if got := Equation(c); err != nil || got != test.want {
			t.Errorf("%q, want %q, %v", got, test.want, err)
		}
	}
}

// Formulas have the letters of the field where the terminal has them; words that contain their names stay.
func TestFormulasHaveTheLettersOfTheField(t *testing.T) {
	for text, want := range map[string]string{
		"phi(a; theta) = ELU( 5 F^-1[ chi  F a  F theta ] ),  theta ~ N(0, C')": "φ(a; θ) = ELU( 5 F⁻¹[ χ  F a  F θ ] ),  θ ~ N(0, C')",
		"solves (G + 0.1 lambda_1 I) alpha = b":                                 "solves (G + 0.1 λ_1 I) α = b",
		"= T^-1 sum_i sum_s k(a, S_s a_i), T a shear of the graph":              "= T⁻¹ Σ_i Σ_s k(a, S_s a_i), T a shear of the graph",
		"P[f/a + sigma(theta_2) + grad log a_eps . grad p0]":                    "P[f/a + σ(θ_2) + ∇log a_eps . ∇p0]",
	} {
		if got := Symbols(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
