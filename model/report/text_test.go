package report

import (
	"slices"
	"testing"
)

var rows = [][]string{{"name", "n", "method", "error"}, {"a", "1000", "ridge", "0.5"},
	{"wide and long", "8", "", "0.0416"}}

func TestWordsAreToTheLeftAndNumbersToTheRight(t *testing.T) {
	want := []string{"name              n  method   error", "a              1000  ridge      0.5",
		"wide and long     8          0.0416"}
	if got := aligned(2, rows, 2); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := aligned(2, nil); len(got) != 0 {
		t.Errorf("no rows make %q", got)
	}
}

// In a narrow table columns disappear in the order of their numbers, and names are cut; numbers never are.
func TestColumnsGoWhereThereIsNoRoom(t *testing.T) {
	columns := []Column{{Words: true, Least: 6}, {Goes: 1}, {Words: true, Goes: 2}, {}}
	for width, want := range map[int]string{
		35: "wide and long     8          0.0416", 32: "wide and …     8          0.0416", 24: "wide and …     8  0.0416",
		20: "wide …     8  0.0416", 19: "wide and l…  0.0416", 5: "  0.0416",
	} {
		if got := Fit(columns, 2, rows, width)[2]; got != want {
			t.Errorf("in %d cells %q, want %q", width, got, want)
		}
	}
}
