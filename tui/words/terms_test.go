package words

import (
	"regexp"
	"strings"
	"testing"
)

func TestTermsHaveTwoSentences(t *testing.T) {
	end := regexp.MustCompile(`[.](?: |$)`)
	for _, term := range Terms() {
		if n := len(end.FindAllString(term.Text, -1)); n != 2 || !strings.HasSuffix(term.Text, ".") {
			t.Errorf("%s: %d sentences: %s", term.Name, n, term.Text)
		}
	}
}

func TestTermsAreFoundAsHeads(t *testing.T) {
	terms := func(list []Term) string {
		var names []string
		for _, term := range list {
			names = append(names, term.Name)
		}
		return strings.Join(names, "; ")
	}
	text := "the rank is linear\n Bochner             0.04  0.05\n x  full solve  2 ms\n  K=65"
	if got := terms(TermsOn(text)); got != "Bochner error; full solve; test grid" {
		t.Errorf("on show: %s", got)
	}
	if got := terms(TermsOf("train.lambda")); got != "lambda" {
		t.Errorf("train.lambda: %s", got)
	}
}
