// This file tells by the names of arrays which are inputs, outputs, and those of tests.

package pairs

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// Usual names of inputs and outputs, and words for training and test parts; the likeliest first.
var (
	inputNames = []string{
		"a", "x", "input", "inputs", "inp", "in", "coeff", "coef", "branch", "f", "k", "nu",
		"initial", "init", "ic", "coefficient", "permeability", "conductivity",
		"forcing", "source", "params", "parameters", "theta", "before", "start",
	}
	outputNames = []string{
		"u", "y", "sol", "solution", "solutions", "output", "outputs", "out",
		"target", "targets", "tensor", "p", "s", "label", "labels", "response", "qoi",
		"flux", "drag", "energy", "final", "after", "result", "results",
	}
	trainNames = []string{"train", "training", "tr"}
	testNames  = []string{"test", "testing"}
	validNames = []string{"val", "valid", "validation"}                                // of pairs to choose models by
	placeNames = []string{"grid", "coordinate", "coordinates", "coords", "dimensions"} // of arrays that are no functions
	scales     = "scales/"                                                             // the group of those of Dedalus
)

// isPlaceName reports whether a name is that of coordinates or times, in whatever shape.
func isPlaceName(name string) bool { return has(name, placeNames) || strings.HasPrefix(name, scales) }

// Words that decide the role of an array whatever the other words of its name are: u_in and u_out are both u.
var (
	surelyInput  = []string{"in", "inp", "input", "inputs", "initial", "init", "ic", "before", "start"}
	surelyOutput = []string{"out", "output", "outputs", "target", "targets", "final", "after"}
)

// unit is a unit of measurement behind a name, as in "T (K)".
var unit = regexp.MustCompile(`\s[\[(][^\])]*[\])]`)

