// This file recognises pairs with one value in each row: a function, a place, and the value of the output there.

package pairs

import (
	"fmt"
	"slices"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/points"
)

// unaligned returns the reading of rows that repeat a function for every place of its output: functions in the rows of one
// array, places in those of a second, one value in each of a third. Rows of one function follow each other, and all
// functions have the same places in the same order.
func unaligned(f *exchange.File, members []npy.Member) (g Guess, ok bool) {
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
			if functions < 0 {
				continue
			}
			input := members[functions]
			count := period(place, input)
			if count == 0 {
				continue
			}
			flat := quoted(value.Name)
			if len(value.Shape) > 1 {
				flat = value.Name + "[:, 0]"
			}
			return Guess{
				Input:  fmt.Sprintf("%s[::%d]", input.Name, count),
				Output: fmt.Sprintf("%s.reshape(-1, %d)", flat, count),
				Points: fmt.Sprintf("%s[:%d]", place.Name, count),
				Known:  true,
				Note: fmt.Sprintf("each row of %s has the value of %s at a place of %s: the %d places of a function repeat, "+
					"and its values are gathered", input.Name, value.Name, place.Name, count),
			}, true
		}
	}
	return g, false
}

// period returns the number of rows in which a function is repeated with other places, which are the same for every
// function; 0 if rows are otherwise.
func period(places, functions npy.Member) int {
	const most = 1 << 27 // values that are compared
	if places.Count()+functions.Count() > most {
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
