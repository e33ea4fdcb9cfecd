package ui

import "testing"

// Every name belongs to one key, by which it is found.
func TestNoNameHasTwoKeys(t *testing.T) {
	for k := range also {
		for _, name := range append(k.Also(), string(k)) {
			if LookupKey(name) != k {
				t.Errorf("%q is %v, not %v", name, LookupKey(name), k)
			}
		}
	}
}
