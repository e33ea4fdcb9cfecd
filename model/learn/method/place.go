package method

import (
	"context"

	"rfm/model/learn/ridge"
	"rfm/model/trained/codec"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// place is the part of an operator that belongs to its training pairs: the grid, and the errors found there.
type place struct {
	codec.Grid
	Error float64    `json:"leave_one_out"` // 0: unknown
	left  grid.Batch // leave-one-out residuals of the training outputs; none if they are not known
}

func placeOf(pairs dataset.Pairs) place {
	in, out := pairs.Inputs.Domain, pairs.Outputs.Domain
	return place{Grid: codec.GridOf(in.One(), pairs.Inputs.Points, in.Width(), out.Width())}
}

func (p place) Sizes() (map[string][]int, error) {
	if !grid.Finite(p.Error) || p.Error < 0 {
		return nil, codec.Bad("has the leave-one-out error %g", p.Error)
	}
	return p.Grid.Sizes()
}

func (p place) residuals() grid.Batch { return p.left }

// outputs returns the domain with the channels of outputs.
func (p place) outputs() grid.Domain { return p.Domain().With(p.out()) }

func (p place) in() int { return max(1, p.In) }

func (p place) out() int { return max(1, p.Out) }

func (p place) Domain() grid.Domain {
	d, _ := p.Grid.Domain() // which exists, see Sizes
	return d
}

func (p place) Finest() int { return p.Points }

func (p place) LeaveOneOut() float64 { return p.Error }

// begins returns a *fault.Data unless another operator can be corrected by one on this grid.
func (p place) begins(first Operator) error {
	in, out := first.Channels()
	if in != p.in() || out != p.out() || first.Domain() != p.Domain() || first.Finest() != p.Points {
		return codec.Bad("corrects a %q on %s with %d and %d channels, want %d and %d on %s", first.Name(),
			first.Domain().Grid(first.Finest()), in, out, p.in(), p.out(), p.Domain().Grid(p.Points))
	}
	return nil
}

// apply evaluates an operator on its own grid, a block of inputs at a time; inputs may be on any grid.
func (p place) apply(inputs grid.Batch, progress func(added int),
	own func(inputs grid.Batch, progress func(added int)) (grid.Batch, error)) (grid.Batch, error) {
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

// inBlocks evaluates an operator on its own grid. It divides inputs into blocks of least to most inputs, most being a
// multiple of least, and predicts one block on each worker at a time, or on all workers if there are fewer blocks than
// workers.
func (p place) inBlocks(ctx context.Context, inputs grid.Batch, workers, least, most int, progress func(added int),
	predict func(ctx context.Context, outputs, inputs grid.Batch, workers int) error) (grid.Batch, error) {
	return p.apply(inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		size, outputs := least, grid.NewBatch(p.outputs(), inputs.Points, inputs.Count)
		for size < most && size*max(1, workers) < inputs.Count {
			size += least
		}
		blocks := (inputs.Count + size - 1) / size
		side, each := ridge.AtOnce(blocks, max(1, workers))
		return outputs, parallel.For(ctx, side, blocks, func(_, block int) error {
			first := block * size
			count := min(size, inputs.Count-first)
			defer progress(count)
			return predict(ctx, outputs.Range(first, count), inputs.Range(first, count), each)
		})
	})
}
