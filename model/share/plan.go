// Package share divides work among many processes, on any machines that see the same directory. The work is one run
// that is split into units, or the runs of a sweep (sweep.go).
//
// A split run is shared among workers. Ranges of generated pairs and tiles of the sums are work units that any worker
// may compute, any number of times: the run and the name of a unit determine its bytes. So workers have no names and no
// order, they need no coordinator, and the result has the bytes of `rfm run`. The run's program.json describes the
// split. In its directory claims/UNIT.N names the process at a unit: a line, then a byte for every beat, "done" or
// "given back" at the end. Claims only save work; the result does not depend on them.
package share

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/rfm"
	"rfm/model/store"
	"rfm/solver/fault"
)

// defaultWidth returns a width of bands for the given number of workers, 0 if it is unknown. A feature
// is evaluated once for each band that its own meets: there are as many bands of at least 1000 features as keep
// evaluations to a tenth of the sums, but at least four, and enough for two tiles per worker.
func defaultWidth(c config.Config, workers int) int {
	// cost of a feature at a point, in operations of the sums
	const evaluation, share, narrow, least, most = 50, 0.1, 1000, 4, 48
	m := max(c.Features.Count, c.Features.Pool)
	summed := 1.0 // for one point
	if c.Train.Rows > 0 {
		summed = float64(c.Train.Rows) / float64(c.Train.Grid-1)
	}
	bands := min(1+int(share*summed*float64(m)/evaluation), m/narrow, most/3)
	bands = max(least, bands, min(most, int(math.Ceil(2*math.Sqrt(float64(workers))))))
	width := (m + bands - 1) / bands
	return (width + rfm.TileUnit - 1) / rfm.TileUnit * rfm.TileUnit
}

// Split splits the run in the directory path for the given number of workers, 0 if it is unknown. It keeps an equal
// existing split; width and pairs of 0 mean the existing or the default ones. Errors: *config.Error for runs that
// cannot be split, *fault.Data, errors of solvers, ctx's.
func Split(ctx context.Context, path string, width, pairs, workers int, o engine.Options) (store.Split, error) {
	e, err := engine.Join(path, o)
	if err != nil {
		return store.Split{}, err
	}
	c, m, own := e.Config, e.Manifest(), machine.Program()
	if m.Complete() {
		return store.Split{}, &fault.Data{Where: path, What: "is complete: there is nothing to split",
			Do: "`rfm show` shows it"}
	}
	if c.Train.Method != config.RandomFeatures {
		return store.Split{}, &config.Error{Key: "train.method", Value: c.Train.Method,
			Problem:    "cannot be split: only the sums of features are",
			Suggestion: "set train.method = features"}
	}
	if is := m.Split; is != nil && sameProgram(m.Program, own) && (width == 0 || width == is.Width) &&
		(pairs == 0 || pairs == is.Pairs) {
		return *is, nil // workers may already use it
	}
	if width == 0 {
		width = defaultWidth(c, workers)
	}
	if width < rfm.TileUnit || width%rfm.TileUnit != 0 {
		return store.Split{}, &config.Error{Key: "--band", Value: fmt.Sprint(width),
			Problem:    fmt.Sprintf("must be a multiple of %d", rfm.TileUnit),
			Suggestion: fmt.Sprintf("try %d", max(1, width/rfm.TileUnit)*rfm.TileUnit)}
	}
	if pairs == 0 {
		pairs = max(64, (c.Data.Train+c.Data.Test)/64)
	}
	split := store.Split{Width: width, Pairs: pairs}
	if split.Canary, err = canary(ctx, e); err != nil {
		return store.Split{}, err
	}
	return split, e.Divide(split)
}

// sameProgram reports whether two programs are equal, possibly on other processors.
func sameProgram(a, b store.Program) bool { return a.Version == b.Version && a.Revision == b.Revision }

// splitOf returns the split of the run in the directory path. The error is a *fault.Data if the run is not split.
func splitOf(m store.Manifest, path string) (store.Split, error) {
	if m.Split == nil {
		return store.Split{}, &fault.Data{Where: path, What: "is not split", Do: "`rfm run RUN --split N` splits a run"}
	}
	return *m.Split, nil
}

// canary returns the checksum of engine.Experiment.Canary.
func canary(ctx context.Context, e *engine.Experiment) (string, error) {
	computed, err := e.Canary(ctx)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, some := range computed {
		_ = binary.Write(sum, binary.LittleEndian, some) // a hash never fails
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// join opens the run in the directory path for a worker, and checks that this machine reproduces the canary. Errors:
// *fault.Data, also for a run of another program, *config.Error, *engine.Unsound, errors of solvers, ctx's.
func join(ctx context.Context, path string, o engine.Options) (*engine.Experiment, store.Split, error) {
	e, err := engine.Join(path, o)
	if err != nil {
		return nil, store.Split{}, err
	}
	m, own := e.Manifest(), machine.Program()
	if m.Complete() {
		return nil, store.Split{}, &fault.Data{Where: path, What: "is complete: there is nothing to do",
			Do: "`rfm show` shows it"}
	}
	split, err := splitOf(m, path)
	if err != nil {
		return nil, split, err
	}
	if !sameProgram(m.Program, own) {
		return nil, split, &fault.Data{Where: path, What: fmt.Sprintf("was split by %v, this is %v", m.Program, own),
			Do: "use that program, or split the run again: `rfm run RUN --split N`"}
	}
	found, err := canary(ctx, e)
	if err != nil {
		return nil, split, err
	}
	if found != split.Canary {
		return nil, split, &engine.Unsound{Where: path,
			What: fmt.Sprintf("this machine computes other last digits (%v) than the one that split it (%v)", own, m.Program),
			Do:   "leave it out, or set RFM_SIMD as there"}
	}
	return e, split, nil
}

// Memory returns the approximate memory of a worker on one tile, in bytes.
func Memory(s store.Split, c config.Config) float64 {
	small := c
	small.Features.Count, small.Features.Pool = min(2*s.Width, max(c.Features.Count, c.Features.Pool)), 0
	// for all features, from which bands are chosen
	theta := 8 * float64(max(c.Features.Count, c.Features.Pool)) * float64(c.Data.Grid+2*c.Train.Grid)
	if c.Dims() == 2 {
		theta *= float64(c.Train.Grid)
	}
	return small.Cost().Bytes + theta
}

// Disk returns the size of all tiles, in bytes.
func Disk(s store.Split, c config.Config) float64 {
	m := float64(max(c.Features.Count, c.Features.Pool))
	return 4 * m * (m + float64(s.Width))
}
