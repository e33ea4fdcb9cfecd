package live

import "testing"

// The mark stays below its place, also where the text is wider than the screen.
func TestMarkStaysBelowItsPlace(t *testing.T) {
	text := "  u_t = nu*u_xy + u\n              ^"
	for width, want := range map[int]string{40: text, 15: "  u_t = nu*u_xy\n              ^",
		10: " = nu*u_xy\n         ^"} {
		if got := endsInView(text, width); got != want {
			t.Errorf("width %d:\n%s\nwant\n%s", width, got, want)
		}
	}
}
