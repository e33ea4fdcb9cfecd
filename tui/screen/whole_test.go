// Text that does not fit is visibly cut.

package screen

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A line of a small screen may begin as a line of a large one. Then it shows no part of a number, and a part of a word
// only with an ellipsis.
func TestNothingIsCutInSilence(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	number, letters := regexp.MustCompile(`[0-9][-+0-9.e]*$`), regexp.MustCompile(`\pL+$`)
	list := plainStates(t)
	for _, name := range slices.Sorted(maps.Keys(list)) {
		p := list[name]
		wide := map[string]bool{}
		p.Resize(400, 100)
		for _, word := range strings.Fields(changing.ReplaceAllString(p.Screen(), "#")) {
			wide[number.FindString(word)] = true
			wide[letters.FindString(strings.TrimRight(word, ".,;:)?`'\""))] = true
		}
		for _, size := range [][2]int{{60, 15}, {80, 24}} {
			p.Resize(size[0], size[1])
			for line := range strings.SplitSeq(changing.ReplaceAllString(p.Screen(), "#"), "\n") {
				words := strings.Fields(line)
				if len(words) == 0 || len([]rune(strings.TrimRight(line, " "))) < size[0]-1 {
					continue // ends before the edge
				}
				last := number.FindString(words[len(words)-1]) + letters.FindString(words[len(words)-1])
				if len(last) < 3 || wide[last] {
					continue
				}
				for whole := range wide {
					if strings.HasPrefix(whole, last) {
						t.Errorf("%s at %dx%d: %q is cut to %q in %q", name, size[0], size[1], whole, last, line)
					}
				}
			}
		}
	}
}
