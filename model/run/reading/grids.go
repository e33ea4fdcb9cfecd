// This file chooses the grids of pairs from files, and the one on which methods learn from them.

package reading

import (
	"cmp"
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
// lost between its points that it does not count beside the errors of methods, up to mostPoints. Errors: *fault.Data,
// ctx.Err().
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
		loss, err = LossBetweenPoints(look.Outputs, K)
		if err != nil {
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
		training, _, err := split(c, f)
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

// onlyGrid takes the points of any geometry as the only grid. The error is a *config.Error if the configuration has another.
func onlyGrid(c *config.Config, points int) error {
	for _, key := range []string{"data.grid", "train.grid", "evaluation.grid"} {
		k, err := c.Lookup(key)
		if err != nil {
			return err
		}
		value := k.Text(*c)
		if value == "0" || value == fmt.Sprint(points) {
			continue
		}
		const problem = "is not the number of the points of %s, %d, which form no grid, so that there is no coarser one"
		return &config.Error{
			Key:        key,
			Value:      value,
			Problem:    fmt.Sprintf(problem, c.Data.TrainFile, points),
			Suggestion: "leave it out",
		}
	}
	c.Data.Grid = points
	c.Train.Grid = points
	return nil
}

// fieldGrids chooses grids for fields, up to 33 points along the first axis for training.
func fieldGrids(c *config.Config, f *pairs.Functions) error {
	info := f.Info
	if c.Data.Columns != 0 && c.Data.Columns != info.Columns {
		const problem = "is not the grid of %s, which has %d points along the second axis"
		return &config.Error{
			Key:        "data.columns",
			Value:      fmt.Sprint(c.Data.Columns),
			Problem:    fmt.Sprintf(problem, c.Data.TrainFile, info.Columns),
			Suggestion: "leave it out",
		}
	}
	if info.Columns != info.Grid {
		c.Data.Columns = info.Columns
	}
	return ownGrid(c, f, 33)
}

// ownGrid takes a file's grid unchanged, and for training the finest that it contains up to the usual number of points.
// The error is a *config.Error if the configuration has another one, a *fault.Data if there is none for training.
func ownGrid(c *config.Config, f *pairs.Functions, usual int) error {
	const leastIntervals = 8
	r := f.Info.Grid
	key, err := c.Lookup("data.grid")
	if err != nil {
		return err
	}
	most := int(key.Max)
	if r > most {
		remedy := "take fewer of them: " + pairs.Settings(f.Coarser(most))
		return &fault.Data{
			Where: c.Data.TrainFile,
			What:  fmt.Sprintf("has %d points along an axis, want at most %d", r, most),
			Do:    remedy,
		}
	}
	shorter := min(r, cmp.Or(c.Data.Columns, r)) // the side with fewer points
	intervals := c.Intervals(shorter)
	if intervals < leastIntervals {
		least := shorter - intervals + leastIntervals
		return &fault.Data{
			Where: c.Data.TrainFile,
			What:  fmt.Sprintf("has %d points along an axis, want at least %d", shorter, least),
			Do:    "give functions on a finer grid",
		}
	}
	if c.Data.Grid == 0 {
		c.Data.Grid = r
	}
	if c.Data.Grid != r {
		return &config.Error{
			Key:        "data.grid",
			Symbol:     c.GridSymbol(),
			Value:      fmt.Sprint(c.Data.Grid),
			Problem:    fmt.Sprintf("is not the grid of %s, which has r=%d", c.Data.TrainFile, r),
			Suggestion: "leave it out",
		}
	}
	if c.Train.Grid == 0 {
		c.Train.Grid = c.GridUpTo(r, usual)
	}
	return nil
}

// functionGrids chooses grids for functions on the K points of a file. Periodic functions can be interpolated, so any K
// is possible: the file's grid is taken if it contains the training grid, or one between half of the usual one and the
// usual one. Otherwise it is the first with at least as many points that is a power of two times as fine as the
// training grid.
func functionGrids(c *config.Config, K int) {
	wanted := c.Train.Grid
	if wanted < leastFunction || wanted%2 == 0 { // unset, or refused by Validate
		wanted = 0
	}
	if c.Data.Grid == 0 {
		c.Data.Grid = K
		if !hasTrainGrid(*c, K, wanted) {
			c.Data.Grid = interpolatedGrid(K, wanted)
		}
	}
	if c.Train.Grid == 0 {
		c.Train.Grid = c.GridUpTo(c.Data.Grid, usualFunction)
	}
}

// Points of periodic functions.
const (
	leastFunction = 9         // for training
	usualFunction = 129       // for training
	mostFunction  = 1<<16 + 1 // of data
)

// hasTrainGrid reports whether the grid of a file contains the wanted training grid; 0: one that is fine enough.
func hasTrainGrid(c config.Config, K, wanted int) bool {
	if K%2 == 0 || K > mostFunction {
		return false
	}
	contained := 0 // the best training grid
	for _, k := range c.Grids(K) {
		isSuitable := k == wanted
		if wanted == 0 {
			isSuitable = k <= usualFunction
		}
		if isSuitable {
			contained = k
		}
	}
	if wanted == 0 {
		enough := min(K, (usualFunction+1)/2)
		return contained >= enough
	}
	return contained > 0
}

// interpolatedGrid returns the grid to which functions on K points are interpolated: 2^i times as fine as the wanted training
// grid, with at least K points unless these are too many.
func interpolatedGrid(K, wanted int) int {
	intervals := wanted - 1
	if wanted == 0 {
		intervals = leastFunction - 1
	}
	for intervals < K-1 && 2*intervals < mostFunction {
		intervals *= 2
	}
	return intervals + 1
}
