package exchange

import (
	"fmt"
	"regexp"
	"slices"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/npy"
)

// numbered is the name of an array with a number in it.
type numbered struct {
	whole  string // the name with a star for the number: that of the joined array
	group  string // what arrays with this number share: a path, or the number
	series string // the group without the number
	atEnd  bool   // the number is the end of the name
}

var (
	inGroup = regexp.MustCompile(`^((.*?)\d+)(/.+)$`)      // as 0012/data or run-3/data
	inList  = regexp.MustCompile(`^((.*?)\d+)(\..+)$`)     // as 12.x, in a list of dicts
	inArray = regexp.MustCompile(`^((.*?)\[\d+\])(\..+)$`) // as X[12].x, in an array of dicts
	atEnd   = regexp.MustCompile(`^(.*?)(\d+)$`)           // as arr_12
)

// numberedName takes the number out of a name; ok is false if it has none. Lists are found in files of pickles only,
// where a dot leads to a part.
func numberedName(name string, kind Kind) (n numbered, ok bool) {
	parts := inGroup.FindStringSubmatch(name)
	if parts == nil && (kind == Torch || kind == Pickle) {
		parts = inList.FindStringSubmatch(name)
	}
	if parts == nil && (kind == NPY || kind == NPZ) {
		parts = inArray.FindStringSubmatch(name)
		if parts != nil && parts[2] != "" {
			parts[2] += "."
		}
	}
	if parts != nil {
		return numbered{
			whole:  parts[2] + "*" + parts[3],
			group:  parts[1],
			series: parts[2],
		}, true
	}
	if kind == CSV { // columns of tables are joined already
		return numbered{whole: name}, false
	}
	parts = atEnd.FindStringSubmatch(name)
	if parts != nil {
		return numbered{
			whole: parts[1] + "*",
			group: parts[2],
			atEnd: true,
		}, true
	}
	return numbered{whole: name}, false
}

// many is the least number of groups of which it is likely that they were meant to have arrays of one shape.
const many = 16

// Incomplete is the advice for arrays that are missing in groups.
const Incomplete = "complete or remove the groups that have only one of them"

// layoutOf describes the shape of an array, and its order if that is Fortran's.
func layoutOf(m npy.Member) string {
	order := ""
	if m.Fortran {
		order = " in Fortran order"
	}
	return fmt.Sprintf("shape %v%s", m.Shape, order)
}

// most returns the first of the arrays with the most frequent layout, and all others.
func most(set []npy.Member) (first npy.Member, odd []npy.Member) {
	kind := func(m npy.Member) string { return fmt.Sprint(m.Readable(), layoutOf(m)) }
	counts := map[string]int{}
	for _, m := range set {
		counts[kind(m)]++
	}
	first = slices.MaxFunc(set, func(a, b npy.Member) int {
		return counts[kind(a)] - counts[kind(b)]
	})
	odd = slices.DeleteFunc(slices.Clone(set), func(m npy.Member) bool {
		return kind(m) == kind(first)
	})
	return first, odd
}

// series are the arrays of one name but for a number in it.
type series struct {
	whole   string
	members []npy.Member
	groups  []string // of the members
	path    string   // of the groups, without their number
	atEnd   bool     // the number is the end of the name
}

// stacked joins three or more arrays of one shape that differ in a number in their names, as in files with a group for
// each function: 0000/data, 0001/data, ... become */data, with the numbers along a new first axis. Arrays whose names
// end in the number, as arr_0, arr_1, may be different functions: they are joined if they are many, or if each has one
// axis, so that it is one function at most. Arrays that are equal in all groups, beside others that are not, are taken
// once, as coordinates and cells are. If two arrays are in as many groups, but not in the same, the second is
// refused, since they would be read as pairs. Many arrays of which few have another layout are refused together.
func stacked(file string, kind Kind, all []npy.Member) (joined []npy.Member) {
	alike := map[string]*series{} // by the number of their groups
	sets := seriesIn(kind, all)
	common := commonSeries(sets)
	for i, set := range sets {
		if set.isRagged() {
			joined = append(joined, set.refusedRagged(file))
			continue
		}
		if !set.together() {
			joined = append(joined, set.members...)
			continue
		}
		if common[i] {
			one := set.members[0]
			one.Name = set.whole
			one.Note = fmt.Sprintf("equal in %d groups, and taken once", len(set.members))
			joined = append(joined, one)
			continue
		}
		m, odd := most(set.members)
		key := fmt.Sprint(len(set.members), " ", set.path)
		if alike[key] == nil {
			alike[key] = set
		}
		other := alike[key]
		stack := npy.Stack(set.whole, set.members)
		stack.Refused = m.Refused
		stack.Shape = append(npy.Shape{len(set.members)}, m.Shape...)
		count := len(set.members)
		stack.Note = fmt.Sprintf("%d arrays, from %q to %q", count, set.members[0].Name, set.members[count-1].Name)
		place := npy.Place(file, set.whole)
		switch {
		case len(odd) > 0 && odd[0].Refused != nil:
			stack.Refused = odd[0].Refused
		case len(odd) > 0:
			stack.Refused = fault.Bad(
				place,
				"repair or remove this group",
				"has %s in %q, %s in %q", layoutOf(odd[0]), odd[0].Name, layoutOf(m), m.Name,
			)
		case !slices.Equal(other.groups, set.groups):
			stack.Refused = fault.Bad(place, Incomplete, "is not in the groups of %q", other.whole)
		}
		joined = append(joined, stack)
	}
	return joined
}

