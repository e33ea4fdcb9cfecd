// This file infers from names and shapes which arrays of a file are inputs and outputs.

package interchange

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// A guess names the arrays of inputs and outputs in a file, or parts of them.
type guess struct {
	input, output         string
	testInput, testOutput string // empty if the file has no test arrays
	known                 bool   // names determine the roles of input and output
	note                  string // assumptions besides names
	place, placedBy       string // where points lie, and the array that shows it; empty if none does
	others                []guess
	also                  *guess // all arrays as channels, or as fields of space and time
}

// usual reports whether the default settings read these arrays.
func (g guess) usual() bool {
	return g.input == "" || g.input == "a" && g.output == "u" && g.testInput == ""
}

// Usual names of inputs and outputs, and words for training and test parts; the likeliest first.
var (
	inputNames  = []string{"a", "x", "input", "inputs", "in", "coeff", "coef", "branch", "f", "k", "nu"}
	outputNames = []string{"u", "y", "sol", "solution", "solutions", "output", "outputs", "out", "target", "targets",
		"tensor", "p", "s"}
	trainNames = []string{"train", "training", "tr"}
	testNames  = []string{"test", "testing"}
)

// words returns the parts of an array's name: those of "x_train", "train/x" and "data.npz/xTrain" contain x and train.
func words(name string) []string {
	var all []string
	first := 0 // byte at which the current word starts
	end := func(at int) {
		if at > first {
			all = append(all, strings.ToLower(name[first:at]))
		}
	}
	for i := range len(name) {
		b := name[i]
		if letter := 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'; !letter {
			end(i)
			first = i + 1
		} else if i > first && b <= 'Z' && name[i-1] >= 'a' {
			end(i)
			first = i
		}
	}
	end(len(name))
	return all
}

// rank returns the place in names of the likeliest word of an array's name, len(names) if none is there.
func rank(name string, names []string) int {
	least := len(names)
	for _, w := range words(name) {
		if at := slices.Index(names, w); at >= 0 {
			least = min(least, at)
		}
	}
	return least
}

// counterpart returns the test array that belongs to a training array, empty if none exists: its name has "test" in
// place of "train", or in addition.
func counterpart(f *exchange.File, name string) string {
	own := slices.DeleteFunc(words(name), func(w string) bool { return slices.Contains(trainNames, w) })
	for _, m := range f.Members {
		all := words(m.Name)
		rest := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return slices.Contains(testNames, w) })
		if m.Readable() && len(rest) < len(all) && slices.Equal(rest, own) {
			return m.Name
		}
	}
	return ""
}

// functions returns the arrays of a file that may be functions, except test arrays.
func functions(f *exchange.File) []exchange.Member {
	var all []exchange.Member
	for _, m := range f.Members {
		axes := len(npy.Long(m.Shape))
		if m.Readable() && axes >= 2 && len(m.Shape) <= 6 && slices.Max(m.Shape) >= 3 && slices.Min(m.Shape) >= 1 &&
			rank(m.Name, testNames) == len(testNames) {
			all = append(all, m)
		}
	}
	return all
}

// guesses returns the possible arrays of inputs and outputs, the likeliest first.
func guesses(f *exchange.File) []guess {
	arrays := functions(f)
	var all []guess
	if !f.Unnamed() {
		if g, ok := alike(arrays); ok {
			all = append(all, g)
		}
		all = append(all, evolved(f, arrays)...)
	}
	if g, ok := channelled(arrays); ok && !f.Unnamed() {
		if len(all) == 0 {
			all = append(all, g)
		} else if g.input != all[0].input || g.output != all[0].output {
			all[0].also = &g
		}
	}
	if len(all) == 0 || !all[0].known {
		all = append(all, trajectories(f, arrays)...)
	}
	if f.Kind == exchange.CSV && f.Unnamed() {
		all = append(all, halves(f.Members[0].Shape)...)
	}
	for i := range all {
		g := &all[i]
		if in, out := counterpart(f, g.input), counterpart(f, g.output); in != "" && out != "" {
			g.testInput, g.testOutput = in, out
		}
	}
	return all
}

// halves splits a nameless table: the first half of the columns, or of the lines, are inputs, the second half outputs.
func halves(shape []int) []guess {
	var all []guess
	for d, what := range []string{"lines", "columns"} {
		if half := shape[d] / 2; shape[d]%2 == 0 && half >= 2 {
			before := strings.Repeat(":, ", d)
			g := guess{input: fmt.Sprintf("[%s:%d]", before, half), output: fmt.Sprintf("[%s%d:]", before, half),
				note: fmt.Sprintf("the first %d %s are taken as inputs, the other %[1]d as outputs", half, what)}
			all = append([]guess{g}, all...)
		}
	}
	return all
}

