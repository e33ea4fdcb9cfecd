// This file infers the problem and the layout of the pairs of functions in a file.

package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/pairs"
)

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
	scattered, ok, err := s.atPoints(ctx)
	if ok || err != nil {
		return scattered, err
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
		r, err := s.withoutPlaces(ctx, all)
		if err == nil {
			return r, nil
		}
	}
	advised := s.advise(first)
	return Interpretation{}, s.advisePart(ctx, all, advised)
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

// value returns the value that settings give to a key of data; empty without one.
func (s *search) value(name string) string {
	value := ""
	for _, setting := range s.settings {
		_, text, _ := strings.Cut(setting, "=")
		if key(setting) == name {
			value = strings.TrimSpace(text)
		}
	}
	return value
}

// try returns the first reading of a guess that is possible: of fields stored line after line, of functions, of fields.
// Values may speak for other axes than shapes do. The error is the one of the reading that the number of axes suggests,
// or of fields if coordinates in the file tell them.
func (s *search) try(ctx context.Context, g pairs.Guess) (Interpretation, error) {
	if s.constant != nil {
		if err := s.constant(g); err != nil {
			return Interpretation{}, err
		}
	}
	fields := s.problems[len(s.problems)-1]
	isOpen := !s.told("axes", "layout", "input", "output")
	if g.Input != "" && isOpen {
		flat, mayBeFlat := pairs.Unflattened(s.file, g)
		if mayBeFlat {
			r, err := s.readFlat(ctx, fields, flat)
			if err == nil || flat.Places != "" {
				return r, err
			}
		}
	}
	r, err := s.byShapes(ctx, g)
	if ctx.Err() != nil || s.told("axes", "layout", "points") {
		return r, err
	}
	return s.byValues(ctx, g, r, err)
}

// readFlat reads a guess of fields stored line after line: on a grid, or at the places of a grid whose steps differ.
func (s *search) readFlat(ctx context.Context, fields config.Config, flat pairs.Guess) (Interpretation, error) {
	r, err := s.read(ctx, fields, flat)
	if err == nil || flat.Places == "" || ctx.Err() != nil {
		return r, err
	}
	atPlaces := flat
	atPlaces.Points = flat.Places
	found, notAtPlaces := s.read(ctx, s.scattered, atPlaces)
	if notAtPlaces != nil {
		return r, err
	}
	return found, nil
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
		isLikelyField := c.Dims() == 2 && len(npy.Long(m.Shape)) > axes
		if reason == nil || isLikelyField {
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

// complete adds further inputs to a reading, and the words about its assumptions. It returns ctx.Err() if ctx is done.
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
		data.What = fmt.Sprintf("has %v numbers, whose halves are no inputs and outputs, and no names", s.file.Members[0].Shape)
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
