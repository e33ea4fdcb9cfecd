// This file locates the inputs of a model in a file, and reads them.

package interchange

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/run/machine"
	"rfm/model/trained"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/exchange"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// usual is the name of inputs in files that do not have the name of the training inputs.
const usual = "a"

// locatedInputs are inputs of a model, and how they lie in their file, so that predictions can be arranged likewise.
type locatedInputs struct {
	grid.Batch
	file  *pairs.Functions
	notes []string // assumptions about the file
}

// inputReader finds and reads inputs of a model.
type inputReader struct {
	Prediction
	model   trained.Model
	trained config.Config // with which the model was trained; without values if it cannot be read
}

// inputs locates and reads the inputs of a model: as those of its training, whose names and axes it has, if the file has
// them; otherwise arrays of other names or shapes.
func (p Prediction) inputs(source pairs.Source, model trained.Model) (locatedInputs, error) {
	r := inputReader{Prediction: p, model: model, trained: configOf(model)}
	if source.Domain.Scattered() {
		return r.readAtPoints(source)
	}
	hasNumbers := len(r.trained.Equation.Numbers()) > 0
	if hasNumbers || len(p.Numbers) > 0 {
		return r.readWithNumbers(source)
	}
	return r.readOnGrid(source)
}

// configOf returns the configuration with which a model was trained, the empty one if it cannot be read: then only names
// and places are unknown.
func configOf(model trained.Model) config.Config {
	c, err := config.Parse([]byte(model.Config))
	if err != nil {
		return config.Config{}
	}
	return c
}

// readAtPoints reads the inputs of a model of functions at points of any geometry: arrays with the names of training, or
// the only one.
func (r inputReader) readAtPoints(source pairs.Source) (locatedInputs, error) {
	source.Points = cmp.Or(r.trained.Data.Points, config.NoPlaces)
	source.Axes = r.trained.Data.Axes
	source.Input = cmp.Or(r.Array, r.trained.Data.Input)
	file, err := pairs.Find(source)
	if err != nil {
		return locatedInputs{}, err
	}
	return r.read(file, r.model.Inputs().Width())
}

// readOnGrid reads inputs on a grid, in the first of all possible ways in which the file can be read.
func (r inputReader) readOnGrid(source pairs.Source) (locatedInputs, error) {
	source.Mask = r.trained.Data.Mask
	source.Missing = r.trained.Data.Missing
	source.Channels = r.model.Inputs().Width() - len(r.Numbers)
	var byAxes error  // the first error of a candidate with the axes of training
	var byShape error // the first error of one that goes by shapes
	for _, end := range r.endpoints(source.Domain) {
		source.Endpoint = end
		for _, way := range r.candidates(source) {
			located, err := r.readCandidate(way.Source)
			if err == nil {
				located.notes = way.notes
				return located, nil
			}
			if !fault.BlamesInput(err) {
				return locatedInputs{}, err
			}
			if way.Axes != "" && byAxes == nil {
				byAxes = err
			}
			if way.Axes == "" && byShape == nil {
				byShape = err
			}
		}
	}
	if err := r.missing(source); err != nil {
		return locatedInputs{}, err
	}
	if byShape == nil && byAxes == nil {
		return locatedInputs{}, r.noNumbers()
	}
	if byShape != nil { // because shapes say more about other arrays than the axes of training
		return locatedInputs{}, byShape
	}
	return locatedInputs{}, byAxes
}

// A candidate is a way in which inputs may lie in a file.
type candidate struct {
	pairs.Source
	notes []string // assumptions
}

// endpoints tells whether the grid of the file has both ends, the likeliest first: as it is asked for, otherwise as in
// training. Only a periodic function may be without its right end.
func (r inputReader) endpoints(domain grid.Domain) []bool {
	if r.Endpoint != config.AutoPoints {
		return []bool{r.Endpoint == config.Included}
	}
	included := r.trained.Data.Endpoint != config.Excluded
	if domain.Periodic {
		return []bool{included, !included}
	}
	return []bool{included}
}

// candidates returns the possible places of the inputs in a file, the likeliest first: those with the axes of training, and
// those by shape.
func (r inputReader) candidates(source pairs.Source) []candidate {
	data := r.trained.Data
	base := pairs.ArrayOf(source.Open, data.Input)
	names := slices.Compact([]string{cmp.Or(base, usual), usual})
	if r.Array != "" {
		names = []string{r.Array}
	}
	var all []candidate
	layout := cmp.Or(r.Layout, config.AutoLayout)
	if data.Axes != "" && layout == config.AutoLayout {
		asTrained := names
		if r.Array == "" {
			whole := cmp.Or(data.Input, usual) // with parts of arrays, as in u[:, 0]
			asTrained = slices.Compact(append([]string{whole}, names...))
		}
		for _, name := range asTrained {
			source.Input = name
			known, ok := source.Trained(data.Axes)
			if ok {
				all = append(all, r.turned(source)...)
				all = append(all, candidate{Source: known})
			}
		}
	}
	if pairs.AreNumbers(data.Axes) && layout == config.AutoLayout { // by its shape, an array may be that of functions
		return all
	}
	for _, name := range names {
		source.Input = name
		all = append(all, candidate{Source: source})
	}
	return append(all, r.ofPairs(source)...)
}

