package dataset

import (
	"reflect"
	"slices"
	"testing"

	"rfm/solver/dataset/filetest"
	"rfm/solver/space/grid"
)

var noError = filetest.NoError

func split(t *testing.T, count int, seed uint64, n, test int) (train, held []int) {
	t.Helper()
	train, held, err := Split(count, nil, seed, n, test)
	noError(t, err)
	return train, held
}

// Every pair is used once; more training pairs keep the first ones and the test pairs.
func TestSplitUsesEveryPairOnce(t *testing.T) {
	train, held := split(t, 100, 3, 70, 30)
	if few, same := split(t, 100, 3, 10, 30); !slices.Equal(few, train[:10]) || !slices.Equal(held, same) {
		t.Errorf("%v, %v and %v, %v", few, same, train, held)
	}
	all := slices.Sorted(slices.Values(append(slices.Clone(train), held...)))
	for i := range 100 {
		if len(train) != 70 || len(held) != 30 || all[i] != i {
			t.Fatalf("%d and %d pairs: %v", len(train), len(held), all)
		}
	}
}

// Stored runs are repeatable only if the split never changes.
func TestSplitIsFixedForever(t *testing.T) {
	train, held := split(t, 10, 1, 6, 4)
	if !slices.Equal(train, []int{5, 9, 7, 8, 1, 2}) || !slices.Equal(held, []int{0, 3, 4, 6}) {
		t.Errorf("got %v, %v, want 5 9 7 8 1 2 for training and 0 3 4 6 for testing", train, held)
	}
}

// A group is either in the training set or in the test set, more training pairs keep the first ones, and the split
// never changes.
func TestSplitKeepsGroupsTogether(t *testing.T) {
	labels := []int{7, 3, 7, 3, 9, 9, 9, 1, 7, 1}
	train, held, err := Split(10, labels, 1, 5, 4)
	noError(t, err)
	for _, i := range train {
		for _, j := range held {
			if labels[i] == labels[j] {
				t.Errorf("pairs %d and %d of one group are in both sets", i, j)
			}
		}
	}
	few, _, err := Split(10, labels, 1, 2, 4)
	noError(t, err)
	if !slices.Equal(few, train[:2]) {
		t.Errorf("%v, and more: %v", few, train)
	}
	if apart := Apart(labels, 1, 4); apart > 6 || apart < 5 {
		t.Errorf("%d pairs are apart from 4 test pairs", apart)
	}
}

func TestSplitOfTooFewPairsIsADataError(t *testing.T) {
	_, _, err := Split(10, nil, 1, 6, 5)
	filetest.Refused(t, "split", err, "has 10 pairs, want 6")
}

func TestTake(t *testing.T) {
	p := Pairs{Inputs: grid.BatchOf(grid.Torus, 2, []float64{1, 2, 3, 4, 5, 6}),
		Outputs: grid.BatchOf(grid.Torus, 1, []float64{7, 8, 9})}
	want := Pairs{Inputs: grid.BatchOf(grid.Torus, 2, []float64{5, 6, 1, 2}),
		Outputs: grid.BatchOf(grid.Torus, 1, []float64{9, 7})}
	if got := p.Take([]int{2, 0}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}
