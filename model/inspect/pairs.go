// This file guesses as what pairs of functions a file is meant.

package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

// reading is a way to read a file as pairs.
type reading struct {
	config config.Config // complete
	named  bool          // the names of the arrays are not the usual ones
	info   dataset.Info
}

// pairs finds out as what pairs the file would be read, and what can be done with it. The error is ctx's.
func (i *Findings) pairs(ctx context.Context, f *exchange.File) error {
	r, reason := findReading(ctx, f)
	if err := ctx.Err(); err != nil {
		return err
	}
	if reason != nil {
		i.Facts = append(i.Facts, "not read as pairs: "+reason.Error())
		if name, ok := inputArray(ctx, f); ok {
			i.Command = "rfm predict RUN --in " + printable.Quote(f.Name) + name + " --out u.npy"
		} else if text := squared(f); text != "" {
			i.Facts = append(i.Facts, text)
		}
		return ctx.Err()
	}
	c := r.config
	what, symbol := setup.Domain(c).Name(), c.GridSymbol()
	i.Facts = append(i.Facts, fmt.Sprintf("%d pairs of %s on %s=%d", r.info.Count, what, symbol, r.info.Grid))
	axes := "arrays have the axes " + r.info.Axes
	if r.info.Told {
		axes += ", by the smoothness of the values (data.layout)"
	}
	i.Facts = append(i.Facts, axes)
	i.Command = "rfm run " + c.Problem + " --train-data " + printable.Quote(f.Name)
	if r.named {
		i.Command += " --set " + printable.Quote("data.input="+c.Data.Input) + " --set " + printable.Quote("data.output="+c.Data.Output)
		i.Facts = append(i.Facts, fmt.Sprintf("inputs %s and outputs %s by their names and shapes: is that the right way round?", c.Data.Input, c.Data.Output))
	}
	if c.Data.Endpoint == config.Excluded {
		i.Command += " --set data.endpoint=excluded"
		i.Facts = append(i.Facts, "the grid leaves out the right end, where the function repeats")
	} else if c.Of().Periodic {
		i.Facts = append(i.Facts, "the last point repeats the first")
	}
	trained := fmt.Sprintf("trained on %s=%d", symbol, c.Train.Grid)
	if c.Data.Grid != r.info.Grid {
		trained = fmt.Sprintf("taken to %s=%d by trigonometric interpolation, %s", symbol, c.Data.Grid, trained)
	}
	i.Facts = append(i.Facts, trained)
	return nil
}

// inputArray is the flag that names the first array that `rfm predict` reads, after a blank; empty if none is needed.
func inputArray(ctx context.Context, f *exchange.File) (flag string, ok bool) {
	for _, m := range f.Members {
		if !m.Readable {
			continue
		}
		for dims := 1; dims <= 2; dims++ {
			source := dataset.Source{File: f.Name, Input: m.Name, Endpoint: true}
			if _, err := dataset.StatInputs(ctx, source, dims); err != nil {
				continue
			}
			if m.Name == "" || m.Name == "a" {
				return "", true
			}
			return " --array " + printable.Quote(m.Name), true
		}
	}
	return "", false
}

// squared says how fields with other numbers of points along their two axes become square ones; empty if there are none.
func squared(f *exchange.File) string {
	for _, m := range f.Members {
		if !m.Readable || len(m.Shape) != 3 {
			continue
		}
		p, q := m.Shape[1], m.Shape[2]
		if n := m.Shape[0]; p == q || n == p || n == q || min(p, q) < 3 {
			continue // (n, r, r), (r, r, n), or something else
		}
		recipe := fmt.Sprintf("scipy.ndimage.zoom(a, (1, %[2]d/%[1]d, 1))", p, q)
		switch least := min(p, q); {
		case (q-1)%(least-1) == 0 && least == p:
			recipe = fmt.Sprintf("a[:, :, ::%d]", (q-1)/(p-1))
		case (p-1)%(least-1) == 0 && least == q:
			recipe = fmt.Sprintf("a[:, ::%d]", (p-1)/(q-1))
		}
		return fmt.Sprintf("if these are fields on %d x %d points: they need as many along both axes, for example %s of the inputs and of the outputs",
			p, q, recipe)
	}
	return ""
}

