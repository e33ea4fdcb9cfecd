// This file infers the problem and the layout of the pairs of functions in a file.

package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/pairs"
)

// An Interpretation is a way to read a file as pairs.
type Interpretation struct {
	Config config.Config // complete
	files  Files
	Notes  []string // see Files.Complete
	said   []string // assumptions besides them
	count  int      // pairs in the file, those that are left out as well
}

// Configuration returns the configuration that a source names, with assignments of settings, which is not validated: a
// preset, a configuration file, or pairs in one or two files. For pairs it has all sizes that follow from them, and the
// files are open. Errors are *config.Error and *fault.Data.
func Configuration(ctx context.Context, source string, settings ...string) (c config.Config, files Files,
	err error) {
	c, err = config.PresetByName(source)
	missing := !exchange.IsThere(source)
	switch {
	case err == nil, missing && !strings.ContainsAny(source, `/\., `): // a preset, known or not
	case missing && len(exchange.Parts(source)) == 1, filepath.Ext(source) == ".toml":
		c, err = store.ReadConfig(source)
	default:
		c, files, err = learn(ctx, source, settings)
	}
	if err != nil {
		return c, files, err
	}
	equation := slices.ContainsFunc(settings, func(s string) bool { return key(s) == "equation.text" })
	if equation && c.Equation.Text == "" {
		settings = append([]string{"problem=" + config.TextEquation}, settings...)
	}
	return c, files, config.Assign(&c, settings...)
}

// learn returns the configuration that learns from the pairs in a file, with the open file. Some of the settings choose
// the
func learn(ctx context.Context, name string, settings []string) (config.Config, Files, error) {
	f, err := exchange.Open(ctx, name)
	if err != nil {
		return config.Config{}, Files{}, err
	}
	if f.Kind == exchange.TOML {
		f.Close()
		c, err := store.ReadConfig(name)
		return c, Files{}, err
	}
	reading := slices.DeleteFunc(slices.Clone(settings), func(s string) bool {
		return !strings.Contains(" boundary endpoint layout axes mask input output skip train test test_file test_input test_output test_axes ", " "+key(s)+" ")
	})
	r, err := Find(ctx, f, nil, reading)
	if err != nil {
		f.Close()
	}
	return r.Config, r.files, err
}

// Find tries the ways to read pairs; the error is the one of the reading that the number of axes suggests.
// constant returns an error for arrays known to have the same value everywhere, from which learning is impossible.
// settings hold for every
func Find(ctx context.Context, f *exchange.File, constant func(pairs.Guess) error, settings []string) (Interpretation,
	error) {
	var known []config.Config // of problems known from files: functions, then fields
	for _, p := range config.Presets() {
		if c := p.Config; c.Of().Files && c.Data.TrainFile == "" {
			known = append(known, c)
		}
	}
	given := known[0]
	given.Data.Input, given.Data.Output = "", ""
	_ = config.Assign(&given, settings...) // each reading reports its error
	all, err := pairs.Guesses(f, given.Data.Input, given.Data.Output)
	if err != nil {
		return Interpretation{}, err
	}
	var files Files
	var first error
	files.Keep(f)
	for i, g := range all {
		if constant != nil {
			if err := constant(g); err != nil {
				first = cmp.Or(first, err)
				continue
			}
		}
		m := pairs.Lookup(f, pairs.Names(g.Input)[0])
		reason, fields := m.Refused, len(npy.Long(m.Shape)) > 2
		if g.Input == "" { // has an axis for inputs and outputs
			fields = len(npy.Long(f.Members[0].Shape)) > 3
		}
		for _, c := range known {
			r := Interpretation{files: files}
			if err = r.read(ctx, f, c, g, settings); err == nil {
				r.explain(g, all[i+1:], settings)
				if err = r.addInputs(ctx, f, c, g, settings); err != nil {
					return r, err
				}
				if text := r.leftOut(f); text != "" {
					r.said = append(r.said, text)
				}
				r.files.said = r.said
				r.Notes = r.files.withSaid(r.Notes)
				return r, nil
			}
			if reason == nil || c.Dims() == 2 && fields {
				reason = err
			}
		}
		first = cmp.Or(first, reason)
	}
	var data *fault.Data
	if f.Unnamed() && f.Members[0].Readable() && errors.As(first, &data) {
		end := map[exchange.Kind]string{exchange.CSV: ".csv"}[f.Kind]
		data.Do = fmt.Sprintf("if inputs and outputs are in two files: rfm run a%[1]s u%[1]s", cmp.Or(end, ".npy"))
		if end != "" {
			data.Do = "give names a_1, a_2, ..., u_1, u_2, ... in the first line; " + data.Do
		}
	}
	return Interpretation{}, first
}

// enough is the number of values that are read from any file.
const enough = 1 << 27

// bounded reports whether the pairs are few enough to read all of them.
func bounded(f *exchange.File, g pairs.Guess) bool {
	count := 0
	for _, name := range slices.Concat(pairs.Names(g.Input), pairs.Names(g.Output)) {
		count += pairs.Lookup(f, name).Count()
	}
	return count <= f.Bound(enough)
}

