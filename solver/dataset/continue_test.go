package dataset

import (
	"errors"
	"slices"
	"testing"

	"rfm/solver/burgers"
	"rfm/solver/draw"
	"rfm/solver/fault"
)

func TestGenerationGoesOnFromAnyBlock(t *testing.T) {
	const count, first = 29, 2 * burgers.BlockSize
	a, u := generate(t, count, 2)
	rest := small
	rest.First = first
	b, v, err := rest.Generate(t.Context(), draw.InputTrain, count-first, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Range(first, count-first).Data, b.Data) || !slices.Equal(u[1].Range(first, count-first).Data, v[1].Data) {
		t.Error("the rest of the pairs differs")
	}
}

func TestDarcyGenerationGoesOnFromAnyPair(t *testing.T) {
	whole := generateDarcy(t, smallDarcy, 9, 2).Range(5, 4)
	rest := smallDarcy
	rest.First = 5
	if got := generateDarcy(t, rest, 4, 3); !slices.Equal(got.Inputs.Data, whole.Inputs.Data) || !slices.Equal(got.Outputs.Data, whole.Outputs.Data) {
		t.Error("the rest of the pairs differs")
	}
}

func TestStoredPairsAreRestrictions(t *testing.T) {
	stored := small
	stored.Stored = 33
	b, v, err := stored.Generate(t.Context(), draw.InputTrain, 21, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, u := generate(t, 21, 2)
	want, err := Pairs{a, u[1]}.Restrict(33)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(b.Data, want.Inputs.Data) || !slices.Equal(v[1].Data, want.Outputs.Data) {
		t.Error("pairs kept on K=33 are not those of K=129 restricted")
	}
	stored.Stored = 34
	var data *fault.Data
	if _, _, err := stored.Generate(t.Context(), draw.InputTrain, 1, 1, nil); !errors.As(err, &data) {
		t.Errorf("kept on K=34: %v", err)
	}
}
