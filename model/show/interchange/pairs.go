// This file describes how a file is read as pairs of functions.

package interchange

import (
	"context"
	"errors"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/run/reading"
	"rfm/model/run/setup"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/exchange"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
)

// Configuration is reading.Configuration, for commands and screens.
func Configuration(ctx context.Context, source string, settings ...string) (config.Config, reading.Files, error) {
	return reading.Configuration(ctx, source, settings...)
}

// Reading reads the file of a configuration of own data again, after settings were changed since it was read. told are the
// settings that were changed before, a line for each; those that differ from the last reading are added to it. The facts
// say how the file is read. Without changed settings, everything is inferred from the file.
func Reading(ctx context.Context, c, read config.Config, told string) (now config.Config, all string, facts []string,
	err error) {
	all = changed(c, read, told)
	now, facts, err = readWith(ctx, c.Data.TrainFile, all)
	inferred := err == nil && all == ""
	if inferred && now.Data != c.Data { // the command line, or a stored run, has other settings
		all = changed(c, now, "")
		now, facts, err = readWith(ctx, c.Data.TrainFile, all)
	}
	if err != nil {
		return c, told, nil, err
	}
	return now, all, facts, nil
}

// changed adds the settings in which a configuration differs from another one to some lines of settings. The names of
// arrays, and which pairs are left out, are those of one file: they are not told of another one.
func changed(c, from config.Config, told string) string {
	settings := strings.Split(told, "\n")
	forget := func(k config.Key) {
		settings = slices.DeleteFunc(settings, func(setting string) bool {
			return setting == "" || strings.HasPrefix(setting, k.Name+"=")
		})
	}
	otherFile := from.Data.TrainFile != "" && c.Data.TrainFile != from.Data.TrainFile
	renamed := c.Data.Input != from.Data.Input || c.Data.Output != from.Data.Output
	for _, k := range c.Keys() {
		ofData := strings.HasPrefix(k.Name, "data.")
		isName := k.Name == "data.input" || k.Name == "data.output"
		switch {
		case k.Name == "problem" || k.Name == "data.train_file":
			forget(k)
		case otherFile && ofData:
			forget(k)
		case !k.Same(c, from), renamed && isName: // both names are told, so that the one that is the same stays
			forget(k)
			text := k.Text(c)
			if text != "" {
				settings = append(settings, k.Name+"="+text)
			}
		}
	}
	return strings.Join(settings, "\n")
}

// readWith reads a file with some lines of settings.
func readWith(ctx context.Context, file, settings string) (c config.Config, facts []string, err error) {
	var all []string
	if settings != "" {
		all = strings.Split(settings, "\n")
	}
	c, files, err := reading.Configuration(ctx, file, all...)
	defer func() { err = errors.Join(err, files.Close()) }()
	if err != nil {
		return c, nil, err
	}
	c, facts, err = files.Complete(ctx, c)
	for i, fact := range facts {
		facts[i] = strings.TrimPrefix(fact, exchange.Base(file)+": ")
	}
	return c, facts, err
}

// pairs determines how the file is read as pairs, and its use. It returns ctx.Err() if ctx is done.
func (i *Findings) pairs(ctx context.Context, f *exchange.File) error {
	r, reason := reading.Find(ctx, f, i.constant, nil)
	if err := ctx.Err(); err != nil {
		return err
	}
	if reason != nil {
		i.Facts = append(i.Facts, "not read as pairs: "+reason.Error())
		flag, isInputs := inputArray(f)
		if isInputs {
			i.Command = "rfm predict RUN --in " + printable.Quote(f.Name) + flag + " --out u.npy"
		}
		return ctx.Err()
	}
	layout, err := r.Layout(ctx, f)
	if err != nil {
		return err
	}
	i.Layout = &layout
	for _, note := range r.Notes {
		note = strings.TrimPrefix(note, exchange.Base(f.Name)+": ")
		isInTable := func(a Array) bool {
			return note == a.Name+": "+a.Note
		}
		if !slices.ContainsFunc(i.Arrays, isInTable) {
			i.Facts = append(i.Facts, note)
		}
	}
	if r.Config.Scattered() {
		i.Facts = append(i.Facts, otherwiseAtPoints)
	} else {
		points := setup.Domain(r.Config).Grid(r.Config.Train.Grid)
		i.Facts = append(i.Facts, "trained on "+points, otherwise)
	}
	i.Command = "rfm run " + printable.Path(f.Name)
	return nil
}

// otherwise names the settings that choose another reading of a file.
const otherwise = "to read it otherwise: --set data.input=NAME and data.output=NAME, several as in a,b, parts as in " +
	"u[:, 0]; or data.layout=points-first, data.axes='nx->nx', data.endpoint=included, data.boundary=periodic"

// otherwiseAtPoints does the same for values at points of any geometry.
const otherwiseAtPoints = "to read it otherwise: --set data.input=NAME and data.output=NAME, several as in a,b; or " +
	"data.points=NAME, none or grid; or data.axes='np->np'"

// inputArray returns the flag, after a blank, for the only array of a file besides coordinates, if `rfm predict` can read
// it; ok is false for other files. Several arrays are no file of inputs.
func inputArray(f *exchange.File) (flag string, ok bool) {
	members := f.Members
	if len(members) > 1 {
		members = slices.DeleteFunc(slices.Clone(members), pairs.IsCoordinates)
	}
	if len(members) != 1 {
		return "", false
	}
	m := members[0]
	if !m.Readable() || m.Count() == 0 {
		return "", false
	}
	if m.Name != "" && m.Name != usual {
		flag = " --array " + printable.Quote(m.Name)
	}
	for dims := 1; dims <= 2; dims++ {
		source := pairs.Source{
			File:     f.Name,
			Open:     f,
			Input:    m.Name,
			Endpoint: true,
			Alone:    true,
			Domain:   grid.Domain{Dims: dims, Periodic: dims == 1},
		}
		_, err := pairs.Find(source)
		if err == nil {
			return flag, true
		}
	}
	return "", false
}