// read infers the configuration of a problem from the values of a few of the pairs that a guess names, and leaves out
// pairs from which learning is impossible.
func (r *Interpretation) read(ctx context.Context, f *exchange.File, c config.Config, g pairs.Guess,
	settings []string) error {
	const few, values = 64, 1 << 23
	d := &c.Data
	if d.TrainFile = f.Name; g.Input != "" {
		d.Input, d.Output, d.TestInput, d.TestOutput = g.Input, g.Output, g.TestInput, g.TestOutput
	}
	d.Axes = g.Axes
	if err := config.Assign(&c, settings...); err != nil {
		return err
	}
	if d.TestFile != "" && d.TestInput == g.TestInput && d.TestOutput == g.TestOutput { // names in the training file
		d.TestInput, d.TestOutput = "", ""
	}
	source := TrainSource(c)
	source.Open, source.Brief, source.Skip, source.Domain.Periodic = f, true, false, false
	found, err := pairs.Find(source)
	if err != nil {
		return err
	}
	if g.Layout != "" && found.Told && string(found.Info.Layout) != g.Layout {
		return fault.Bad(f.Name, "", "has no smooth functions if %s", g.Note)
	}
	if _, _, err := pairs.Coordinates(found); err != nil {
		return err
	}
	r.count = found.Count
	rows := dataset.First(max(1, min(few, found.Count, values/(2*found.Grid*found.Columns))))
	some, err := found.Pairs(rows)
	var unusable *pairs.Unusable
	if bad := errors.As(err, &unusable); (bad || err == nil) && (d.Skip == config.SkipBoth || bounded(f, g)) {
		if err = found.LeaveOut(); found.Skipped != "" {
			d.Skip = config.SkipBoth
		}
		if bad && err == nil && found.Count > 0 {
			some, err = found.Pairs(rows[:min(len(rows), found.Count)])
		}
	}
	if err != nil {
		return err
	}
	if a := some.Inputs; a.Count > 1 && slices.Equal(a.Data, slices.Repeat(a.At(0), a.Count)) {
		return fault.Bad(f.Name, "give inputs that differ; they may be in another array (data.input)",
			"has the same input in the first %d pairs, from which nothing can be learned", some.Count())
	}
	if r.said = nil; found.Told && found.Info.Layout == config.PointsFirst {
		r.said = append(r.said, "points come before functions, by the smoothness of the values (data.layout)")
	}
	boundary(&c, some, slices.ContainsFunc(settings, func(s string) bool { return key(s) == "boundary" }))
	if err = config.Assign(&c, settings...); err != nil { // they replace the suggestions of the values
		return err
	}
	if r.Config, r.Notes, err = r.files.Complete(ctx, c); err != nil {
		return err
	}
	return nil
}

// explain notes the assumptions of a guess that settings do not replace, and the runner-up.
func (r *Interpretation) explain(g pairs.Guess, others []pairs.Guess, settings []string) {
	text := g.Note
	other := g.Other
	if !g.Known && !r.told(settings) {
		const guessed = "this is a guess, since names do not tell inputs from outputs"
		switch {
		case text != "": // inputs and outputs are parts of one array, or places and a function of them
			text += "; " + guessed
		case len(others) > 0:
			text = guessed
			other = fmt.Sprintf("--set data.input='%s' --set data.output='%s'", others[0].Input, others[0].Output)
		default:
			text = guessed
			other = fmt.Sprintf("--set data.input='%s' --set data.output='%s'", g.Output, g.Input)
		}
	}
	if text != "" && other != "" {
		text += "; otherwise: " + other
	}
	if text != "" {
		r.said = append(r.said, text)
	}
}

// boundary sets the boundary of the functions, which may be known, and the place of their ends according to some of
// them, which were read as those of closed domains.
func boundary(c *config.Config, some dataset.Pairs, known bool) {
	// windowOfClosed is features.window for functions on a closed interval, where the effect of a boundary is often larger
	// than that of distant points.
	const windowOfClosed = 0.3
	periodic, repeated := pairs.Ends(some)
	if known {
		periodic = c.Data.Boundary == config.Periodic
	}
	switch fields, free := c.Dims() == 2, c.Data.Endpoint == config.AutoPoints; {
	case fields && periodic && (repeated || free || c.Data.Endpoint == config.Excluded):
		c.Data.Boundary = config.Periodic
	case fields && repeated && free: // zeros at the boundary
		c.Data.Endpoint = config.Included
	case fields:
	case !periodic:
		c.Data.Boundary, c.Data.Endpoint, c.Features.Window = config.Closed, config.Included, windowOfClosed
	case !repeated:
		c.Data.Endpoint = config.Excluded
	}
}

// key returns the key of an assignment, without the section of data.
func key(assignment string) string {
	name, _, _ := strings.Cut(assignment, "=")
	return strings.TrimPrefix(strings.TrimSpace(name), "data.")
}
