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
	if named == config.OnGrid || named == "" && (s.file.Unnamed() || s.told("boundary", "endpoint", "layout", "mask")) {
		return r, false, nil
	}
	if named == config.NoPlaces || named == config.OnAxes {
		all, err := pairs.Guesses(s.file, s.value("input"), s.value("output"))
		if err != nil {
			return r, false, err
		}
		r, err = s.withoutPlaces(ctx, all)
		return r, err == nil, err
	}
	g, ok := pairs.AtPoints(s.file, s.value("input"), s.value("output"), named, false)
	if !ok && named == "" {
		return r, false, nil
	}
	if !ok { // the names may still be right: reading tells
		g = pairs.Guess{Input: s.value("input"), Output: s.value("output"), Points: named, Known: true}
	}
	if named == "" && g.Regular != nil {
		if r, err = s.try(ctx, *g.Regular); err == nil {
			return r, true, s.complete(ctx, &r, nil)
		}
		if ctx.Err() != nil {
			return r, false, ctx.Err()
		}
	}
	if r, err = s.read(ctx, s.scattered, g); err != nil {
		if named == "" && ctx.Err() == nil {
			return r, false, nil
		}
		return r, false, err
	}
	return r, true, s.complete(ctx, &r, nil)
}

// leastScattered is the least number of pairs, and of values, that are taken for functions at points without places unless
// settings say so.
const leastScattered = 8

// withoutPlaces returns the reading of values that are rough along all axes: at places that the file has, or the first of
// some guesses that can be read as values without places. The error is that of the first one.
func (s *search) withoutPlaces(ctx context.Context, all []pairs.Guess) (r Interpretation, err error) {
	if g, ok := pairs.AtPoints(s.file, s.value("input"), s.value("output"), "", true); ok && s.value("points") == "" {
		if r, err = s.read(ctx, s.scattered, g); err == nil {
			return r, s.complete(ctx, &r, nil)
		}
	}
	err = nil
	for _, g := range all {
		g.Points = cmp.Or(s.value("points"), config.NoPlaces)
		found, failure := s.read(ctx, s.scattered, g)
		if failure == nil && min(found.count, found.Config.Data.Grid) < leastScattered && s.value("points") == "" {
			continue // as few numbers may be anything
		}
		if failure == nil {
			if g.Points == config.NoPlaces {
				found.said = append(found.said, withoutOrder)
			}
			return found, s.complete(ctx, &found, nil)
		}
		if err == nil {
			err = failure
		}
	}
	if err == nil {
		err = fault.Bad(s.file.Name, "give more pairs", "has too few values at points")
	}
	return r, err
}

// withoutOrder is the note on values without places.
const withoutOrder = "the values are taken for those at points without an order, with equal weights and without pictures of the " +
	"whole: give the coordinates as well, and name them with data.points"
