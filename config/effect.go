// This file knows which settings have no effect together with others, so that commands can say so.

package config

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// A dependence says when some settings have no effect.
type dependence struct {
	names []string // patterns of path.Match for names of keys
	usual string   // the value with which the setting asks for nothing; empty: every value asks for something
	// why returns the reason why the settings have no effect in a configuration, and what to do about it; an empty reason if
	// they have one.
	why func(c Config) (reason, remedy string)
}

// dependences lists the settings that have an effect only together with others, although every value is valid.
var dependences = []dependence{
	{
		names: []string{"features.*", "train.rows", "train.lambda", "train.relative", "train.choice", "train.rcond", "train.offset"},
		why:   withoutFeatures,
	},
	{
		names: []string{"train.lambda", "train.relative", "train.rcond"},
		why:   withChosenLambda,
	},
	{
		names: []string{"train.choice"},
		usual: LeaveOneOut,
		why:   withBest,
	},
	{
		names: []string{"train.rcond"},
		why:   withRidge,
	},
	{
		names: []string{"features.gain"},
		why:   withRMS,
	},
	{
		names: []string{"features.tau", "features.alpha", "features.axis", "features.window", "features.spread"},
		why:   withThetaFile,
	},
	{
		names: []string{"features.eta", "features.step"},
		why:   withoutMollifier,
	},
	{
		names: []string{"train.patience", "network.*"},
		usual: "0",
		why:   withoutNetwork,
	},
	{
		names: []string{"data.suspects"},
		usual: ReportSuspects,
		why:   withoutLeftOut,
	},
	{
		names: []string{"data.skip"},
		usual: SkipNone,
		why:   withoutFiles,
	},
	{
		names: []string{"input.*"},
		why:   withoutDraws,
	},
}

// WithoutEffect returns a sentence for each reason why some of the named settings have no effect together with the
// others. Names are those that Lookup finds; others are left out.
func (c Config) WithoutEffect(names ...string) (sentences []string) {
	settings := map[string][]string{} // by reason and remedy
	var order []string
	for _, name := range names {
		k, err := c.Lookup(name)
		if err != nil {
			continue
		}
		reason := c.noEffect(k)
		if reason == "" {
			continue
		}
		if !slices.Contains(order, reason) {
			order = append(order, reason)
		}
		if !slices.Contains(settings[reason], k.Name) {
			settings[reason] = append(settings[reason], k.Name)
		}
	}
	for _, reason := range order {
		have := "has"
		if len(settings[reason]) > 1 {
			have = "have"
		}
		sentence := fmt.Sprintf("%s %s no effect, because %s", strings.Join(settings[reason], ", "), have, reason)
		sentences = append(sentences, sentence)
	}
	return sentences
}

// noEffect returns the reason why a setting has no effect, with a remedy; empty if it has one.
func (c Config) noEffect(k Key) string {
	for _, d := range dependences {
		isUsual := d.usual != "" && k.Text(c) == d.usual
		if isUsual || !d.concerns(k) {
			continue
		}
		reason, remedy := d.why(c)
		if reason != "" && remedy != "" {
			return reason + "; " + remedy
		}
		if reason != "" {
			return reason
		}
	}
	return ""
}

// concerns reports whether the dependence is one of the setting.
func (d dependence) concerns(k Key) bool {
	return slices.ContainsFunc(d.names, func(pattern string) bool {
		matches, _ := path.Match(pattern, k.Name) // patterns are valid, as a test checks
		return matches
	})
}

func withoutFeatures(c Config) (reason, remedy string) {
	in, out := c.Channels()
	channels := max(in, out)
	method := c.Train.Method
	switch {
	case method == RandomFeatures:
		return "", ""
	case channels > 1:
		return "random features learn functions with one channel, and other methods have no such setting", ""
	case method == Best || c.Evaluation.Baselines: // they are compared
		return "", ""
	}
	return "train.method = " + method + " does not use these random features",
		"try train.method=" + RandomFeatures + " or " + Best
}

func withChosenLambda(c Config) (reason, remedy string) {
	switch {
	case c.Train.Method == Best:
		return "train.method = " + Best + " chooses lambda by cross-validation",
			fmt.Sprintf("to give it, set train.method=%s and train.choice=%s", RandomFeatures, Given)
	case c.ChoosesLambda():
		return "train.choice = " + c.Train.Choice + " chooses lambda by cross-validation", "to give it, set train.choice=" + Given
	}
	return "", ""
}

func withBest(c Config) (reason, remedy string) {
	if c.Train.Method != Best {
		return "", ""
	}
	return "train.method = " + Best + " chooses lambda by cross-validation", "to give it, set train.method=" + RandomFeatures + " as well"
}

func withRidge(c Config) (reason, remedy string) {
	if c.Train.Lambda == 0 && c.Train.Relative == 0 {
		return "", ""
	}
	return "lambda is above 0", "set train.lambda=0 and train.relative=0"
}

func withRMS(c Config) (reason, remedy string) {
	if c.Features.RMS == 0 {
		return "", ""
	}
	return fmt.Sprintf("features.rms = %g sets the gain", c.Features.RMS), "to give the gain, set features.rms=0"
}

func withThetaFile(c Config) (reason, remedy string) {
	if c.Features.ThetaFile == "" {
		return "", ""
	}
	return "theta is read from a file, not drawn", "leave out features.theta_file to draw it"
}

func withoutMollifier(c Config) (reason, remedy string) {
	if c.Features.Steps > 0 {
		return "", ""
	}
	return "features.steps = 0 is no mollifier", "set features.steps, 33 in the paper"
}

func withoutNetwork(c Config) (reason, remedy string) {
	method := c.Train.Method
	tries := fmt.Sprintf("train.method=%s learns by one", NeuralOperator)
	ofEquation := !c.Of().Files && method == RandomFeatures // such features are compared with reference methods alone
	isCompared := method == Best || c.Evaluation.Baselines && !ofEquation
	switch {
	case method == NeuralOperator || isCompared && c.NetworkSeconds() > 0:
		return "", ""
	case isCompared:
		return "no neural operator is trained", tries + ", train.patience=60 compares one"
	}
	return "train.method = " + method + " trains no neural operator", tries
}

func withoutLeftOut(c Config) (reason, remedy string) {
	method := c.Train.Method
	if method != RandomFeatures && method != NeuralOperator {
		return "", ""
	}
	return "train.method = " + method + " has no error for each pair that is left out, which would tell suspects", "try train.method=" + Best
}

func withoutFiles(c Config) (reason, remedy string) {
	if c.Of().Files || c.Data.TrainFile != "" || c.Data.TestFile != "" {
		return "", ""
	}
	return "the pairs are generated, not read from a file", ""
}

func withoutDraws(c Config) (reason, remedy string) {
	switch {
	case c.Data.TrainFile != "" && c.Data.TestFile != "":
		return "all pairs are read from files", ""
	case !c.Equation.HasFunction():
		return "the inputs are " + c.InputNames() + ", and no function is drawn", ""
	}
	return "", ""
}
