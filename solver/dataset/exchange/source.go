// This file opens the parts of a source, and puts them together.

package exchange

import (
	"cmp"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/csv"
	"rfm/solver/dataset/npy"
)

// source opens the parts of a source.
func (r *reading) source(names []string) (*File, error) {
	var all []*File
	for _, part := range names {
		f, err := r.part(part)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	if len(all) == 1 {
		return all[0], nil
	}
	name := strings.Join(names, ",")
	if len(all) > 2 {
		return r.join(name, all)
	}
	inputs, first := all[0].Only()
	outputs, second := all[1].Only()
	if first == nil && second == nil {
		inputs.Name = "a"
		outputs.Name = "u"
		beside, err := besideFunctions(all[0], all[1])
		if err != nil {
			return nil, err
		}
		both := r.joined(name, all, append([]npy.Member{inputs, outputs}, beside...))
		for _, note := range all[0].Notes {
			both.Notes = append(both.Notes, "inputs: "+note)
		}
		for _, note := range all[1].Notes {
			both.Notes = append(both.Notes, "outputs: "+note)
		}
		return both, nil
	}
	if !sameNames(all[0], all[1]) {
		return nil, cmp.Or(first, second)
	}
	return r.join(name, all)
}

// besideFunctions returns the arrays of one axis, such as coordinates, beside the functions of a file of inputs and those of
// a file of outputs. Arrays that both have are taken once if they are equal; else the sides stand behind their names.
func besideFunctions(inputs, outputs *File) (all []npy.Member, err error) {
	ofOutputs := outputs.numbersInOneLine()
	for _, m := range inputs.numbersInOneLine() {
		sameName := func(other npy.Member) bool { return other.Name == m.Name }
		at := slices.IndexFunc(ofOutputs, sameName)
		if at >= 0 {
			both := parts{
				name:    m.Name,
				members: []npy.Member{m, ofOutputs[at]},
				files:   []*File{inputs, outputs},
			}
			same, err := both.isCommon()
			if err != nil {
				return nil, err
			}
			if same {
				ofOutputs = slices.Delete(ofOutputs, at, at+1)
			} else {
				ofOutputs[at].Name = m.Name + "_u"
				m.Name += "_a"
			}
		}
		all = append(all, m)
	}
	return append(all, ofOutputs...), nil
}

// numbersInOneLine returns the arrays of one long axis of a file with others.
func (f *File) numbersInOneLine() (all []npy.Member) {
	if len(f.Members) < 2 {
		return nil
	}
	for _, m := range f.Members {
		numbersLines := f.Kind == CSV && m.Name == csv.LineNumbers
		if m.Readable() && npy.LongAxes(m.Shape) == 1 && !numbersLines {
			all = append(all, m)
		}
	}
	return all
}

// sameNames reports whether two files have an array of the same name.
func sameNames(a, b *File) bool {
	for _, one := range a.Members {
		for _, other := range b.Members {
			if one.Name == other.Name {
				return true
			}
		}
	}
	return false
}

// part opens the files of a part of a source.
func (r *reading) part(name string) (*File, error) {
	if isZarr(name) {
		return nil, zarr.refused(name)
	}
	paths, others, err := filesOf(name)
	if err != nil {
		return nil, err
	}
	if len(paths) == 1 && paths[0] == name {
		return r.file(name)
	}
	var all []*File
	for _, path := range paths {
		f, err := r.file(path)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	f, err := r.join(name, all)
	if err == nil && others > 0 {
		note := printable.Several(others, "other file") + " in the directory not read"
		f.Notes = append(f.Notes, note)
	}
	return f, err
}

// join opens files that belong together as one.
func (r *reading) join(name string, all []*File) (*File, error) {
	for _, f := range all {
		if f.Kind == Model || f.Kind == TOML {
			return nil, fault.Bad(f.Name, "leave it out", "is not a file of arrays, as others of %s are", name)
		}
	}
	members, notes, err := join(name, all)
	if err != nil {
		return nil, err
	}
	f := r.joined(name, all, members)
	f.Notes = notes
	return f, nil
}

// joined returns the file of members that belong to several files.
func (r *reading) joined(name string, all []*File, members []npy.Member) *File {
	f := &File{
		Name:    name,
		Kind:    all[0].Kind,
		Members: members,
		reading: r,
	}
	for _, one := range all {
		f.Size += one.Size
	}
	return f
}

// file opens the file at a path.
func (r *reading) file(path string) (*File, error) {
	in, err := r.opener.at(path)
	if err != nil {
		return nil, &fault.Data{
			Where: path,
			What:  "cannot be opened",
			Err:   err,
			Do:    "check the name",
		}
	}
	stamp, err := files.TakeStamp(path)
	if err != nil {
		return nil, fault.Unread(path, err)
	}
	r.stamps = append(r.stamps, stamped{path: path, stamp: stamp})
	return r.content(path, in, stamp.Size)
}
