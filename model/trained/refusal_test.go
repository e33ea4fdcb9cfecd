// Tests of models that are not written and not evaluated.

package trained

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"rfm/model/learn/feature"
	"rfm/solver/base/fault"
	"rfm/solver/space/grid"
)

func TestUnusableModelsAreNotWritten(t *testing.T) {
	broken, short := goldenModels()["fourier"], goldenModels()["offset"]
	broken.Solution().Alpha[2] = math.NaN()
	model := features(t, short)
	model.Offset = model.Offset[:48] // no function on a square grid
	short.Operator = &model
	for _, m := range []Model{broken, short} {
		var b bytes.Buffer
		var data *fault.Data
		if err := Write(&b, m); !errors.As(err, &data) || b.Len() > 0 {
			t.Errorf("got %v and %d bytes", err, b.Len())
		}
	}
}

type fullDisk struct{ left int }

var errFull = errors.New("no space left on device")

func (f *fullDisk) Write(p []byte) (int, error) {
	if len(p) > f.left {
		return 0, errFull
	}
	f.left -= len(p)
	return len(p), nil
}

func TestErrorsOfTheDiskAreReported(t *testing.T) {
	m := goldenModels()["fourier"]
	size := len(written(t, m))
	for left := 0; left < size; left += 13 {
		if err := Write(&fullDisk{left}, m); !errors.Is(err, errFull) {
			t.Fatalf("with space for %d of %d bytes: %v", left, size, err)
		}
	}
}

func TestUnusableInputsAreRefused(t *testing.T) {
	for _, c := range []struct {
		kind, what string
		inputs     grid.Batch
	}{
		{"fourier", "not finite", grid.BatchOf(grid.Torus, 4, []float64{1, math.NaN(), 3, 1})},
		{"fourier", "not periodic", grid.BatchOf(grid.Torus, 4, []float64{1, 2, 3, 4})},
		{"fourier", "too coarse", grid.NewBatch(grid.Torus, 2, 1)},
		{"cosine", "the model is for fields", grid.NewBatch(grid.Torus, 17, 1)},
		{"cosine", "too coarse", grid.NewBatch(grid.Square, 2, 1)},
		{"flow", "not positive", grid.NewBatch(grid.Square, 9, 1)},
		{"flow", "too fine", grid.NewBatch(grid.Square, 301, 1)},
		{"flow", "too coarse", grid.NewBatch(grid.Square, 2, 1)},
	} {
		_, err := goldenModels()[c.kind].Predict(t.Context(), c.inputs, 1, nil)
		var data *fault.Data
		if !errors.As(err, &data) {
			t.Errorf("%s, %s: got %v, want *fault.Data", c.kind, c.what, err)
		}
	}
}

func TestTheFieldThatIsNotPositiveIsNamed(t *testing.T) {
	inputs := grid.NewBatch(grid.Square, 9, 40)
	for i := range inputs.Data {
		inputs.Data[i] = 3
	}
	inputs.At(17)[3*9+4] = -1
	for _, workers := range []int{1, 4} {
		_, err := goldenModels()["flow"].Predict(t.Context(), inputs, workers, nil)
		if err == nil || !strings.Contains(err.Error(), "function 17 has the value -1 at grid point (3, 4)") {
			t.Errorf("on %d workers: %v", workers, err)
		}
	}
}

func TestPredictionsThatOverflowAreAnError(t *testing.T) {
	m := goldenModels()["fourier"]
	model := features(t, m)
	f := *model.Map.(*feature.Spectral)
	f.Gain = 1e300
	model.Map = &f
	m.Operator = &model
	inputs := periodicEighths(1, 9, 3)
	for i := range inputs.Data {
		inputs.Data[i] *= 1e10
	}
	_, err := m.Predict(t.Context(), inputs, 1, nil)
	var numerical *fault.Numerical
	if !errors.As(err, &numerical) {
		t.Errorf("got %v", err)
	}
}