// alike returns the inputs and outputs among arrays of one shape: of the first such group, the arrays with known names,
// or else the first two.
func alike(arrays []exchange.Member) (guess, bool) {
	var groups [][]exchange.Member
	for _, m := range arrays {
		if g := slices.IndexFunc(groups, func(g []exchange.Member) bool {
			return slices.Equal(npy.Long(g[0].Shape),
				npy.Long(m.Shape))
		}); g >= 0 {
			groups[g] = append(groups[g], m)
		} else {
			groups = append(groups, []exchange.Member{m})
		}
	}
	groups = slices.DeleteFunc(groups, func(g []exchange.Member) bool { return len(g) < 2 })
	// best is the array with the likeliest name and the fewest other words in it: a, not a_smooth.
	best := func(names []string, g []exchange.Member, other string) (name string, least int) {
		most := 0
		for _, m := range g {
			at, more := rank(m.Name, names), len(words(m.Name))
			if m.Name != other && (name == "" || at < least || at == least && more < most && at < len(names)) {
				name, least, most = m.Name, at, more
			}
		}
		return name, least
	}
	var found guess
	least := 0
	for i, g := range groups {
		out, outRank := best(outputNames, g, "")
		in, inRank := best(inputNames, g, out)
		if outRank == len(outputNames) { // no known name
			in, inRank = best(inputNames, g, "")
			out, _ = best(nil, g, in)
		}
		if total := outRank + inRank; i == 0 || total < least {
			least = total
			found = guess{input: in, output: out, known: inRank < len(inputNames) && outRank < len(outputNames)}
			found.others = []guess{{input: out, output: in, note: "if it is the other way round"}}
		}
	}
	return found, len(groups) > 0
}

// evolved returns inputs with outputs of one more axis: a few channels, or times, of which the last is taken.
func evolved(f *exchange.File, arrays []exchange.Member) []guess {
	var all []guess
	for _, in := range arrays {
		if rank(in.Name, inputNames) == len(inputNames) {
			continue
		}
		for _, out := range arrays {
			if len(out.Shape) != len(in.Shape)+1 || rank(out.Name, outputNames) == len(outputNames) {
				continue
			}
			var at []guess
			for d := len(out.Shape) - 1; d >= 0; d-- { // time is often the last axis
				switch {
				case !slices.Equal(slices.Delete(slices.Clone(out.Shape), d, d+1), in.Shape):
				case out.Shape[d] <= dataset.MostParameters && (d == len(out.Shape)-1 || d == 1) && !timed(f, out.Shape[d]):
					at = append(at, guess{input: in.Name, output: out.Name, known: true,
						note: fmt.Sprintf("axis %d of %s, of length %d, is taken as channels; the last of them alone is %s", d, out.Name,
							out.Shape[d], out.Name+index(len(out.Shape), d, "-1"))})
				default:
					at = append(at, guess{input: in.Name, output: out.Name + index(len(out.Shape), d, "-1"), known: true,
						note: fmt.Sprintf("axis %d of %s, of length %d, is taken as time, of which outputs are the last", d, out.Name,
							out.Shape[d])})
				}
			}
			if len(at) > 1 {
				at[0].others = at[1:]
			}
			all = append(all, at...)
		}
	}
	return all
}

// channelled returns inputs with several channels, or of another shape than the outputs. They are all arrays with as
// many functions as the likeliest outputs, except those with names of outputs.
func channelled(arrays []exchange.Member) (guess, bool) {
	var out exchange.Member
	least := len(outputNames)
	for _, m := range arrays {
		if at := rank(m.Name, outputNames); at < least && !parameters(m) {
			out, least = m, at
		}
	}
	var in []string
	known := false
	for _, m := range arrays {
		if least < len(outputNames) && m.Shape[0] == out.Shape[0] && m.Name != out.Name &&
			(parameters(m) || rank(m.Name, outputNames) == len(outputNames)) {
			in = append(in, m.Name)
			known = known || rank(m.Name, inputNames) < len(inputNames)
		}
	}
	return guess{input: strings.Join(in, ","), output: out.Name, known: known}, len(in) > 0
}

// parameters reports whether an array has too few numbers per function to hold functions.
func parameters(m exchange.Member) bool {
	shape := npy.Long(m.Shape)
	return len(shape) == 2 && shape[1] <= dataset.MostParameters
}

// timed reports whether a file has an array of the given number of times, or of one more.
func timed(f *exchange.File, times int) bool {
	return slices.ContainsFunc(f.Members, func(t exchange.Member) bool {
		n, name := npy.Long(t.Shape), path.Base(t.Name)
		return len(n) == 1 && (n[0] == times || n[0] == times+1) &&
			(strings.HasPrefix(name, "t-") || name == "t" || name == "time")
	})
}

// trajectories returns arrays of functions at several times, (count, time, x) as in PDEBench and The Well: inputs are
// the first time, outputs the last.
func trajectories(f *exchange.File, arrays []exchange.Member) []guess {
	var all []guess
	for _, m := range arrays {
		axes := len(m.Shape)
		if axes < 3 || len(npy.Long(m.Shape)) < 3 || axes > 4 || m.Shape[1] < 2 || f.Unnamed() &&
			slices.Contains(m.Shape, 2) {
			continue
		}
		g := guess{input: m.Name + index(axes, 1, "0"), output: m.Name + index(axes, 1, "-1"),
			note: fmt.Sprintf("axis 1, of length %d, is taken as time: inputs are the first, outputs the last", m.Shape[1])}
		g.known = timed(f, m.Shape[1])
		if !g.known { // the last axis may be the time as well
			g.others = []guess{{input: m.Name + index(axes, axes-1, "0"), output: m.Name + index(axes, axes-1, "-1"),
				note: "if the last axis is the time"}}
		}
		all = append(all, g)
	}
	slices.SortStableFunc(all, func(a, b guess) int {
		known := func(g guess) int {
			if g.known {
				return 0
			}
			return 1
		}
		return cmp.Compare(known(a), known(b))
	})
	return all
}

// index selects one position along an axis and everything along the others: "[:, 0]".
func index(axes, axis int, position string) string {
	words := slices.Repeat([]string{":"}, axes)
	words[axis] = position
	return "[" + strings.Join(words[:max(axis+1, 2)], ", ") + "]"
}