// findReading tries the ways to read pairs; the error is that of the one which the number of axes suggests.
func findReading(ctx context.Context, f *exchange.File) (reading, error) {
	input, output := "a", "u"
	if f.Kind != exchange.NPY {
		if input, output = candidates(f); input == "" {
			return reading{}, noPairs(f)
		}
	}
	m, err := f.Member(input)
	if f.Kind == exchange.NPY {
		m, err = f.Member("")
	}
	if err != nil {
		return reading{}, err
	}
	var reason error
	for _, c := range readings() {
		c.Data.TrainFile, c.Data.Input, c.Data.Output = f.Name, input, output
		r := reading{config: c, named: input != "a" || output != "u"}
		if err = r.read(ctx); err == nil {
			return r, nil
		}
		if reason == nil || (c.Dims() == 2 && likeFields(f, m.Shape)) {
			reason = err
		}
	}
	return reading{}, reason
}

// readings are the configurations of problems known from files: periodic functions with both ends of the grid, and without one.
func readings() []config.Config {
	var all []config.Config
	for _, p := range config.Presets() {
		if c := p.Config; c.Of().Files {
			all = append(all, c)
			if c.Of().Periodic {
				c.Data.Endpoint = config.Excluded
				all = append(all, c)
			}
		}
	}
	return all
}

// likeFields reports whether an array has the number of axes of fields, axes of length one not counted.
func likeFields(f *exchange.File, shape []int) bool {
	axes := 0
	for _, n := range shape {
		if n != 1 {
			axes++
		}
	}
	if f.Kind == exchange.NPY {
		return axes > 3
	}
	return axes > 2
}

// noPairs says what there is in place of two arrays of one shape.
func noPairs(f *exchange.File) error {
	reason := "there are no two arrays of one shape (n, K) or (n, r, r)"
	for _, m := range f.Members {
		if m.Readable || m.Shape == nil {
			continue
		}
		err := f.Verify(m.Name)
		var data *fault.Data
		if errors.As(err, &data) {
			reason += fmt.Sprintf("; %q %s, %s", m.Name, data.What, data.Do)
		}
	}
	return errors.New(reason)
}

// read completes the configuration and reads a few pairs, whose values say whether the file is as it is said to be.
func (r *reading) read(ctx context.Context) (err error) {
	const few, values = 64, 1 << 23
	if r.config, err = engine.Complete(ctx, r.config); err != nil {
		return err
	}
	if err := r.config.Validate(); err != nil {
		return err
	}
	source := setup.TrainSource(r.config)
	dims := r.config.Dims()
	if r.info, err = dataset.StatPairs(ctx, source, dims); err != nil {
		return err
	}
	size := setup.Domain(r.config).Values(r.info.Grid)
	rows := make([]int, max(1, min(few, r.info.Count, values/(2*size))))
	for i := range rows {
		rows[i] = i
	}
	_, err = dataset.ReadChosen(ctx, source, dims, rows)
	return err
}

// Names that people give to inputs and outputs, the likeliest first; what follows an underscore does not count.
var (
	inputNames  = []string{"a", "x", "input", "inputs", "in", "coeff", "coef", "f", "k", "nu"}
	outputNames = []string{"u", "y", "sol", "solution", "solutions", "output", "outputs", "out", "target", "targets", "p"}
)

// candidates are the names of the inputs and outputs in a file of named arrays: of the first arrays that have one shape, those
// with names that are known, or else the first two.
func candidates(f *exchange.File) (input, output string) {
	var groups [][]exchange.Member
	for _, m := range f.Members {
		if !m.Readable || len(m.Shape) < 2 || len(m.Shape) > 4 || slices.Max(m.Shape) < 3 || slices.Min(m.Shape) < 1 {
			continue
		}
		if g := slices.IndexFunc(groups, func(g []exchange.Member) bool { return slices.Equal(g[0].Shape, m.Shape) }); g >= 0 {
			groups[g] = append(groups[g], m)
		} else {
			groups = append(groups, []exchange.Member{m})
		}
	}
	groups = slices.DeleteFunc(groups, func(g []exchange.Member) bool { return len(g) < 2 })
	if len(groups) == 0 {
		return "", ""
	}
	best := func(names []string, g []exchange.Member, other string) (name string, rank int) {
		rank = len(names) + 1
		for _, m := range g {
			base, _, _ := strings.Cut(strings.ToLower(m.Name), "_")
			at := slices.Index(names, base)
			if at < 0 {
				at = len(names)
			}
			if m.Name != other && at < rank {
				name, rank = m.Name, at
			}
		}
		return name, rank
	}
	least := 0
	for _, g := range groups {
		out, outRank := best(outputNames, g, "")
		in, inRank := best(inputNames, g, out)
		if outRank == len(outputNames) { // no known one
			in, inRank = best(inputNames, g, "")
			out, _ = best(nil, g, in)
		}
		if total := outRank + inRank; input == "" || cmp.Less(total, least) {
			input, output, least = in, out, total
		}
	}
	return input, output
}
