// This file infers the problem and the layout of the pairs of functions in a file.

package interchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/printable"
)

// A reading is a way to read a file as pairs.
type reading struct {
	config config.Config // complete
	guess  guess
	info   dataset.Info
}

// pairs determines how the file is read as pairs, and its use. The error is ctx's.
func (i *Findings) pairs(ctx context.Context, f *exchange.File) error {
	r, reason := findReading(ctx, f, i.constant)
	if err := ctx.Err(); err != nil {
		return err
	}
	if reason != nil {
		i.Facts = append(i.Facts, "not read as pairs: "+reason.Error())
		if f.Kind == exchange.NPY {
			i.Facts = append(i.Facts, join)
		}
		if name, ok := inputArray(ctx, f); ok {
			i.Command = "rfm predict RUN --in " + printable.Quote(f.Name) + name + " --out u.npy"
		}
		return ctx.Err()
	}
	c := r.config
	domain := setup.Domain(c)
	i.Facts = append(i.Facts, fmt.Sprintf("%s of %s on %s", printable.Several(r.info.Count, "pair"), domain.Name(),
		r.grid()))
	axes := "arrays have the axes " + r.info.Axes
	if r.info.Told {
		axes += ", by the smoothness of the values (data.layout)"
	}
	i.Facts = append(i.Facts, axes)
	i.Command = trains(c.Data.TrainFile, r.guess, true)
	i.assumptions(r)
	switch {
	case c.Data.Endpoint == config.Excluded:
		i.Facts = append(i.Facts, "the grid leaves out the right end, where the function repeats")
	case !c.Closed():
		i.Facts = append(i.Facts, "the last point repeats the first")
	case c.Dims() == 1:
		i.Facts = append(i.Facts, "their ends differ, so they are not periodic (data.boundary)")
	case r.guess.place != "":
		where := map[string]string{config.Centres: "the centres of cells", config.Included: "points that count both ends"}
		i.Facts = append(i.Facts, fmt.Sprintf("points are %s, according to %s", where[r.guess.place], r.guess.placedBy))
	case domain.Cells:
		i.Facts = append(i.Facts,
			"even numbers of points are taken for centres of cells; if they count both ends:\n  "+i.Command+" --set data.endpoint=included")
	}
	if c.Closed() && c.Dims() == 2 {
		i.Facts = append(i.Facts, "if they are periodic:\n  "+i.Command+" --set data.boundary=periodic")
	}
	if out := r.info.Skipped.String(); out != "" {
		i.Facts = append(i.Facts, out)
	}
	trained := "trained on " + domain.Grid(c.Train.Grid)
	if c.Data.Grid != r.info.Grid && c.Dims() == 1 {
		trained = fmt.Sprintf("taken to %s by trigonometric interpolation, %s", domain.Grid(c.Data.Grid), trained)
	}
	i.Facts = append(i.Facts, trained)
	return nil
}

// assumptions lists the assumptions of a reading, and the flags that correct them.
func (i *Findings) assumptions(r reading) {
	g, c := r.guess, r.config
	or := func(note, command string) { i.Facts = append(i.Facts, note+":\n  "+command) }
	if g.input != "" && !(g.input == "a" && g.output == "u") {
		by := "by their names and shapes"
		if !g.known {
			by += ": is that the right way round?"
		}
		i.Facts = append(i.Facts, fmt.Sprintf("inputs are %s, outputs %s, %s", g.input, g.output, by))
	}
	if g.note != "" {
		i.Facts = append(i.Facts, g.note)
	}
	if g.also != nil {
		command := trains(c.Data.TrainFile, *g.also, false)
		if g.known && strings.HasSuffix(g.output, "]") && c.Dims() == 1 { // a part of an array of fields
			fields := slices.IndexFunc(readings(), func(c config.Config) bool { return c.Dims() == 2 })
			command = strings.Replace(trains(c.Data.TrainFile, *g.also, g.also.usual()), "run ",
				"run "+readings()[fields].Problem+" --train-data ", 1)
		}
		or(fmt.Sprintf("with all arrays that have as many functions, as channels or lifted to %s", g.also.output), command)
	}
	if g.testInput != "" {
		i.Facts = append(i.Facts, fmt.Sprintf("tested on %s of %s and %s", printable.Several(c.Data.Test, "pair"),
			g.testInput, g.testOutput))
	}
	if !g.known {
		for _, other := range g.others {
			or(other.note, trains(c.Data.TrainFile, other, false))
		}
	}
	if r.info.Told {
		layout := config.PointsFirst
		if r.info.PointsFirst() {
			layout = config.FunctionsFirst
		}
		or("if functions and points are the other way round", i.Command+" --set data.layout="+layout)
	}
}

