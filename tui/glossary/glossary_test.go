package glossary

import (
	"regexp"
	"strings"
	"testing"
)

func TestEntriesHaveTwoSentences(t *testing.T) {
	end := regexp.MustCompile(`[.](?: |$)`)
	for _, e := range Entries() {
		if n := len(end.FindAllString(e.Text, -1)); n != 2 || !strings.HasSuffix(e.Text, ".") {
			t.Errorf("%s: %d sentences: %s", e.Term, n, e.Text)
		}
	}
}

func TestTermsAreFoundAsHeads(t *testing.T) {
	terms := func(list []Entry) string {
		var names []string
		for _, e := range list {
			names = append(names, e.Term)
		}
		return strings.Join(names, "; ")
	}
	text := "the rank is linear\n Bochner             0.04  0.05\n x  full solve  2 ms\n  K=65"
	if got := terms(On(text)); got != "Bochner error; full solve; test grid" {
		t.Errorf("on show: %s", got)
	}
	if got := terms(Of("train.lambda")); got != "lambda" {
		t.Errorf("train.lambda: %s", got)
	}
}
