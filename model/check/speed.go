package check

import (
	"context"
	"fmt"
	"time"

	"rfm/config"
	"rfm/model/activation"
	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/model/machine"
	"rfm/solver/draw"
	"rfm/solver/fft"
)

// Speed measures the kernels on one core; every result passes.
func Speed() Suite {
	const m = 1024
	x, work, features := values(0, m), make([]float64, m), linalg.NewPanels(2*m, m)
	for i := range features.Count() {
		copy(features.Panel(i), values(i, len(features.Panel(i))))
	}
	sums, gram := linalg.NewSymmetric(m), linalg.NewSymmetric(m)
	gram.RankUpdate(features, 2*m, 1)
	elu, _ := activation.ByName("elu")
	return Suite{
		timed("rank-k update, order 1024", func(seconds float64) string {
			return fmt.Sprintf("%.4g GF/s", m*(m+1)*m/seconds/1e9)
		}, func(context.Context) error { sums.RankUpdate(features, m, 1); return nil }),
		transform(128), transform(1024),
		timed("activation elu", func(seconds float64) string { return fmt.Sprintf("%.4g ns", seconds/16/m*1e9) },
			func(context.Context) error {
				for range 16 {
					copy(work, x)
					elu.Apply(work)
				}
				return nil
			}),
		timed("lambda = 0 solve, m=1024", func(seconds float64) string { return fmt.Sprintf("%.4g ms", seconds*1e3) },
			func(ctx context.Context) error {
				d, err := linalg.Decompose(ctx, gram.Clone(), 1)
				if err == nil {
					_, err = d.SolveTruncated(make([]float64, m), x, config.MachineRcond)
				}
				return err
			}),
	}
}

// transform measures the inverse real transforms of the features of a group.
func transform(N int) test {
	plan, v, a, work := fft.NewPlan(N), values(0, 8*N), values(1, 2*N), make([]float64, 8*N)
	re, im := make([]float64, 4*N), make([]float64, 4*N)
	return timed(fmt.Sprintf("inverse real FFT, N=%d", N), func(seconds float64) string {
		return fmt.Sprintf("%.4g us", seconds/feature.GroupSize*1e6)
	}, func(context.Context) error { plan.InverseProduct(re, im, v, a, work); return nil })
}

// timed measures the least time of a call and describes it.
func timed(name string, describe func(seconds float64) string, call func(context.Context) error) test {
	return test{name, func(ctx context.Context, _ int) (string, bool, error) {
		err := ctx.Err()
		seconds := machine.Fastest(300*time.Millisecond, func() {
			if err == nil {
				err = call(ctx)
			}
		})
		return describe(seconds), true, err
	}}
}

// values returns reproducible numbers of both signs, of the size of typical activations' arguments.
func values(index, n int) []float64 {
	r := draw.Stream(1, draw.Theta, index)
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}
