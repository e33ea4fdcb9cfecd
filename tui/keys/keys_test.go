package keys

import "testing"

func TestNoKeyHasTwoMeanings(t *testing.T) {
	seen := map[string]Action{}
	for _, b := range Table() {
		for _, k := range b.Keys {
			if other, ok := seen[k]; ok {
				t.Errorf("key %q asks for actions %d and %d", k, other, b.Action)
			}
			seen[k] = b.Action
			if Lookup(k) != b.Action {
				t.Errorf("key %q does not find its action", k)
			}
		}
	}
}

func TestEveryActionIsInTheTable(t *testing.T) {
	for a := Accept; a <= Kill; a++ {
		if b := Of(a); b.Show == "" || b.Desc == "" || b.Help == "" {
			t.Errorf("action %d is not described", a)
		}
	}
}
