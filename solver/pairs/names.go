// This file finds arrays by the names that people write: several with commas between, quoted ones, parts, and other shapes.

package pairs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// Names returns the array names in a text, separated by commas outside of brackets and quotes. Quotes are taken off.
func Names(text string) []string {
	var all []string
	var name strings.Builder
	depth := 0
	quote := rune(0)
	for _, r := range text {
		begins := strings.TrimSpace(name.String()) == ""
		switch {
		case quote != 0 && r == quote:
			quote = 0
			continue
		case quote == 0 && begins && (r == '"' || r == '\''):
			quote = r
			continue
		case quote != 0:
		case r == '[' || r == '(':
			depth++
		case r == ']' || r == ')':
			depth--
		case r == ',' && depth <= 0:
			all = append(all, strings.TrimSpace(name.String()))
			name.Reset()
			continue
		}
		name.WriteRune(r)
	}
	return append(all, strings.TrimSpace(name.String()))
}

// quoted returns a name such that Names finds it as a whole in a text of several.
func quoted(name string) string {
	if all := Names(name); len(all) == 1 && all[0] == name {
		return name
	}
	if strings.Contains(name, `"`) {
		return "'" + name + "'"
	}
	return `"` + name + `"`
}

// Settings returns the flags that name the arrays of inputs and outputs, quoted for a shell; those of an empty name are
// left out.
func Settings(input, output string) string {
	var flags []string
	if input != "" {
		flags = append(flags, "--set data.input="+printable.Quote(input))
	}
	if output != "" {
		flags = append(flags, "--set data.output="+printable.Quote(output))
	}
	return strings.Join(flags, " ")
}

// namesIn returns the names in a text; a text that is the name of an array as it stands is one.
func namesIn(f *exchange.File, text string) []string {
	for _, m := range f.Members {
		if m.Name == text && text != "" {
			return []string{text}
		}
	}
	return Names(text)
}

// onlyName stands for the array of a file that has one without a name, as in array[:, 0].
const onlyName = "array"

// Lookup finds an array of a file, a part of it, or either in another shape: u[:, 0].reshape(-1, 31, 31), with its axes
// in the opposite order: x.T, or in the order of the grid that its points form: u.grid(xy). A file that holds one array
// without a name calls it array. An array that is not there is Refused.
func Lookup(f *exchange.File, name string) npy.Member {
	for _, m := range f.Members {
		if m.Name == name {
			return m
		}
	}
	if of, shape, ok := call(name, ".reshape("); ok {
		return reshaped(f, Lookup(f, of), shape)
	}
	if of, places, ok := call(name, gridWord); ok {
		return onGridOf(f, Lookup(f, of), places)
	}
	if of, ok := strings.CutSuffix(name, transposedWord); ok && of != "" {
		return inOppositeOrder(Lookup(f, of))
	}
	rest, ok := strings.CutPrefix(name, onlyName)
	isOnly := ok && (rest == "" || rest[0] == '[')
	if isOnly && f.Unnamed() {
		return f.Member(rest)
	}
	return f.Member(name)
}

// transposedWord ends the name of an array whose axes are in the opposite order, as in NumPy.
const transposedWord = ".T"

// inOppositeOrder returns an array with its axes in the opposite order.
func inOppositeOrder(m npy.Member) npy.Member {
	if m.Refused != nil {
		return m
	}
	whole := m.Numbers
	m.Name += transposedWord
	m.Shape = slices.Clone(m.Shape)
	slices.Reverse(m.Shape)
	m.Numbers = func(at []npy.Axis, put npy.Put) error {
		axes := slices.Clone(at)
		slices.Reverse(axes)
		return whole(axes, put)
	}
	return m
}

// call splits a name that ends with a call, as u.reshape(-1, 31, 31), at the first word such as ".reshape(".
func call(name, word string) (of, arguments string, ok bool) {
	of, rest, hasWord := strings.Cut(name, word)
	arguments, hasEnd := strings.CutSuffix(rest, ")")
	return of, arguments, hasWord && hasEnd
}

// reshaped returns an array with axes split in two or more, as numpy.reshape does in C order.
func reshaped(f *exchange.File, m npy.Member, text string) npy.Member {
	if m.Refused != nil {
		return m
	}
	refused := func(why string) npy.Member {
		m.Refused = fault.Bad(
			npy.Place(f.Name, m.Name),
			"split axes, as in a.reshape(-1, 31, 31) for a of shape (n, 961), or join the first two",
			"has shape %v, which .reshape(%s) %s", m.Shape, text, why,
		)
		return m
	}
	var shape []int
	open := -1 // the place of -1
	known := 1
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		switch {
		case err != nil || n < -1 || n == 0 || n == -1 && open >= 0:
			return refused("does not name")
		case n == -1:
			open = len(shape)
		case known > 1<<40/n:
			return refused("does not fit")
		default:
			known *= n
		}
		shape = append(shape, n)
	}
	count := m.Count()
	if open >= 0 {
		shape[open] = count / known
		known *= shape[open]
	}
	if known != count {
		return refused("does not fit")
	}
	hasFewerAxes := len(shape) == len(m.Shape)-1
	if hasFewerAxes && slices.Equal(shape[1:], m.Shape[2:]) {
		return withoutFirstAxis(f, m, text)
	}
	var pieces [][]int // lengths of the new axes of each axis
	rest := shape
	for _, n := range m.Shape {
		product := 1
		var piece []int
		for len(rest) > 0 && product < n {
			product *= rest[0]
			piece = append(piece, rest[0])
			rest = rest[1:]
		}
		if product != n {
			return refused("does not split")
		}
		if piece == nil { // an axis of length one stays, if there is one
			if len(rest) > 0 && rest[0] == 1 {
				rest = rest[1:]
				piece = []int{1}
			}
		}
		pieces = append(pieces, piece)
	}
	if len(rest) > 0 {
		return refused("does not split")
	}
	whole := m.Numbers
	m.Name = fmt.Sprintf("%s.reshape(%s)", m.Name, text)
	m.Shape = shape
	m.Numbers = func(at []npy.Axis, put npy.Put) error {
		return whole(joined(pieces, at), put)
	}
	return m
}

// withoutFirstAxis returns an array whose first two axes are one: the states of several trajectories one after another.
func withoutFirstAxis(f *exchange.File, m npy.Member, text string) npy.Member {
	var entries []npy.Member
	for i := range m.Shape[0] {
		entries = append(entries, Lookup(f, fmt.Sprintf("%s[%d]", m.Name, i)))
	}
	return npy.Joined(fmt.Sprintf("%s.reshape(%s)", m.Name, text), entries)
}

// joined returns the axes of an array whose axes are split into pieces of the given lengths, with the axes at.
func joined(pieces [][]int, at []npy.Axis) []npy.Axis {
	var whole []npy.Axis
	for _, lengths := range pieces {
		parts := at[:len(lengths)]
		at = at[len(lengths):]
		whole = append(whole, func(index int) int {
			sum := 0
			for d := len(lengths) - 1; d >= 0; d-- {
				place := parts[d](index % lengths[d])
				if place < 0 {
					return -1
				}
				sum += place
				index /= lengths[d]
			}
			return sum
		})
	}
	return whole
}
