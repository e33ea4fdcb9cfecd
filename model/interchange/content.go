// This file collects the content of a run: named arrays, and files that are copied.

package interchange

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"rfm/model/engine"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/model/trained"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/printable"
)

// array is an array with a name and a description.
type array struct {
	name, about string
	npy.Array
}

// group is a set of arrays that belong together.
type group struct {
	name   string
	arrays []array
}

// content is the content of an export.
type content struct {
	of      *stored
	model   *trained.Model // nil if the run has none yet
	groups  []group
	files   []file // copied unchanged
	missing []string
}

// side is the training or the test pairs.
type side struct {
	name, data, predictions string
	pairs                   dataset.Pairs // on the exported grid
	predicted               grid.Batch
}

func (s *stored) content(ctx context.Context, o Options) (*content, error) {
	c := &content{of: s}
	sides := []*side{{name: "train", data: engine.TrainFile, predictions: engine.TrainPredictionsFile},
		{name: "test", data: engine.TestFile, predictions: engine.TestPredictionsFile}}
	for _, d := range sides {
		if err := s.readPairs(ctx, d); err != nil {
			return nil, err
		}
	}
	if err := s.regrid(ctx, sides, o); err != nil {
		return nil, err
	}
	c.addData(sides)
	if err := c.addModel(); err != nil {
		return nil, err
	}
	own := o.Grid == 0 || o.Grid == s.config.TestGrid()
	if own {
		if err := c.readPredictions(ctx, sides); err != nil {
			return nil, err
		}
	} else if c.model != nil {
		if err := c.predict(ctx, sides, o.Workers); err != nil {
			return nil, err
		}
	}
	if c.model == nil {
		c.missing = append(c.missing, "the model")
	}
	c.addPredictions(sides)
	return c, c.copyFiles(own)
}

// readPairs reads the pairs of a side that the run has stored.
func (s *stored) readPairs(ctx context.Context, d *side) error {
	a, err := s.rows(ctx, d.data)
	if err != nil || a.Shape == nil {
		return err
	}
	d.pairs = setup.NewPairs(s.config, a.Shape[len(a.Shape)-s.config.Dims()], a.Shape[0])
	for i := range a.Shape[0] {
		row := a.Data[i*len(a.Data)/a.Shape[0]:]
		copy(d.pairs.Outputs.At(i), row[copy(d.pairs.Inputs.At(i), row):])
	}
	return nil
}

// regrid restricts or computes the pairs on the requested grid.
func (s *stored) regrid(ctx context.Context, sides []*side, o Options) error {
	kept := sides[0].pairs.Inputs
	if o.Grid == 0 || kept.Count == 0 || kept.Points == o.Grid {
		return nil
	}
	domain := setup.Domain(s.config)
	if finest := s.config.Data.Grid; o.Grid < 3 || !domain.Contains(finest, o.Grid) {
		return &fault.Data{Where: s.path, What: fmt.Sprintf("its data were on %s=%d, which does not contain the grid %s=%d",
			s.config.GridSymbol(), finest, s.config.GridSymbol(), o.Grid),
			Do: fmt.Sprintf("choose a grid whose intervals divide %d; `rfm predict` takes any", domain.Intervals(finest))}
	}
	if domain.Contains(kept.Points, o.Grid) {
		for _, d := range sides {
			if d.pairs.Count() == 0 {
				continue
			}
			var err error
			if d.pairs, err = d.pairs.Restrict(o.Grid); err != nil {
				return err
			}
		}
		return nil
	}
	if s.manifest.Generating.State != store.Complete {
		return &fault.Data{Where: s.path, What: "does not have all its pairs yet: they cannot be exported on a finer grid",
			Do: fmt.Sprintf("resume with `rfm run %s`, or leave out the grid", printable.Path(s.path))}
	}
	if changed := s.manifest.Changed(); len(changed) > 0 {
		return &fault.Data{Where: s.path, What: "cannot have its pairs on a finer grid: " + strings.Join(changed, "; "),
			Do: "put back the files, or leave out the grid"}
	}
	if o.Again != nil {
		o.Again(s.config.Data.Train+s.config.Data.Test, o.Grid)
	}
	c := s.config
	c.Evaluation.Grid = o.Grid
	train, test, err := engine.Pairs(ctx, c, o.Workers, nil)
	if err != nil {
		return err
	}
	for i, again := range []dataset.Pairs{train, test} {
		if sides[i].pairs, err = again.Restrict(o.Grid); err != nil {
			return err
		}
	}
	return nil
}

// grids returns the points of the grid along the axes of a domain: one array, or two if the axes of a rectangle differ.
func (c *content) grids(suffix string, K int) []array {
	domain := setup.Domain(c.of.config)
	about, half := "grid points along an axis, both ends counted", 0.0
	if domain.Cells {
		about, half = "centres of the cells along an axis", 0.5
	}
	along := func(name string, points int) array {
		x := make([]float64, points)
		for i := range x {
			x[i] = (float64(i) + half) / float64(domain.Intervals(K))
		}
		return array{name + suffix, about, npy.Array{Shape: []int{points}, Data: x}}
	}
	all := []array{along("x", K)}
	if rows, columns := domain.Axes(K); domain.Dims == 2 && rows != columns {
		all = append(all, along("y", columns))
	}
	return all
}

