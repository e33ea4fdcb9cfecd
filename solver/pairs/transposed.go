// This file finds pairs of which one side is stored in rows and the other one in columns.

package pairs

import (
	"fmt"
	"slices"

	"rfm/solver/dataset/npy"
)

// transposed returns the guesses for a file whose only arrays of functions have the shapes (n, K) and (K, n). Coordinates of
// the file tell which of the two lengths is that of the points; without them, there are more functions than points.
func (c candidateArrays) transposed() []Guess {
	both := c.functions()
	if len(both) != 2 || len(both[0].Shape) != 2 || len(both[1].Shape) != 2 {
		return nil
	}
	in := both[0]
	out := both[1]
	isInOrder := !isInputName(out.Name) && !isOutputName(in.Name)
	if !isInOrder {
		in = both[1]
		out = both[0]
	}
	rows := in.Shape[0]
	columns := in.Shape[1]
	if rows == columns || out.Shape[0] != columns || out.Shape[1] != rows {
		return nil
	}
	inRows := c.hasPoints(columns) || rows > columns && !c.hasPoints(rows) // the inputs are
	axes := "xn->nx"
	turned := in
	if inRows {
		axes = "nx->xn"
		turned = out
	}
	const note = "%s has a function in each column, which the shapes tell"
	return []Guess{{
		Input:  quoted(in.Name),
		Output: quoted(out.Name),
		Known:  isInputName(in.Name) && isOutputName(out.Name),
		Axes:   axes,
		Note:   fmt.Sprintf(note, turned.Name),
		Other:  Settings(quoted(out.Name), quoted(in.Name)),
	}}
}

// hasPoints reports whether the file has coordinates of as many points.
func (c candidateArrays) hasPoints(count int) bool {
	return slices.ContainsFunc(c.file.Members, func(m npy.Member) bool {
		n, ok := lineOfCoordinates(m)
		return ok && n == count
	})
}
