// Arranging and turning pictures.

package page

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"rfm/tui/layout"
	"rfm/tui/theme"
)

func TestArrangementShowsAsManyAsFit(t *testing.T) {
	least := Size{30, 9}
	for _, test := range []struct {
		width, height, count int
		want                 layout.Shape
	}{
		{72, 30, 4, layout.Shape{Columns: 2, Rows: 2}}, {40, 14, 4, layout.Shape{Columns: 1, Rows: 1}},
		{40, 20, 4, layout.Shape{Columns: 1, Rows: 2}}, {130, 12, 4, layout.Shape{Columns: 4, Rows: 1}},
		{200, 12, 3, layout.Shape{Columns: 3, Rows: 1}},
		{62, 9, 2, layout.Shape{Columns: 2, Rows: 1}}, {1, 1, 4, layout.Shape{Columns: 1, Rows: 1}},
		{130, 30, 1, layout.Shape{Columns: 1, Rows: 1}},
	} {
		if got := Arrange(test.width, test.height, test.count, least); got != test.want {
			t.Errorf("%d pictures in %dx%d: %v, want %v", test.count, test.width, test.height, got, test.want)
		}
	}
}

// Curves use the width that an incomplete row leaves; maps keep the size of the others.
func TestLastRowsAreFilledByCurves(t *testing.T) {
	for _, fields := range []bool{false, true} {
		var list []Picture
		widths := map[string]int{}
		for _, name := range []string{"one", "two", "three"} {
			list = append(list, Picture{Name: name, Map: fields, Draw: func(width, _ int) string {
				widths[name] = width
				return name
			}})
		}
		new(Gallery).Render(theme.New(theme.Options{}), 82, 24, Size{30, 9}, list)
		want := map[string]int{"one": 40, "two": 40, "three": 82}
		if fields {
			want["three"] = 40
		}
		if !maps.Equal(widths, want) {
			t.Errorf("fields %v: widths %v, want %v", fields, widths, want)
		}
	}
}

// several is an error that == cannot compare.
type several []string

func (s several) Error() string { return strings.Join(s, " ") }

// A picture that depends on values of any type is drawn again when one of them may have changed.
func TestPicturesDependOnValuesOfAnyKind(t *testing.T) {
	var c Cache
	drawn := 0
	draw := func(of ...any) int {
		c.Get(theme.New(theme.Options{}), 10, 10, of, func() string {
			drawn++
			return ""
		})
		return drawn
	}
	one := errors.New("one")
	for i, step := range []struct {
		of    []any
		drawn int
	}{{[]any{1, nil}, 1}, {[]any{1, nil}, 1}, {[]any{1, one}, 2}, {[]any{1, one}, 2}, {[]any{1, several{"a"}}, 3},
		{[]any{1, several{"a"}}, 4}, {[]any{1, []int(nil)}, 5}, {[]any{"1", nil}, 6}, {[]any{"1", nil}, 6}} {
		if got := draw(step.of...); got != step.drawn {
			t.Errorf("step %d: drawn %d times, want %d", i, got, step.drawn)
		}
	}
}

// The difference of two texts counts the bytes of what changes, and no others.
func TestDifferenceCountsChanges(t *testing.T) {
	if got := difference("abc\ndef", "abc\ndef"); got != 0 {
		t.Errorf("%d bytes for no change", got)
	}
	one := difference("abc\ndef", "abc\ndxf")
	two := difference("abc\ndef", "xbc\ndxf")
	if one == 0 || two != 2*one {
		t.Errorf("%d bytes for one change, %d for two", one, two)
	}
}
