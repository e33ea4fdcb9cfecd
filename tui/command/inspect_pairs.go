// This file guesses as what pairs of functions a file is meant, for `rfm inspect`.

package command

import (
	"errors"
	"fmt"
	"slices"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/shell"
)

// layout is a way to read a file as pairs.
type layout struct {
	source  dataset.Source
	problem string
	info    dataset.Info
}

// pairs finds out as what pairs the file would be read, and what can be done with it.
func (i *inspected) pairs(f *exchange.File) {
	l, reason := findLayout(f)
	if reason != nil {
		if name, ok := inputArray(f); ok {
			i.Command = "rfm predict RUN --in " + shell.Quote(f.Name) + name + " --out u.npy"
		}
		i.Facts = append(i.Facts, "not read as pairs: "+reason.Error())
		return
	}
	what, symbol := "fields", "r"
	if l.problem == config.Functions {
		what, symbol = "periodic functions", "K"
	}
	i.Facts = append(i.Facts, fmt.Sprintf("%d pairs of %s on %s=%d", l.info.Count, what, symbol, l.info.Grid))
	i.Command = "rfm run " + l.problem + " --train-data " + shell.Quote(f.Name)
	if l.source.Input != "" {
		i.Command += fmt.Sprintf(" --set %s --set %s", shell.Quote("data.input="+l.source.Input), shell.Quote("data.output="+l.source.Output))
		i.Facts = append(i.Facts, fmt.Sprintf("inputs %s and outputs %s by their names and shapes: is that the right way round?", l.source.Input, l.source.Output))
	}
	if !l.source.Endpoint {
		i.Command += " --set data.endpoint=excluded"
		i.Facts = append(i.Facts, "the grid leaves out the right end, where the function repeats")
	} else if l.problem == config.Functions {
		i.Facts = append(i.Facts, "the last point repeats the first")
	}
}

// inputArray is the flag that names the first array of functions for `rfm predict`, after a blank; empty if none is needed.
func inputArray(f *exchange.File) (flag string, ok bool) {
	for _, m := range f.Members {
		if n := len(m.Shape); m.Readable && n >= 1 && n <= 3 && m.Shape[n-1] >= 3 {
			if m.Name == "" || m.Name == "a" {
				return "", true
			}
			return " --array " + shell.Quote(m.Name), true
		}
	}
	return "", false
}

// findLayout tries the ways to read pairs; the error is that of the first one.
func findLayout(f *exchange.File) (layout, error) {
	input, output := "", ""
	if f.Kind != exchange.NPY {
		if input, output = candidates(f); input == "" {
			return layout{}, errors.New("there are no two arrays of one shape (n, K) or (n, r, r)")
		}
		if input == "a" && output == "u" {
			input, output = "", ""
		}
	}
	var first error
	for _, try := range []layout{
		{source: dataset.Source{Endpoint: true}, problem: config.Functions},
		{source: dataset.Source{}, problem: config.Functions},
		{source: dataset.Source{Endpoint: true}, problem: config.Fields},
	} {
		try.source.File, try.source.Input, try.source.Output = f.Name, input, output
		err := try.read()
		if err == nil {
			return try, nil
		}
		if first == nil {
			first = err
		}
	}
	return layout{}, first
}

// read reads a few pairs, whose values say whether the endpoint is as it is said to be.
func (l *layout) read() (err error) {
	const few = 64
	dims, read := 1, dataset.ReadPairs
	if l.problem == config.Fields {
		dims, read = 2, dataset.ReadFieldPairs
	}
	if l.info, err = dataset.StatPairs(l.source, dims); err == nil {
		_, err = read(l.source, min(few, l.info.Count))
	}
	return err
}

// candidates are the names of the inputs and outputs in a file of named arrays: a and u, or the first two that have one shape of
// two or three axes.
func candidates(f *exchange.File) (input, output string) {
	var arrays []exchange.Member
	for _, m := range f.Members {
		if m.Readable && (len(m.Shape) == 2 || len(m.Shape) == 3) && m.Shape[0] > 0 && m.Shape[1] > 2 {
			arrays = append(arrays, m)
		}
	}
	for i, m := range arrays {
		for _, other := range arrays[i+1:] {
			if !slices.Equal(m.Shape, other.Shape) {
				continue
			}
			if m.Name == "u" && other.Name == "a" {
				return "a", "u"
			}
			if input == "" || m.Name == "a" && other.Name == "u" {
				input, output = m.Name, other.Name
			}
		}
	}
	return input, output
}
