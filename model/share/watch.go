package share

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/rfm"
	"rfm/model/store"
)

// Watched is how far a run is, whoever computes it.
type Watched struct {
	store.Entry
	Split  *Progress // nil unless many workers share it
	Blocks []Block   // models of its first features, see NextBlock; Watch leaves them out
}

// Watch looks at the run in the directory path. It takes no lock and writes nothing. Errors are *fault.Data, and
// those of Plan.Progress.
func Watch(path string) (Watched, error) {
	w := Watched{Entry: store.NewEntry(path)}
	if w.Fault != nil || w.Manifest.Complete() || !Planned(path) {
		return w, w.Fault
	}
	plan, err := ReadPlan(path)
	if err != nil {
		return w, err
	}
	p, err := plan.Progress(path)
	w.Split = &p
	return w, err
}

// Block is the model of the first features of a split run, of which all tiles are there: what `rfm run` would have with
// so many.
type Block struct {
	Features int     `json:"features"`
	Error    float64 `json:"error"` // mean relative L2 error on the first test pairs
}

// BlockWords is numbers of features and errors: "512 features: 0.0311, 1024: 0.0254".
func BlockWords(blocks []Block) string {
	var all []string
	for i, b := range blocks {
		unit := ""
		if i == 0 {
			unit = " features"
		}
		all = append(all, fmt.Sprintf("%d%s: %.4g", b.Features, unit, b.Error))
	}
	return strings.Join(all, ", ")
}

// NextBlock trains and measures the model of the fewest first features whose tiles are done and that is not among the
// known ones; ok is false if there is none, or if the solve would take more than some seconds. It writes nothing.
// Errors are *fault.Data and those of training.
func NextBlock(ctx context.Context, path string, known []Block, o engine.Options) (b Block, ok bool, err error) {
	plan, err := ReadPlan(path)
	if err != nil {
		return b, false, err
	}
	parts, err := engine.OpenParts(path, o)
	if err != nil {
		return b, false, err
	}
	c := parts.Config()
	m := max(c.Features.Count, c.Features.Pool)
	found, err := plan.tiles(path, m)
	if err != nil {
		return b, false, err
	}
	for _, size := range blockSizes(m, plan.Width, c.Train) {
		if slices.ContainsFunc(known, func(k Block) bool { return k.Features == size }) {
			continue
		}
		tiles := rfm.Tiles(min(m, (size+plan.Width-1)/plan.Width*plan.Width), plan.Width)
		if slices.ContainsFunc(tiles, func(t rfm.Tile) bool { _, ok := found[t]; return !ok }) {
			return b, false, nil
		}
		b.Features = size
		b.Error, err = parts.Leading(ctx, size, func(n *rfm.Normal) error {
			whole := rfm.NewNormal(tiles[len(tiles)-1].FirstRow + tiles[len(tiles)-1].Rows)
			for _, t := range tiles {
				values, err := found[t].read(path, plan.Key)
				if err != nil {
					return err
				}
				whole.Put(t, values)
			}
			for i := range size {
				copy(n.Sums.Row(i), whole.Sums.Row(i))
			}
			copy(n.RHS, whole.RHS)
			return nil
		})
		return b, err == nil, err
	}
	return b, false, nil
}

// blockSizes are numbers of features whose models are shown while a run of m goes on: parts of the first band, then
// whole ones, as far as the solve takes some seconds.
func blockSizes(m, width int, c config.Train) []int {
	most := 2500 // eigenvalues
	if c.Lambda > 0 && c.Choice != config.LeaveOneOut {
		most = 8500 // Cholesky
	}
	var sizes []int
	for _, part := range []int{4, 2} {
		if size := width / part / rfm.TileUnit * rfm.TileUnit; size > 0 {
			sizes = append(sizes, size)
		}
	}
	for size := width; size < m+width; size += width {
		sizes = append(sizes, min(m, size))
	}
	return slices.DeleteFunc(sizes, func(size int) bool { return size > min(m, most) })
}
