package studies

import (
	"strings"
	"testing"
	"time"

	"rfm/model/study"
	"rfm/tui/session"
)

// Studies show how far all of them are, not only the inner step.
func TestStudiesShowTheWhole(t *testing.T) {
	h := NewLibrary(session.New(session.Options{})).shelf()
	h.count(tally{wanted: study.All()[2].Title, done: 2, total: 18, begun: time.Now().Add(-20 * time.Second)})
	text := h.overall(200)
	for _, part := range []string{study.All()[2].Title, "study 3 of 18", "20 s", "left"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
}