// ofPairs returns the place of the inputs in a file of pairs as runs store them: one array, whose second axis has both
// sides.
func (r inputReader) ofPairs(source pairs.Source) []candidate {
	only, err := source.Open.Only()
	if err != nil || r.Array != "" || source.Channels > 1 {
		return nil
	}
	const sides = 1 // the axis
	dims := source.Domain.Dims
	isPairs := len(only.Shape) == dims+2 && only.Shape[sides] == 2
	if !isPairs {
		return nil
	}
	source.Input = only.Name + pairs.Entry(len(only.Shape), sides, "0")
	note := fmt.Sprintf("the array of shape %v is read as pairs of an input and an output", only.Shape)
	return []candidate{{Source: source, notes: []string{note}}}
}

// turned returns the place of an array of functions of one variable whose axes are exchanged: its other axis has the
// points of training. A model can be evaluated on any grid, so that it would take the functions for points.
func (r inputReader) turned(source pairs.Source) []candidate {
	data := r.trained.Data
	inputs, _, _ := strings.Cut(data.Axes, "->")
	points := cmp.Or(data.InputGrid, data.Grid) // in a file
	if data.Endpoint == config.Excluded {
		points--
	}
	m := pairs.Lookup(source.Open, source.Input)
	if only, err := source.Open.Only(); err == nil {
		m = only
	}
	if len(m.Shape) != 2 {
		return nil
	}
	x := strings.IndexByte(inputs, 'x')
	isTurned := (inputs == "nx" || inputs == "xn") && m.Shape[x] != points && m.Shape[1-x] == points
	if !isTurned {
		return nil
	}
	const format = "the array of shape %v is read as %d functions on the %d points of training; --layout %s takes them for %d functions"
	as := candidate{Source: source}
	as.Layout = config.PointsFirst
	other := config.FunctionsFirst
	if inputs == "xn" {
		as.Layout, other = other, as.Layout
	}
	as.notes = []string{fmt.Sprintf(format, m.Shape, m.Shape[x], points, other, points)}
	return []candidate{as}
}

// readCandidate locates and reads the inputs in one way.
func (r inputReader) readCandidate(source pairs.Source) (locatedInputs, error) {
	file, err := r.find(source)
	if err != nil {
		return locatedInputs{}, err
	}
	return r.read(file, source.Channels)
}

// missing returns the error of a file without arrays that the model cannot do without: a *fault.Data, or nil.
func (r inputReader) missing(source pairs.Source) error {
	input := r.trained.Data.Input
	if places := pairs.OrderedBy(input); places != "" {
		name, _, _ := strings.Cut(input, ".")
		return &fault.Data{
			Where: r.In,
			What:  fmt.Sprintf("has no inputs at points that %s puts in the order of the grid of training", places),
			Do:    fmt.Sprintf("give %s and %s in one file, or values in the order of the grid", name, places),
		}
	}
	names := pairs.Names(input)
	if r.Array != "" || len(names) <= 1 || source.Open == nil {
		return nil
	}
	if hasAny(source.Open, names[1:]) {
		return nil
	}
	return &fault.Data{
		Where: r.In,
		What:  "does not have the arrays that the model takes, " + strings.Join(names, " and "),
		Do:    "give all of them in one file, under these names, or name others with --array",
	}
}

// noNumbers returns the error of a file without arrays of as many numbers as the model takes.
func (r inputReader) noNumbers() error {
	want := "a number for each function, (count) or (count, 1)"
	if width := r.model.Inputs().Width(); width > 1 {
		want = fmt.Sprintf("%d numbers for each function, (count, %[1]d)", width)
	}
	return &fault.Data{
		Where: r.In,
		What:  "has no inputs of the model, which takes " + want,
		Do:    "give them as they were for training, as " + printable.Cut(r.trained.Data.Input, 80) + ", or name them with --array",
	}
}

// hasAny reports whether a file has one of some arrays.
func hasAny(file *exchange.File, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return file.Has(pairs.ArrayOf(file, name))
	})
}

