// This file makes the configuration that a source names.

package reading

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/run/setup"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/exchange"
	"rfm/solver/pairs"
)

// Configuration returns the configuration that a source names, with assignments of settings, which is not validated: a
// preset, a configuration file, or pairs in one or two files. For pairs it has all sizes that follow from them, and the
// files are open. Errors are *config.Error and *fault.Data.
func Configuration(ctx context.Context, source string, settings ...string) (c config.Config, files Files,
	err error) {
	c, err = config.PresetByName(source)
	isMissing := !exchange.IsThere(source)
	mayBePreset := isMissing && !strings.ContainsAny(source, `/\., `)
	isOneMissingFile := isMissing && len(exchange.Parts(source)) == 1
	switch {
	case err == nil, mayBePreset: // known or not
	case isOneMissingFile, filepath.Ext(source) == ".toml":
		c, err = store.ReadConfig(source)
	default:
		c, files, err = learn(ctx, source, settings)
	}
	if err != nil {
		return c, files, err
	}
	hasText := told(settings, "equation.text")
	if hasText && c.Data.TrainFile != "" && c.Equation.Text == "" {
		return c, files, &config.Error{
			Key:        "equation.text",
			Problem:    "does not go with the pairs in " + printable.Path(source),
			Suggestion: "leave out the equation to learn from the file, or the file to learn the equation",
		}
	}
	ofOther := c.Problem != config.TextEquation && !told(settings, "problem")
	if hasText && ofOther {
		return c, files, &config.Error{
			Key:        "equation.text",
			Problem:    fmt.Sprintf("does not go with %s, which sets problem = %s", printable.Path(source), c.Problem),
			Suggestion: "leave out " + printable.Path(source) + " to learn the equation, or leave out the equation",
		}
	}
	ofFile := c.Data.TrainFile != ""
	err = config.Assign(&c, settings...)
	if err == nil && ofFile && c.Data.TrainFile == "" && !told(settings, "train_file", "data.train_file") {
		return c, files, &config.Error{
			Key:        "problem",
			Value:      c.Problem,
			Problem:    "does not go with the pairs in " + printable.Path(source),
			Suggestion: "leave it out, because it follows from the file",
		}
	}
	if err != nil && hasText {
		wrong := wrongText(c, settings)
		if wrong != nil { // because the text says which names are settings
			return c, files, wrong
		}
	}
	return c, files, err
}

// wrongText returns the error in the text of an equation, nil if it is right, where one of the settings is refused. The
// others are used; parameters without a value have the value 1, so that only the text is judged.
func wrongText(c config.Config, settings []string) error {
	for _, s := range settings {
		_ = config.Assign(&c, s) // the caller has the error of the one that is refused
	}
	for _, k := range c.Keys() {
		isParameter := strings.HasPrefix(k.Name, "equation.parameters.")
		if isParameter && k.Text(c) == "" {
			err := k.Set(&c, "1")
			if err != nil {
				return nil
			}
		}
	}
	var wrong *config.Error
	if errors.As(setup.Check(c), &wrong) && wrong.Key == "equation.text" {
		return wrong
	}
	return nil
}

// choosing lists the keys that say what a file means: they choose among readings.
var choosing = []string{
	"input", "output", "points", "boundary", "endpoint", "layout", "axes",
	"mask", "missing", "skip",
	"train", "test",
	"test_file", "test_input", "test_output", "test_axes",
}

// learn returns the configuration that learns from the pairs in a file, with the open file. Those of the settings that
// choose a reading hold for all that are tried; the caller assigns the others.
func learn(ctx context.Context, name string, settings []string) (config.Config, Files, error) {
	var notes []string
	if !told(settings, "test_file") {
		name, settings, notes = divided(name, settings)
	}
	f, err := exchange.Open(ctx, name)
	if err != nil {
		return config.Config{}, Files{}, err
	}
	if f.Kind == exchange.TOML {
		f.Close()
		c, err := store.ReadConfig(name)
		return c, Files{}, err
	}
	if f.Kind == exchange.Model && !told(settings, "input", "output") {
		f.Close()
		return config.Config{}, Files{}, trainedModel(name)
	}
	isOther := func(s string) bool { return !slices.Contains(choosing, key(s)) }
	reading := slices.DeleteFunc(slices.Clone(settings), isOther)
	r, err := Find(ctx, f, nil, reading)
	if err != nil {
		f.Close()
	}
	r.files.said = append(r.files.said, notes...)
	return r.Config, r.files, err
}

// trainedModel returns the error of a file that has a trained model in place of pairs. Arrays of its coefficients could be
// taken for pairs, so that they are learned from only if settings name them.
func trainedModel(name string) error {
	name = printable.Path(name)
	return &fault.Data{
		Where: name,
		What:  "is a trained model, want pairs to learn from",
		Do: fmt.Sprintf("`rfm predict %s --in a.npy --out u.npy` applies it, `rfm show %[1]s` describes it, `rfm invert %[1]s` "+
			"finds inputs, and `rfm export RUN` writes what its run has", name),
	}
}

// divided returns the files of the training pairs among several, whose names tell them from those of test pairs, and the
// settings with the latter; notes says what is left out. A source whose names do not tell is returned as it is.
func divided(source string, settings []string) (training string, all, notes []string) {
	files := exchange.Parts(source)
	if len(files) == 1 {
		files = exchange.Paths(source) // of a directory
	}
	d, ok := pairs.Divide(files)
	if !ok {
		return source, settings, nil
	}
	tests := d.Tests
	if tests == nil {
		tests = d.Validation
	} else if d.Validation != nil {
		const format = "pairs for validation are not used, because lengths and lambda are chosen by cross-validation: %s"
		notes = append(notes, fmt.Sprintf(format, strings.Join(d.Validation, ", ")))
	}
	test := "data.test_file=" + strings.Join(tests, ",")
	return strings.Join(d.Training, ","), append(slices.Clone(settings), test), notes
}

// told reports whether settings set one of some keys, which need no section if it is data.
func told(settings []string, keys ...string) bool {
	return slices.ContainsFunc(settings, func(s string) bool {
		return slices.Contains(keys, key(s))
	})
}

// key returns the key of an assignment, without the section of data.
func key(assignment string) string {
	name, _, _ := strings.Cut(assignment, "=")
	return strings.TrimPrefix(strings.TrimSpace(name), "data.")
}
