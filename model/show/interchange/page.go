package interchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/run/setup"
	"rfm/model/run/store"
	"rfm/model/show/page"
	"rfm/model/trained"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/points"
)

// HTML is the format of ExportPage.
const HTML Format = "html"

// ExportPage writes the model of the complete run in the directory path as one HTML page, a new file that appears
// complete or not at all. Errors: a *fault.Data if the file exists or cannot be written, if the run is not complete, and
// for models that a page cannot hold; ctx.Err().
func ExportPage(ctx context.Context, path, name string) (Exported, error) {
	if _, err := os.Lstat(name); err == nil {
		return Exported{}, &fault.Data{
			Where: name,
			What:  "exists already",
			Do:    "choose another --out; exports are never overwritten",
		}
	}
	run, err := store.Read(path)
	if err != nil {
		return Exported{}, err
	}
	if !run.Complete() {
		return Exported{}, &fault.Data{
			Where: path,
			What:  "is not complete, and a page needs the model and its errors",
			Do:    "complete it first: rfm run " + printable.Path(path),
		}
	}
	content, err := pageOf(ctx, run)
	if err != nil {
		return Exported{}, err
	}
	var text bytes.Buffer
	if err := page.Write(ctx, &text, content); err != nil {
		return Exported{}, err
	}
	err = files.Write(name, func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return Exported{}, &fault.Data{
			Where: filepath.Dir(name),
			What:  "does not exist",
			Do:    "make the directory first, or choose another --out",
		}
	}
	if err != nil {
		return Exported{}, fault.Unwritten(name, err, "choose another --out")
	}
	made := Exported{
		Directory: name,
		Files:     []string{filepath.Base(name)},
		Bytes:     int64(text.Len()),
		Complete:  true,
	}
	return made, nil
}

// pageOf reads the content of a page from a complete run.
func pageOf(ctx context.Context, run store.Run) (page.Content, error) {
	text, err := run.ReadFile(ctx, store.ModelFile)
	if err != nil {
		return page.Content{}, err
	}
	model, err := trained.Read(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return page.Content{}, fmt.Errorf("%s: %w", run.File(store.ModelFile), err)
	}
	c := run.Config
	p := page.Content{
		Title:    filepath.Base(run.Path),
		Equation: strings.Split(c.Equation.Text, ";"),
		Method:   model.Operator.String(),
		Version:  run.Program.Version,
		Command:  setup.Command(c),
		Input:    "input a",
		Output:   "output u",
		Axis:     [2]float64{0, 1},
		Model:    model,
	}
	if len(c.Equation.Numbers()) > 0 {
		p.Input = c.InputNames()
	}
	if c.Of().Files {
		p.Equation = []string{filepath.Base(c.Data.TrainFile)}
		p.Input = c.Data.Input
		p.Output = c.Data.Output
	} else {
		p.Equation = append(p.Equation, parametersOf(c)...)
	}
	if c.Equation.Length > 0 {
		p.Axis[1] = c.Equation.Length
	}
	if run.TestError != nil {
		p.Sentence = fmt.Sprintf("Expected relative error on %s that the model has not seen: %.2g.",
			printable.Several(c.Data.Test, "input"), *run.TestError)
	}
	points := page.Grid(model)
	p.Train, err = pairsOn(ctx, run, store.TrainFile, points, model.Domain().Cloud)
	if err != nil {
		return page.Content{}, err
	}
	p.Test, err = pairsOn(ctx, run, store.TestFile, points, model.Domain().Cloud)
	if err != nil {
		return page.Content{}, err
	}
	return p, nil
}

// pairsOn reads the pairs of a complete run on a grid that theirs contains.
func pairsOn(ctx context.Context, run store.Run, file string, points int, cloud points.Cloud) (dataset.Pairs, error) {
	pairs, err := pairsOf(ctx, run, file, cloud)
	if err != nil {
		return dataset.Pairs{}, err
	}
	return pairs.Restrict(points)
}

// parametersOf returns the line with the values of an equation's parameters, if it has any.
func parametersOf(c config.Config) []string {
	values := c.Equation.Values()
	if len(values) == 0 {
		return nil
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		all = append(all, name+" = "+values[name])
	}
	return []string{strings.Join(all, ", ")}
}

// pairsOf reads the pairs of a complete run.
func pairsOf(ctx context.Context, run store.Run, file string, cloud points.Cloud) (dataset.Pairs, error) {
	text, err := run.ReadFile(ctx, file)
	if err != nil {
		return dataset.Pairs{}, err
	}
	a, err := npy.Read(text)
	if err != nil {
		return dataset.Pairs{}, fmt.Errorf("%s: %w", run.File(file), err)
	}
	if len(a.Shape) < 2 {
		return dataset.Pairs{}, &fault.Data{
			Where: run.File(file),
			What:  fmt.Sprintf("got the shape %v, want pairs", a.Shape),
			Do:    "generate the pairs again",
		}
	}
	count := a.Shape[0]
	points := a.Shape[len(a.Shape)-run.Config.Dims()]
	pairs := setup.NewPairsAt(run.Config, cloud, points, count)
	store.Block{pairs.Inputs, pairs.Outputs}.Put(0, a.Data)
	return pairs, nil
}
