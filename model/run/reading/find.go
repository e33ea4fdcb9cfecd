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
	if hasText && c.Equation.Text == "" {
		settings = append([]string{"problem=" + config.TextEquation}, settings...)
	}
	err = config.Assign(&c, settings...)
	if err != nil && hasText {
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
var choosing = []string{"boundary", "endpoint", "points", "layout", "axes", "mask", "missing", "input", "output", "skip",
	"train", "test", "test_file", "test_input", "test_output", "test_axes"}

// learn returns the configuration that learns from the pairs in a file, with the open file. Those of the settings that
// choose a reading hold for all that are tried; the caller assigns the others.
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
	isOther := func(s string) bool { return !slices.Contains(choosing, key(s)) }
	reading := slices.DeleteFunc(slices.Clone(settings), isOther)
	r, err := Find(ctx, f, nil, reading)
	if err != nil {
		f.Close()
	}
	return r.Config, r.files, err
}

// Find tries the ways to read pairs; the error is the one of the reading that the number of axes suggests.
// constant returns an error for arrays known to have the same value everywhere, from which learning is impossible.
// settings hold for every reading.
func Find(ctx context.Context, f *exchange.File, constant func(pairs.Guess) error, settings []string) (Interpretation,
	error) {
	s := search{file: f, settings: settings, constant: constant}
	for _, p := range config.Presets() {
		c := p.Config
		isOfAnyFile := c.Of().Files && c.Data.TrainFile == ""
		switch {
		case !isOfAnyFile:
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
	var mesh *pairs.MeshError
	isOnMesh := errors.As(first, &mesh) && mesh.Values >= least
	if isOnMesh && s.value("points") == "" {
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

// told reports whether settings set one of some keys, which need no section if it is data.
func told(settings []string, keys ...string) bool {
	return slices.ContainsFunc(settings, func(s string) bool {
		return slices.Contains(keys, key(s))
	})
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
	err := s.dropCoordinates(ctx, r)
	if err != nil {
		return err
	}
	err = r.addInputs(ctx, s.file, r.problem, r.guess, s.settings)
	if err != nil {
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
	isOneArray := s.file.Unnamed() && s.file.Members[0].Readable()
	if !isOneArray || !errors.As(err, &data) || s.told("input", "output", "axes") {
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
	err := assignGuess(&c, f, g, settings)
	if err != nil {
		return err
	}
	r.said = nil
	found, err := locate(c, f, g)
	if err != nil {
		return err
	}
	r.count = found.Count
	some, err := r.readSome(&c, f, g, found)
	if err != nil {
		return err
	}
	if err := checkSome(f, some); err != nil {
		return err
	}
	if found.By != "" && found.Info.Layout == config.PointsFirst {
		r.said = append(r.said, fmt.Sprintf("points come before functions, %s (data.layout)", found.By))
	}
	r.said = append(r.said, found.Placed...)
	setting, count, channels := found.Exchanged()
	if setting != "" && !told(settings, "axes") {
		r.said = append(r.said, fmt.Sprintf("%d pairs with %d channels are a guess; otherwise, for %d pairs with %d channels: %s",
			count, channels, channels, count, setting))
	}
	if !c.Scattered() {
		err := r.onGrid(&c, found, some, settings)
		if err != nil {
			return err
		}
	}
	err = config.Assign(&c, settings...) // they replace the suggestions of the values
	if err != nil {
		return err
	}
	r.Config, r.Notes, err = r.files.Complete(ctx, c)
	return err
}

// assignGuess sets what a guess and settings say of the arrays of a file.
func assignGuess(c *config.Config, f *exchange.File, g pairs.Guess, settings []string) error {
	d := &c.Data
	d.TrainFile = f.Name
	if g.Input != "" {
		d.Input = g.Input
		d.Output = g.Output
		d.TestInput = g.TestInput
		d.TestOutput = g.TestOutput
	}
	d.Axes = g.Axes
	d.Points = g.Points
	err := config.Assign(c, settings...)
	if err != nil {
		return err
	}
	hasNamesOfTraining := d.TestInput == g.TestInput && d.TestOutput == g.TestOutput
	if d.TestFile != "" && hasNamesOfTraining {
		d.TestInput = ""
		d.TestOutput = ""
	}
	return nil
}

// locate finds the functions of a configuration in a file. The error is a *fault.Data if they are not as the guess has
// them, or are not on a grid of equal steps.
func locate(c config.Config, f *exchange.File, g pairs.Guess) (*pairs.Functions, error) {
	source := TrainSource(c)
	source.Open = f
	source.Brief = true
	source.Skip = false
	source.Domain.Periodic = false
	found, err := pairs.Find(source)
	if err != nil {
		return nil, err
	}
	isOtherLayout := found.By != "" && found.Info.Layout != g.Layout
	if g.Layout != "" && isOtherLayout {
		return nil, fault.Bad(f.Name, "", "has no smooth functions if %s", g.Note)
	}
	if !c.Scattered() {
		_, _, err = pairs.Coordinates(found)
	}
	return found, err
}

// readSome reads a few pairs. It takes points without values for a mask, and leaves out pairs that cannot be used, which
// the configuration says then.
func (r *Interpretation) readSome(c *config.Config, f *exchange.File, g pairs.Guess, found *pairs.Functions) (dataset.Pairs,
	error) {
	const (
		few  = 64      // pairs
		most = 1 << 22 // values of either side
	)
	values := found.Grid * found.Columns // of a function
	rows := dataset.First(max(1, min(few, found.Count, most/values)))
	some, err := found.Pairs(rows)
	if isUnusable(err) && !c.Data.Mask && !c.Scattered() {
		text, failure := found.Masked()
		if failure != nil {
			return some, failure
		}
		if text != "" {
			r.said = append(r.said, text)
			c.Data.Mask = true
			found.Mask = true
			some, err = found.Pairs(rows)
		}
	}
	unusable := isUnusable(err)
	if err != nil && !unusable {
		return some, err
	}
	if c.Data.Skip != config.SkipBoth && !bounded(f, g) {
		return some, err
	}
	err = found.LeaveOut()
	if found.Skipped != "" {
		c.Data.Skip = config.SkipBoth
	}
	if unusable && err == nil && found.Count > 0 {
		return found.Pairs(rows[:min(len(rows), found.Count)])
	}
	return some, err
}

// isUnusable reports whether an error is that of pairs from which learning is impossible.
func isUnusable(err error) bool { return errors.As(err, new(*pairs.Unusable)) }

// checkSome refuses values too small to be squared, and inputs that are all the same. The error is a *fault.Data.
func checkSome(f *exchange.File, some dataset.Pairs) error {
	for i, side := range []grid.Batch{some.Inputs, some.Outputs} {
		largest := floats.Norm(side.Data, math.Inf(1))
		if largest > 0 && largest < 1/grid.LargestValue {
			name := []string{"inputs", "outputs"}[i]
			return &fault.Data{
				Where: f.Name,
				What:  fmt.Sprintf("has %s of at most %.3g, whose squares are zero in double precision", name, largest),
				Do:    "give values in a smaller unit",
			}
		}
	}
	a := some.Inputs
	if a.Count > 1 && slices.Equal(a.Data, slices.Repeat(a.At(0), a.Count)) {
		return &fault.Data{
			Where: f.Name,
			What:  fmt.Sprintf("has the same input in the first %d pairs, from which nothing can be learned", some.Count()),
			Do:    "give inputs that differ; they may be in another array (data.input)",
		}
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
	boundary(c, some, told(settings, "boundary"))
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
	fields, ok := pairs.Unflattened(f, g)
	if ok && r.Config.Dims() == 1 && !told(settings, "axes", "layout") {
		r.said = append(r.said, "the values may be those of fields, line after line: "+pairs.Settings(fields.Input, fields.Output))
	}
	name, split := pairs.Joined(f, g)
	if split != "" && !told(settings, "input", "output", "axes") {
		r.said = append(r.said, fmt.Sprintf("%s may hold several functions, since its values jump where they would meet: %s",
			name, split))
	}
}

// windowOfClosed is features.window for functions on a closed interval, where the effect of a boundary is often larger
// than that of distant points.
const windowOfClosed = 0.3

// boundary sets the boundary of the functions, which may be known, and the place of their ends according to some of
// them, which were read as those of closed domains.
func boundary(c *config.Config, some dataset.Pairs, known bool) {
	isPeriodic, isRepeated := pairs.Ends(some)
	if known {
		isPeriodic = c.Data.Boundary == config.Periodic
	}
	isOpen := c.Data.Endpoint == config.AutoPoints // the place of ends
	if c.Dims() == 2 {
		switch {
		case isPeriodic && (isRepeated || isOpen || c.Data.Endpoint == config.Excluded):
			c.Data.Boundary = config.Periodic
		case isRepeated && isOpen: // zeros at the boundary
			c.Data.Endpoint = config.Included
		}
		return
	}
	if !isPeriodic {
		c.Data.Boundary = config.Closed
		c.Data.Endpoint = config.Included
		c.Features.Window = windowOfClosed
		return
	}
	if !isRepeated {
		c.Data.Endpoint = config.Excluded
	}
}

// key returns the key of an assignment, without the section of data.
func key(assignment string) string {
	name, _, _ := strings.Cut(assignment, "=")
	return strings.TrimPrefix(strings.TrimSpace(name), "data.")
}
