package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/tui/layout"
	"rfm/tui/theme"
)

// A system has a row for each equation, long equations have several, and nothing of the text is lost.
func TestRowsOfATextAreItsLines(t *testing.T) {
	for text, want := range map[string][]string{
		"":                             {""},
		"u_t = u_xx":                   {"u_t = u_xx"},
		"u_t = v; v_t = u":             {"u_t = v; ", "v_t = u"},
		"u_t = v;v_t = u;":             {"u_t = v;", "v_t = u;"},
		"u_t = 0.123456789012345*u_xx": {"u_t = 0.123456789012", "345*u_xx"},
	} {
		var got []string
		for _, row := range rowsOf(text, 20, true) {
			got = append(got, string(row.chars))
		}
		if !slices.Equal(got, want) || strings.Join(got, "") != text {
			t.Errorf("%q: rows %q, want %q", text, got, want)
		}
	}
}

// A text that has one row is not divided where it fits: initial values of two fields stand beside other parameters.
func TestOneRowIsNotDivided(t *testing.T) {
	th := theme.New(theme.Options{NoColor: true})
	lines := Text{Text: "a; 0", Cursor: -1, Wrong: -1}.Draw(th, th.Value, 12, 1)
	if len(lines) != 1 || ansi.Strip(lines[0]) != "a; 0" {
		t.Errorf("%q, want a; 0", lines)
	}
}

// If a text is too long for its rows, the rows around the cursor are shown, and none is too wide.
func TestRowsAroundTheCursorAreDrawn(t *testing.T) {
	th := theme.New(theme.Options{NoColor: true})
	text := strings.Repeat("u_t = v; ", 9) + "w"
	for cursor := range len(text) + 1 {
		lines := Text{Text: text, Cursor: cursor, Wrong: -1}.Draw(th, th.Value, 12, 3)
		marked := 0
		for _, line := range lines {
			if strings.Contains(line, layout.CursorMark) {
				marked++
			}
			if ansi.StringWidth(line) > 12 {
				t.Errorf("%q is wider than 12", ansi.Strip(line))
			}
		}
		if len(lines) != 3 || marked != 1 {
			t.Errorf("cursor %d: %d lines, %d with the cursor", cursor, len(lines), marked)
		}
	}
}
