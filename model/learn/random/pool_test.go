package random

import (
	"errors"
	"fmt"
	"testing"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/model/run/setup"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Training on a pool works, or fails with a message, for few pairs: a fitted function of x leaves nothing of one pair.
func TestPoolsMeetFewAndEqualPairs(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, problem := range []string{"burgers", "functions", "navier-stokes", "darcy"} {
		c := methodtest.Must(config.PresetByName(problem))
		c.Train.Method = config.RandomFeatures
		c.Features.Count, c.Features.Pool, c.Train.Grid, c.Data.Grid = 16, 24, 17, 17
		drawn := methodtest.Must(feature.New(t.Context(), setup.Features(c), c.Features.Pool, 17, 1))
		pairs := dataset.Pairs{Inputs: grid.NewBatch(setup.Domain(c), 17, 3)}
		random := draw.Stream(1, draw.InputTrain, 0)
		for i := range pairs.Inputs.Data {
			pairs.Inputs.Data[i] = 3 + 9*random.Float64()
		}
		pairs.Outputs = pairs.Inputs.Clone()
		for i, a := range pairs.Inputs.Data {
			pairs.Outputs.Data[i] = a * a
		}
		equal := pairs.Take([]int{0, 0, 0})
		for n, some := range []dataset.Pairs{pairs.Range(0, 1), pairs.Range(0, 2), pairs, equal.Range(0, 2), equal} {
			for _, offset := range []bool{false, true} {
				for _, choice := range []string{config.Given, config.LeaveOneOut} {
					c.Train.Offset, c.Train.Choice, c.Train.Relative, c.Train.Lambda = offset, choice, 1e-9, 0
					if choice == config.LeaveOneOut {
						c.Train.Relative = 0
					}
					name := fmt.Sprintf("%s, pairs %d, offset %v, choice %s", problem, n, offset, choice)
					o, err := Random{Config: c, Drawn: drawn, Fine: some}.Method().Train(t.Context(), some,
						operator.Options{Workers: 2})
					var data *fault.Data
					if refused := errors.As(err, &data); refused {
						degenerate := some.Count() < 3 || n > 2
						if !degenerate || choice == config.Given {
							t.Errorf("%s: %v", name, err)
						}
						continue
					} else if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					u := methodtest.Predict(t, o, some.Inputs)
					if !grid.Finite(u.Data...) {
						t.Fatalf("%s: predictions are not finite", name)
					}
					// One pair and its copies are their own mean.
					if offset && (n == 0 || n > 2) {
						if e := methodtest.Relative(t, o, some); !(e < 1e-12) {
							t.Errorf("%s: error %g at the pair itself", name, e)
						}
					}
				}
			}
		}
	}
}