func (c *content) functions(name, about string, b grid.Batch) array {
	return array{name, about, npy.Array{Shape: b.Shape(), Data: b.Data}}
}

func (c *content) addData(sides []*side) {
	g := group{name: "data"}
	K := 0
	for _, d := range sides {
		wanted := map[string]int{"train": c.of.config.Data.Train, "test": c.of.config.Data.Test}[d.name]
		if have := d.pairs.Count(); have < wanted {
			c.missing = append(c.missing, fmt.Sprintf("%d of %d %s pairs", wanted-have, wanted, d.name))
		}
		if d.pairs.Count() == 0 {
			continue
		}
		K = d.pairs.Inputs.Points
		g.arrays = append(g.arrays, c.functions("a_"+d.name, "inputs of the "+d.name+" pairs, one a row", d.pairs.Inputs),
			c.functions("u_"+d.name, "their outputs, the truth", d.pairs.Outputs))
	}
	if K > 0 {
		g.arrays = append(g.arrays, c.grids("", K)...)
		c.groups = append(c.groups, g)
	}
}

// addModel reads the model, whose file is copied unchanged.
func (c *content) addModel() error {
	if !c.of.has(engine.ModelFile) {
		return nil
	}
	text, err := c.of.read(engine.ModelFile)
	if err != nil {
		return err
	}
	m, err := trained.Read(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return fmt.Errorf("%s: %w", c.of.place(engine.ModelFile), err)
	}
	c.model = &m
	c.add(engine.ModelFile, text)
	c.add(trained.PythonName, trained.Python)
	g, abouts := group{name: "solution"}, map[string]string{"alpha": "coefficients of the features",
		"eigenvalues": "of the Gram matrix"}
	_, random := m.Features()
	arrays, err := m.Arrays()
	if err != nil {
		return err
	}
	for _, a := range arrays {
		if about, ok := abouts[a.Name]; ok || !random { // the functions of features are in the model file
			g.arrays = append(g.arrays, array{a.Name, cmp.Or(about, "of the model, see "+trained.PythonName), a.Array})
		}
	}
	c.groups = append(c.groups, g)
	return nil
}

func (c *content) add(name string, content []byte) {
	c.files = append(c.files, file{name, text(content)})
}

// readPredictions reads the stored predictions of the run.
func (c *content) readPredictions(ctx context.Context, sides []*side) error {
	_, out := c.of.config.Channels()
	for _, d := range sides {
		a, err := c.of.rows(ctx, d.predictions)
		if err != nil {
			return err
		}
		if a.Shape == nil {
			continue
		}
		d.predicted = grid.Batch{Domain: setup.Domain(c.of.config).With(out),
			Points: a.Shape[len(a.Shape)-c.of.config.Dims()],
			Count:  a.Shape[0], Data: a.Data}
	}
	return nil
}

// predict applies the model on the grid of the pairs, and measures its errors.
func (c *content) predict(ctx context.Context, sides []*side, workers int) error {
	var sets []engine.ErrorSet
	for _, d := range sides {
		var err error
		if d.predicted, err = c.model.Predict(ctx, d.pairs.Inputs, workers, nil); err != nil {
			return err
		}
		e, err := rfm.Measure(d.predicted, d.pairs.Outputs)
		if err != nil {
			return fmt.Errorf("%s pairs: %w", d.name, err)
		}
		sets = append(sets, engine.ErrorSet{Name: d.name, Errors: e.Relative})
	}
	c.add(engine.ErrorsFile, engine.ErrorTable(sets...))
	return nil
}

func (c *content) addPredictions(sides []*side) {
	g := group{name: "predictions"}
	K := 0
	for _, d := range sides {
		if have, wanted := d.predicted.Count, d.pairs.Count(); c.model != nil && have < wanted {
			c.missing = append(c.missing, fmt.Sprintf("%d of %d %s predictions", wanted-have, wanted, d.name))
		}
		if d.predicted.Count == 0 {
			continue
		}
		K = d.predicted.Points
		g.arrays = append(g.arrays, c.functions("predicted_"+d.name, "the model's values of a_"+d.name, d.predicted))
	}
	if K > 0 {
		g.arrays = append(g.arrays, c.grids("_predicted", K)...)
		c.groups = append(c.groups, g)
	}
}

// copyFiles copies the configuration and the reports, and the table of errors if it belongs to the exported
// predictions.
func (c *content) copyFiles(own bool) error {
	names := []string{engine.ReportFile, engine.MarkdownFile}
	if own {
		names = append(names, engine.ErrorsFile)
	}
	for _, name := range names {
		if !c.of.has(name) {
			if !slices.Contains(c.missing, "the reports") {
				c.missing = append(c.missing, "the reports")
			}
			continue
		}
		text, err := c.of.read(name)
		if err != nil {
			return err
		}
		c.add(name, text)
	}
	c.add(ConfigFile, c.of.config.TOML())
	return nil
}

// ConfigFile is the name of the exported configuration. Runs use another name, so that exports are not taken for runs.
const ConfigFile = "experiment.toml"
