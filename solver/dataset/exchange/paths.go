// This file finds the files that the name of a source means.

package exchange

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
)

// maxFiles is the number of files that one source may have.
const maxFiles = 1 << 14

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// IsThere reports whether a path is a file, a directory, or a pattern that matches files.
func IsThere(path string) bool {
	return isFile(path) || isDirectory(path) || len(matches(path)) > 0
}

// matches returns the files that match a pattern with *, ? or [...].
func matches(pattern string) []string {
	if !strings.ContainsAny(pattern, "*?[") {
		return nil
	}
	found, _ := filepath.Glob(pattern) // a malformed pattern matches nothing
	return slices.DeleteFunc(found, func(path string) bool { return !isFile(path) })
}

// Parts returns the parts of the name of a source: files, directories of files, and patterns, with commas between. Two
// names may also have a blank or quotes between, as terminals write files that are dropped on them. A directory with one
// directory for each sample stands for those.
func Parts(name string) []string {
	if isDirectory(name) {
		if inputs, outputs, ok := sidesIn(name); ok {
			return []string{inputs, outputs}
		}
		if samples := samplesIn(name); samples != nil {
			return samples
		}
	}
	if IsThere(name) {
		return []string{name}
	}
	words := strings.Split(name, ",")
	for i, word := range words {
		words[i] = strings.Trim(word, ` '"`)
	}
	isMissing := func(word string) bool { return !IsThere(word) }
	if len(words) > 1 && !slices.ContainsFunc(words, isMissing) {
		return words
	}
	for i, r := range name {
		if r != ',' && r != ' ' {
			continue
		}
		inputs := strings.Trim(name[:i], ` '"`)
		outputs := strings.Trim(name[i:], ` ,'"`)
		if inputs == "" || outputs == "" {
			continue
		}
		first := IsThere(inputs)
		second := IsThere(outputs)
		oneMissing := r == ',' && (first || second) // which reading names
		if first && second || oneMissing {
			return []string{inputs, outputs}
		}
	}
	if len(words) > 2 && slices.ContainsFunc(words, IsThere) {
		return words
	}
	return []string{name}
}

// Paths returns the files that the name of a source means, in their order. One that is not there is returned as it is.
func Paths(name string) (all []string) {
	for _, part := range Parts(name) {
		found, _, err := filesOf(part)
		if err != nil {
			found = []string{part}
		}
		all = append(all, found...)
	}
	return all
}

// filesOf returns the files of a part of the name of a source, in the order of their numbers, and the number of files
// in a directory that are left out. The error of a directory without data files is a *fault.Data.
func filesOf(part string) (all []string, others int, err error) {
	switch {
	case isFile(part):
		return []string{part}, 0, nil
	case isDirectory(part):
		all, others, err = inDirectory(part)
	default:
		all = matches(part)
	}
	if len(all) == 0 && err == nil {
		return []string{part}, 0, nil
	}
	slices.SortFunc(all, natural)
	if len(all) > maxFiles {
		err = fault.Bad(
			part,
			"put the arrays into fewer files",
			"has %d files, want at most %d", len(all), maxFiles,
		)
	}
	return all, others, err
}

// inDirectory returns the data files in a directory that have the most frequent extension, and the number of others.
func inDirectory(path string) (all []string, others int, err error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, 0, fault.Unread(path, err)
	}
	byExtension := map[string][]string{}
	for _, entry := range entries {
		file := filepath.Join(path, entry.Name())
		if strings.HasPrefix(entry.Name(), ".") || !isFile(file) {
			continue
		}
		others++
		if isDataFile(file) {
			extension := extensionOf(file)
			byExtension[extension] = append(byExtension[extension], file)
		}
	}
	for _, extension := range Extensions() {
		if found := byExtension[extension]; len(found) > len(all) {
			all = found
		}
	}
	if len(all) > 0 {
		return all, others - len(all), nil
	}
	if inner := dataDirectories(path); len(inner) > 0 {
		return nil, 0, withDirectories(path, inner)
	}
	if extension := meshesIn(path); extension != "" {
		return nil, 0, refusedMeshes(path, extension)
	}
	return nil, 0, fault.Bad(
		path,
		"give a directory of .npy, .npz, .mat, .h5, .nc, .pt or .csv files, one for each sample",
		"is a directory without data files",
	)
}

