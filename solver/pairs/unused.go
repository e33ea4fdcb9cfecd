// This file lists the arrays of a file that a reading leaves out.

package pairs

import (
	"fmt"
	"slices"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// Unused returns the arrays of a file that none of some texts of names uses, and that could belong to the pairs: with as
// many entries as there are pairs, along the first axis or the last, with functions on as many points as an array that is
// used, or with a name of test pairs or of those for validation. Of several files all arrays of functions are named, because
// a whole file could be ignored otherwise. Arrays of coordinates are left out.
func Unused(f *exchange.File, count int, texts ...string) []npy.Member {
	used := map[string]bool{}
	var ofUsed [][]int // shapes of the functions
	for _, text := range texts {
		for _, name := range namesIn(f, text) {
			base, _ := splitPart(f, name)
			used[base] = true
			if m := f.Member(base); m.Readable() && len(m.Shape) > 1 && !parameters(m) {
				ofUsed = append(ofUsed, m.Shape[1:])
			}
		}
	}
	if f.Unnamed() {
		return nil
	}
	fromMany := len(exchange.Parts(f.Name)) > 1 // one of which may be no part of the pairs
	var all []npy.Member
	for _, m := range f.Members {
		shape := npy.Long(m.Shape)
		if used[m.Name] || !m.Readable() || len(shape) == 0 {
			continue
		}
		ofPairs := slices.Equal(m.Shape, []int{count, 1}) // as the place of each output of DeepONet
		isPlace := IsCoordinates(m) && !ofPairs || coordinatesOfEach(f, m)
		if isPlace || slices.Contains(csvIndex, m.Name) {
			continue
		}
		counted := shape[0] == count || shape[len(shape)-1] == count
		isAlike := len(m.Shape) > 1 && slices.ContainsFunc(ofUsed, func(shape []int) bool { return slices.Equal(shape, m.Shape[1:]) })
		isStray := fromMany && len(shape) > 1 && strings.HasPrefix(m.Type, "float") // cells of a mesh are whole numbers
		if counted || isAlike || isStray || isHeldOutName(m.Name) {
			all = append(all, m)
		}
	}
	return all
}

// WithShape names an array with its shape, for people.
func WithShape(m npy.Member) string {
	return fmt.Sprintf("%s %v", m.Name, m.Shape)
}

// fieldNames are words of quantities that are states or results besides those of outputNames: no further inputs.
var fieldNames = []string{
	"v", "w", "vx", "vy", "ux", "uy", "velocity", "temperature", "pressure", "density", "rho",
	"q", "phi", "psi", "error", "errors", "pred", "prediction", "predictions", "residual",
	"std", "mean", "mask", "weight", "weights", "index", "id", "ids", "time", "times", "seed", "seeds",
}

// Plausible reports whether an array that a guess leaves out may be a further input: parameters, or a second function,
// unless its name is that of an output, a state, or of something derived from the arrays that are used.
func Plausible(f *exchange.File, g Guess, m npy.Member) bool {
	if isOutputName(m.Name) || has(m.Name, fieldNames) || isPlaceName(m.Name) {
		return false
	}
	own := words(m.Name)
	for _, text := range []string{g.Input, g.Output} {
		for _, name := range namesIn(f, text) {
			base, _ := splitPart(f, name)
			of := words(base)
			rest, _ := withoutWords(m.Name, of)
			containsAll := len(rest) <= len(own)-len(of)
			if len(of) > 0 && len(rest) > 0 && containsAll {
				return false // a_smooth beside a
			}
		}
	}
	return true
}

// With returns the guess with a further input, with its counterpart among test arrays. ok is false if it has none.
func (g Guess) With(f *exchange.File, m npy.Member) (more Guess, ok bool) {
	return g.Taking(f, g.Input+","+quoted(m.Name))
}

// Taking returns the guess with other names of inputs, with their counterparts among test arrays. ok is false if they
// have none.
func (g Guess) Taking(f *exchange.File, input string) (other Guess, ok bool) {
	g.Input = input
	g.Axes = ""
	if g.TestInput != "" {
		g.TestInput = counterpart(f, g.Input)
		return g, g.TestInput != ""
	}
	return g, true
}
