package exchange

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/npy"
)

// numbered matches the path of an array in a numbered group, as 0012/data or run-3/data.
var numbered = regexp.MustCompile(`^((.*?)\d+)(/.+)$`)

// Parts of such a path: its group, the name of that without the number, and the name of the joined array.
const group, series, whole = "$1", "$2", "$2*$3"

func pathOf(m npy.Member, of string) string { return numbered.ReplaceAllString(m.Name, of) }

// many is the least number of groups of which it is likely that they were meant to have arrays of one shape.
const many = 16

// Incomplete is the advice for arrays that are missing in groups.
const Incomplete = "complete or remove the groups that have only one of them"

// layoutOf describes the shape of an array, and its order if that is Fortran's.
func layoutOf(m npy.Member) string {
	return fmt.Sprintf("shape %v%s", m.Shape, map[bool]string{true: " in Fortran order"}[m.Fortran])
}

// most returns the first of the arrays with the most frequent layout, and all others.
func most(set []npy.Member) (first npy.Member, odd []npy.Member) {
	counts, kind := map[string]int{}, func(m npy.Member) string { return fmt.Sprint(m.Readable(), layoutOf(m)) }
	for _, m := range set {
		counts[kind(m)]++
	}
	first = slices.MaxFunc(set, func(a, b npy.Member) int { return counts[kind(a)] - counts[kind(b)] })
	return first, slices.DeleteFunc(slices.Clone(set), func(m npy.Member) bool { return kind(m) == kind(first) })
}

// stacked joins three or more arrays of one shape that differ in the number of their group, as in files with a group
// for each function: 0000/data, 0001/data, ... become */data, with the numbers along a new first axis. If two arrays
// are in as many groups, but not in the same, the second is refused, since they would be read as pairs. Many arrays of
// which few have another layout are refused together.
func stacked(file string, all []npy.Member) (joined []npy.Member) {
	var names []string
	sets, alike := map[string][]npy.Member{}, map[string][]npy.Member{}
	for _, m := range all {
		name := pathOf(m, whole)
		if sets[name] == nil {
			names = append(names, name)
		}
		sets[name] = append(sets[name], m)
	}
	for _, name := range names {
		set := sets[name]
		slices.SortFunc(set, func(a, b npy.Member) int { // run-9 before run-10
			return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name))
		})
		m, odd := most(set)
		if len(set) < 3 || len(odd) > 0 && (len(set) < many || 8*len(odd) > len(set)) {
			joined = append(joined, set...)
			continue
		}
		kind := fmt.Sprint(len(set), " ", pathOf(m, series))
		if alike[kind] == nil {
			alike[kind] = set
		}
		other, same := alike[kind], func(a, b npy.Member) bool { return pathOf(a, group) == pathOf(b, group) }
		switch {
		case len(odd) > 0:
			m.Refused = cmp.Or(odd[0].Refused, error(fault.Bad(npy.Place(file, name), "repair or remove this group", "has "+
				"%s in %q, %s in %q", layoutOf(odd[0]), odd[0].Name, layoutOf(m), m.Name)))
		case !slices.EqualFunc(other, set, same):
			m.Refused = fault.Bad(npy.Place(file, name), Incomplete, "is not in the groups of %q", pathOf(other[0], whole))
		}
		m.Name, m.Shape = name, append([]int{len(set)}, m.Shape...)
		m.Doubtful = slices.ContainsFunc(set, func(e npy.Member) bool { return e.Doubtful })
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
