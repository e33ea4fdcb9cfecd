package reading

import (
	"context"

	"rfm/solver/dataset/exchange"
	"rfm/solver/pairs"
)

// Layout is the meaning of a file as it was inferred: plain data that is printed, and stored in the configuration of a
// run, by which it is read from then on.
type Layout struct {
	Training pairs.Layout  `json:"training"`
	Test     *pairs.Layout `json:"test,omitempty"` // nil: a part of the training pairs
	Unused   []pairs.Array `json:"unused,omitempty"`
	Assumed  []string      `json:"assumed,omitempty"` // what names and shapes did not decide, in words
}

// Layout returns the meaning of a file, once it is found. The error is that of reading.
func (r *Interpretation) Layout(ctx context.Context, f *exchange.File) (Layout, error) {
	train, err := r.files.find(ctx, TrainSource(r.Config))
	if err != nil {
		return Layout{}, err
	}
	l := Layout{Training: train.Layout(), Assumed: r.said}
	for _, m := range r.unused(f) {
		l.Unused = append(l.Unused, pairs.Array{Name: m.Name, Shape: m.Shape})
	}
	if r.Config.Data.TestFile == "" {
		return l, nil
	}
	source, err := r.files.testSource(ctx, r.Config)
	if err != nil {
		return l, err
	}
	test, err := r.files.find(ctx, source)
	if err != nil {
		return l, err
	}
	layout := test.Layout()
	l.Test = &layout
	return l, nil
}
