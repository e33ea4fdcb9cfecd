// Tests that rfm.py reads every model file, and predicts the same on every grid.

package trained

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/solver/pythontest"
	"rfm/solver/space/grid"
)

// numpyTolerance bounds differences relative to the largest value: other transforms, another exp, and a sum of up to
// some hundred features in another order. trainedTolerance does for kernels of trained models, whose coefficients are
// much larger than the values. neuralTolerance does for networks, which predict in single precision.
const numpyTolerance, trainedTolerance, neuralTolerance = 1e-12, 1e-7, 1e-5

// inNumPy holds models with inputs for which rfm.py predicts, all in one process.
type inNumPy struct {
	directory string
	names     []string
	want      []grid.Batch
}

// add adds a model with some inputs.
func (n *inNumPy) add(t *testing.T, name string, m Model, inputs grid.Batch) {
	t.Helper()
	if n.directory == "" {
		n.directory = t.TempDir()
	}
	var a bytes.Buffer
	if err := npy.Write(&a, npy.Array{Shape: inputs.Shape(), Data: inputs.Data}); err != nil {
		t.Fatal(err)
	}
	at := fmt.Sprint(len(n.names))
	for file, content := range map[string][]byte{"model" + at + ".npz": written(t, m), "a" + at + ".npy": a.Bytes(),
		PythonName: Python} {
		if err := os.WriteFile(filepath.Join(n.directory, file), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	n.names, n.want = append(n.names, name), append(n.want, predict(t, m, inputs))
}

// compare compares the predictions.
func (n *inNumPy) compare(t *testing.T, tolerance float64) {
	t.Helper()
	t.Run("NumPy", func(t *testing.T) {
		pythontest.Run(t, n.directory, fmt.Sprintf(`import numpy, rfm
for i in range(%d):
    numpy.save(f'u{i}.npy', rfm.load(f'model{i}.npz')(numpy.load(f'a{i}.npy')))
`, len(n.names)))
		for i, name := range n.names {
			u := arraytest.Read(t, filepath.Join(n.directory, fmt.Sprintf("u%d.npy", i)))
			if want := n.want[i].Shape(); !slices.Equal(u.Shape, want) {
				t.Errorf("%s: predictions of shape %v, want %v", name, u.Shape, want)
			}
			expectClose(t, name, u.Data, n.want[i].Data, tolerance)
		}
	})
}

// Golden models, and one on each domain with one and several channels: on the grid of each model, on one that it
// contains, and on others, finer and coarser.
func TestNumPyPredictsTheSame(t *testing.T) {
	var n inNumPy
	for name, m := range goldenModels() {
		own := m.Operator.Finest()
		for _, points := range []int{own, (own-1)/2 + 1, own + 2, own - 1, 2*own - 1} {
			if points >= 3 && m.Domain().Exists(points) {
				n.add(t, fmt.Sprintf("%s, %d points", name, points), m, goldenInputsOn(m, points))
			}
		}
	}
	all := everywhere()
	for name, m := range all {
		edge := m.Domain().Intervals(1)
		for _, points := range []int{m.Grid, (m.Grid-1+edge)/2 + 1 - edge, m.Grid + 2, m.Grid + 3} {
			if m.Domain().Exists(points) {
				n.add(t, fmt.Sprintf("%s, %d points", name, points), m, functionsOn(m.Inputs(), points, 2, 4))
			}
		}
	}
	n.compare(t, numpyTolerance)
}

// Channels stand before the axes of the grid. Other arrays were cut into functions of parts of several channels; complex
// ones lost their imaginary parts.
func TestNumPyRefusesOtherChannels(t *testing.T) {
	directory := t.TempDir()
	m := goldenModels()["channels-layer"]
	for file, content := range map[string][]byte{"model.npz": written(t, m), PythonName: Python} {
		if err := os.WriteFile(filepath.Join(directory, file), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pythontest.Run(t, directory, `
import numpy as np, rfm
model = rfm.load("model.npz")
parts = np.sin(np.arange(4*2*9).reshape(4, 2, 9))
parts[..., -1] = parts[..., 0]
assert (model(parts[:, 0] + 1j*parts[:, 1]) == model(parts)).all()
for wrong in np.moveaxis(parts, 1, 2), parts[:, 0], parts[:, :1]:
    try:
        model(wrong)
    except ValueError as error:
        assert "want 2 channels" in str(error), error
    else:
        raise AssertionError(f"{wrong.shape} is not refused")
`)
}
