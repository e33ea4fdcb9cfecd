package machine

import (
	"testing"

	"rfm/config"
)

// The time of a solve in units of the sums over one sample follows from the counts and the slowdowns.
func TestSolvesAreEstimatedByTheWayTheyTake(t *testing.T) {
	rates := Rates{Transforms: 1e300, Evaluations: 1e300, Poisson: 1e300, Flops: 1}
	for _, test := range []struct {
		m    int
		set  string
		want float64 // in units of m^3
	}{{1024, "train.lambda=0", 2.5 * 4. / 3}, {4096, "train.lambda=0", 2.5 * 4. / 3},
		{4096, "train.lambda=1e-3", 2. / 3}} {
		c, err := config.PresetByName("burgers")
		if err == nil {
			err = config.Assign(&c, test.set)
		}
		if err != nil {
			t.Fatal(err)
		}
		c.Features.Count = test.m
		m := float64(test.m)
		if solve := rates.Estimate(c, 1).Train - c.Cost().GramFlops; solve < 0.99*test.want*m*m*m ||
			solve > 1.01*test.want*m*m*m {
			t.Errorf("m=%d, %s: %g m^3", test.m, test.set, solve/m/m/m)
		}
	}
}
