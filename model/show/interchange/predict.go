// This file applies a model to the functions of a file, once or repeatedly, each time to its last prediction.

package interchange

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rfm/config"
	"rfm/model/learn/fold"
	"rfm/model/run/store"
	"rfm/model/run/sweep"
	"rfm/model/trained"
	"rfm/model/trained/bands"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
)

// Prediction describes the functions to which a model is applied, and the destination of the predictions.
type Prediction struct {
	In       string // file of the inputs, or Stream
	Out      string // .npy or .csv file of the predictions, or Stream
	Array    string // name of the inputs in a file of named arrays; empty: the name of the training inputs, or else a
	Endpoint string // as config.Data.Endpoint; auto: as in training, unless only the other fits
	Layout   string // as config.Data.Layout
	// Numbers are values of random numbers of an equation, as name=value, for all functions of the file, which then has none.
	Numbers []string
	Replace bool // existing files
	Workers int  // goroutines that compute, at least 1

	Steps int  // number of applications of the model, each to its last prediction; 0 is once
	Check bool // compare with the solver's solution after every step

	Bands string  // .npy or .csv file for half the widths of the prediction bands; empty: none
	Level float64 // probability that the truth lies in them
	Whole bool    // everywhere, instead of at each point

	Keep bool // the first predictions, so that Predicted.Shown draws them

	// take the place of files
	Stdin  io.Reader
	Stdout io.Writer
}

// Stream in place of a file's name means standard input or standard output.
const Stream = "-"

// PredictedStem returns the name, without an extension, of a file of predictions for the inputs in a file. Of several files the
// first one counts, because it has the inputs.
func PredictedStem(inputs string) string {
	if !exchange.IsThere(inputs) {
		inputs = exchange.Parts(inputs)[0]
	}
	name := filepath.Base(inputs)
	return strings.TrimSuffix(name, filepath.Ext(name)) + "-predicted"
}

// FindRun returns the directory of the run that a source names, and refuses a sweep, which has many.
func FindRun(root, source string) (string, error) {
	path, err := store.Find(root, source)
	if err != nil {
		return "", err
	}
	s, err := sweep.Open(path)
	if err != nil {
		return path, nil
	}
	first := filepath.Join(path, s.Cells()[0].Name)
	return "", &fault.Data{
		Where: printable.Path(path),
		What:  "is a sweep, want one of its runs",
		Do:    "name one, such as " + printable.Path(first),
	}
}

// FindModel returns the file that source names: itself, or the model of a run below root or at that path, which it
// compares with its checksum. The error is a *fault.Data, or ctx.Err() if ctx ends.
func FindModel(ctx context.Context, root, source string) (string, error) {
	if info, err := os.Stat(source); err == nil && !info.IsDir() {
		return source, nil
	}
	if filepath.Ext(source) == ".npz" {
		return "", fault.Bad(source, "give a run, or the model.npz of one", "does not exist")
	}
	path, err := FindRun(root, source)
	if err != nil {
		return "", err
	}
	m, err := store.Read(path)
	if err != nil {
		return "", err
	}
	if !m.Has(store.ModelFile) {
		return "", &fault.Data{
			Where: path,
			What:  "has no trained model yet",
			Do:    "resume with `rfm run " + printable.Path(path) + "`",
		}
	}
	for _, name := range []string{store.ModelFile, bands.File} {
		if !m.Has(name) {
			continue
		}
		err := m.Copy(ctx, name, io.Discard)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil {
			return "", err
		}
	}
	return filepath.Join(path, store.ModelFile), nil
}

// Predict applies the model in a file to functions on any grid. The predictions have the axes of the inputs. Errors:
// *fault.Data, ctx.Err().
func Predict(ctx context.Context, modelFile string, p Prediction) (Predicted, error) {
	did := Predicted{
		Model: modelFile,
		In:    p.In,
		Out:   p.Out,
	}
	err := Unoccupied(p.Out, "--out", &p.Replace, p.In)
	if err != nil {
		return did, err
	}
	err = Unoccupied(p.Bands, "--bands", &p.Replace, p.In)
	if err != nil {
		return did, err
	}
	model, err := trained.ReadFile(ctx, modelFile)
	if err != nil {
		return did, err
	}
	did.Domain = model.Domain()
	if !did.Domain.Periodic && p.Endpoint == config.Excluded {
		return did, &fault.Data{
			Where: p.In,
			What:  fmt.Sprintf("cannot leave out an end: the model is one of %s, which do not repeat there", did.Domain.Name()),
			Do:    "set data.endpoint = " + config.Included,
		}
	}
	source, err := p.open(ctx)
	if err != nil {
		return did, err
	}
	defer source.Open.Close()
	source.Domain = did.Domain.One()
	located, err := p.inputs(source, model)
	if err != nil {
		return did, err
	}
	err = fold.CheckInputs(model.Operator, located.Batch, p.In)
	if err != nil {
		return did, err
	}
	begin := time.Now()
	steps, err := p.rollOut(ctx, model, located.Batch, source.File, &did)
	if err != nil {
		return did, err
	}
	first := steps[0]
	did.Count = first.Count
	did.Grid = first.Points
	did.Seconds = time.Since(begin).Seconds()
	did.Notes = located.notes
	against := comparing{
		Prediction:  p,
		model:       model,
		trained:     configOf(model),
		source:      source,
		located:     located,
		predictions: first,
	}
	outputs, err := against.compare(ctx, &did)
	if err != nil {
		return did, err
	}
	did.Unlike, err = p.bands(modelFile, located, first)
	if err != nil {
		return did, err
	}
	if p.Keep && !did.Domain.Scattered() { // because nothing tells where in a picture points of any geometry are
		did.keep(modelFile, located.Batch, first, outputs, p)
	}
	found, known, err := model.Unlike(ctx, located.Batch, p.Workers)
	if err != nil {
		return did, err
	}
	if known { // and not only through the bands
		did.found = found
		did.Unlike = found.Outside()
		did.Deviations = found.Deviations
		did.Limit = found.Limit
	}
	array := located.file.Arrange(first)
	did.Axes = located.file.Arrays
	if p.Steps > 1 {
		array = stacked(located.file, steps)
		did.Axes = "(steps, " + strings.TrimPrefix(did.Axes, "(")
	}
	did.Shape = array.Shape
	return did, write(p.Out, array, p.Stdout)
}