// find locates the inputs of a model on grids. Inputs on no grid of its domain, such as parameters and functions of one
// variable, are lifted to the grid of its data if it was trained with such inputs.
func (r inputReader) find(source pairs.Source) (*pairs.Functions, error) {
	data := r.trained.Data
	target := 0 // the grid of the data; 0 if it is unknown
	if data.Grid > 2 && r.model.Domain().Exists(data.Grid) {
		target = data.Grid
	}
	if source.Axes != "" {
		source.Target = target
		return r.findByAxes(source)
	}
	lifted := source
	lifted.Target = target
	if target > 0 && source.Channels > 1 {
		if source.Input == usual {
			lifted.Input = data.Input
		}
		return pairs.Find(lifted)
	}
	file, err := pairs.Find(source)
	if err == nil && r.onGrid(file) {
		return file, nil
	}
	if target == 0 || !r.trained.Of().Files {
		return file, err
	}
	wide, failure := pairs.Find(lifted)
	if failure != nil {
		return file, err
	}
	if wide.Lifted && data.In == 0 {
		return nil, r.notLifted(source, wide)
	}
	return wide, nil
}

// findByAxes locates inputs whose axes are known from training.
func (r inputReader) findByAxes(source pairs.Source) (*pairs.Functions, error) {
	file, err := pairs.Find(source)
	if err != nil {
		return nil, err
	}
	domain := r.model.Domain()
	if domain.Dims == 2 && domain.Values(file.Grid) != file.Grid*file.Columns {
		return nil, &fault.Data{
			Where: source.File,
			What:  fmt.Sprintf("has fields on %d x %d points", file.Grid, file.Columns),
			Do:    "give fields as those of training",
		}
	}
	return file, nil
}

// onGrid reports whether functions are on a grid of the model's domain.
func (r inputReader) onGrid(file *pairs.Functions) bool {
	domain := r.model.Domain()
	if domain.Dims != 2 {
		return true
	}
	return domain.Exists(file.Grid) && domain.Values(file.Grid) == file.Grid*file.Columns
}

// notLifted returns the error of inputs that only lifting would put on the grid of a model that was trained without it.
func (r inputReader) notLifted(source pairs.Source, lifted *pairs.Functions) error {
	what := "functions"
	do := "give an array of shape (count, K)"
	if r.model.Domain().Dims == 2 {
		what = "fields"
		do = "give an array of shape (count, r, r); if each function is meant as a field that is constant along one " +
			"axis, repeat it in Python: numpy.repeat(a[:, None, :], r, axis=1)"
	}
	return &fault.Data{
		Where: source.File,
		What:  fmt.Sprintf("has an array of shape %v, the model was trained on %s as they are", lifted.Shape, what),
		Do:    do,
	}
}

// read reads located inputs, of which there must be a number of channels, if memory suffices for their predictions.
func (r inputReader) read(file *pairs.Functions, channels int) (locatedInputs, error) {
	nothing := locatedInputs{}
	domain := r.model.Domain()
	if file.In != channels {
		got := printable.Several(file.In, "channel")
		want := printable.Several(channels, "channel")
		return nothing, &fault.Data{
			Where: file.File,
			What:  fmt.Sprintf("has inputs of %s, the model takes %s", got, want),
			Do:    "name the arrays that it was trained on, or parts of one: --array '[:, 0]'",
		}
	}
	if domain.Dims == 2 { // checked without values, before these are read
		aspect := grid.AspectOf(file.Grid-1, file.Columns-1)
		empty := grid.Batch{
			Domain: grid.Domain{Dims: 2, Aspect: aspect},
			Points: file.Grid,
		}
		if _, err := empty.On(domain, file.File); err != nil {
			return nothing, err
		}
	}
	if err := r.checkBytes(file); err != nil {
		return nothing, err
	}
	if domain.Scattered() {
		inputs, err := file.Inputs(0)
		return locatedInputs{Batch: inputs, file: file}, err
	}
	repeats, err := file.Repeats()
	if err != nil {
		return nothing, err
	}
	if repeats && !file.Endpoint {
		return nothing, &fault.Data{
			Where: file.File,
			What:  "should leave out the right end of its grid, but nearly all lines repeat their first value",
			Do:    "set data.endpoint = included",
		}
	}
	inputs, err := file.Inputs(0)
	if err != nil {
		return nothing, err
	}
	inputs, err = inputs.On(domain, file.File)
	if err != nil {
		return nothing, err
	}
	err = inputs.CheckPeriodic(file.File+", input", nil)
	if err != nil {
		return nothing, err
	}
	data := r.trained.Data
	isElsewhere := data.InputGrid > 0 && data.InputGrid == inputs.Points
	if isElsewhere { // than the outputs, which training took them to
		inputs, err = resample.To(inputs, data.Grid)
	}
	return locatedInputs{Batch: inputs, file: file}, err
}

// checkBytes refuses inputs that do not fit into memory, or whose predictions do not.
func (r inputReader) checkBytes(file *pairs.Functions) error {
	what := fmt.Sprintf("reading %d functions", file.Count)
	needed := file.Bytes
	domain := r.model.Domain()
	if domain.Exists(file.Grid) {
		what = fmt.Sprintf("predicting %d functions on %s=%d", file.Count, domain.Symbol(), file.Grid)
		needed = max(needed, r.model.PredictionBytes(file.Count, file.Grid))
	}
	return machine.CheckBytes(what, needed, "split the file of the inputs")
}
