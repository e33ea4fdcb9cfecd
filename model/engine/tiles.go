// This file computes tiles of the sums of the normal equations: work units of a run with many features or workers.

package engine

import (
	"context"
	"fmt"
	"io"

	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/model/store"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// wholeSums is the number of features up to which one process computes the sums in one pass. Smaller tiles would
// evaluate each feature too often.
const wholeSums = 4096

// tileWidth returns the width of the bands of m features in a run without a plan; m means a single tile.
func tileWidth(m int) int {
	const narrow, least = 1000, 4
	if m <= wholeSums {
		return m
	}
	bands := max(least, m/narrow)
	return ((m+bands-1)/bands + rfm.TileUnit - 1) / rfm.TileUnit * rfm.TileUnit
}

// Unsound is the error of machines that compute different bytes from the same input.
type Unsound struct{ Where, What, Do string }

func (e *Unsound) Error() string { return e.Where + ": " + e.What + "; " + e.Do }

func tileName(t rfm.Tile) string { return store.TileName(t.FirstRow, t.Rows, t.FirstColumn, t.Columns) }

// summands returns the features on the training grid, and the pairs whose sums make the normal equations.
type summands func() (feature.Evaluator, dataset.Pairs, error)

// tileUnits returns the work units of the tiles of a width of m features. of is called if one of them is missing.
func (e *Experiment) tileUnits(of summands, m, width int) []store.Unit {
	var units []store.Unit
	for _, t := range rfm.Tiles(m, width) {
		units = append(units, store.Unit{Name: tileName(t), Make: func(ctx context.Context, w io.Writer) error {
			ev, pairs, err := of()
			if err != nil {
				return err
			}
			values, err := e.tile(ctx, t, ev, pairs)
			if err != nil {
				return err
			}
			rows, columns := t.Shape()
			return npy.Write(w, npy.Array{Shape: []int{rows, columns}, Data: values})
		}})
	}
	return units
}

// tile computes the sums of a tile. The error is one of rfm.Tile.Sum.
func (e *Experiment) tile(ctx context.Context, t rfm.Tile, ev feature.Evaluator, pairs dataset.Pairs) (
	[]float64, error) {
	c := e.Config
	return t.Sum(ctx, ev, pairs, rfm.Rows{Seed: c.Seed, Count: c.Train.Rows}, c.Train.Offset, e.workers, nil)
}

// storedTiles returns the stored tiles of a width. The error is a *fault.Data, or an *Unsound if two machines have
// computed different contents of a tile.
func storedTiles(of store.Units, m, width int) (map[rfm.Tile]store.Stored, error) {
	list, err := of.List()
	if err != nil {
		return nil, err
	}
	planned := map[string]rfm.Tile{}
	for _, t := range rfm.Tiles(m, width) {
		planned[tileName(t)] = t
	}
	found := map[rfm.Tile]store.Stored{}
	for _, s := range list {
		t, ok := planned[s.Name]
		if !ok {
			continue
		}
		if _, twice := found[t]; twice {
			return nil, &Unsound{s.Name, "is there twice, with different bits: one of the machines is broken, or one of the files",
				"find out which, in " + store.ClaimsDirectory + ", and remove both"}
		}
		found[t] = s
	}
	return found, nil
}

// sumTiles computes the sums from tiles, and makes missing tiles; done is false if one pass computes the sums instead.
// Errors are *fault.Data, *Unsound, ctx's.
func (e *Experiment) sumTiles(ctx context.Context, ev feature.Evaluator, pairs dataset.Pairs, n *rfm.Normal) (done bool,
	err error) {
	width := e.width
	if width == 0 {
		width = tileWidth(ev.Count())
	}
	if width >= ev.Count() && e.width == 0 {
		return false, nil
	}
	units := e.store.Units()
	tiles := e.tileUnits(func() (feature.Evaluator, dataset.Pairs, error) { return ev, pairs, nil }, ev.Count(), width)
	e.tracker.begin(Training, "tiles", len(tiles))
	have, err := storedTiles(units, ev.Count(), width)
	if err != nil {
		return false, err
	}
	e.tracker.Skip(len(have))
	err = units.Do(ctx, tiles, store.Workers{Report: func(string, string) { e.tracker.Advance(1) }})
	if err != nil {
		return false, err
	}
	if have, err = storedTiles(units, ev.Count(), width); err != nil {
		return false, err
	}
	for _, t := range rfm.Tiles(ev.Count(), width) {
		a, err := units.Read(have[t])
		if err != nil {
			return false, err
		}
		if rows, columns := t.Shape(); len(a.Data) != rows*columns {
			return false, &fault.Data{Where: tileName(t), What: fmt.Sprintf("has shape %v", a.Shape),
				Do: "remove it: it is made again"}
		}
		n.Put(t, a.Data)
	}
	if i, j, bad := n.Unsound(); bad {
		return false, &Unsound{e.store.File(store.UnitsDirectory),
			fmt.Sprintf("the sums cannot be right: entry (%d, %d) is %g", i, j, n.Sums.At(i, j)),
			"remove the tile that has it, find out which machine made it, and resume"}
	}
	return true, nil
}
