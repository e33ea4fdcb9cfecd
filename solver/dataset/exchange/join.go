// This file joins the arrays of several files that have the same arrays, such as one file for each sample.

package exchange

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/npy"
)

// digits are a number in the name of a file.
var digits = regexp.MustCompile(`\d+`)

// seriesOf returns the name of a file without its extension, with a star for the last number in it.
func seriesOf(path string) string {
	base := stem(path)
	all := digits.FindAllStringIndex(base, -1)
	if all == nil {
		return base
	}
	last := all[len(all)-1]
	return base[:last[0]] + "*" + base[last[1]:]
}

// stem returns the name of a file without its directory and extension.
func stem(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// parts are the arrays of one name in several files, in the order of the files.
type parts struct {
	name    string
	members []npy.Member
	files   []*File // of the members
}

// join returns the arrays of files that belong together, and sentences that say how they were joined. Arrays of one name
// are joined; arrays without a name, of .npy files, have the name of their file without its number.
func join(source string, all []*File) (joined []npy.Member, notes []string, err error) {
	sets := gather(all)
	largest := slices.MaxFunc(sets, func(a, b *parts) int {
		return len(a.members) - len(b.members)
	})
	count := len(largest.members)
	batches, err := inBatches(sets, count)
	if err != nil {
		return nil, nil, err
	}
	stacked := 0      // arrays along a new axis
	concatenated := 0 // arrays along their first axis
	common := 0       // arrays that are equal in all files
	for _, set := range sets {
		first := set.members[0]
		isOfOwnFile := count == 1 || set.files[0].Unnamed()
		switch {
		case len(set.members) == 1 && isOfOwnFile: // such as the grid
			first.Name = set.name
			if set.files[0].Unnamed() {
				first.Name = stem(set.files[0].Name)
			}
		case len(set.members) < count:
			first.Refused = fault.Bad(
				npy.Place(source, set.name),
				"complete or remove the files that lack it",
				"is in %d of %d files; the first with it is %s", len(set.members), count, set.files[0].Name,
			)
			first.Name = set.name
		case !first.Readable():
		default:
			same, failure := set.isCommon()
			if failure != nil {
				return nil, nil, failure
			}
			switch {
			case same && len(sets) > 1:
				common++
			case batches && set.fit(1):
				first = npy.Joined(set.name, set.members)
				concatenated++
			case set.fit(0):
				first = npy.Stack(set.name, set.members)
				stacked++
			default:
				first.Refused = set.odd(source)
				first.Name = set.name
			}
		}
		joined = append(joined, first)
	}
	if len(sets) == 1 && all[0].Unnamed() {
		joined[0].Name = ""
	}
	if stacked > 0 {
		notes = append(notes, fmt.Sprintf("%d files, one after another along a new first axis", count))
	}
	if concatenated > 0 {
		notes = append(notes, fmt.Sprintf("%d files, one after another along the first axis", count))
	}
	if common > 0 {
		notes = append(notes, "arrays that are equal in all files are taken once, as coordinates are")
	}
	return joined, notes, nil
}

// gather sorts the arrays of files by their names.
func gather(all []*File) (sets []*parts) {
	byName := map[string]*parts{}
	for _, f := range all {
		for _, m := range f.Members {
			if m.Name == "" {
				m.Name = seriesOf(f.Name)
			}
			set := byName[m.Name]
			if set == nil {
				set = &parts{name: m.Name}
				byName[m.Name] = set
				sets = append(sets, set)
			}
			set.members = append(set.members, m)
			set.files = append(set.files, f)
		}
	}
	for _, set := range sets {
		file := set.files[0].Name
		if len(set.members) == 1 && set.name == seriesOf(file) { // a file of its own keeps its number
			set.name = stem(file)
		}
	}
	return sets
}

// fit reports whether the members are arrays whose shapes agree from an axis on.
func (p *parts) fit(from int) bool {
	first := p.members[0]
	for _, m := range p.members {
		if !m.Readable() || len(m.Shape) != len(first.Shape) || len(m.Shape) < from {
			return false
		}
		if !slices.Equal(m.Shape[from:], first.Shape[from:]) {
			return false
		}
	}
	return true
}

// odd names a member that differs from the first.
func (p *parts) odd(source string) error {
	first := p.members[0]
	for i, m := range p.members {
		switch {
		case !m.Readable():
			return m.Refused
		case !slices.Equal(m.Shape, first.Shape):
			return fault.Bad(
				npy.Place(source, p.name),
				"leave out the files that differ",
				"has shape %v in %s, shape %v in %s", first.Shape, p.files[0].Name, m.Shape, p.files[i].Name,
			)
		}
	}
	return nil
}

// mostCommon is the number of elements of arrays that are compared.
const mostCommon = 1 << 20

// isCommon reports whether the arrays have the same numbers in all files.
func (p *parts) isCommon() (bool, error) {
	first := p.members[0]
	if len(p.members) < 2 || !p.fit(0) || first.Count() > mostCommon {
		return false, nil
	}
	want, err := first.Array()
	if err != nil {
		return false, err
	}
	for _, m := range p.members[1:] {
		got, err := m.Array()
		if err != nil {
			return false, err
		}
		for i, v := range got.Data {
			if math.Float64bits(v) != math.Float64bits(want.Data[i]) {
				return false, nil
			}
		}
	}
	return true, nil
}

// inBatches decides whether each file holds many samples along the first axis of its arrays, or is one sample.
func inBatches(sets []*parts, count int) (bool, error) {
	var large *parts // the largest arrays
	for _, set := range sets {
		first := set.members[0]
		if len(set.members) < count || !set.fit(1) || len(first.Shape) < 2 {
			continue
		}
		if first.Count() == 1 { // a number, as MATLAB stores it
			continue
		}
		if !set.fit(0) || first.Shape[0] == 1 {
			return true, nil // another number of samples in some files, or one
		}
		if large == nil || first.Count() > large.members[0].Count() {
			large = set
		}
	}
	if large == nil {
		return false, nil
	}
	return countsFirst(large.members[0], count)
}

// countsFirst decides whether the first axis of an array counts samples: along it, values jump more than along the
// longest other axis. Few files are more likely to hold many samples each, so a smaller difference is enough for them.
func countsFirst(m npy.Member, files int) (bool, error) {
	const (
		most = 64 // indices of each axis that are looked at
		few  = 8  // files
	)
	other := 1
	for d := 2; d < len(m.Shape); d++ {
		if m.Shape[d] > m.Shape[other] {
			other = d
		}
	}
	rows := min(m.Shape[0], most)
	columns := min(m.Shape[other], most)
	values := make([]float64, rows*columns)
	at := make([]npy.Axis, len(m.Shape))
	for d, n := range m.Shape {
		at[d] = npy.Along(0)[0].Of(n/2, 1, 1) // through the middle
	}
	strides := npy.Along(columns, 1)
	at[0] = strides[0].Of(0, 1, rows)
	at[other] = strides[1].Of(0, 1, columns)
	if err := m.Read(values, at, rows*columns); err != nil {
		return false, err
	}
	down := 0.0 // sums of differences of neighbours
	across := 0.0
	for i := range rows - 1 {
		for j := range columns - 1 {
			here := values[i*columns+j]
			below := values[(i+1)*columns+j]
			right := values[i*columns+j+1]
			down += math.Abs(below - here)
			across += math.Abs(right - here)
		}
	}
	const (
		clear  = 3
		likely = 1.5
	)
	if down > clear*across {
		return true, nil
	}
	return files < few && down > likely*across, nil
}