// extensionOf returns the extension of a file in lower case, without the dot.
func extensionOf(path string) string {
	return strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
}

// isDataFile reports whether a file has an extension of data files.
func isDataFile(path string) bool { return slices.Contains(Extensions(), extensionOf(path)) }

// IsData reports whether a path is a directory of data files, and not one of a run.
func IsData(path string) bool {
	isRun := isFile(filepath.Join(path, "config.toml")) || isFile(filepath.Join(path, "sweep.json"))
	if !isDirectory(path) || isRun {
		return false
	}
	if len(dataDirectories(path)) > 0 || samplesIn(path) != nil {
		return true
	}
	_, _, err := inDirectory(path)
	return err == nil || isZarr(path) || meshesIn(path) != "" // these are refused as what they are
}

// dataDirectories returns the directories in a directory without data files that have some; none if one of them is a run.
func dataDirectories(path string) (all []string) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		inner := filepath.Join(path, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), "."):
		case !entry.IsDir():
			if isDataFile(inner) {
				return nil
			}
		case isFile(filepath.Join(inner, "config.toml")):
			return nil
		case dataFiles(inner) != nil:
			all = append(all, inner)
		}
	}
	return all
}

// Names of directories of inputs and of outputs.
var (
	inputDirectories  = []string{"in", "input", "inputs", "a", "x"}
	outputDirectories = []string{"out", "output", "outputs", "target", "targets", "u", "y"}
)

// sidesIn returns the directories of inputs and outputs in a directory that has these two.
func sidesIn(path string) (inputs, outputs string, ok bool) {
	for _, inner := range dataDirectories(path) {
		name := strings.ToLower(filepath.Base(inner))
		switch {
		case inputs == "" && slices.Contains(inputDirectories, name):
			inputs = inner
		case outputs == "" && slices.Contains(outputDirectories, name):
			outputs = inner
		default:
			return "", "", false
		}
	}
	return inputs, outputs, inputs != "" && outputs != ""
}

// samplesIn returns the directories with the files of one sample each in a directory whose directories have names that
// differ in their numbers alone, as case_01 and case_02: these, or the ones inside them, as case_01/results. It is nil if
// they do not hold files of the same names, or if these are numbered: they may be samples or times.
func samplesIn(path string) []string {
	cases := numberedDirectories(path)
	if len(cases) < 2 {
		return nil
	}
	inner, names := filesInside(cases[0])
	if names == nil || areNumbered(names) {
		return nil
	}
	var samples []string
	for _, one := range cases {
		sample := filepath.Join(one, inner)
		if !slices.Equal(dataFiles(sample), names) {
			return nil
		}
		samples = append(samples, sample)
	}
	slices.SortFunc(samples, natural)
	return samples
}

// numberedDirectories returns the directories in a directory if their names differ in their numbers alone, and nil if
// others, data files or runs are beside them.
func numberedDirectories(path string) (all []string) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil // it is reported with the directory
	}
	stem := ""
	for _, entry := range entries {
		isHidden := strings.HasPrefix(entry.Name(), ".")
		isOther := !entry.IsDir() && !isDataFile(entry.Name())
		if isHidden || isOther {
			continue
		}
		own := withoutNumbers(entry.Name())
		inner := filepath.Join(path, entry.Name())
		isRun := isFile(filepath.Join(inner, "config.toml"))
		if !entry.IsDir() || isRun || own == entry.Name() || all != nil && own != stem {
			return nil
		}
		stem = own
		all = append(all, inner)
		if len(all) > maxFiles {
			return nil
		}
	}
	return all
}

