// This file finds pairs of values at points of any geometry.

package reading

import (
	"cmp"
	"context"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/pairs"
)

// atPoints returns the reading of a file with coordinates of points of any geometry, or of one whose points settings name.
// ok is false if neither is so, or if coordinates that are not named suit no values.
func (s *search) atPoints(ctx context.Context) (r Interpretation, ok bool, err error) {
	named := s.value("points")
	input := s.value("input")
	output := s.value("output")
	isToldGrid := s.told("boundary", "endpoint", "layout", "mask") // only functions on grids have these
	switch {
	case named == config.OnGrid:
		return r, false, nil
	case named == "" && (s.file.Unnamed() || isToldGrid):
		return r, false, nil
	case named == config.NoPlaces, named == config.OnAxes:
		all, err := pairs.Guesses(s.file, input, output)
		if err != nil {
			return r, false, err
		}
		r, err = s.withoutPlaces(ctx, all)
		return r, err == nil, err
	}
	g, ok := pairs.AtPoints(s.file, input, output, named, false)
	if !ok && named == "" {
		return r, false, nil
	}
	if !ok {
		r, ok := s.flatAt(ctx, input, output, named)
		if ok {
			return r, true, s.complete(ctx, &r, nil)
		}
		g = pairs.Guess{ // the names may still be right: reading tells
			Input:  input,
			Output: output,
			Points: named,
			Known:  true,
		}
	}
	if named == "" && g.Regular != nil {
		r, err = s.try(ctx, *g.Regular)
		if err == nil {
			return r, true, s.complete(ctx, &r, nil)
		}
		if ctx.Err() != nil {
			return r, false, ctx.Err()
		}
	}
	r, err = s.read(ctx, s.scattered, g)
	if err != nil && named == "" && ctx.Err() == nil {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	return r, true, s.complete(ctx, &r, nil)
}

// flatAt returns the reading of fields that are stored line after line, at the places that settings name along both axes.
// ok is false if the file has none: what is wrong with the places is told by reading the values as they are.
func (s *search) flatAt(ctx context.Context, input, output, named string) (r Interpretation, ok bool) {
	all, err := pairs.Guesses(s.file, input, output)
	if err != nil {
		return r, false
	}
	for _, g := range all {
		flat, mayBeFlat := pairs.Unflattened(s.file, g)
		if !mayBeFlat {
			continue
		}
		flat.Points = named
		r, err = s.read(ctx, s.scattered, flat)
		if err == nil {
			return r, true
		}
	}
	return r, false
}

// leastScattered is the least number of pairs, and of values, that are taken for functions at points without places unless
// settings say so.
const leastScattered = 8

// withoutPlaces returns the reading of values that are rough along all axes: at places that the file has, or the first of
// some guesses that can be read as values without places. The error is that of the first one.
func (s *search) withoutPlaces(ctx context.Context, all []pairs.Guess) (r Interpretation, err error) {
	named := s.value("points")
	g, ok := pairs.AtPoints(s.file, s.value("input"), s.value("output"), "", true)
	if ok && named == "" {
		r, err = s.read(ctx, s.scattered, g)
		if err == nil {
			return r, s.complete(ctx, &r, nil)
		}
	}
	var first error
	for _, g := range all {
		g.Points = cmp.Or(named, config.NoPlaces)
		r, err := s.read(ctx, s.scattered, g)
		if err != nil && first == nil {
			first = err
		}
		if err != nil {
			continue
		}
		isFew := min(r.count, r.Config.Data.Grid) < leastScattered
		if isFew && named == "" {
			continue // as few numbers may be anything
		}
		if g.Points == config.NoPlaces {
			r.said = append(r.said, withoutOrder)
		}
		return r, s.complete(ctx, &r, nil)
	}
	if first == nil {
		first = fault.Bad(s.file.Name, "give more pairs", "has too few values at points")
	}
	return r, first
}

// withoutOrder is the note on values without places.
const withoutOrder = "the values are taken for those at points without an order, with equal weights and without pictures of the " +
	"whole: give the coordinates as well, and name them with data.points"
