// This file finds how functions between sides continue to periodic ones, if data.symmetry leaves it open.

package reading

import (
	"fmt"

	"rfm/config"
	"rfm/model/learn/fold"
	"rfm/model/run/setup"
	"rfm/solver/base/fault"
	"rfm/solver/pairs"
)

// mayFold reports whether functions are between two ends, and how they continue is left open.
func mayFold(c config.Config) bool {
	in, out := c.Channels()
	single := in == 1 && out == 1
	isInterval := c.Dims() == 1 && c.Closed() && !c.Scattered()
	return isInterval && single && c.Data.Symmetry == config.AutoSymmetry
}

// withFold sets data.symmetry of an equation between two ends that is a part of a periodic problem. The error is a
// *config.Error if the method learns periodic functions alone, and it is none.
func withFold(c config.Config) (config.Config, error) {
	if !mayFold(c) {
		return c, nil
	}
	in, out, ok := setup.Parities(c)
	symmetry := fold.Word(in, out)
	if !ok || symmetry == "" {
		return c, needsFold(c, "the equation with these conditions is not part of a periodic problem")
	}
	c.Data.Symmetry = symmetry
	return c, c.Validate()
}

// foldedPairs is a value of data.symmetry that the first pairs show, and a note on it. It is kept with the files because a
// configuration is completed several times, and is no longer open then.
type foldedPairs struct {
	train *pairs.Functions // of which they are the first
	word  string
	note  string
}

// takeFold sets data.symmetry if the first pairs are 0 at both ends, or have no slope there, so that methods for periodic
// functions are tried. Errors: a *config.Error if the method learns periodic functions alone and the pairs are neither, and
// those of reading.
func (d *completion) takeFold() error {
	isOwn := d.Data.Symmetry == d.files.folded.word // of other pairs, perhaps
	if isOwn && d.files.folded.train != d.train {
		d.Data.Symmetry = config.AutoSymmetry
	}
	if !mayFold(d.Config) {
		return nil
	}
	look, err := firstPairs(d.Config, d.train)
	if fault.BlamesInput(err) { // told when all pairs are read
		return nil
	}
	if err != nil {
		return err
	}
	word := fold.Seen(look)
	if word == "" {
		return needsFold(d.Config, "these are not 0 at both ends, and have slopes there")
	}
	d.files.folded = foldedPairs{
		train: d.train,
		word:  word,
		note:  fmt.Sprintf("%s (data.symmetry = %s)", fold.AtEnds(word), word),
	}
	d.Data.Symmetry = word
	return nil
}

// needsFold returns a *config.Error if the method learns periodic functions alone.
func needsFold(c config.Config, why string) error {
	if !c.Method().Periodic {
		return nil
	}
	return &config.Error{
		Key:        "train.method",
		Value:      c.Train.Method,
		Problem:    "learns functions that are periodic, or continue to periodic ones by reflections at the ends, and " + why,
		Suggestion: "try " + config.KernelRidge,
	}
}
