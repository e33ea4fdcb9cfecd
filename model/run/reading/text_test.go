package reading

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// A wrong text names fewer parameters than it seems to, so its error is reported before that of a parameter. If the
// text is right, the error of the parameter remains.
func TestTheErrorOfATextComesBeforeThatOfAParameter(t *testing.T) {
	for text, want := range map[string]string{
		"i*u_t = -0.5*u_xx":            "there is no imaginary unit",
		"u_t = D*u_xx if x<0.5 else 0": "there are no comparisons",
		"∂u/∂t = ν ∂²u/∂x²":            "'∂' is not understood",
		"u_t = -gradient_x(u)":         "write dx(u)",
		"u_t = u_xx, u(0)=0":           "equation.left",
		"-u_xx = f":                    "set a parameter of the equation: f", // a steady state
		"u_t = mu*u_xx":                `did you mean "equation.parameters.mu"?`,
		"u_t = u_xx":                   "the equation has no parameters",
	} {
		_, _, err := Configuration(t.Context(), "equation", "equation.text="+text, "nu=0.01")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A file of pairs and an equation are two sources of pairs, of which one would be ignored.
func TestAFileDoesNotGoWithAnEquation(t *testing.T) {
	a := npy.Array{Shape: []int{8, 17}}
	for k := range 8 * 17 {
		a.Data = append(a.Data, math.Sin(float64(k%17)/5+float64(k/17)))
	}
	file := filepath.Join(t.TempDir(), "pairs.npz")
	arraytest.NPZ(t, file, map[string]npy.Array{"a": a, "u": a}, "a", "u")
	for setting, want := range map[string]string{
		"equation.text=u_t = u_xx": "equation.text does not go with the pairs in",
		"problem=darcy":            "problem = darcy does not go with the pairs in",
		"problem=fields":           "problem = fields does not go with the pairs in",
	} {
		_, files, err := Configuration(t.Context(), file, setting)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", setting, err, want)
		}
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	}
}
