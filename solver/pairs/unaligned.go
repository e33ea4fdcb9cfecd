// This file recognises pairs with one value in each row: a function, a place, and the value of the output there.

package pairs

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/points"
)

// placedRows are three arrays with as many rows: each row has a function, a place, and the value of the output there.
type placedRows struct {
	functions npy.Member
	places    npy.Member
	value     npy.Member
}

// allPlacedRows returns the arrays of a file that may be placed rows.
func allPlacedRows(members []npy.Member) (all []placedRows) {
	for _, value := range members {
		if !isOutputName(value.Name) || npy.LongAxes(value.Shape) != 1 {
			continue
		}
		rows := value.Shape[0]
		if rows < 2*leastPoints {
			continue
		}
		inRows := func(m npy.Member) bool {
			return m.Name != value.Name && len(m.Shape) == 2 && m.Shape[0] == rows
		}
		for _, place := range members {
			if !inRows(place) || place.Shape[1] > points.MostAxes {
				continue
			}
			functions := slices.IndexFunc(members, func(m npy.Member) bool {
				return inRows(m) && m.Name != place.Name && m.Shape[1] > points.MostAxes
			})
			if functions >= 0 {
				all = append(all, placedRows{
					functions: members[functions],
					places:    place,
					value:     value,
				})
			}
		}
	}
	return all
}

// unaligned returns the reading of rows that repeat a function for every place of its output: functions in the rows of one
// array, places in those of a second, one value in each of a third. Rows of one function follow each other, and all
// functions have the same places in the same order.
func unaligned(members []npy.Member) (g Guess, ok bool) {
	for _, r := range allPlacedRows(members) {
		count := period(r.places, r.functions)
		if count == 0 {
			continue
		}
		flat := quoted(r.value.Name)
		if len(r.value.Shape) > 1 {
			flat = r.value.Name + "[:, 0]"
		}
		return Guess{
			Input:  fmt.Sprintf("%s[::%d]", r.functions.Name, count),
			Output: fmt.Sprintf("%s.reshape(-1, %d)", flat, count),
			Points: fmt.Sprintf("%s[:%d]", r.places.Name, count),
			Known:  true,
			Note: fmt.Sprintf("each row of %s has the value of %s at a place of %s: the %d places of a function repeat, "+
				"and its values are gathered", r.functions.Name, r.value.Name, r.places.Name, count),
		}, true
	}
	return g, false
}

// atOwnPlaces returns the reading of rows whose places do not repeat from function to function: inputs are a function and
// a place, the output is one number. Names tell which array has the places, unless functions are repeated.
func atOwnPlaces(f *exchange.File) (g Guess, ok bool) {
	for _, r := range allPlacedRows(trainingArrays(f)) {
		input := quoted(r.functions.Name) + "," + quoted(r.places.Name)
		output := quoted(r.value.Name)
		isNamed := has(r.places.Name, pointNames) || isSecondOf(r.functions.Name, r.places.Name)
		if !isNamed && SharedFunctions(f, input, output) == "" {
			continue
		}
		return Guess{
			Input:  input,
			Output: output,
			Known:  true,
			Note: fmt.Sprintf("each row of %s has the value of %s at a place of its own in %s, which is a further input",
				r.functions.Name, r.value.Name, r.places.Name),
		}, true
	}
	return g, false
}

// trainingArrays returns the arrays of a file that can be read, without scalars and those of test pairs.
func trainingArrays(f *exchange.File) []npy.Member {
	return slices.DeleteFunc(slices.Clone(f.Members), func(m npy.Member) bool {
		isScalar := len(m.Shape) == 0
		return !m.Readable() || isScalar || has(m.Name, testNames)
	})
}

// isSecondOf reports whether two names differ in one digit only, which is 0 in the first and 1 in the second, as in
// X_train0 and X_train1, and in X[0] and X[1].
func isSecondOf(first, second string) bool {
	if len(first) != len(second) {
		return false
	}
	different := 0
	for i := range len(first) {
		if first[i] == second[i] {
			continue
		}
		different++
		if first[i] != '0' || second[i] != '1' {
			return false
		}
	}
	return different == 1
}

// mostCompared bounds the values that are compared to find rows that repeat.
const mostCompared = 1 << 27

// SharedFunctions returns the array of functions that several pairs share, which differ in other inputs, as in the place at
// which one number is the output. It is empty if outputs are functions, or if hardly any function is there twice. Pairs
// that share a function must be left out together: its other values tell much of the one that is left out.
func SharedFunctions(f *exchange.File, input, output string) string {
	for _, name := range namesIn(f, output) {
		m := Lookup(f, name)
		if !m.Readable() || npy.LongAxes(m.Shape) > 1 {
			return ""
		}
	}
	inputs := namesIn(f, input)
	if len(inputs) < 2 {
		return ""
	}
	for _, name := range inputs {
		m := Lookup(f, name)
		isTable := m.Readable() && len(m.Shape) == 2
		areFunctions := isTable && m.Shape[1] > mostParameters
		if !areFunctions || m.Count() > mostCompared {
			continue
		}
		array, err := m.Array()
		if err != nil { // it is reported with the array
			return ""
		}
		labels := EqualRows(array)
		distinct := 1 + slices.Max(labels)
		if 4*distinct < 3*len(labels) {
			return quoted(name)
		}
	}
	return ""
}

// EqualRows numbers the rows of an array along its first axis: equal ones have one number.
func EqualRows(a npy.Array) []int {
	rows := a.Shape[0]
	width := len(a.Data) / rows
	known := map[string]int{} // the number of a row by its bytes
	labels := make([]int, rows)
	var content []byte
	for i := range labels {
		content = content[:0]
		for _, v := range a.Data[i*width:][:width] {
			content = binary.LittleEndian.AppendUint64(content, math.Float64bits(v))
		}
		number, ok := known[string(content)]
		if !ok {
			number = len(known)
			known[string(content)] = number
		}
		labels[i] = number
	}
	return labels
}

// period returns the number of rows in which a function is repeated with other places, which are the same for every
// function; 0 if rows are otherwise.
func period(places, functions npy.Member) int {
	if places.Count()+functions.Count() > mostCompared {
		return 0
	}
	at, err := places.Array()
	if err != nil { // it is reported with the array
		return 0
	}
	values, err := functions.Array()
	if err != nil {
		return 0
	}
	rows := functions.Shape[0]
	width := functions.Shape[1]
	axes := places.Shape[1]
	row := func(i int) []float64 { return values.Data[i*width:][:width] }
	place := func(i int) []float64 { return at.Data[i*axes:][:axes] }
	count := 1
	for count < rows && slices.Equal(row(count), row(0)) {
		count++
	}
	if count < leastPoints || rows%count != 0 || count == rows {
		return 0
	}
	for i := range rows {
		first := i / count * count
		if !slices.Equal(row(i), row(first)) {
			return 0
		}
		if !slices.Equal(place(i), place(i-first)) {
			return 0
		}
	}
	return count
}
