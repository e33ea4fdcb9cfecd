// This file finds the order of the axes of arrays, by their lengths and by what is smooth along them.

package pairs

import (
	"errors"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/npy"
)

// candidates returns the readings that the shapes of all arrays fit: those with one order of axes or, without one, those
// in which inputs are turned against outputs. Fields are on squares, if possible. Arrays whose shape differs from the
// other side's may be lifted if they are free. The error is that of the first order.
func (f *Functions) candidates(orders []string, free bool) (fitting [][]array, err error) {
	last := len(f.all) - 1
	var turned []array // the numbers of functions differ in the first order, but not in this one
	for i, order := range orders {
		some, reason := f.inOrder(order, order, free)
		if reason == nil {
			fitting = append(fitting, some)
			if i > 0 && f.unequal(orders[0], free) {
				turned = some
			}
		}
		if err == nil {
			err = reason
		}
	}
	auto := f.Source.Layout == config.AutoLayout
	hasNames := f.all[0].Name != ""
	if fitting == nil && !f.Alone && auto && hasNames {
		var failure error
		fitting, failure = f.turnedSides(free)
		if failure != nil {
			return nil, failure
		}
	}
	if fitting == nil {
		return nil, err
	}
	squares := slices.DeleteFunc(slices.Clone(fitting), hasOblong)
	if len(squares) > 0 {
		fitting = squares
	}
	if turned != nil && auto && turned[last].layout() == config.PointsFirst {
		smooth, failure := f.smoothColumns(turned[last])
		if failure != nil {
			return nil, failure
		}
		if !smooth {
			return nil, err
		}
	}
	return fitting, nil
}

// turnedSides returns the readings in which inputs and outputs have different orders of axes, if values do not speak
// against it.
func (f *Functions) turnedSides(free bool) (fitting [][]array, err error) {
	for i, order := range namedOrders {
		other := namedOrders[1-i]
		some, reason := f.inOrder(order, other, free)
		if reason != nil {
			continue
		}
		smooth, err := f.smoothAsRead(some)
		if err != nil {
			return nil, err
		}
		if smooth {
			fitting = append(fitting, some)
		}
	}
	return fitting, nil
}

// hasOblong reports whether an array of a reading has fields on a rectangle that is no square.
func hasOblong(arrays []array) bool {
	return slices.ContainsFunc(arrays, func(p array) bool {
		return p.dims == 2 && p.points != p.columns
	})
}

// inOrder returns the arrays with the axes of an order of inputs and one of outputs. The error is a *fault.Data.
func (f *Functions) inOrder(inputs, outputs string, free bool) ([]array, error) {
	some := slices.Clone(f.all)
	last := some[len(some)-1]
	var names []string
	var counts []int
	for i := range some {
		p := &some[i]
		order := inputs
		other := last // of the other side
		if p.output {
			order = outputs
			other = some[0]
		}
		hasSides := strings.Contains(order, "s")
		long := npy.Long(p.Shape)
		isAlike := slices.Equal(long, npy.Long(other.Shape)) && len(long) > 1
		isAlikeOther := isAlike && p.output != other.output
		mayBeLifted := free && !hasSides && !isAlikeOther
		if err := f.describe(p, order, mayBeLifted); err != nil {
			return nil, err
		}
		names = append(names, p.Name)
		counts = append(counts, p.size('n'))
	}
	if slices.Max(counts) > slices.Min(counts) {
		return nil, f.Unequal(names, counts, f.alikeFunctions(some))
	}
	layout := config.FunctionsFirst
	if strings.IndexByte(inputs, '.') < strings.IndexByte(inputs, 'n') {
		layout = config.PointsFirst
	}
	isFree := f.Source.Layout == config.AutoLayout || inputs == "."
	if !isFree && f.Source.Layout != layout {
		return nil, fault.Bad(
			f.File,
			"leave data.layout out",
			"has shape %v, which does not fit data.layout = %s", some[0].Shape, f.Source.Layout,
		)
	}
	return some, nil
}

// unequal reports whether the arrays have functions in an order of axes, but not as many.
func (f *Functions) unequal(order string, free bool) bool {
	_, err := f.inOrder(order, order, free)
	var numbers *differentNumbers
	return errors.As(err, &numbers)
}

// alikeFunctions reports whether all functions are on one grid, so that those of the shorter array may have been meant.
func (f *Functions) alikeFunctions(all []array) bool {
	first := all[0]
	for _, p := range all {
		if p.dims != first.dims || p.points != first.points || p.columns != first.columns {
			return false
		}
	}
	return true
}

// smoothColumns reports whether the functions in the columns of an array are smooth from point to point, as functions on
// grids of different sizes are. The error is a *fault.Data if rows are not smooth either, as values at the nodes of a
// mesh.
func (f *Functions) smoothColumns(p array) (bool, error) {
	s, err := f.sample(p)
	if err != nil {
		return false, err
	}
	across := s.roughness(p.axis('n'))
	along := s.roughness(p.axis('x'))
	isRough := along > roughValues
	if weigh(across, along) >= 0 && !isRough {
		return true, nil
	}
	if isRough && across > roughValues {
		return false, f.onMesh(p)
	}
	return false, nil
}

// smoothAsRead reports whether no array with its points first, in a reading that turns one side, is smooth along the
// axis of functions instead of that of points. The error is that of reading.
func (f *Functions) smoothAsRead(all []array) (bool, error) {
	for _, p := range all {
		if p.dims == 0 || p.layout() != config.PointsFirst {
			continue
		}
		s, err := f.sample(p)
		if err != nil {
			return false, err
		}
		across := s.roughness(p.axis('n'))
		along := s.roughness(p.axis('x'))
		if weigh(across, along) < 0 {
			return false, nil
		}
	}
	return true, nil
}

// MeshError is the error of an array whose values are smooth along no axis.
type MeshError struct {
	*fault.Data
	Name   string // of the array
	Values int    // of a function
}

func (m *MeshError) Unwrap() error { return m.Data }

// onMesh returns the error of values that are smooth along no axis.
func (f *Functions) onMesh(p array) error {
	values := p.size('x') * p.size('y')
	data := fault.Bad(
		npy.Place(f.File, p.Name),
		"give the coordinates of the points as well, and name them with data.points; or set data.points = none",
		"has shape %v: %d functions, whose %d values are smooth along no axis, as those at the nodes of a mesh",
		p.Shape, p.size('n'), values,
	)
	return &MeshError{
		Name:   p.Name,
		Values: values,
		Data:   data,
	}
}

// Rough returns the names of arrays of outputs whose values are as rough along every axis as numbers without an order.
func (f *Functions) Rough() (names []string, err error) {
	const least = 32 // points
	for _, p := range f.all {
		hasFew := p.size('x') < least && p.size('y') < least
		if !p.output || p.dims == 0 || hasFew {
			continue
		}
		s, err := sampleOf(f.Open, p.Member, few)
		if err != nil {
			return nil, err
		}
		rough := true
		for _, letter := range []byte("xy") {
			if axis := p.axis(letter); axis >= 0 {
				rough = rough && s.roughness(axis) > roughValues
			}
		}
		if rough {
			names = append(names, p.Name)
		}
	}
	return names, nil
}
