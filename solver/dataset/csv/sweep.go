// This file finds the columns of a table that belong to the values of a sweep, as COMSOL names them.

package csv

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/npy"
)

// setting is a value of a parameter in the name of a column.
type setting struct {
	parameter string
	value     float64
}

const (
	timeName       = "t"
	parametersName = "parameters" // of the array of all others
)

// ofSweep is a number and settings at the end of a name: "u (m) @ 2: a=0.5, t=1", without the number if there is only one
// study.
var ofSweep = regexp.MustCompile(`^(.*\S)\s*@\s*(?:\d+:\s*)?([^@]*=[^@]*)$`)

// swept splits a name into its base and the settings at its end, that of time last. It has none for other names.
func swept(name string) (base string, settings []setting) {
	if !strings.Contains(name, "@") {
		return "", nil
	}
	parts := ofSweep.FindStringSubmatch(strings.Trim(name, "# "))
	if parts == nil {
		return "", nil
	}
	var times []setting
	for text := range strings.SplitSeq(parts[2], ",") {
		parameter, number, _ := strings.Cut(text, "=")
		number, _, _ = strings.Cut(number, "[") // a unit
		value, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil {
			return "", nil
		}
		s := setting{parameter: strings.TrimSpace(parameter), value: value}
		if s.parameter == timeName {
			times = append(times, s)
		} else {
			settings = append(settings, s)
		}
	}
	return parts[1], append(settings, times...)
}

// sweep is the columns of one quantity, for all values of some parameters.
type sweep struct {
	base     string
	columns  []int
	settings [][]setting // of each column
}

// addSweeps makes an array of the columns of each quantity of a sweep, and arrays of its settings. It returns names for the
// other columns, and empty ones for these.
func (t *Table) addSweeps(names []string) (rest []string) {
	rest = slices.Clone(names)
	var all []sweep
	places := map[string]int{} // of a sweep of one quantity and the same parameters
	for column, name := range names {
		base, settings := swept(name)
		if settings == nil {
			continue
		}
		key := base
		for _, s := range settings {
			key += "@" + s.parameter
		}
		at, known := places[key]
		if !known {
			at = len(all)
			places[key] = at
			all = append(all, sweep{base: base})
		}
		all[at].columns = append(all[at].columns, column)
		all[at].settings = append(all[at].settings, settings)
	}
	all = slices.DeleteFunc(all, func(s sweep) bool { return len(s.columns) < 2 })
	for i, s := range all {
		for _, column := range s.columns {
			rest[column] = ""
		}
		times := s.times()
		t.arrays = append(t.arrays, array{
			name:    s.base,
			columns: s.columns,
			shape:   s.shape(times),
			isSwept: true,
		})
		if i == 0 {
			t.addSettings(s, times)
		} else if !s.isLike(all[0]) {
			check(fault.Bad(
				t.where,
				"give a table for each of them",
				"has %q and %q for different parameters", printable.Cut(all[0].base, 40), printable.Cut(s.base, 40),
			))
		}
	}
	return rest
}

// isLike reports whether a sweep has the settings of another one.
func (s sweep) isLike(other sweep) bool {
	return slices.EqualFunc(s.settings, other.settings, func(a, b []setting) bool { return slices.Equal(a, b) })
}

// others returns the settings of a column but for its time.
func (s sweep) others(column int) []setting {
	settings := s.settings[column]
	last := len(settings) - 1
	if settings[last].parameter == timeName {
		return settings[:last]
	}
	return settings
}

// timeOf returns the time of a column that has one.
func (s sweep) timeOf(column int) float64 {
	settings := s.settings[column]
	return settings[len(settings)-1].value
}

// times returns how many times the columns have for each value of the other parameters, time after time; 1 if they have
// none, or others for other values.
func (s sweep) times() int {
	if len(s.others(0)) == len(s.settings[0]) {
		return 1
	}
	times := 1
	for times < len(s.columns) && slices.Equal(s.others(times), s.others(0)) {
		times++
	}
	for column := range s.columns {
		first := column / times * times
		isOther := !slices.Equal(s.others(column), s.others(first))
		if isOther || s.timeOf(column) != s.timeOf(column-first) {
			return 1
		}
	}
	if len(s.columns)%times != 0 {
		return 1
	}
	return times
}

// shape returns the shape of the numbers of a sweep in a line.
func (s sweep) shape(times int) []int {
	values := len(s.columns) / times
	if values == 1 || times == 1 {
		return []int{len(s.columns)}
	}
	return []int{values, times}
}

// addSettings adds an array of the times of a sweep, and one of its other parameters with a line for each of their values.
func (t *Table) addSettings(s sweep, times int) {
	if times > 1 {
		var along []float64
		for column := range times {
			along = append(along, s.timeOf(column))
		}
		t.fixed = append(t.fixed, fixedArray(timeName, along))
	}
	settings := s.others
	if times == 1 {
		settings = func(column int) []setting { return s.settings[column] }
	}
	var values []float64
	for column := 0; column < len(s.columns); column += times {
		for _, one := range settings(column) {
			values = append(values, one.value)
		}
	}
	var names []string
	for _, one := range settings(0) {
		names = append(names, printable.Cut(one.parameter, 40))
	}
	if names == nil {
		return
	}
	lines := len(s.columns) / times
	t.fixed = append(t.fixed, npy.Named{
		Name:  parametersName,
		Array: npy.Array{Shape: npy.Shape{lines, len(names)}, Data: values},
	})
	t.Note = fmt.Sprintf("%s are the values of %s in the names of columns", parametersName, strings.Join(names, ", "))
}