// stacked returns the predictions of several steps as one array, whose first axis counts the steps.
func stacked(file *pairs.Functions, steps []grid.Batch) npy.Array {
	var all npy.Array
	for _, predictions := range steps {
		one := file.Arrange(predictions)
		all.Data = append(all.Data, one.Data...)
		all.Shape = append([]int{len(steps)}, one.Shape...)
	}
	return all
}

// open opens the file of the inputs, or reads the stream in its place.
func (p Prediction) open(ctx context.Context) (source pairs.Source, err error) {
	source = pairs.Source{
		File:   p.In,
		Layout: p.Layout,
		Alone:  true,
	}
	if p.In != Stream {
		source.Open, err = exchange.Open(ctx, p.In)
		return source, err
	}
	content, err := readStream(ctx, p.Stdin)
	if err != nil {
		return source, err
	}
	source.File = streamName
	source.Open, err = exchange.OpenContent(ctx, streamName, bytes.NewReader(content), int64(len(content)))
	return source, err
}

// bands writes half the widths of the requested prediction bands, and returns which inputs lie outside the training
// range if the model has bands next to it. The error is a *fault.Data.
func (p Prediction) bands(modelFile string, located locatedInputs, outputs grid.Batch) (outside []int, err error) {
	requested := p.Bands != ""
	calibrated, err := bands.ReadFile(bandsOf(modelFile))
	if errors.Is(err, fs.ErrNotExist) && !requested {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	checked, err := calibrated.Check(located.Batch, outputs)
	if err != nil {
		return nil, err
	}
	if !requested {
		return checked.Outside, nil
	}
	widths := checked.Widths(p.Level, p.Whole)
	if unbounded(widths) {
		return nil, &fault.Data{
			Where: modelFile,
			What:  fmt.Sprintf("has bands of %d training pairs, too few for a coverage of %g", calibrated.Pairs, p.Level),
			Do:    "lower --level, or train with more pairs",
		}
	}
	return checked.Outside, write(p.Bands, located.file.Arrange(widths), p.Stdout)
}

// bandsOf returns the name of the file with the bands of a model, which lies next to it.
func bandsOf(modelFile string) string {
	return filepath.Join(filepath.Dir(modelFile), bands.File)
}

// unbounded reports whether bands are infinitely wide, because too few pairs were left to promise their level. Then all
// widths are infinite, so that one tells.
func unbounded(widths grid.Batch) bool {
	return len(widths.Data) > 0 && math.IsInf(widths.Data[0], 1)
}

const (
	streamName = "standard input"
	maxStream  = 1 << 30 // bytes that are read from it
)

// readStream reads a stream whole, since arrays are read in any order. Errors are ctx.Err() and *fault.Data: it
// cannot be read, or has more than maxStream bytes.
func readStream(ctx context.Context, stream io.Reader) ([]byte, error) {
	var content []byte
	var err error
	end := make(chan struct{})
	go func() { // waits for the writer of the stream
		content, err = io.ReadAll(io.LimitReader(stream, maxStream+1))
		close(end)
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-end:
	}
	if err != nil {
		return nil, fault.Unread(streamName, err)
	}
	if len(content) > maxStream {
		return nil, fault.Bad(streamName, "give a file", "has more than %d bytes", maxStream)
	}
	return content, nil
}

// write writes an array to a .npy file, a .csv file with a line for each function, or for Stream to stdout.
func write(name string, values npy.Array, stdout io.Writer) error {
	if name == Stream {
		buffered := bufio.NewWriterSize(stdout, 1<<16)
		err := npy.Write(buffered, values)
		if err == nil {
			err = buffered.Flush()
		}
		return fault.Unwritten("standard output", err, "and repeat the command: the predictions there are incomplete")
	}
	content := func(w io.Writer) error { return npy.Write(w, values) }
	if filepath.Ext(name) == ".csv" {
		content = inMemory("u", "", values).csv
	}
	const remedy = "or choose another place"
	target, err := files.Target(name)
	if err != nil {
		return fault.Unwritten(name, err, remedy)
	}
	files.RemoveAbandoned(filepath.Dir(target))
	err = files.Write(target, content)
	return fault.Unwritten(name, err, remedy)
}
