package printable

import "testing"

func TestOneThingIsNotMany(t *testing.T) {
	for n, want := range []string{"0 pairs", "1 pair", "2 pairs"} {
		if got := Several(n, "pair"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestClausesBecomeSentences(t *testing.T) {
	for clause, want := range map[string]string{"": "", "a network": "A network.", "über": "Über."} {
		if got := Sentence(clause); got != want {
			t.Errorf("%q became %q, want %q", clause, got, want)
		}
	}
}