// commonSeries tells which series hold one array, that is equal in all groups. Of series in the same groups, one at least
// holds functions, which differ.
func commonSeries(sets []*series) []bool {
	common := make([]bool, len(sets))
	differs := map[string]bool{} // by the path of the groups
	for i, set := range sets {
		if set.atEnd || len(set.members) < 3 {
			continue
		}
		common[i] = set.isCommon()
		if !common[i] {
			differs[set.path] = true
		}
	}
	for i, set := range sets {
		common[i] = common[i] && differs[set.path]
	}
	return common
}

// isCommon reports whether the arrays of a series have the same numbers, of which there are more than one.
func (s *series) isCommon() bool {
	const most = 1 << 26 // numbers of all
	first := s.members[0]
	if !first.Readable() || npy.LongAxes(first.Shape) == 0 || first.Count()*len(s.members) > most {
		return false
	}
	p := parts{name: s.whole, members: s.members}
	same, err := p.isCommon()
	return same && err == nil // the error is reported when the array is read
}

// seriesIn sorts arrays by their names without numbers. An array without a number is a series of its own.
func seriesIn(kind Kind, all []npy.Member) (sets []*series) {
	byName := map[string]*series{}
	for _, m := range all {
		name, ok := numberedName(m.Name, kind)
		set := byName[name.whole]
		if set == nil {
			set = &series{
				whole: name.whole,
				path:  name.series,
				atEnd: ok && name.atEnd,
			}
			byName[name.whole] = set
			sets = append(sets, set)
		}
		set.members = append(set.members, m)
	}
	for _, set := range sets {
		slices.SortFunc(set.members, func(a, b npy.Member) int { return natural(a.Name, b.Name) })
		for _, m := range set.members {
			name, _ := numberedName(m.Name, kind)
			set.groups = append(set.groups, name.group)
		}
	}
	return sets
}

// isRagged reports whether the arrays of many groups are functions that differ in their number of points.
func (s *series) isRagged() bool {
	first, odd := most(s.members)
	hasManyOdd := 8*len(odd) > len(s.members)
	if s.atEnd || len(s.members) < many || !hasManyOdd {
		return false
	}
	for _, m := range s.members {
		isAlike := m.Readable() && len(m.Shape) > 0 && len(m.Shape) == len(first.Shape)
		if !isAlike || !slices.Equal(m.Shape[1:], first.Shape[1:]) {
			return false
		}
	}
	return true
}

// refusedRagged returns the array that stands for functions with different numbers of points, which are not read.
func (s *series) refusedRagged(file string) npy.Member {
	first := s.members[0]
	isOther := func(m npy.Member) bool { return m.Shape[0] != first.Shape[0] }
	other := s.members[slices.IndexFunc(s.members, isOther)]
	return npy.Member{
		Name: s.whole,
		Refused: fault.Bad(
			npy.Place(file, s.whole),
			"interpolate all functions to the same points, in Python: scipy.interpolate.griddata(places, values, common)",
			"has functions with different numbers of points, %d in %q and %d in %q",
			first.Shape[0], first.Name, other.Shape[0], other.Name,
		),
	}
}

// together reports whether the arrays of a series are one array.
func (s *series) together() bool {
	count := len(s.members)
	first, odd := most(s.members)
	if count < 3 {
		return false
	}
	hasFewOdd := count >= many && 8*len(odd) <= count
	if len(odd) > 0 && !hasFewOdd {
		return false
	}
	mayDiffer := s.atEnd && npy.LongAxes(first.Shape) != 1
	return !mayDiffer || count >= many
}
