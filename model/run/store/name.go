// This file names runs.

package store

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"rfm/config"
	"rfm/solver/dataset/exchange"
)

const (
	longestStem    = 40 // letters of the name of an equation or a file
	longestSetting = 16 // letters of one setting
	mostSettings   = 4  // settings in a name
)

// nameOf returns the name of a configuration's runs: what the pairs are from, as Stem does, and what is unusual about the
// run, so that names in a list tell runs apart. Settings that follow from a file, or that concern only the tests, are left
// out.
func nameOf(c config.Config) string {
	stem := Stem(c)
	preset, assignments := c.FromPreset()
	words := []string{stem}
	switch {
	case c.Of().Files || preset == c.Title():
	case strings.HasPrefix(preset, stem):
		words[0] = preset
	case preset != config.TextEquation && preset != "":
		words = append(words, preset)
	}
	slices.SortStableFunc(assignments, func(a, b string) int {
		return rank(a) - rank(b)
	})
	for _, a := range assignments {
		key, value, _ := strings.Cut(a, "=")
		if word := wordOf(c, key, value); word != "" {
			words = append(words, word)
		}
	}
	if len(words) > 1+mostSettings {
		words = append(words[:1+mostSettings], "etc")
	}
	return strings.Join(words, "-")
}

// rank puts the method and the parameters of an equation before other settings, because they tell most about a run.
func rank(assignment string) int {
	switch {
	case strings.HasPrefix(assignment, "train.method="):
		return 0
	case strings.HasPrefix(assignment, "equation.parameters."):
		return 1
	default:
		return 2
	}
}

// wordOf returns a setting in a name, as nu0.02 or kernel; empty if the name does not mention it.
func wordOf(c config.Config, key, value string) string {
	section, last, _ := strings.Cut(key, ".")
	if section == key {
		last = key
	}
	if i := strings.LastIndexByte(last, '.'); i >= 0 {
		last = last[i+1:] // a parameter of the equation
	}
	of := c.Of()
	switch {
	case section == "evaluation", key == "data.test", key == "equation.text", key == "equation.dims":
		return ""
	case of.Files && (section == "data" || section == "features" || key == "train.grid" || value == config.Best):
		return "" // the file determines them, or they are usual for files
	case key == "train.method", value == "yes":
		return plainName(strings.Replace(value, "yes", last, 1))
	}
	if k, err := c.Lookup(key); err == nil && slices.Contains([]string{"n", "m", "K", "r"}, k.Symbol) {
		last = k.Symbol
	}
	if _, err := strconv.ParseFloat(value, 64); err != nil {
		last += "-"
	}
	word := plainName(last + value)
	return word[:min(len(word), longestSetting)]
}

// Stem returns what the pairs of a configuration are from, as the beginning of a name: the name of the file, without its
// extension, or the equation: its name, or its text if it has none.
func Stem(c config.Config) string {
	title := c.Title()
	name := title
	switch {
	case c.Of().Files && c.Data.TrainFile != "":
		name = strings.ReplaceAll(sourceName(c.Data.TrainFile), ".", "-")
	case title == config.TextEquation:
		text, _, _ := strings.Cut(c.Equation.Text, ";")
		name = strings.NewReplacer(" ", "", "*(", ".", "(", "", ")", "", "*", ".", "^", "").Replace(text)
		name = strings.Replace(name, "=", "-", 1)
	}
	name = plainName(name)
	name = strings.Trim(name[:min(longestStem, len(name))], "-.")
	if name == "" {
		return title
	}
	return name
}

// plainName returns the text with a dash for every letter that shells or file systems might not take as it is.
func plainName(text string) string {
	plain := func(r rune) rune {
		if strings.ContainsRune("_.+", r) || r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}
	return strings.Join(strings.FieldsFunc(strings.Map(plain, text), func(r rune) bool { return r == '-' }), "-")
}

// sourceName returns the name of a source of pairs: that of the file without its extension; of the directory of many files;
// or, of two directories with inputs and outputs, that of the one around them.
func sourceName(source string) string {
	if info, err := os.Stat(source); err == nil && info.IsDir() {
		return filepath.Base(exchange.Absolute(source))
	}
	parts := exchange.Parts(source)
	first := parts[0]
	files := exchange.Paths(first)
	isDirectory := len(files) > 0 && filepath.Dir(files[0]) == filepath.Clean(first)
	isPattern := len(files) > 1 && !isDirectory
	around := filepath.Base(filepath.Dir(first))
	isNamed := around != "." && around != string(filepath.Separator)
	switch {
	case isDirectory && len(parts) == 1:
		return filepath.Base(first)
	case (isDirectory || isPattern) && isNamed:
		return around
	}
	name := filepath.Base(files[0])
	return strings.TrimSuffix(name, filepath.Ext(name))
}
