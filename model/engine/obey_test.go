// Contexts are obeyed while runs and files are opened.

package engine

import (
	"context"
	"errors"
	"math"
	"testing"

	counting "rfm/solver/parallel/countdown"
)

// An opening that is cancelled at any moment returns the context's error, and the run can be opened afterwards.
func TestOpeningIsCancelled(t *testing.T) {
	for name, c := range variants(t) {
		if testing.Short() && name != "own functions" {
			continue
		}
		e := stored(t, c, 1)
		whole := counting.After(math.MaxInt)
		if _, err := Open(whole, e.Directory(), Options{Workers: 1}); err != nil {
			t.Fatal(err)
		}
		const least = 10 // files, checked and read
		if whole.Looks() < least {
			t.Errorf("%s: the context is looked at %d times", name, whole.Looks())
		}
		for looks := range whole.Looks() {
			if testing.Short() && looks%5 != 0 {
				continue
			}
			if _, err := Open(counting.After(looks), e.Directory(), Options{Workers: 1}); !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: after %d of %d looks: %v", name, looks, whole.Looks(), err)
			}
		}
	}
}

// A configuration of own data is completed from headers and values of files, which may be on a slow disk.
func TestCompletingIsCancelled(t *testing.T) {
	c := variants(t)["own functions"]
	whole := counting.After(math.MaxInt)
	if _, err := New(whole, c, Options{}); err != nil {
		t.Fatal(err)
	}
	for looks := range whole.Looks() {
		if _, err := New(counting.After(looks), c, Options{}); !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d of %d looks: %v", looks, whole.Looks(), err)
		}
	}
	if whole.Looks() == 0 {
		t.Error("the context is not looked at")
	}
}
