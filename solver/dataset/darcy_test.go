package dataset

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"rfm/solver/darcy"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

var smallDarcy = Darcy{Input: grf.Neumann{Tau: 3, Alpha: 2, Axis: grf.AxisComputed}, Level: darcy.LevelSet{Plus: 12, Minus: 3},
	Equation: darcy.Paper(), R: 33, Seed: 1}

func generateDarcy(t *testing.T, g Darcy, count, workers int) Pairs {
	t.Helper()
	p, err := g.Generate(t.Context(), draw.InputTrain, count, workers, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWorkersDoNotChangeDarcyPairs(t *testing.T) {
	p := generateDarcy(t, smallDarcy, 13, 1)
	for _, workers := range []int{2, 7} {
		q := generateDarcy(t, smallDarcy, 13, workers)
		if !slices.Equal(p.Inputs.Data, q.Inputs.Data) || !slices.Equal(p.Outputs.Data, q.Outputs.Data) {
			t.Errorf("%d workers differ from one", workers)
		}
	}
}

func TestMoreDarcyPairsKeepTheFirst(t *testing.T) {
	p, q := generateDarcy(t, smallDarcy, 3, 2), generateDarcy(t, smallDarcy, 9, 2).Range(0, 3)
	if !slices.Equal(p.Inputs.Data, q.Inputs.Data) || !slices.Equal(p.Outputs.Data, q.Outputs.Data) {
		t.Error("the first 3 of 9 pairs are not the 3 pairs")
	}
}

func TestStoredDarcyPairsAreRestrictions(t *testing.T) {
	stored := smallDarcy
	stored.Stored = 9
	got := generateDarcy(t, stored, 3, 2)
	want, err := generateDarcy(t, smallDarcy, 3, 2).Restrict(9)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Inputs.Data, want.Inputs.Data) || !slices.Equal(got.Outputs.Data, want.Outputs.Data) {
		t.Error("pairs kept on 9 x 9 points are not those of 33 x 33 restricted")
	}
}

func TestDarcyInputsHaveTwoValuesInEqualShares(t *testing.T) {
	plus, inputs := 0, generateDarcy(t, smallDarcy, 64, 2).Inputs
	for _, v := range inputs.Data {
		switch v {
		case 12:
			plus++
		case 3:
		default:
			t.Fatalf("value %g", v)
		}
	}
	// The shares of single functions scatter by about 0.2.
	if share := float64(plus) / float64(len(inputs.Data)); share < 0.4 || share > 0.6 {
		t.Errorf("share of 12 is %.2f", share)
	}
}

func TestDarcyReportsEveryPair(t *testing.T) {
	var pairs atomic.Int64
	_, err := smallDarcy.Generate(t.Context(), draw.InputTest, 11, 2, func(_ int, a, u grid.Batch) {
		if a.Count != u.Count {
			t.Errorf("%d inputs, %d outputs", a.Count, u.Count)
		}
		pairs.Add(int64(a.Count))
	})
	if err != nil || pairs.Load() != 11 {
		t.Errorf("%d pairs reported, %v", pairs.Load(), err)
	}
}

func TestDarcyStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := smallDarcy.Generate(ctx, draw.InputTrain, 4000, 2, func(int, grid.Batch, grid.Batch) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestDarcyPairThatDoesNotConvergeIsANumericalError(t *testing.T) {
	g := smallDarcy
	g.Equation.Iterations = 5
	_, err := g.Generate(t.Context(), draw.InputTrain, 4, 2, nil)
	var numerical *fault.Numerical
	if !errors.As(err, &numerical) || !strings.Contains(err.Error(), "input-train pair 0") {
		t.Errorf("got %v", err)
	}
}

func TestStoredGridThatDoesNotDivideIsADataError(t *testing.T) {
	g := smallDarcy
	g.Stored = 10
	_, err := g.Generate(t.Context(), draw.InputTrain, 1, 1, nil)
	var data *fault.Data
	if !errors.As(err, &data) {
		t.Errorf("got %v", err)
	}
}