// Learn returns the configuration that learns from the pairs in a file, with all sizes that follow from them. For a
// preset or a configuration file it is that configuration. It is not validated. The error is a *config.Error or a
// *fault.Data.
func Learn(ctx context.Context, name string) (config.Config, error) {
	f, err := exchange.Open(ctx, name)
	if err != nil {
		if strings.ContainsAny(name, `/\.`) { // not possible in the name of a preset
			return config.Config{}, err
		}
		return store.Configuration(name)
	}
	defer f.Close()
	if f.Kind == exchange.TOML {
		return store.Configuration(name)
	}
	r, reason := findReading(ctx, f, nil)
	if reason == nil {
		return r.config, nil
	}
	do := cmp.Or(f.Convert(), "rfm show lists its arrays")
	if f.Kind == exchange.NPY {
		do = join
	}
	return config.Config{}, &fault.Data{Where: name, What: "cannot be read as pairs", Err: reason, Do: do}
}

// join is the advice for a file of one array.
const join = "if inputs and outputs are in two files, join them in Python:\n  import numpy\n" +
	"  numpy.savez('pairs.npz', a=numpy.load('a.npy'), u=numpy.load('u.npy'))"

// inputArray returns the flag, after a blank, for the first array that `rfm predict` can read; empty if none is needed.
func inputArray(ctx context.Context, f *exchange.File) (flag string, ok bool) {
	for _, m := range f.Members {
		if !m.Readable() {
			continue
		}
		for dims := 1; dims <= 2; dims++ {
			source := dataset.Source{File: f.Name, Open: f, Input: m.Name, Endpoint: true}
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

// findReading tries the ways to read pairs; the error is the one of the reading that the number of axes suggests.
// constant returns an error for arrays known to have the same value everywhere, from which learning is impossible.
func findReading(ctx context.Context, f *exchange.File, constant func(guess) error) (reading, error) {
	var all []guess
	if f.Unnamed() {
		all = append(all, guess{known: true})
	}
	if all = append(all, guesses(f)...); len(all) == 0 {
		return reading{}, noPairs(f)
	}
	var first error
	for _, g := range all {
		var r reading
		var err error
		if constant != nil {
			err = constant(g)
		}
		if err == nil {
			if r, err = readAs(ctx, f, g); err == nil {
				return r, r.leaveOut(ctx, f)
			}
		}
		first = cmp.Or(first, err)
	}
	return reading{}, first
}

// enough is the number of values that are read from any file.
const enough = 1 << 27

// bounded reports whether the pairs are few enough to read all of them.
func (g guess) bounded(f *exchange.File) bool {
	count := 0
	for _, name := range slices.Concat(dataset.Names(g.input), dataset.Names(g.output)) {
		if m, err := f.Member(name); err == nil {
			count += m.Count()
		}
	}
	return count <= f.Bound(enough)
}

// leaveOut reads all pairs, and leaves out those from which learning is impossible. The error is ctx's.
func (r *reading) leaveOut(ctx context.Context, f *exchange.File) error {
	c := r.config
	if c.Data.Skip == config.SkipNone && !r.guess.bounded(f) {
		return nil
	}
	c.Data.Skip = config.SkipBoth
	source := setup.TrainSource(c)
	source.Open = f
	info, err := dataset.StatPairs(ctx, source, c.Dims())
	if err != nil || info.Skipped.String() == "" {
		return ctx.Err()
	}
	switch {
	case info.Skipped.Zero == 0:
		c.Data.Skip = config.SkipNonFinite
	case info.Skipped.NonFinite == 0:
		c.Data.Skip = config.SkipZero
	}
	r.config, r.info = c, info
	return nil
}

// various reports whether functions differ, or whether there is only one.
func various(functions grid.Batch) bool {
	for i := 1; i < functions.Count; i++ {
		if !slices.Equal(functions.At(i), functions.At(0)) {
			return true
		}
	}
	return functions.Count == 1
}

// readAs tries the ways to read some arrays as pairs. If the first pairs contain some from which learning is
// impossible, these are left out.
func readAs(ctx context.Context, f *exchange.File, g guess) (reading, error) {
	m, err := f.Member(g.input)
	if err != nil {
		return reading{}, err
	}
	var reason error
	for _, c := range readings() {
		c.Data.TrainFile = f.Name
		if g.input != "" {
			c.Data.Input, c.Data.Output, c.Data.TestInput, c.Data.TestOutput = g.input, g.output, g.testInput, g.testOutput
		}
		r := reading{config: c, guess: g}
		err = r.read(ctx, f)
		var unusable *dataset.Unusable
		if errors.As(err, &unusable) && g.bounded(f) {
			r = reading{config: c, guess: g}
			r.config.Data.Skip = config.SkipBoth
			err = r.read(ctx, f)
		}
		if err == nil {
			return r, nil
		}
		if reason == nil || (c.Dims() == 2 && likeFields(g, m.Shape)) {
			reason = err
		}
	}
	return reading{}, reason
}

// trains returns the command that trains on pairs of a file, whose inference finds the arrays of usual guesses itself.
func trains(file string, g guess, usual bool) string {
	words := []string{"rfm", "run", printable.Path(file)}
	set := func(key, value string) { words = append(words, "--set", printable.Quote(key+"="+value)) }
	if !usual {
		set("data.input", g.input)
		set("data.output", g.output)
	}
	return strings.Join(words, " ")
}

// Reread returns the configuration of pairs in a file for which a setting key is about to change how the file is read:
// the sizes that follow from the reading are left open again, and so are the points if the boundary changes.
func Reread(c config.Config, key string) (config.Config, error) {
	if !strings.Contains(" data.boundary data.endpoint data.layout data.input data.output data.skip ", " "+key+" ") {
		return c, nil
	}
	open, err := config.PresetByName(c.Problem)
	if err != nil {
		return c, err
	}
	endpoint, window := open.Data.Endpoint, open.Features.Window
	open.Features, open.Data = c.Features, c.Data
	open.Data.Train, open.Data.Test, open.Data.Grid, open.Data.Columns, open.Train.Grid = 0, 0, 0, 0, 0
	open.Data.In, open.Data.Out = 0, 0
	if key == "data.boundary" {
		open.Data.Endpoint, open.Features.Window = endpoint, window
	}
	return open, nil
}

// grid describes the grid of the file.
func (r reading) grid() string {
	d := setup.Domain(r.config)
	if d.Dims == 1 {
		return d.Grid(r.info.Grid)
	}
	return d.Grid(r.config.Data.Grid)
}

// windowOfClosed is features.window for functions on a closed interval, where the effect of a boundary is often larger
// than that of distant points.
const windowOfClosed = 0.3

// readings returns the configurations of problems known from files: periodic functions with both ends of the grid, and
// without one, and functions that are not periodic.
func readings() []config.Config {
	var all []config.Config
	for _, p := range config.Presets() {
		if c := p.Config; c.Of().Files && c.Data.TrainFile == "" {
			all = append(all, c)
			if c.Of().Periodic {
				c.Data.Endpoint = config.Excluded
				all = append(all, c)
				c.Data.Boundary, c.Data.Endpoint, c.Features.Window = config.Closed, config.Included, windowOfClosed
				all = append(all, c)
			}
		}
	}
	return all
}

// likeFields reports whether an array has the number of axes of fields, without axes of length one.
func likeFields(g guess, shape []int) bool {
	if g.input == "" { // has an axis for inputs and outputs
		return len(npy.Long(shape)) > 3
	}
	return len(npy.Long(shape)) > 2
}

// noPairs returns the error that describes the content of a file without two arrays of one shape.
func noPairs(f *exchange.File) error {
	reason := "there are no two arrays of one shape (n, K) or (n, r, r)"
	var shapes []string
	for _, m := range f.Members {
		if m.Readable() && len(shapes) < 8 {
			shapes = append(shapes, fmt.Sprintf("%q has %v", m.Name, m.Shape))
		}
	}
	if shapes != nil && !f.Unnamed() {
		reason += ", with n of 2 at least, inputs and outputs of one n: " + strings.Join(shapes, ", ")
	}
	for _, m := range f.Members {
		if m.Readable() || m.Shape == nil {
			continue
		}
		var data *fault.Data
		if errors.As(m.Refused, &data) {
			reason += fmt.Sprintf("; %q %s, %s", m.Name, data.What, data.Do)
		}
	}
	return errors.New(reason)
}

// read completes the configuration and reads a few pairs, whose values confirm or contradict the assumptions.
func (r *reading) read(ctx context.Context, f *exchange.File) (err error) {
	const few, values = 64, 1 << 23
	all := setup.TrainSource(r.config)
	all.Skip, all.Open = dataset.SkipNone, f
	if info, err := dataset.StatPairs(ctx, all, r.config.Dims()); err == nil {
		if info.Repeats {
			r.config.Data.Boundary = config.Periodic
		}
		place, by, err := coordinates(f, info)
		if err != nil {
			return err
		}
		if place != "" && r.config.Dims() == 2 && r.config.Closed() { // values of periodic functions show it
			r.config.Data.Endpoint, r.guess.place, r.guess.placedBy = place, place, by
		}
	}
	if r.config, _, err = setup.CompleteFrom(ctx, r.config, f); err != nil {
		return err
	}
	if err := r.config.Validate(); err != nil {
		return err
	}
	source := setup.TrainSource(r.config)
	source.Brief, source.Open = true, f
	dims := r.config.Dims()
	if r.info, err = dataset.StatPairs(ctx, source, dims); err != nil {
		return err
	}
	size := setup.Domain(r.config).Values(r.info.Grid)
	rows := make([]int, max(1, min(few, r.info.Count, values/(2*size))))
	for i := range rows {
		rows[i] = i
	}
	some, err := dataset.ReadChosen(ctx, source, dims, rows)
	if err == nil && !various(some.Inputs) {
		return &fault.Data{Where: r.config.Data.TrainFile,
			What: fmt.Sprintf("has the same input in the first %d pairs, from which nothing can be learned", len(rows)),
			Do:   "give inputs that differ; they may be in another array (data.input)"}
	}
	return err
}
