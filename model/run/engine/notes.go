// This file says in sentences what an evaluation shows.

package engine

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/learn/mean"
	"rfm/model/run/setup"
	"rfm/model/show/report"
)

// betterFactor is the ratio of the model's error to the smallest error from which Notes mentions the better method.
const betterFactor = 1.5

// Times returns sentences about the measured times of evaluations.
func (v *Evaluation) Times() (notes []string) {
	for _, r := range v.Rows {
		if r.Bound {
			notes = append(notes, "The time of "+r.Name+" is an upper bound: inputs were few, or the machine was busy.")
		}
		if r.Tolerance == 0 {
			continue
		}
		note := fmt.Sprintf("The %s is timed at tolerance %g on %s", r.Name, r.Tolerance,
			v.TestPairs.Inputs.Domain.Grid(r.Grid))
		if r.Together > 1 {
			note += fmt.Sprintf(", %d inputs at a time", r.Together)
		}
		const noticeable = 1.05 // smaller ratios are within the noise of the clock
		if r.Alone > noticeable*r.Seconds {
			note += fmt.Sprintf("; one alone takes %.2g times as long", r.Alone/r.Seconds)
		}
		notes = append(notes, note+".")
	}
	return notes
}

// Notes returns sentences about the comparison: whether anything was learned, the choice of the method, methods far better than the model, hard
// inputs, the learning curve, and Warnings.
func (v *Evaluation) Notes() (notes []string) {
	notes = v.Skill.sentences(v)
	switch {
	case v.Choice != "":
		notes = append(notes, v.Choice)
	case v.method != "":
		notes = append(notes, learnedBy(v.method)+".")
	}
	var best Row
	for _, r := range v.Rows {
		if r.Training > 0 && r.Tolerance == 0 && (best.Name == "" || r.Error < best.Error) {
			best = r
		}
	}
	if best.Name != "" && best.Error*betterFactor < v.Rows[0].Error {
		note := fmt.Sprintf("The test error of %s is %.3g times smaller than the model's", best.Name,
			v.Rows[0].Error/best.Error)
		if v.method == "" && best.Name != mean.Title {
			note += ": these features, or this many, do not suit the operator"
		}
		note += "."
		if v.method == "" && v.compareAll != "" {
			note += " This compares all methods:\n  " + v.compareAll
		}
		notes = append(notes, note)
	}
	if v.Lost > lostShare*v.Test.ExpectedRelative {
		notes = append(notes, fmt.Sprintf("Of the test error, %s would remain with a model that is exact on the %d points of "+
			"the training grid: what lies between them is interpolated. A finer train.grid may have a smaller error.",
			report.Error(v.Lost, digits), v.trainPoints))
	}
	sorted := slices.Sorted(slices.Values(v.Test.Relative))
	hard := sorted[len(sorted)-len(sorted)/100:]
	if share := floats.Sum(hard) / floats.Sum(sorted); share > hardShare {
		notes = append(notes, fmt.Sprintf("Few inputs are hard: %d of %d test pairs have %.0f%% of the error. "+
			"The leave-one-out error, a mean over other pairs, may differ several times.", len(hard), len(sorted), 100*share))
	}
	if text := v.smallOutputs(); text != "" {
		notes = append(notes, text)
	}
	if text := v.Unlike.sentence(v.TestPairs.Count()); text != "" {
		notes = append(notes, text)
	}
	if v.Curve != nil {
		notes = append(notes, v.Curve.String())
	}
	return slices.Concat(notes, v.Warnings)
}

// compareAll returns the command that compares all methods in place of the configured one, or nothing if no command with
// a preset does.
func compareAll(c config.Config) string {
	c.Train.Method = config.Best
	c.Train.Rows = 0 // because random features are compared by whole functions that are left out
	preset, _ := c.FromPreset()
	if preset == "" || c.Validate() != nil {
		return ""
	}
	return setup.Command(c)
}

// smallOutputs says that the median is the better number where a few test pairs with small outputs have most of the mean
// relative error; empty elsewhere.
func (v *Evaluation) smallOutputs() string {
	const few, share, small = 0.25, 0.5, 0.5 // parts of the pairs, of the error, and of the usual norm
	sizes := make([]float64, v.TestPairs.Count())
	for i := range sizes {
		sizes[i] = v.TestPairs.Outputs.Domain.Norm(v.TestPairs.Outputs.At(i))
	}
	usual := report.Median(sizes)
	count := 0
	sum := 0.0
	for i, size := range sizes {
		if size < small*usual {
			count++
			sum += v.Test.Relative[i]
		}
	}
	part := sum / floats.Sum(v.Test.Relative)
	if float64(count) > few*float64(len(sizes)) || !(part > share) {
		return ""
	}
	return fmt.Sprintf("The mean relative error is that of few small outputs: %d of %d test pairs have %.0f%% of it. The median "+
		"is %s.", count, len(sizes), 100*part, report.Error(v.Test.Median(), digits))
}

// lostShare is the share of the test error from which Notes mentions what is lost between the points of the training
// grid. Errors add up in squares, so smaller shares hardly count.
const lostShare = 0.3

// hardShare is the share of the error in one percent of the test pairs above which Notes mentions them. Kernels have
// shares of 0.05 to 0.2 on most equations, and 0.2 to 0.9 on shallow water and Korteweg-de Vries, where leave-one-out
// errors were 0.2 to 2.5 times the test errors.
const hardShare = 0.25
