// Package words says what the interface has to say about an experiment, in any width and without colours: its mathematics
// (formula.go), tables, figures and sentences about its results (result.go, verdict.go), lists of stored runs (runs.go), and
// the terms that all of them use (terms.go). Screens and commands share it.
package words

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"rfm/config"
	"rfm/model/run/store"
	"rfm/model/show/interchange"
	"rfm/solver/base/printable"
)

// Describe returns a one-line description of a configuration: its title, or the name of its file, and its sizes.
func Describe(c config.Config) string {
	name := c.Title()
	if c.Of().Files && c.Data.TrainFile != "" {
		name = store.Stem(c)
	}
	return name + " " + Sizes(c)
}

// Sizes returns the sizes of a configuration. Those that follow from a file are left out, and the number of features where
// no method has any.
func Sizes(c config.Config) string {
	var parts []string
	if c.Data.Train > 0 { // otherwise all pairs of the file
		parts = append(parts, fmt.Sprintf("n=%d", c.Data.Train))
	}
	if c.LearnsFeatures() {
		parts = append(parts, fmt.Sprintf("m=%d", c.Features.Count))
	}
	if c.Train.Grid > 0 { // otherwise the grid of the file
		parts = append(parts, Grid(c, c.Train.Grid))
	}
	return strings.Join(parts, " ")
}

// Grid writes a grid: K=129 in one dimension, r=33 on the square.
func Grid(c config.Config, points int) string {
	return fmt.Sprintf("%s=%d", c.GridSymbol(), points)
}

// Equation returns the problem whose solution operator is learned.
func Equation(c config.Config) string {
	write := c.Of().Equation
	if write != nil {
		return fmt.Sprintf("%s,  %s", write(c), Grid(c, c.Data.Grid))
	}
	d := c.Data
	var names []string
	for path := range strings.SplitSeq(d.TrainFile, ",") { // one file, or that of inputs and that of outputs
		names = append(names, printable.Line(filepath.Base(path)))
	}
	text := "an operator known by pairs in " + strings.Join(names, ", ")
	if d.Input != "a" || d.Output != "u" {
		text += fmt.Sprintf(": a = %s, u = %s", d.Input, d.Output)
	}
	return text
}

// Features returns the definition of the random feature of the problem, if training uses it: symbols and texts.
func Features(c config.Config) [][2]string {
	if !c.Method().Drawn {
		return nil
	}
	return c.Map().Formula(c)
}

// Symbols returns a formula with the letters and signs of mathematics in place of their names. Short names are words:
// phi is one, the letters of "graph" are not.
func Symbols(text string) string {
	text = signs.Replace(text)
	return names.ReplaceAllStringFunc(text, func(word string) string {
		name, indexed := strings.CutSuffix(word, "_")
		if indexed {
			return letters[name] + "_"
		}
		return letters[name]
	})
}

var (
	signs = strings.NewReplacer("sum_i", "Σ_i", "sum_j", "Σ_j", "sum_s", "Σ_s", "F^-1", "F⁻¹", "T^-1", "T⁻¹", ")^-1", ")⁻¹",
		"Laplacian", "∆", "grad ", "∇", "->", "→", "<phi_j(a_i), phi_l(a_i)>", "⟨φ_j(a_i), φ_l(a_i)⟩")
	names   = regexp.MustCompile(`\b(phi|theta|alpha|lambda|chi|sigma|delta|beta|tau|eta)(?:_|\b)`)
	letters = map[string]string{
		"phi":    "φ",
		"theta":  "θ",
		"alpha":  "α",
		"lambda": "λ",
		"chi":    "χ",
		"sigma":  "σ",
		"delta":  "δ",
		"beta":   "β",
		"tau":    "τ",
		"eta":    "η",
	}
)

// Training returns the linear system and how it is solved, or the formula of F(a) of a method that has one.
func Training(c config.Config) [][2]string {
	t := c.Train
	text := c.Method().Formula
	if text != "" {
		formula := fmt.Sprintf("%s,  n=%d, %s", text, c.Data.Train, Grid(c, t.Grid))
		return [][2]string{{"F(a)", formula}}
	}
	sizes := fmt.Sprintf("m=%d, n=%d", c.Features.Count, c.Data.Train)
	if c.Features.Pool > c.Features.Count {
		sizes = fmt.Sprintf("m=%d chosen out of %d, n=%d", c.Features.Count, c.Features.Pool, c.Data.Train)
	}
	how := fmt.Sprintf("solves G alpha = b, minimum norm, eigenvalues above %.2g max", t.Rcond)
	switch {
	case c.ChoosesLambda():
		how = "solves (G + lambda I) alpha = b, lambda by 5-fold cross-validation"
	case t.Relative > 0:
		how = fmt.Sprintf("solves (G + %g lambda_1 I) alpha = b", t.Relative)
	case t.Lambda > 0:
		how = fmt.Sprintf("solves (G + %g I) alpha = b", t.Lambda)
	}
	list := [][2]string{
		{"G", fmt.Sprintf("= (1/m) sum_i <phi_j(a_i), phi_l(a_i)>,  %s, %s", sizes, Grid(c, t.Grid))},
		{"alpha", how},
	}
	if t.Method == config.Best {
		list = append(list, [2]string{"F(a)", "features or another method, by cross-validation"})
	}
	return list
}

// Use returns the command that predicts with a stored run of a configuration, for a file of the kind of its pairs.
func Use(path string, c config.Config) string {
	return "rfm predict " + printable.Path(path) + interchange.Application(c)
}
