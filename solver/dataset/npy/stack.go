package npy

import "slices"

// Stack describes the array of several members of one shape, along a new first axis.
func Stack(name string, members []Member) Member {
	m := members[0]
	m.Name = name
	m.Shape = append(Shape{len(members)}, m.Shape...)
	for _, part := range members {
		m.Doubtful = m.Doubtful || part.Doubtful
	}
	m.Numbers = func(at []Axis, put Put) error {
		for i, part := range members {
			from := at[0](i)
			if from < 0 {
				continue
			}
			more, err := part.numbersFrom(from, at[1:], put)
			if err != nil || !more {
				return err
			}
		}
		return nil
	}
	return m
}

// numbersFrom is Numbers with places that are further by a shift. more is false if put wants no more numbers.
func (m Member) numbersFrom(shift int, at []Axis, put Put) (more bool, err error) {
	more = true
	err = m.Numbers(at, func(places []int, values []float64) bool {
		for k := range places {
			places[k] += shift
		}
		more = put(places, values)
		return more
	})
	return more, err
}

// Squeezed describes a member without the axes of length one.
func Squeezed(m Member) Member {
	shape := m.Shape
	long := Shape(Long(shape))
	if len(long) == len(shape) {
		return m
	}
	numbers := m.Numbers
	m.Shape = long
	m.Numbers = func(at []Axis, put Put) error {
		whole := make([]Axis, 0, len(shape))
		for _, n := range shape {
			if n == 1 {
				whole = append(whole, func(int) int { return 0 })
				continue
			}
			whole = append(whole, at[0])
			at = at[1:]
		}
		return numbers(whole, put)
	}
	return m
}

// Joined describes the array of several members one after another along their first axis; the other axes are equal.
func Joined(name string, members []Member) Member {
	m := members[0]
	m.Name = name
	m.Shape = slices.Clone(m.Shape)
	m.Shape[0] = 0
	for _, part := range members {
		m.Shape[0] += part.Shape[0]
		m.Doubtful = m.Doubtful || part.Doubtful
	}
	m.Numbers = func(at []Axis, put Put) error {
		before := 0 // indices of the parts before
		for _, part := range members {
			first := before
			before += part.Shape[0]
			inner := slices.Clone(at)
			inner[0] = func(index int) int { return at[0](first + index) }
			isWanted := false
			for i := 0; i < part.Shape[0] && !isWanted; i++ {
				isWanted = inner[0](i) >= 0
			}
			if !isWanted {
				continue
			}
			more, err := part.numbersFrom(0, inner, put)
			if err != nil || !more {
				return err
			}
		}
		return nil
	}
	return m
}
