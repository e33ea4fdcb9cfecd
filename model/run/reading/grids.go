// This file chooses the grid on which methods learn from pairs of a file.

package reading

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/learn/score"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// mostPoints are the points along an axis of the finest grid for training on functions and fields with rough outputs,
// indexed by dimension: the time of training grows with the number of points.
var mostPoints = [...]int{1: 513, 2: 65}

// negligible is the part of the error of a linear map that may be lost between the points of a training grid, indexed
// by dimension. Methods have errors down to a thousandth of the linear one on functions, and to a thirtieth on fields, of
// which a grid twice as fine takes four times as long.
var negligible = [...]float64{1: 1e-3, 2: 1e-2}

// lookPairs is the number of training pairs from which the grid is chosen.
const lookPairs = 64

// refinedGrid is a training grid that was chosen, and a note on the choice, empty if it is the data grid. It is kept with
// the files because a configuration is completed several times, and is no longer open then.
type refinedGrid struct {
	points int
	note   string
}

// refineTrainGrid replaces the usual training grid of own data by the coarsest one on which so little of the outputs is
// lost between its points that it does not count beside the errors of methods, up to mostPoints. Errors:
// *fault.Data, ctx's.
func refineTrainGrid(ctx context.Context, c *config.Config, f *pairs.Functions) (refined refinedGrid, err error) {
	fine := c.Data.Grid
	usual := c.Train.Grid
	if usual == fine {
		return refined, nil
	}
	most := c.GridUpTo(fine, mostPoints[c.Dims()])
	look, err := firstPairs(*c, f)
	if fault.BlamesInput(err) { // told when all pairs are read
		return refined, nil
	}
	if err != nil {
		return refined, err
	}
	allowed, err := allowedLoss(ctx, *c, look)
	if err != nil {
		return refined, err
	}
	loss := 0.0
	for _, K := range c.Grids(fine) {
		if K < usual || K > most {
			continue
		}
		c.Train.Grid = K
		if loss, err = LossBetweenPoints(look.Outputs, K); err != nil {
			return refined, err
		}
		if loss <= allowed {
			break
		}
	}
	if c.Train.Grid == fine {
		return refined, nil
	}
	return refinedGrid{c.Train.Grid, fmt.Sprintf("trained on %d of %d points along an axis, between which %.1g of the outputs "+
		"is lost (train.grid); errors are those of predictions on all points", c.Train.Grid, fine, loss)}, nil
}

// firstPairs reads the first training pairs on the data grid.
func firstPairs(c config.Config, f *pairs.Functions) (dataset.Pairs, error) {
	rows := dataset.First(min(lookPairs, c.Data.Train))
	if c.Data.TestFile == "" {
		training, _, err := dataset.Split(f.Count, c.SplitSeed(), c.Data.Train, c.Data.Test)
		if err != nil {
			return dataset.Pairs{}, err
		}
		rows = training[:len(rows)]
	}
	c.Train.Grid = c.Data.Grid
	c.Evaluation.Grid = c.Data.Grid
	return read(c, f, rows, c.TestPairsGrid)
}

// allowedLoss returns the relative loss of outputs between the points of a training grid that does not count beside the
// errors of methods, by the leave-one-out error of a linear map. Unsuitable pairs, which training reports, allow none.
func allowedLoss(ctx context.Context, c config.Config, look dataset.Pairs) (float64, error) {
	coarse, err := look.Restrict(c.Train.Grid)
	if err != nil {
		return 0, err
	}
	m, _ := method.Named(config.Linear, random.Random{Config: c})
	linear, err := m.Train(ctx, coarse, operator.Options{Workers: 1, Aside: true})
	if fault.BlamesInput(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return negligible[c.Dims()] * linear.LeaveOneOut(), nil
}

// LossBetweenPoints returns the mean relative error of functions that are known on a coarser grid only and interpolated
// from there; 0 if an output is zero, which training reports. The error is a *fault.Data if their grid does not contain
// the coarser one.
func LossBetweenPoints(functions grid.Batch, points int) (float64, error) {
	coarse, err := functions.Restrict(points)
	if err != nil {
		return 0, err
	}
	again, err := resample.To(coarse, functions.Points)
	if err != nil {
		return 0, err
	}
	errors, err := score.Measure(again, functions)
	if fault.BlamesInput(err) {
		return 0, nil
	}
	return errors.ExpectedRelative, err
}
