package reading

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// Equations that their solver folds set data.symmetry; a value that is given stays.
func TestEquationsSetTheirFold(t *testing.T) {
	for name, test := range map[string]struct{ preset, given, want string }{
		"u = 0 at both ends":   {"burgers-held", config.AutoSymmetry, config.OddFold},
		"no slope at the ends": {"allen-cahn-noflux", config.AutoSymmetry, config.EvenFold},
		"given":                {"burgers-held", config.NoSymmetry, config.NoSymmetry},
		"different ends":       {"heat-rod", config.AutoSymmetry, config.OddLeft},
		"values at the ends":   {"fisher-front", config.AutoSymmetry, config.AutoSymmetry},
		"periodic":             {"burgers", config.AutoSymmetry, config.AutoSymmetry},
		"several numbers":      {"burgers-viscosity", config.AutoSymmetry, config.AutoSymmetry},
	} {
		c, err := config.PresetByName(test.preset)
		if err != nil {
			t.Fatal(err)
		}
		c.Data.Symmetry = test.given
		var files Files
		complete, _, err := files.Complete(t.Context(), c)
		if err != nil || complete.Data.Symmetry != test.want {
			t.Errorf("%s: data.symmetry = %s, %v; want %s", name, complete.Data.Symmetry, err, test.want)
		}
	}
}

// The field u is odd and v is even at both ends: an output may continue in another way than the input.
func TestOutputsMayContinueInAnotherWay(t *testing.T) {
	c, err := config.PresetByName("burgers-held")
	if err != nil {
		t.Fatal(err)
	}
	c.Equation.Text = "u_t = 0.1*u_xx; v_t = 0.1*v_xx + u_x"
	c.Equation.Left = "u = 0; v_x = 0"
	c.Equation.Right = c.Equation.Left
	c.Equation.Initial = "a; 0"
	c.Equation.Output = "v"
	var files Files
	complete, _, err := files.Complete(t.Context(), c)
	if err != nil || complete.Data.Symmetry != config.OddToEven {
		t.Errorf("data.symmetry = %s, %v; want %s", complete.Data.Symmetry, err, config.OddToEven)
	}
}

func TestPeriodicMethodsNeedAFold(t *testing.T) {
	c, err := config.PresetByName("fisher-front")
	if err != nil {
		t.Fatal(err)
	}
	c.Train.Method = config.EquivariantKernel
	var files Files
	_, _, err = files.Complete(t.Context(), c)
	var wrong *config.Error
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "not part of a periodic problem") {
		t.Errorf("error %v", err)
	}
}

// Pairs of files that vanish at both ends, or have no slope there, are tried on twice the interval.
func TestFilesShowHowFunctionsContinue(t *testing.T) {
	for name, test := range map[string]struct {
		a, u func(x float64) float64
		want string
		note string
	}{
		"odd":     {math.Sin, math.Sin, config.OddFold, "inputs are 0 and outputs are 0 at both ends"},
		"slopes":  {math.Sin, math.Cos, config.OddToEven, "outputs have no slope at both ends"},
		"neither": {math.Exp, math.Exp, config.AutoSymmetry, ""},
		"mixed": {
			func(x float64) float64 { return math.Cos(x / 2) },
			func(x float64) float64 { return math.Cos(3 * x / 2) },
			config.OddRight, "have no slope at the left end and are 0 at the right one",
		},
	} {
		const n, points = 30, 33
		a := make([]float64, n*points)
		u := make([]float64, n*points)
		for i := range a {
			x := math.Pi * float64(i%points) / (points - 1)
			size := 1 + math.Sin(float64(i/points))/2
			a[i] = size * test.a(x)
			u[i] = size * size * test.u(x)
		}
		shape := npy.Shape{n, points}
		file := arraytest.NPZ(t, filepath.Join(t.TempDir(), "pairs.npz"), map[string]npy.Array{
			"a": {Shape: shape, Data: a},
			"u": {Shape: shape, Data: u},
		})
		c := functions(t, file)
		c.Data.Boundary = config.Closed
		var files Files
		complete, notes, err := files.Complete(t.Context(), c)
		if err != nil || complete.Data.Symmetry != test.want || !strings.Contains(strings.Join(notes, "\n"), test.note) {
			t.Errorf("%s: data.symmetry = %s, %v, notes %q; want %s", name, complete.Data.Symmetry, err, notes, test.want)
		}
		c.Train.Method = config.EquivariantKernel
		_, _, err = files.Complete(t.Context(), c)
		if fails := err != nil; fails != (test.want == config.AutoSymmetry) {
			t.Errorf("%s: the equivariant kernel has the error %v", name, err)
		}
		if err := files.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A fold that was found belongs to its pairs: it is looked for again when another array is the output, and its note
// is repeated whenever the same pairs are completed.
func TestFoldsBelongToTheirPairs(t *testing.T) {
	const n, points = 30, 33
	shape := npy.Shape{n, points}
	sines := make([]float64, n*points)
	others := make([]float64, n*points)
	for i := range sines {
		x := float64(i%points) / (points - 1)
		size := 1 + math.Sin(float64(i/points))/2
		sines[i] = size * math.Sin(math.Pi*x)
		others[i] = size + x
	}
	file := arraytest.NPZ(t, filepath.Join(t.TempDir(), "pairs.npz"), map[string]npy.Array{
		"a": {Shape: shape, Data: sines},
		"u": {Shape: shape, Data: sines},
		"v": {Shape: shape, Data: others},
	})
	c := functions(t, file)
	c.Data.Boundary = config.Closed
	c.Data.Input = "a"
	c.Data.Output = "u"
	var files Files
	for range 2 {
		complete, notes, err := files.Complete(t.Context(), c)
		if err != nil || complete.Data.Symmetry != config.OddFold || !strings.Contains(strings.Join(notes, "\n"), "are 0 at both ends") {
			t.Fatalf("data.symmetry = %s, %v, notes %q", complete.Data.Symmetry, err, notes)
		}
		c = complete
	}
	c.Data.Output = "v"
	complete, notes, err := files.Complete(t.Context(), c)
	if err != nil || complete.Data.Symmetry != config.AutoSymmetry || strings.Contains(strings.Join(notes, "\n"), "are 0 at both ends") {
		t.Errorf("data.symmetry = %s, %v, notes %q", complete.Data.Symmetry, err, notes)
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
}
