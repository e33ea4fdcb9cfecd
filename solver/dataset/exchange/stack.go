package exchange

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"

	"rfm/solver/dataset/npy"
)

// numbered matches the path of an array in a numbered group, as 0012/data or run-3/data.
var numbered = regexp.MustCompile(`^(.*?)(\d{1,9})(/.+)$`)

// stacked joins arrays of one shape that differ in the number of their group, as files do that keep each function in a
// group of its own: 0000/data, 0001/data, ... become */data, with the numbers along a new first axis. It changes all.
func stacked(all []Member) []Member {
	type element struct {
		Member
		number int
	}
	sets := map[string][]element{}
	for _, m := range all {
		if parts := numbered.FindStringSubmatch(m.Name); parts != nil {
			number, _ := strconv.Atoi(parts[2])
			name := parts[1] + "*" + parts[3]
			sets[name] = append(sets[name], element{m, number})
		}
	}
	whole := map[string]Member{} // by the name of its first element
	joined := map[string]bool{}
	for name, set := range sets {
		const least = 3 // two may be inputs and outputs
		first := set[0]
		if len(set) < least || slices.ContainsFunc(set, func(e element) bool {
			return !e.Readable() || e.Fortran != first.Fortran || !slices.Equal(e.Shape, first.Shape)
		}) {
			continue
		}
		for _, e := range set {
			joined[e.Name] = true
		}
		slices.SortStableFunc(set, func(a, b element) int { return cmp.Compare(a.number, b.number) })
		m := first.Member
		m.Name, m.Shape = name, append([]int{len(set)}, first.Shape...)
		m.Doubtful = slices.ContainsFunc(set, func(e element) bool { return e.Doubtful })
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
		whole[first.Name] = m
	}
	for i, m := range all {
		if w, ok := whole[m.Name]; ok {
			all[i] = w
		}
	}
	return slices.DeleteFunc(all, func(m Member) bool { return joined[m.Name] })
}
