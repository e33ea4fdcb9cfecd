package operator

import (
	"context"

	"rfm/model/learn/ridge"
	"rfm/model/trained/codec"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// Base is the part of an operator that belongs to its training pairs: the grid, and the errors found there.
type Base struct {
	codec.Grid
	Error float64    `json:"leave_one_out"` // 0: unknown
	Left  grid.Batch // leave-one-out residuals of the training outputs; none if they are not known
}

// BaseOf returns the base of an operator that learns from some pairs; its errors are not known yet.
func BaseOf(pairs dataset.Pairs) Base {
	in := pairs.Inputs.Domain
	out := pairs.Outputs.Domain
	own := codec.GridOf(in.One(), pairs.Inputs.Points, in.Width(), out.Width())
	return Base{Grid: own}
}

func (p Base) Sizes() (map[string][]int, error) {
	if !grid.Finite(p.Error) || p.Error < 0 {
		return nil, codec.Bad("has the leave-one-out error %g", p.Error)
	}
	return p.Grid.Sizes()
}

func (p Base) Residuals() grid.Batch { return p.Left }

// OutputDomain returns the domain with the channels of outputs.
func (p Base) OutputDomain() grid.Domain { return p.Domain().With(p.OutChannels()) }

func (p Base) InChannels() int { return max(1, p.In) }

func (p Base) OutChannels() int { return max(1, p.Out) }

func (p Base) Domain() grid.Domain {
	d, _ := p.Grid.Domain() // which exists, see Sizes
	return d
}

func (p Base) Finest() int { return p.Points }

func (p Base) LeaveOneOut() float64 { return p.Error }

// Fits returns a *fault.Data unless another operator can be corrected by one on this grid.
func (p Base) Fits(first Operator) error {
	in, out := first.Channels()
	sameChannels := in == p.InChannels() && out == p.OutChannels()
	sameGrid := first.Domain() == p.Domain() && first.Finest() == p.Points
	if sameChannels && sameGrid {
		return nil
	}
	got := first.Domain().Grid(first.Finest())
	want := p.Domain().Grid(p.Points)
	return codec.Bad("corrects a %q on %s with %d and %d channels, want %d and %d on %s",
		first.Name(), got, in, out, p.InChannels(), p.OutChannels(), want)
}

// Predicting evaluates an operator for inputs on its own grid. progress is never nil.
type Predicting func(inputs grid.Batch, progress func(added int)) (grid.Batch, error)

// Apply evaluates an operator on its own grid; inputs may be on any grid.
func (p Base) Apply(inputs grid.Batch, progress func(added int), own Predicting) (grid.Batch, error) {
	if progress == nil {
		progress = func(int) {}
	}
	moved, err := resample.To(inputs, p.Points)
	if err != nil {
		return grid.Batch{}, err
	}
	outputs, err := own(moved, progress)
	if err != nil {
		return outputs, err
	}
	return resample.To(outputs, inputs.Points)
}

// InBlocks evaluates an operator on its own grid. It divides inputs into blocks of least to most inputs, most being a
// multiple of least, and predicts one block on each worker at a time, or on all workers if there are fewer blocks than
// workers.
func (p Base) InBlocks(ctx context.Context, inputs grid.Batch, workers, least, most int, progress func(added int),
	predict func(ctx context.Context, outputs, inputs grid.Batch, workers int) error) (grid.Batch, error) {
	workers = max(1, workers)
	return p.Apply(inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs := grid.NewBatch(p.OutputDomain(), inputs.Points, inputs.Count)
		size := least // of a block
		for size < most && size*workers < inputs.Count {
			size += least
		}
		blocks := (inputs.Count + size - 1) / size
		side, each := ridge.AtOnce(blocks, workers)
		err := parallel.For(ctx, side, blocks, func(_, block int) error {
			first := block * size
			count := min(size, inputs.Count-first)
			defer progress(count)
			return predict(ctx, outputs.Range(first, count), inputs.Range(first, count), each)
		})
		return outputs, err
	})
}
