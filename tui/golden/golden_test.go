package golden

import (
	"strings"
	"testing"
)

func TestChangeIsShownWhereItIs(t *testing.T) {
	if line, now := change("a\nb\nc", "a\nx\nc"); line != 2 || now != "a\nb\nc" {
		t.Errorf("line %d: %q", line, now)
	}
	if line, _ := change("a", "a\nb"); line != 2 {
		t.Errorf("a missing line is line %d", line)
	}
	long := strings.Repeat("same\n", 200)
	line, now := change(long+"new", long+"old")
	if line != 201 || !strings.HasSuffix(now, "new") || strings.Count(now, "\n") > 60 {
		t.Errorf("line %d: %q", line, now)
	}
}
