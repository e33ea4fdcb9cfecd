package npy

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
			more := true
			err := part.Numbers(at[1:], func(places []int, values []float64) bool {
				for k := range places {
					places[k] += from
				}
				more = put(places, values)
				return more
			})
			if err != nil || !more {
				return err
			}
		}
		return nil
	}
	return m
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
	m.Shape = append(Shape{}, m.Shape...)
	m.Shape[0] = 0
	for _, part := range members {
		m.Shape[0] += part.Shape[0]
		m.Doubtful = m.Doubtful || part.Doubtful
	}
	m.Numbers = func(at []Axis, put Put) error {
		before := 0 // indices of the parts before
		for _, part := range members {
			more := true
			inner := append([]Axis{}, at...)
			shift := before
			wanted := false
			inner[0] = func(index int) int { return at[0](shift + index) }
			for i := 0; i < part.Shape[0] && !wanted; i++ {
				wanted = inner[0](i) >= 0
			}
			before += part.Shape[0]
			if !wanted {
				continue
			}
			err := part.Numbers(inner, func(places []int, values []float64) bool {
				more = put(places, values)
				return more
			})
			if err != nil || !more {
				return err
			}
		}
		return nil
	}
	return m
}
