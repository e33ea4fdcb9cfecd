package exchange

import (
	"cmp"
	"regexp"
	"slices"

	"rfm/solver/dataset/npy"
)

// numbered matches the path of an array in a numbered group, as 0012/data or run-3/data.
var numbered = regexp.MustCompile(`^(.*?)\d+(/.+)$`)

// whole returns the name of the array that an array of a numbered group is an element of.
func whole(m Member) string {
	if parts := numbered.FindStringSubmatch(m.Name); parts != nil && m.Readable() {
		return parts[1] + "*" + parts[2]
	}
	return m.Name
}

// stacked joins three or more arrays of one shape that differ in the number of their group, as in files with a group
// for each function: 0000/data, 0001/data, ... become */data, with the numbers along a new first axis.
func stacked(all []Member) (joined []Member) {
	sets := map[string][]Member{}
	for _, m := range all {
		sets[whole(m)] = append(sets[whole(m)], m)
	}
	for _, m := range all {
		name := whole(m)
		set := sets[name]
		delete(sets, name)
		if len(set) < 3 || slices.ContainsFunc(set, func(e Member) bool {
			return e.Fortran != set[0].Fortran || !slices.Equal(e.Shape, set[0].Shape)
		}) {
			joined = append(joined, set...)
			continue
		}
		slices.SortFunc(set, func(a, b Member) int { // run-9 before run-10
			return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name))
		})
		m := set[0]
		m.Name, m.Shape = name, append([]int{len(set)}, m.Shape...)
		m.Doubtful = slices.ContainsFunc(set, func(e Member) bool { return e.Doubtful })
		m.Numbers = func(at []npy.Axis, put npy.Put) error {
			for k, e := range set {
				from, more := at[0](k), true
				if from < 0 {
					continue
				}
				err := e.Numbers(at[1:], func(places []int, values []float64) bool {
					for i := range places {
						places[i] += from
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
		joined = append(joined, m)
	}
	return joined
}
