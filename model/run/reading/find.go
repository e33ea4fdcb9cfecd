// This file infers the problem and the layout of the pairs of functions in a file.

package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/run/setup"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
)

// An Interpretation is a way to read a file as pairs.
type Interpretation struct {
	Config config.Config // complete
	files  Files
	Notes  []string // see Files.Complete
	said   []string // assumptions besides them

	guess   pairs.Guess
	problem config.Config
	count   int // pairs in the file, those that are left out as well
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
	err = config.Assign(&c, settings...)
	if err != nil && equation {
		if wrong := wrongText(c, settings); wrong != nil { // because the text says which names are settings
			err = wrong
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
		if strings.HasPrefix(k.Name, "equation.parameters.") && k.Text(c) == "" {
			if err := k.Set(&c, "1"); err != nil {
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
		return !strings.Contains(" boundary endpoint points layout axes mask missing input output skip train test test_file test_input test_output test_axes ", " "+key(s)+" ")
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
	s := search{file: f, settings: settings, constant: constant}
	for _, p := range config.Presets() {
		switch c := p.Config; {
		case !c.Of().Files || c.Data.TrainFile != "":
		case c.Scattered():
			s.scattered = c
		default:
			s.problems = append(s.problems, c)
		}
	}
	if r, ok, err := s.atPoints(ctx); ok || err != nil {
		return r, err
	}
	all, err := pairs.Guesses(f, s.value("input"), s.value("output"))
	if err != nil {
		return Interpretation{}, err
	}
	var first error
	onMesh := map[string]bool{} // arrays that are smooth along no axis: no other guess makes functions of them
	for i, g := range all {
		if onMesh[g.Input] || onMesh[g.Output] {
			continue
		}
		r, err := s.try(ctx, g)
		var mesh *pairs.MeshError
		if errors.As(err, &mesh) {
			onMesh[mesh.Name] = true
		}
		if err == nil {
			err = s.complete(ctx, &r, all[i+1:])
			return r, err
		}
		if first == nil {
			first = err
		}
		if err := ctx.Err(); err != nil {
			return Interpretation{}, err
		}
	}
	const least = 8 // values of a function: fewer tell nothing
	if mesh := new(pairs.MeshError); errors.As(first, &mesh) && mesh.Values >= least && s.value("points") == "" {
		if r, err := s.withoutPlaces(ctx, all); err == nil {
			return r, nil
		}
	}
	return Interpretation{}, s.advisePart(ctx, all, s.advise(first))
}

// search tries readings of a file.
type search struct {
	file      *exchange.File
	problems  []config.Config // known from files: functions, then fields
	scattered config.Config   // values at points of any geometry
	settings  []string        // hold for every reading
	constant  func(pairs.Guess) error
}

// told reports whether settings set one of some keys of data: what they say is not questioned.
func (s *search) told(keys ...string) bool { return told(s.settings, keys...) }

func told(settings []string, keys ...string) bool {
	return slices.ContainsFunc(settings, func(s string) bool { return slices.Contains(keys, key(s)) })
}

// value returns the value that settings give to a key of data; empty without one.
func (s *search) value(name string) string {
	value := ""
	for _, setting := range s.settings {
		if _, text, _ := strings.Cut(setting, "="); key(setting) == name {
			value = strings.TrimSpace(text)
		}
	}
	return value
}

// try returns the first reading of a guess that is possible: of fields stored line after line, of functions, of fields.
// Values may speak for other axes than shapes do. The error is the one of the reading that the number of axes suggests.
func (s *search) try(ctx context.Context, g pairs.Guess) (Interpretation, error) {
	if s.constant != nil {
		if err := s.constant(g); err != nil {
			return Interpretation{}, err
		}
	}
	fields := s.problems[len(s.problems)-1]
	if g.Input != "" && !s.told("axes", "layout", "input", "output") {
		if flat, ok := pairs.Unflattened(s.file, g); ok {
			if r, err := s.read(ctx, fields, flat); err == nil {
				return r, nil
			}
		}
	}
	r, err := s.byShapes(ctx, g)
	if ctx.Err() != nil || s.told("axes", "layout", "points") {
		return r, err
	}
	return s.byValues(ctx, g, r, err)
}

// byShapes returns the first reading of a guess that shapes allow: of functions, then of fields.
func (s *search) byShapes(ctx context.Context, g pairs.Guess) (Interpretation, error) {
	m := pairs.Lookup(s.file, pairs.Names(g.Input)[0])
	reason := m.Refused
	axes := 2 // of functions of one variable
	if g.Input == "" {
		m = s.file.Members[0]
		axes = 3 // one for inputs and outputs
	}
	for _, c := range s.problems {
		r, err := s.read(ctx, c, g)
		if err == nil {
			return r, nil
		}
		if reason == nil || c.Dims() == 2 && len(npy.Long(m.Shape)) > axes {
			reason = err
		}
	}
	return Interpretation{}, reason
}

// byValues returns the reading of a guess by values if they speak against the one by shapes, or if that has an error. Else it
// returns the latter, which notes any doubt.
func (s *search) byValues(ctx context.Context, g pairs.Guess, r Interpretation, reason error) (Interpretation, error) {
	g.Input = cmp.Or(g.Input, s.value("input"))
	g.Output = cmp.Or(g.Output, s.value("output"))
	values, ok := pairs.ByValues(s.file, g)
	if !ok {
		return r, reason
	}
	shapes := ""
	verdict := pairs.Unsupported
	if reason == nil {
		shapes = r.Config.Data.Axes
		verdict = values.Against(shapes)
	}
	if verdict == pairs.Agrees {
		return r, reason
	}
	note := values.Note(verdict, shapes)
	if verdict == pairs.Doubts {
		r.said = append(r.said, note)
		return r, nil
	}
	byValues := g
	byValues.Axes = values.Axes
	found, err := s.read(ctx, s.problems[values.Dims-1], byValues)
	if err != nil {
		return r, reason
	}
	found.said = append(found.said, note)
	return found, nil
}

// read reads a guess as pairs of a problem.
func (s *search) read(ctx context.Context, c config.Config, g pairs.Guess) (Interpretation, error) {
	r := Interpretation{guess: g, problem: c}
	r.files.Keep(s.file)
	return r, r.read(ctx, s.file, c, g, s.settings)
}

// complete adds further inputs to a reading, and the words about its assumptions. The error is ctx's.
func (s *search) complete(ctx context.Context, r *Interpretation, others []pairs.Guess) error {
	r.explain(s.file, r.guess, others, s.settings)
	if err := s.dropCoordinates(ctx, r); err != nil {
		return err
	}
	if err := r.addInputs(ctx, s.file, r.problem, r.guess, s.settings); err != nil {
		return err
	}
	if text := r.leftOut(s.file); text != "" {
		r.said = append(r.said, text)
	}
	r.files.said = r.said
	r.Notes = r.files.withSaid(r.Notes)
	return nil
}

// advise replaces the advice of an error for a file with one array without a name.
func (s *search) advise(err error) error {
	var data *fault.Data
	if !s.file.Unnamed() || !s.file.Members[0].Readable() || !errors.As(err, &data) || s.told("input", "output", "axes") {
		return err
	}
	shape := npy.Long(s.file.Members[0].Shape)
	switch {
	case s.file.Kind == exchange.CSV:
		data.Do = "give names a_1, a_2, ..., u_1, u_2, ... in the first line; if inputs and outputs are in two files: " +
			"rfm run a.csv u.csv"
	case len(shape) == 3: // fields on a square, or as many times as points
		data.Do = "if these are fields and their outputs are in another file: rfm run a.npy u.npy; if axis 1 is time: " +
			pairs.Settings("array[:, 0]", "array[:, -1]")
	default:
		data.Do = "if inputs and outputs are in two files: rfm run a.npy u.npy"
	}
	return err
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
	d.Points = g.Points
	if err := config.Assign(&c, settings...); err != nil {
		return err
	}
	if d.TestFile != "" && d.TestInput == g.TestInput && d.TestOutput == g.TestOutput { // names in the training file
		d.TestInput, d.TestOutput = "", ""
	}
	r.said = nil
	source := TrainSource(c)
	source.Open, source.Brief, source.Skip, source.Domain.Periodic = f, true, false, false
	found, err := pairs.Find(source)
	if err != nil {
		return err
	}
	if g.Layout != "" && found.By != "" && string(found.Info.Layout) != g.Layout {
		return fault.Bad(f.Name, "", "has no smooth functions if %s", g.Note)
	}
	if !c.Scattered() {
		if _, _, err := pairs.Coordinates(found); err != nil {
			return err
		}
	}
	r.count = found.Count
	rows := dataset.First(max(1, min(few, found.Count, values/(2*found.Grid*found.Columns))))
	some, err := found.Pairs(rows)
	var unusable *pairs.Unusable
	if errors.As(err, &unusable) && !d.Mask && !c.Scattered() {
		text, failure := found.Masked()
		if failure != nil {
			return failure
		}
		if text != "" {
			r.said = append(r.said, text)
			d.Mask = true
			found.Mask = true
			some, err = found.Pairs(rows)
		}
	}
	unusable = nil
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
	for i, side := range []grid.Batch{some.Inputs, some.Outputs} {
		largest := floats.Norm(side.Data, math.Inf(1))
		if largest > 0 && largest < 1/grid.LargestValue {
			return fault.Bad(f.Name, "give values in a smaller unit",
				"has %s of at most %.3g, whose squares are zero in double precision", []string{"inputs", "outputs"}[i], largest)
		}
	}
	if a := some.Inputs; a.Count > 1 && slices.Equal(a.Data, slices.Repeat(a.At(0), a.Count)) {
		return fault.Bad(f.Name, "give inputs that differ; they may be in another array (data.input)",
			"has the same input in the first %d pairs, from which nothing can be learned", some.Count())
	}
	if found.By != "" && found.Info.Layout == config.PointsFirst {
		r.said = append(r.said, fmt.Sprintf("points come before functions, %s (data.layout)", found.By))
	}
	r.said = append(r.said, found.Placed...)
	if setting, pairs, channels := found.Exchanged(); setting != "" && !told(settings, "axes") {
		r.said = append(r.said, fmt.Sprintf("%d pairs with %d channels are a guess; otherwise, for %d pairs with %d channels: %s",
			pairs, channels, channels, pairs, setting))
	}
	if !c.Scattered() {
		if err := r.onGrid(&c, found, some, settings); err != nil {
			return err
		}
	}
	if err = config.Assign(&c, settings...); err != nil { // they replace the suggestions of the values
		return err
	}
	if r.Config, r.Notes, err = r.files.Complete(ctx, c); err != nil {
		return err
	}
	return nil
}

// onGrid notes values that are too rough for functions on a grid, and sets the boundary of the others.
func (r *Interpretation) onGrid(c *config.Config, found *pairs.Functions, some dataset.Pairs, settings []string) error {
	rough, err := found.Rough()
	if err != nil {
		return err
	}
	if rough != nil {
		r.said = append(r.said, fmt.Sprintf("values of %s are as rough from point to point as numbers without an order: they are "+
			"noise, or those at the nodes of a mesh, whose coordinates data.points names (or none)", strings.Join(rough, " and ")))
	}
	if found.NumbersAlone { // nothing varies from point to point, so that methods for translations would learn nothing more
		c.Data.Boundary = config.Closed
		c.Data.Endpoint = config.Included
		return nil
	}
	boundary(c, some, slices.ContainsFunc(settings, func(s string) bool { return key(s) == "boundary" }))
	return nil
}

// explain notes the assumptions of a guess that settings do not replace, and the runner-up.
func (r *Interpretation) explain(f *exchange.File, g pairs.Guess, others []pairs.Guess, settings []string) {
	text := g.Note
	other := g.Other
	if !g.Known && !told(settings, "input", "axes") {
		const guessed = "this is a guess, since names do not tell inputs from outputs"
		switch {
		case text != "": // inputs and outputs are parts of one array, or places and a function of them
			text += "; " + guessed
		case len(others) > 0:
			text = guessed
			other = pairs.Settings(others[0].Input, others[0].Output)
		default:
			text = guessed
			other = pairs.Settings(g.Output, g.Input)
		}
	}
	if text != "" && other != "" {
		text += "; otherwise: " + other
	}
	if text != "" {
		r.said = append(r.said, text)
	}
	if r.Config.Scattered() { // whose values have no order
		return
	}
	if fields, ok := pairs.Unflattened(f, g); ok && r.Config.Dims() == 1 && !told(settings, "axes", "layout") {
		r.said = append(r.said, "the values may be those of fields, line after line: "+pairs.Settings(fields.Input, fields.Output))
	}
	if name, split := pairs.Joined(f, g); split != "" && !told(settings, "input", "output", "axes") {
		r.said = append(r.said, fmt.Sprintf("%s may hold several functions, since its values jump where they would meet: %s",
			name, split))
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
