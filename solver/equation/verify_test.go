package equation

import (
	"math"
	"testing"
)

func TestExactSolutions(t *testing.T) {
	for _, c := range Claims() {
		r, err := c.Check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-26s error %.2g, order %.2f", c.Name, r.Error, r.Order)
		if r.Error > c.Limit || r.Order != 0 && math.Abs(r.Order-4) > 0.6 {
			t.Errorf("%s: error %.2g, at most %.2g is accepted, order %.2f", c.Name, r.Error, c.Limit, r.Order)
		}
	}
}
