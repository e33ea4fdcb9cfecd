package layout

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// red returns text in control sequences that take no cells.
func red(text string) string { return "\x1b[31m" + text + "\x1b[m" }

func TestFitHasTheSizeAskedFor(t *testing.T) {
	for _, c := range []struct {
		text          string
		width, height int
		want          string
	}{
		{"abc\nde", 2, 2, "a…\nde"},
		{"abc\nde", 5, 1, "abc"},
		{"a", 3, 3, "a\n\n"},
		{red("abc"), 2, 1, red("a…")},
		{"abc", 3, 0, ""},
		{"abc", 0, 1, ""},
	} {
		if got := Fit(c.text, c.width, c.height); got != c.want {
			t.Errorf("Fit(%q, %d, %d) = %q, want %q", c.text, c.width, c.height, got, c.want)
		}
	}
}

func TestBesideAlignsTheRightBlock(t *testing.T) {
	if got, want := Beside(3, "|", "abc\n"+red("d"), 2, "one\ntwo"), "a…|one\n"+red("d")+" |two\n  |"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTilesFillTheArea(t *testing.T) {
	full := func(letter string) Block {
		return func(width, height int) string {
			return strings.TrimSuffix(strings.Repeat(strings.Repeat(letter, width)+"\n", height), "\n")
		}
	}
	want := "aaa  bbb\naaa  bbb\ncccccccc\ncccccccc\n"
	if got := Tiles(8, 5, 2, full("a"), full("b"), full("c")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestOppositeLeavesOutWhatHasNoRoom(t *testing.T) {
	for width, want := range map[int]string{8: "left   r", 7: "left  r", 6: "left", 3: "le…"} {
		if got := Opposite(width, "left", "r"); got != want {
			t.Errorf("%d cells: %q, want %q", width, got, want)
		}
		if got := HaveRoom(width, "left", "r"); got != (width >= 7) {
			t.Errorf("%d cells: room is %v", width, got)
		}
	}
	if got := Opposite(9, red("left"), red("r")); ansi.StringWidth(got) != 9 {
		t.Errorf("%q does not fill the line", got)
	}
}

func TestNumbersAreNotCutInTwo(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"error 0.2011", 12, "error 0.2011"},
		{"error 0.2011", 11, "error …"},
		{"error 0.2011", 6, "error…"},
		{"6.31e-05 x", 8, "…"},
		{"6.31e-05 x", 9, "6.31e-05…"},
		{"12 of 345 pairs", 8, "12 of …"},
		{red("0.5") + " 0.25", 6, red("0.5") + " …"},
		{"x 7    ", 3, "x 7"},
		{"7", 0, ""},
	} {
		if got := Cut(c.text, c.width); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestLinesBreakAtBlanksOnly(t *testing.T) {
	if got, want := Wrap("to a-b.npz, 1e-15", 14), "to a-b.npz,\n1e-15"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	path := "runs/" + strings.Repeat("x-", 40)
	for begin, want := range map[string]string{"note: ": "note: see\n  " + path + "\n  for --much more",
		"--": "--see\n  " + path + "\n  for --much more"} {
		if got := Hanging(begin, "see "+path+" for --much more", 2, 80); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestHeadSaysThatThereIsMore(t *testing.T) {
	text := []string{"one", "two 12345", "three"}
	for _, c := range []struct {
		width, most int
		want        string
	}{{9, 3, "one/two 12345/three"}, {9, 2, "one/two …"}, {11, 2, "one/two 12345 …"}, {9, 1, "one …"}} {
		if got := strings.Join(Head(text, c.width, c.most), "/"); got != c.want {
			t.Errorf("%d lines of %d cells: %q, want %q", c.most, c.width, got, c.want)
		}
	}
}
