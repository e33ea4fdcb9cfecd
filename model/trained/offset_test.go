package trained

import (
	"bytes"
	"math"
	"testing"

	"rfm/solver/grid"
	"rfm/solver/resample"
)

func TestOffsetIsAddedOnEveryGrid(t *testing.T) {
	shifted := goldenModels()["offset"]
	model := features(t, shifted)
	offsets := model.Offset
	model.Offset = nil
	plain := shifted
	plain.Operator = model
	for _, own := range []bool{true, false} {
		inputs := goldenInputs(shifted, own)
		u := must(shifted.Predict(t.Context(), inputs, 1, nil))
		v := must(plain.Predict(t.Context(), inputs, 1, nil))
		offset := must(resample.To(grid.BatchOf(grid.Square, grid.Square.PointsOf(offsets), offsets), inputs.Points))
		for i := range u.Data {
			if want := v.Data[i] + offset.Data[i%inputs.Values()]; math.Abs(u.Data[i]-want) > goldenTolerance*math.Abs(want) {
				t.Fatalf("K=%d, value %d: %g, want %g", inputs.Values(), i, u.Data[i], want)
			}
		}
	}
}

func TestOffsetMustBeAFunctionOnAGrid(t *testing.T) {
	m := goldenModels()["offset"]
	model := features(t, m)
	model.Offset = model.Offset[:48]
	m.Operator = model
	if err := Write(&bytes.Buffer{}, m); err == nil {
		t.Error("48 values on a square grid were written")
	}
}