// areNumbered reports whether two names differ in their numbers alone.
func areNumbered(names []string) bool {
	var stems []string
	for _, name := range names {
		stem := withoutNumbers(name)
		if slices.Contains(stems, stem) {
			return true
		}
		stems = append(stems, stem)
	}
	return false
}

// withoutNumbers returns a name without its digits.
func withoutNumbers(name string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, name)
}

// filesInside returns the names of the data files in a directory, or in the only one inside it that has some, and the path
// to that one. The names are nil if there is none, or more than one.
func filesInside(path string) (inner string, names []string) {
	const mostLooked = 256 // entries, so that a large tree does not take long
	const deepest = 6
	looked := 0
	err := filepath.WalkDir(path, func(at string, entry os.DirEntry, err error) error {
		looked++
		relative, notBelow := filepath.Rel(path, at)
		if err != nil || notBelow != nil || looked > mostLooked {
			return filepath.SkipAll
		}
		if !entry.IsDir() {
			return nil
		}
		if strings.Count(relative, string(filepath.Separator)) >= deepest {
			return filepath.SkipDir
		}
		found := dataFiles(at)
		if found == nil {
			return nil
		}
		if names != nil {
			names = nil
			return filepath.SkipAll
		}
		inner = relative
		names = found
		return nil
	})
	if err != nil || looked > mostLooked {
		return "", nil
	}
	return inner, names
}

// dataFiles returns the names of the data files in a directory, in their order; nil if there are none.
func dataFiles(path string) (names []string) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		isHidden := strings.HasPrefix(entry.Name(), ".")
		if !isHidden && !entry.IsDir() && isDataFile(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names
}

// withDirectories returns the error of a directory of directories of data files.
func withDirectories(path string, inner []string) error {
	named := func(name string) string {
		for _, one := range inner {
			if strings.EqualFold(filepath.Base(one), name) {
				return one
			}
		}
		return ""
	}
	do := "name one of them, or those of inputs and of outputs with a blank between"
	train := named("train")
	test := named("test")
	if train != "" && test != "" {
		do = fmt.Sprintf("rfm run %s --test-data %s", printable.Path(train), printable.Path(test))
	}
	var names []string
	for _, one := range inner[:min(len(inner), 8)] {
		names = append(names, filepath.Base(one))
	}
	return fault.Bad(path, do, "has data files in %d directories: %s", len(inner), strings.Join(names, ", "))
}

// natural compares names so that run-9 comes before run-10.
func natural(a, b string) int {
	for a != "" && b != "" {
		i := leadingDigits(a)
		j := leadingDigits(b)
		if i == 0 || j == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a = a[1:]
			b = b[1:]
			continue
		}
		first := strings.TrimLeft(a[:i], "0")
		second := strings.TrimLeft(b[:j], "0")
		if len(first) != len(second) {
			return cmp.Compare(len(first), len(second))
		}
		if first != second {
			return cmp.Compare(first, second)
		}
		a = a[i:]
		b = b[j:]
	}
	return cmp.Compare(len(a), len(b))
}

// leadingDigits returns the number of digits that a text begins with.
func leadingDigits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// Base returns the last elements of the paths in the name of a source; of many, the first and the last.
func Base(name string) string {
	if isDirectory(name) {
		return filepath.Base(name)
	}
	parts := Parts(name)
	for i, part := range parts {
		parts[i] = filepath.Base(part)
	}
	if n := len(parts); n > 3 {
		return fmt.Sprintf("%s to %s", parts[0], parts[n-1])
	}
	return strings.Join(parts, ",")
}

// Absolute returns the name of a source with absolute paths, as far as the working directory is known.
func Absolute(name string) string {
	parts := []string{name}
	if !isDirectory(name) {
		parts = Parts(name)
	}
	for i, part := range parts {
		if absolute, err := filepath.Abs(part); err == nil {
			parts[i] = absolute
		}
	}
	return strings.Join(parts, ",")
}
