package equation

import (
	"math"
	"testing"
)

func TestExactSolutions(t *testing.T) {
	for _, c := range Claims() {
		difference, order, err := c.Check(t.Context())
		noError(t, err)
		t.Logf("%-26s error %.2g, order %.2f", c.Name, difference, order)
		if difference > c.Limit || order != 0 && math.Abs(order-4) > 0.6 {
			t.Errorf("%s: error %.2g, at most %.2g is accepted, order %.2f", c.Name, difference, c.Limit, order)
		}
	}
}
