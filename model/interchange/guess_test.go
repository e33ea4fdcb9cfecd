package interchange

import (
	"slices"
	"strings"
	"testing"
)

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
	long := strings.Repeat("a", 60000) // a name may be that long: copying it for every letter took minutes
	copies := testing.AllocsPerRun(1, func() {
		if got := words(long); len(got) != 1 || got[0] != long {
			t.Error("a long word is not one")
		}
	})
	if copies > 10 {
		t.Errorf("%g allocations for one long word", copies)
	}
}
