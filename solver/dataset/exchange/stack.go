package exchange

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// numbered matches the path of an array in a numbered group, as 0012/data or run-3/data.
var numbered = regexp.MustCompile(`^((.*?)\d+)(/.+)$`)

// Parts of such a path: its group, the name of that without the number, and the name of the joined array.
const group, series, whole = "$1", "$2", "$2*$3"

func pathOf(m Member, of string) string { return numbered.ReplaceAllString(m.Name, of) }

// many is the least number of groups of which it is likely that they were meant to have arrays of one shape.
const many = 16

// Incomplete is the advice for arrays that are missing in groups.
const Incomplete = "complete or remove the groups that have only one of them"

// stacked joins three or more arrays of one shape that differ in the number of their group, as in files with a group
// for each function: 0000/data, 0001/data, ... become */data, with the numbers along a new first axis. If two arrays
// are in as many groups, but not in the same, the second is refused, since they would be read as pairs. Many arrays of
// several shapes are refused together.
func stacked(file string, all []Member) (joined []Member) {
	sets, alike := map[string][]Member{}, map[string][]Member{}
	for _, m := range all {
		sets[pathOf(m, whole)] = append(sets[pathOf(m, whole)], m)
	}
	for _, m := range all {
		name := pathOf(m, whole)
		set := sets[name]
		delete(sets, name)
		slices.SortFunc(set, func(a, b Member) int { // run-9 before run-10
			return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name))
		})
		odd := slices.IndexFunc(set, func(e Member) bool {
			return !e.Readable() || e.Fortran != set[0].Fortran || !slices.Equal(e.Shape, set[0].Shape)
		})
		if len(set) < 3 || odd >= 0 && len(set) < many {
			joined = append(joined, set...)
			continue
		}
		m = set[0]
		kind := fmt.Sprint(len(set), " ", pathOf(m, series))
		if alike[kind] == nil {
			alike[kind] = set
		}
		first, same := alike[kind], func(a, b Member) bool { return pathOf(a, group) == pathOf(b, group) }
		switch {
		case odd >= 0:
			m.Refused = cmp.Or(set[odd].Refused, error(fault.Bad(npy.Place(file, name), "repair or remove this group", "has "+
				"shape %v in %q, %v in %q", set[odd].Shape, set[odd].Name, m.Shape, m.Name)))
		case !slices.EqualFunc(first, set, same):
			m.Refused = fault.Bad(npy.Place(file, name), Incomplete, "is not in the groups of %q", pathOf(first[0], whole))
		}
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
