// Tests that NumPy reads model files, and computes the same.

package trained

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/model/feature"
	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
	"rfm/solver/pythontest"
)

// numpyTolerance bounds differences relative to the largest value: other transforms, another exp, and a sum of up to
// some hundred features in another order.
const numpyTolerance = 1e-12

// documented is the program in the package documentation.
func documented(t *testing.T) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(file.Doc.Text(), "# With NumPy")
	if !ok {
		t.Fatal("the documentation has no section on NumPy")
	}
	var program strings.Builder
	for line := range strings.Lines(section) {
		if code, ok := strings.CutPrefix(line, "\t"); ok {
			program.WriteString(code)
		}
	}
	return program.String()
}

func TestTheDocumentedProgramPredictsTheSame(t *testing.T) {
	for name, alter := range map[string]func(*feature.Spectral){
		"paper": func(*feature.Spectral) {},
		"bias":  func(f *feature.Spectral) { f.Bias = feature.DrawBias(0.8, 1, f.M) },
	} {
		t.Run(name, func(t *testing.T) {
			m, _, test := trainBurgers(t, alter)
			for _, K := range []int{129, 1025} {
				directory := t.TempDir()
				inputs := restricted(t, test, K).Inputs
				var a bytes.Buffer
				if err := npy.Write(&a, npy.Array{Shape: []int{inputs.Count, inputs.Values()}, Data: inputs.Data}); err != nil {
					t.Fatal(err)
				}
				for file, content := range map[string][]byte{"model.npz": written(t, m), "a.npy": a.Bytes()} {
					if err := os.WriteFile(filepath.Join(directory, file), content, 0o666); err != nil {
						t.Fatal(err)
					}
				}
				pythontest.Run(t, directory, documented(t))
				u, err := npy.ReadFile(filepath.Join(directory, "u.npy"))
				if err != nil {
					t.Fatal(err)
				}
				expectClose(t, "predictions of NumPy", u.Data, predict(t, m, inputs).Data, numpyTolerance)
			}
		})
	}
}

// expectSameProgram compares what the program of a model predicts with the model.
func expectSameProgram(t *testing.T, m Model, inputs grid.Batch) {
	t.Helper()
	directory := t.TempDir()
	var a bytes.Buffer
	if err := npy.Write(&a, npy.Array{Shape: inputs.Shape(), Data: inputs.Data}); err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string][]byte{"model.npz": written(t, m), "a.npy": a.Bytes()} {
		if err := os.WriteFile(filepath.Join(directory, file), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	imports, program := m.Operator.NumPy(inputs.Points)
	pythontest.Run(t, directory, "import json, numpy as np\n"+imports+`model = np.load("model.npz")
p, a = json.loads(model["meta.json"])["map"], np.load("a.npy")
`+program+"np.save(\"u.npy\", u)\n")
	u, err := npy.ReadFile(filepath.Join(directory, "u.npy"))
	if err != nil {
		t.Fatal(err)
	}
	expectClose(t, "predictions of NumPy", u.Data, predict(t, m, inputs).Data, numpyTolerance)
}

// The programs that methods bring with them, which exports are made of.
func TestTheProgramsOfMethodsPredictTheSame(t *testing.T) {
	for name, m := range goldenModels() {
		t.Run(name, func(t *testing.T) {
			points := m.FinestGrid()
			if _, random := m.Features(); random && (points-1)%2 == 0 { // every second point
				points = (points-1)/2 + 1
			}
			expectSameProgram(t, m, goldenInputsOn(m, points))
		})
	}
}

func TestNumPyReadsEveryMember(t *testing.T) {
	out := pythontest.Run(t, "testdata", `
import glob, json, numpy as np
for name in sorted(glob.glob("*.npz")):
    with np.load(name, allow_pickle=False) as f:
        meta = json.loads(f["meta.json"])
        assert meta["format"] == int(name[len("format")])
        shapes = " ".join(f"{k}{f[k].shape}" for k in sorted(f.files) if k != "meta.json" and f[k].dtype == np.float64)
        print(meta["kind"], shapes.replace(", ", ","))
`)
	want := `cosine alpha(3,) bias(3,) eigenvalues(2,) theta(3,5,5)
flow alpha(5,) eigenvalues(4,) sigma1(9,9) sigma2(9,9)
fourier alpha(3,) eigenvalues(2,) theta(3,13)
fourier alpha(9,) bias(10,) eigenvalues(8,) theta(10,17)
fourier2 alpha(3,) bias(8,) eigenvalues(2,) theta(8,9,9)
cosine alpha(3,) eigenvalues(2,) offset(7,7) theta(3,5,5)
linear coefficients(2,9) components(9,2) constant(9,) mean(9,)
corrected correction_features(6,5) corrections(6,12) first_coefficients(3,18) first_components(18,2) first_constant(18,) first_mean(18,) first_points(3,2) mean_output(18,)
equivariant coefficients(9,9) inputs(9,9)
equivariant coefficients(3,6,6) inputs(3,6,6)
kernel coefficients(3,18) components(18,2) constant(18,) mean(18,) points(3,2)
local across(6,6) coefficients(3,18) components(18,2) down(3,3) inputs(3,3,6) mean(18,) points(3,2)
linear multiplier(5,2)
spectral alpha(8,) bias(8,) eigenvalues(8,) input_shift(1,) input_unit(1,) means(8,2,1) offset(2,13) output_unit(2,) theta(8,2,13)
fourier alpha(3,) eigenvalues(2,) theta(3,13)
`
	if out != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
}