var word = regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+`)

// words returns the parts of an array's name: those of "x_train", "train/x", "xtrain" and "data.npz/xTrain" contain x
// and train. Units are no parts of names.
func words(name string) (all []string) {
	name = unit.ReplaceAllString(name, "")
	for _, w := range word.FindAllString(name, -1) {
		all = append(all, partsOfWord(strings.ToLower(w))...)
	}
	return all
}

// partsOfWord splits a word such as xtrain or trainy, of one letter and a word for a part of the pairs.
func partsOfWord(w string) []string {
	if w == "strain" { // a quantity
		return []string{w}
	}
	for _, part := range []string{"train", "test", "val", "valid"} {
		if len(w) != len(part)+1 {
			continue
		}
		if letter, ok := strings.CutSuffix(w, part); ok {
			return []string{letter, part}
		}
		if letter, ok := strings.CutPrefix(w, part); ok && letter != "s" { // but not tests, vals
			return []string{part, letter}
		}
	}
	return []string{w}
}

// rank returns the place in names of the likeliest word of an array's name, len(names) if none is there.
func rank(name string, names []string) int {
	all := words(name)
	for place, name := range names {
		if slices.Contains(all, name) {
			return place
		}
	}
	return len(names)
}

// has reports whether a word of an array's name is among some.
func has(name string, some []string) bool { return rank(name, some) < len(some) }

// ofInitial is a zero at the end of a name, as in u0 and u_0, which is that of an initial state; u10 has none.
var ofInitial = regexp.MustCompile(`(^|\D)0$`)

// asInput returns the rank of a name among those of inputs, the likeliest first, len(inputNames) for others.
func asInput(name string) int {
	switch {
	case ofInitial.MatchString(name):
		return 0
	case has(name, surelyOutput) && !has(name, surelyInput):
		return len(inputNames)
	case has(name, surelyInput):
		return rank(name, slices.Concat(surelyInput, inputNames))
	}
	return rank(name, inputNames)
}

// asOutput returns the rank of a name among those of outputs, the likeliest first, len(outputNames) for others.
func asOutput(name string) int {
	isInput := has(name, surelyInput) && !has(name, surelyOutput)
	if ofInitial.MatchString(name) || isInput {
		return len(outputNames)
	}
	return rank(name, outputNames)
}

func isInputName(name string) bool  { return asInput(name) < len(inputNames) }
func isOutputName(name string) bool { return asOutput(name) < len(outputNames) }

// withoutLetters returns the arrays that are outputs by their names. Single letters are names of parameters, too: beside a
// whole word for an output, as in p, q, out, they do not count.
func withoutLetters(outputs []npy.Member) []npy.Member {
	isLetter := func(m npy.Member) bool {
		word := outputNames[asOutput(m.Name)]
		return len(word) == 1
	}
	words := slices.DeleteFunc(slices.Clone(outputs), isLetter)
	if len(words) == 0 {
		return outputs
	}
	return words
}

// isHeldOutName reports whether a name is that of pairs for tests or validation.
func isHeldOutName(name string) bool { return has(name, testNames) || has(name, validNames) }

// Division are the parts of a set of pairs that lies in several files.
type Division struct {
	Training   []string
	Tests      []string
	Validation []string // pairs to choose models by
}

// Divide divides files by their names. ok is false if the names tell no training pairs from others: files of tests alone
// are pairs like any others.
func Divide(files []string) (d Division, ok bool) {
	for _, file := range files {
		base := filepath.Base(file)
		stem := strings.TrimSuffix(base, filepath.Ext(base))
		switch {
		case has(stem, testNames):
			d.Tests = append(d.Tests, file)
		case has(stem, validNames):
			d.Validation = append(d.Validation, file)
		default:
			d.Training = append(d.Training, file)
		}
	}
	held := len(d.Tests) + len(d.Validation)
	return d, held > 0 && len(d.Training) > 0
}

// withoutWords returns the words of a name that are not among some, and whether any is.
func withoutWords(name string, some []string) (rest []string, any bool) {
	all := words(name)
	isSome := func(w string) bool { return slices.Contains(some, w) }
	rest = slices.DeleteFunc(slices.Clone(all), isSome)
	return rest, len(rest) < len(all)
}

// counterpart returns the test arrays that belong to those of a text in the same file, as Counterpart does, or by their
// numbers if arrays have no names.
func counterpart(f *exchange.File, text string) string {
	if byNames := Counterpart(f, f, text); byNames != "" {
		return byNames
	}
	var all []string
	for _, name := range namesIn(f, text) {
		base, part := splitPart(f, name)
		test, ok := numberedTest(f, f.Member(base))
		if !ok {
			return ""
		}
		all = append(all, quoted(test.Name+allPairs(part, f.Member(base).Shape, test.Shape)))
	}
	return strings.Join(all, ",")
}

// numberedTest returns the test array of one whose name is a number, as numpy.savez(file, x, y, x_test, y_test) calls
// arrays arr_0 to arr_3: half of the arrays have fewer pairs, and one of them the same place among these. ok is false if
// the file has other arrays.
func numberedTest(f *exchange.File, training npy.Member) (test npy.Member, ok bool) {
	const digits = "0123456789"
	base := strings.TrimRight(training.Name, digits)
	var trainings, tests []npy.Member // in the order of the file
	place := -1
	for _, m := range f.Members {
		isNumbered := m.Readable() && m.Name != base && strings.TrimRight(m.Name, digits) == base
		if !isNumbered || len(m.Shape) < 2 {
			return test, false
		}
		switch {
		case m.Name == training.Name:
			place = len(trainings)
			trainings = append(trainings, m)
		case m.Shape[0] == training.Shape[0]:
			trainings = append(trainings, m)
		default:
			tests = append(tests, m)
		}
	}
	if place < 0 || len(trainings) < 2 || len(tests) != len(trainings) {
		return test, false
	}
	for i, m := range tests {
		isAlike := slices.Equal(m.Shape[1:], trainings[i].Shape[1:])
		if !isAlike || m.Shape[0] != tests[0].Shape[0] || m.Shape[0] > training.Shape[0] {
			return test, false
		}
	}
	return tests[place], true
}

// Counterpart returns the arrays in a file of test pairs, which may be the one of training pairs, that belong to those of a
// text: their names have "test" in place of "train", or in addition. Parts of training arrays are parts of their
// counterparts, except along the axis that counts pairs. It is empty if one has none.
func Counterpart(training, tests *exchange.File, text string) string {
	var all []string
	for _, name := range namesIn(training, text) {
		base, part := splitPart(training, name)
		i := heldOut(tests, base, testNames)
		if i < 0 {
			i = heldOut(tests, base, validNames)
		}
		if i < 0 {
			return ""
		}
		test := tests.Members[i]
		testPart := allPairs(part, training.Member(base).Shape, test.Shape)
		all = append(all, quoted(test.Name+testPart))
	}
	return strings.Join(all, ",")
}

// heldOut returns the index of the array that belongs to a training array and has one of some words in its name; -1 if
// there is none. Of several, the one with the same digits counts, as X_test1 for X_train1 beside X_test0.
func heldOut(f *exchange.File, training string, some []string) int {
	own, _ := withoutWords(training, trainNames)
	belongs := func(m npy.Member) bool {
		rest, held := withoutWords(m.Name, some)
		return m.Readable() && held && slices.Equal(rest, own)
	}
	digits := digitsOf(training)
	exact := slices.IndexFunc(f.Members, func(m npy.Member) bool { return belongs(m) && digitsOf(m.Name) == digits })
	if exact >= 0 {
		return exact
	}
	return slices.IndexFunc(f.Members, belongs)
}

// digitsOf returns the digits of a name in their order.
func digitsOf(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
}

// splitPart returns the name of an array in a file, and the part of it or the other shape that the text names.
func splitPart(f *exchange.File, text string) (name, part string) {
	for _, m := range f.Members {
		rest, ok := strings.CutPrefix(text, m.Name)
		if !ok || len(m.Name) <= len(name) { // the longest name counts
			continue
		}
		if rest == "" || rest[0] == '[' || rest[0] == '.' {
			name = m.Name
			part = rest
		}
	}
	if name == "" {
		return text, ""
	}
	return name, part
}

// ArrayOf returns the name of the array of a file of which a text names a part or another shape; the text if there is none.
func ArrayOf(f *exchange.File, text string) string {
	name, _ := splitPart(f, text)
	return name
}

// allPairs returns a part of training arrays, as "[:800, ::2]", for test arrays: with all pairs, which are counted along
// the axis in which the shapes differ, or the first.
func allPairs(part string, train, test npy.Shape) string {
	inner, ok := strings.CutPrefix(part, "[")
	end := strings.IndexByte(inner, ']')
	if !ok || end < 0 {
		return part
	}
	axis := 0
	for d := range min(len(train), len(test)) {
		if train[d] != test[d] {
			axis = d
			break
		}
	}
	words := strings.Split(inner[:end], ",")
	isSlice := axis < len(words) && strings.Contains(words[axis], ":")
	if isSlice && !slices.Contains(words, "...") {
		words[axis] = ":"
		if axis > 0 {
			words[axis] = " :"
		}
	}
	return "[" + strings.Join(words, ",") + inner[end:]
}
