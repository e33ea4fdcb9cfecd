package keys

import "testing"

func TestNoNameHasTwoKeys(t *testing.T) {
	seen := map[string]Key{}
	for k := None + 1; k < count; k++ {
		for _, name := range k.Names() {
			if other, ok := seen[name]; ok {
				t.Errorf("%q is %v and %v", name, other, k)
			}
			seen[name] = k
			if Lookup(name) != k {
				t.Errorf("%q is not found", name)
			}
		}
	}
}

func TestEveryKeyHasANameToShow(t *testing.T) {
	for k := None + 1; k < count; k++ {
		if len(k.Names()) == 0 || k.String() == "" {
			t.Errorf("key %d has none", int(k))
		}
	}
}
