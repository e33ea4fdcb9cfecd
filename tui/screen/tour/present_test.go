package tour

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The page for speakers has a paragraph for each scene, in their order.
func TestPageForSpeakersHasEveryScene(t *testing.T) {
	page, err := os.ReadFile("../../../docs/present.md")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(page)
	for i, s := range scenes(small(t)) {
		_, after, found := strings.Cut(rest, fmt.Sprintf("\n**%d. %s", i+1, s.title))
		if !found {
			t.Fatalf("the page has no paragraph %d, %q", i+1, s.title)
		}
		rest = after
	}
}
