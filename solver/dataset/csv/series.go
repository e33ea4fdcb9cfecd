// This file finds the columns of a table whose names differ in a number only, which are an array.

package csv

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// series is the columns of an array, in the order of the numbers or places in their names, whatever their order in the
// table: programs write inputs and outputs in turn, a_1, u_1, a_2, u_2, or sort names as words, a_1, a_10, a_2.
type series struct {
	base    string // name of the array
	columns []int
	index   [][]int   // numbers in the names, one or two; nil for a single column, and for columns of one name
	places  []float64 // of the columns; nil if names have none
}

// seriesOf returns the series of all columns, in the order of the first of each.
func seriesOf(names []string) []series {
	byPlace := placedSeries(names)
	var all []series
	at := map[string]int{}        // of a series with one base and so many numbers
	isListed := map[string]bool{} // of the series of places
	for column, name := range names {
		if s, ok := byPlace[column]; ok {
			if !isListed[s.base] {
				all = append(all, s)
			}
			isListed[s.base] = true
			continue
		}
		base, index := numbered(name)
		isRepeated := index == nil && column > 0 && name != "" && name == names[column-1]
		key := fmt.Sprint(len(index), " ", base)
		i, known := at[key]
		if known && (index != nil || isRepeated) {
			all[i].columns = append(all[i].columns, column)
			all[i].index = append(all[i].index, index)
			continue
		}
		at[key] = len(all)
		all = append(all, series{base: base, columns: []int{column}, index: [][]int{index}})
	}
	for i := range all {
		all[i].sort()
	}
	return all
}

// sort puts columns into the order of their numbers, unless two have the same ones.
func (s *series) sort() {
	if s.places != nil {
		return
	}
	order := countedFrom(0, len(s.columns))
	slices.SortStableFunc(order, func(i, j int) int { return slices.Compare(s.index[i], s.index[j]) })
	for i := 1; i < len(order); i++ {
		if slices.Equal(s.index[order[i]], s.index[order[i-1]]) {
			return
		}
	}
	columns := make([]int, len(order))
	index := make([][]int, len(order))
	for i, from := range order {
		columns[i] = s.columns[from]
		index[i] = s.index[from]
	}
	s.columns = columns
	s.index = index
}

// shape returns the shape of the numbers of a series in a line: none for a single column, rows and columns if the names
// have two numbers and none is missing.
func (s *series) shape() []int {
	count := len(s.columns)
	if count == 1 {
		return nil
	}
	if s.places == nil && len(s.index[0]) == 2 {
		first := s.index[0]
		last := s.index[count-1]
		rows := last[0] - first[0] + 1
		columns := last[1] - first[1] + 1
		if rows > 0 && columns > 0 && rows*columns == count {
			return []int{rows, columns}
		}
	}
	return []int{count}
}

// placedSeries returns the series of columns whose names end with places, such as u(0.25), by their columns. Places that
// are all whole may number the columns, and fewer than three may be anything.
func placedSeries(names []string) map[int]series {
	type column struct {
		number int
		place  float64
	}
	byBase := map[string][]column{}
	for number, name := range names {
		base, place, ok := placed(name)
		if ok {
			byBase[base] = append(byBase[base], column{number: number, place: place})
		}
	}
	found := map[int]series{}
	for base, columns := range byBase {
		slices.SortStableFunc(columns, func(a, b column) int { return cmp.Compare(a.place, b.place) })
		s := series{base: base}
		for _, c := range columns {
			s.columns = append(s.columns, c.number)
			s.places = append(s.places, c.place)
		}
		if len(columns) < 3 || !hasFractions(s.places) || !increases(s.places) {
			continue
		}
		for _, c := range columns {
			found[c.number] = s
		}
	}
	return found
}

// countedFrom returns so many whole numbers from a first one on.
func countedFrom(first, count int) []int {
	all := make([]int, count)
	for i := range all {
		all[i] = first + i
	}
	return all
}

// repeatedTwice returns the name of two columns that have the same number, which could be told apart by nothing; empty if
// there is none.
func repeatedTwice(names []string) string {
	seen := map[string]bool{}
	for _, name := range names {
		plain := strings.Trim(name, "# ")
		_, index := numbered(plain)
		if index == nil {
			continue
		}
		if seen[plain] {
			return plain
		}
		seen[plain] = true
	}
	return ""
}
