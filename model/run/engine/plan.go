// This file makes a plan of a configuration.

package engine

import (
	"context"
	"errors"
	"sync"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/run/machine"
	"rfm/model/run/reading"
	"rfm/model/run/setup"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/exchange"
	"rfm/solver/pde/truth"
)

// A plan is what an experiment does: a complete and checked configuration, which does not change, and where its pairs come
// from. The first stage makes data of it, the second a model of both, the third an Evaluation of all three.
type plan struct {
	Config config.Config

	notes   []string // assumptions about the files of the pairs
	workers int
	like    operator.Operator      // that a model was trained with before, see Options; nil: none
	truth   func() *truth.Operator // nil if all pairs come from files
	files   *reading.Files         // open until the pairs are read
}

// planFor completes a configuration by the files of its pairs, and checks it, also against the memory of the machine.
// Errors are *config.Error, a *fault.Data if files are not usable or the memory does not suffice, and ctx.Err().
func planFor(ctx context.Context, c config.Config, o Options) (plan, error) {
	c, err := withAbsolutePaths(c)
	if err != nil {
		return plan{}, err
	}
	c, notes, err := o.Files.Complete(ctx, c)
	if err == nil {
		err = checkMemory(c)
	}
	if err != nil {
		return plan{}, errors.Join(err, o.Files.Close())
	}
	p := planOf(c, o)
	p.notes = notes
	return p, nil
}

// planOf returns the plan of a complete and valid configuration. It checks neither files nor memory.
func planOf(c config.Config, o Options) plan {
	solver := setup.Truth
	if o.Rough {
		solver = setup.RoughTruth
	}
	var like operator.Operator
	if o.Like != nil {
		like = o.Like.model.Operator
	}
	return plan{
		Config:  c,
		workers: machine.Workers(o.Workers),
		like:    like,
		truth:   sync.OnceValue(func() *truth.Operator { return solver(c) }),
		files:   &o.Files,
	}
}

// withAbsolutePaths returns the configuration with absolute names of files, so that a run can be resumed from any
// working directory.
func withAbsolutePaths(c config.Config) (config.Config, error) {
	for _, k := range c.Keys() {
		if k.Kind != config.Path {
			continue
		}
		name := k.Text(c)
		if name == "" {
			continue
		}
		err := k.Set(&c, exchange.Absolute(name))
		if err != nil {
			return c, &fault.Data{
				Where: name,
				What:  "has no absolute name",
				Err:   err,
			}
		}
	}
	return c, nil
}

// checkMemory refuses an experiment that needs more memory than is available. The error is a *fault.Data.
func checkMemory(c config.Config) error {
	do := "lower data.test, data.train, data.grid or features.count"
	if c.Data.TrainFile != "" {
		do = "lower data.test, data.train or features.count, or take a part of the file: data.input = a[:1000, ::4]"
	}
	return machine.CheckBytes("this experiment", c.Cost().Bytes, do)
}
