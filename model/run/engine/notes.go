// This file says in sentences what an evaluation shows.

package engine

import (
	"fmt"
	"slices"
	"strings"

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
	if v.EqualUnfinished {
		notes = append(notes, "The search for the equal solve ended after some seconds: a faster one may exist, on another grid or to another tolerance.")
	}
	return notes
}

// A note says something about a result: in whole sentences, and in a line for those who read no more.
type note struct{ whole, brief string }

// Notes returns sentences about the comparison: whether anything was learned, the choice of the method, methods far
// better than the model, hard inputs, the learning curve, and Warnings.
func (v *Evaluation) Notes() []string {
	var all []string
	for _, n := range v.notes() {
		all = append(all, n.whole)
	}
	return all
}

// Brief returns the notes that a person needs before anything else, in a line or two each. How the method was chosen,
// and which could not be compared, is left to Notes.
func (v *Evaluation) Brief() []string {
	var all []string
	for _, n := range v.notes() {
		if n.brief != "" {
			all = append(all, n.brief)
		}
	}
	return all
}

// notes returns the notes in the order of their weight.
func (v *Evaluation) notes() []note {
	var all []note
	add := func(brief, whole string) {
		all = append(all, note{whole: whole, brief: brief})
	}
	for _, text := range v.Skill.sentences(v) {
		add(text, text)
	}
	switch {
	case v.Choice != "":
		add("", v.Choice)
	case v.method != "":
		add("", learnedBy(v.method)+".")
	}
	if v.Low != nil {
		add(v.Low.String(), v.Low.String())
	}
	if best := v.better(); best.Name != "" {
		add(v.tryOthers(best))
	}
	if v.Lost > lostShare*v.Test.ExpectedRelative {
		lost := report.Measured(v.Lost)
		add(lost+" of the error lies between the points of the training grid; try a finer train.grid.",
			fmt.Sprintf("Of the test error, %s would remain with a model that is exact on the %d points of "+
				"the training grid: what lies between them is interpolated. A finer train.grid may have a smaller error.",
				lost, v.trainPoints))
	}
	sorted := slices.Sorted(slices.Values(v.Test.Relative))
	hard := sorted[len(sorted)-len(sorted)/100:]
	if share := floats.Sum(hard) / floats.Sum(sorted); share > hardShare {
		few := fmt.Sprintf("Few inputs are hard: %d of %d test pairs have %.0f%% of the error.", len(hard), len(sorted), 100*share)
		add(few, few+" The leave-one-out error, a mean over other pairs, may differ several times.")
	}
	if text := v.smallOutputs(); text != "" {
		add(text, text)
	}
	if text := v.Unlike.sentence(v.TestPairs.Count()); text != "" {
		add(v.Unlike.count(v.TestPairs.Count())+"; errors there differ.", text)
	}
	if v.Curve != nil {
		add("", v.Curve.String())
	}
	if v.Convergence != nil {
		add("", v.Convergence.String())
	}
	for _, text := range v.Warnings {
		brief := text
		if strings.HasPrefix(text, aboutMethod) || strings.HasPrefix(text, aboutMethods) {
			brief = ""
		}
		add(brief, text)
	}
	return all
}

// aboutMethod begins the warnings about a method that was not compared as it should have been, aboutMethods those about
// several.
const (
	aboutMethod  = "The method "
	aboutMethods = "The methods "
)

// better returns the method with the least error if it is far better than the model; without a name if none is.
func (v *Evaluation) better() (best Row) {
	for _, r := range v.Rows {
		if r.Training > 0 && r.Tolerance == 0 && (best.Name == "" || r.Error < best.Error) {
			best = r
		}
	}
	if best.Name == "" || best.Error*betterFactor >= v.Rows[0].Error {
		return Row{}
	}
	return best
}

// tryOthers says that another method is far better, and with which command all methods are compared.
func (v *Evaluation) tryOthers(best Row) (brief, whole string) {
	whole = fmt.Sprintf("The test error of %s is %.3g times smaller than the model's", best.Name, v.Rows[0].Error/best.Error)
	if v.method == "" && best.Name != mean.Title {
		whole += ": these features, or this many, do not suit the operator"
	}
	whole += "."
	if v.method != "" || v.compareAll == "" {
		return "", whole // the table has the ratio
	}
	whole += " This compares all methods:\n  " + v.compareAll
	brief = Unsuited + "; try  " + v.compareAll
	const line = 79
	if len(brief) > line {
		brief = Unsuited + "; try\n  " + v.compareAll
	}
	return brief, whole
}

// WithBest returns a configuration with the best of all methods in place of its own.
func WithBest(c config.Config) config.Config {
	c.Train.Method = config.Best
	c.Train.Rows = 0 // because random features are compared by whole functions that are left out
	return c
}

// AdvisesAll reports whether the short notes begin one with Unsuited, without the work for the others.
func (v *Evaluation) AdvisesAll() bool {
	return v.method == "" && v.compareAll != "" && v.better().Name != ""
}

// Unsuited begins the short note on random features far behind another method, before the command that compares all.
const Unsuited = "Features do not suit this operator"

// compareAll returns the command that compares all methods in place of the configured one, or nothing if no command with
// a preset does.
func compareAll(c config.Config) string {
	c = WithBest(c)
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
		"is %s.", count, len(sizes), 100*part, report.Measured(v.Test.Median()))
}

// lostShare is the share of the test error from which Notes mentions what is lost between the points of the training
// grid. Errors add up in squares, so smaller shares hardly count.
const lostShare = 0.3

// hardShare is the share of the error in one percent of the test pairs above which Notes mentions them. Kernels have
// shares of 0.05 to 0.2 on most equations, and 0.2 to 0.9 on shallow water and Korteweg-de Vries, where leave-one-out
// errors were 0.2 to 2.5 times the test errors.
const hardShare = 0.25
