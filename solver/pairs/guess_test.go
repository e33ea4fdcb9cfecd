package pairs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// ones returns an array of ones.
func ones(name string, shape ...int) npy.Member {
	return npy.Named{Name: name, Array: npy.Array{Shape: shape, Data: slices.Repeat([]float64{1}, npy.Count(shape))}}.Member()
}

// A short additional axis of outputs holds channels, a long one times.
func TestChannelsAndTimes(t *testing.T) {
	for _, test := range []struct {
		shape []int
		times int
		want  string
	}{{[]int{40, 32, 32, 2}, 0, "u"}, {[]int{40, 2, 32, 32}, 0, "u"}, {[]int{40, 32, 32, 20}, 0, "u[:, :, :, -1]"},
		{[]int{40, 32, 32, 2}, 2, "u[:, :, :, -1]"}} {
		f := &exchange.File{Members: []npy.Member{ones("a", 40, 32, 32), ones("u", test.shape...), ones("t", test.times)}}
		all := candidatesOf(f, false, false).evolved()
		if len(all) != 1 || all[0].Input != "a" || all[0].Output != test.want {
			t.Errorf("%v: got %+v, want a -> %s alone", test.shape, all, test.want)
		}
	}
}

func TestWordsOfNames(t *testing.T) {
	for name, want := range map[string][]string{
		"": nil, "a": {"a"}, "x_train": {"x", "train"}, "train/x": {"train", "x"},
		"data.npz/xTrain": {"data", "npz", "x", "train"},
		"__A1b":           {"a", "b"}, "größe": {"gr", "e"}, "NaN": {"na", "n"}, "\xff\xfeu\xff": {"u"},
	} {
		if got := words(name); !slices.Equal(got, want) {
			t.Errorf("words of %q are %q, want %q", name, got, want)
		}
	}
	long := strings.Repeat("a", 60000) // copying a name of this length for every letter took minutes
	copies := testing.AllocsPerRun(1, func() {
		if got := words(long); len(got) != 1 || got[0] != long {
			t.Error("a long word is not one")
		}
	})
	if copies > 10 {
		t.Errorf("%g allocations for one long word", copies)
	}
}

// Test arrays belong to the training arrays whose digits they have, in the same file or in another one.
func TestCounterpartsHaveTheSameDigits(t *testing.T) {
	training := &exchange.File{Members: []npy.Member{ones("X_train0", 9, 40), ones("X_train1", 9, 1), ones("y_train", 9, 1)}}
	tests := &exchange.File{Members: []npy.Member{ones("X_test0", 7, 40), ones("X_test1", 7, 1), ones("y_test", 7, 1)}}
	got := Counterpart(training, tests, "X_train0,X_train1")
	if got != "X_test0,X_test1" {
		t.Errorf("got %q", got)
	}
	got = Counterpart(training, tests, "X_train1")
	if got != "X_test1" {
		t.Errorf("got %q", got)
	}
}

// A file of many arrays has a bounded number of guesses.
func TestGuessesAreBounded(t *testing.T) {
	f := &exchange.File{Name: "many.npz"}
	for i := range 40 {
		f.Members = append(f.Members, ones(fmt.Sprintf("x_%d", i), 12, 33),
			ones(fmt.Sprintf("y_%d", i), 12, 33, 9))
	}
	if all, err := Guesses(f, "", ""); err != nil || len(all) != mostGuesses {
		t.Errorf("%d guesses, %v", len(all), err)
	}
}

// Arrays without points are refused.
func TestArraysWithoutPoints(t *testing.T) {
	f := &exchange.File{Name: "empty.npz", Members: []npy.Member{ones("a", 40, 0), ones("u", 40, 0)}}
	all, err := Guesses(f, "", "")
	if err == nil {
		t.Errorf("read as %+v", all)
	}
	parts := joinedParts(f, ones("a", 40, 24), 1, 0)
	if parts != nil {
		t.Errorf("parts without points: %v", parts)
	}
}

// A last file with a single number is no array of outputs, but nothing that stops the program either.
func TestNumberAfterArrays(t *testing.T) {
	var paths []string
	for _, name := range []string{"a.npy", "b.npy", "number.npy"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	f := &exchange.File{
		Name:    strings.Join(paths, ","),
		Members: []npy.Member{ones("a", 12, 33), ones("b", 12, 33), ones("number")},
	}
	if g, ok := inOrder(f); ok {
		t.Errorf("a number is taken for outputs: %+v", g)
	}
	if _, err := Guesses(f, "", ""); err != nil {
		t.Error(err)
	}
}
