package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An Error is one error in a configuration: the key, its value, the allowed values, the remedy.
type Error struct {
	Key        string // dotted key, or the name of a preset or file
	Symbol     string // the paper's symbol, if it has one
	Value      string // the offending value, if there is one
	Problem    string // the error, or the allowed values
	Suggestion string // the remedy
}

// Error implements error: the key with its symbol and value, the error, the remedy.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Key)
	if e.Symbol != "" && e.Symbol != e.Key {
		fmt.Fprintf(&b, " (%s)", e.Symbol)
	}
	if e.Value != "" {
		b.WriteString(" = " + shortened(e.Value))
	}
	b.WriteString(" " + e.Problem)
	if e.Suggestion != "" {
		b.WriteString("; " + e.Suggestion)
	}
	return b.String()
}

// shortened returns the beginning of a value, since a list of names may be as long as a file.
func shortened(value string) string {
	const most = 200
	letters := []rune(value)
	if len(letters) <= most {
		return value
	}
	return string(letters[:most]) + "..."
}

// Validate reports all errors in c, as *Error values joined by errors.Join, or nil.
func (c Config) Validate() error {
	var all []error
	for _, k := range c.Keys() {
		if err := k.check(c); err != nil {
			all = append(all, err)
		}
	}
	if len(all) > 0 {
		return errors.Join(all...)
	}
	check := checker{Config: c}
	check.checkFiles()
	check.checkGrids()
	check.checkFeatures()
	check.checkMethod()
	check.checkNumbers()
	check.checkSymmetry()
	check.checkData()
	check.checkRidge()
	return errors.Join(check.errors...)
}

// checker collects the errors of a configuration whose keys have values that are allowed by themselves.
type checker struct {
	Config
	errors []error
}

// add adds an error of a setting.
func (c *checker) add(name, problem, suggestion string) {
	k, _ := c.Lookup(name)
	c.errors = append(c.errors, &Error{
		Key:        k.Name,
		Symbol:     k.Symbol,
		Value:      k.Text(c.Config),
		Problem:    problem,
		Suggestion: suggestion,
	})
}

// checkFeatures reports contradictions between settings of random features.
func (c *checker) checkFeatures() {
	features := c.Features
	if features.ThetaFile != "" && !stored(c.Config) { // without a key, because kinds that are drawn have none for it
		c.errors = append(c.errors, &Error{
			Key:        "features.theta_file",
			Value:      features.ThetaFile,
			Problem:    fmt.Sprintf("cannot be used: %s features of %s are always drawn", features.Kind, c.Problem),
			Suggestion: "leave it out",
		})
	}
	if features.Pool != 0 && features.Pool < features.Count {
		problem := fmt.Sprintf("must be 0 or at least features.count = %d, the number of features to choose from it", features.Count)
		c.add("features.pool", problem, fmt.Sprintf("try %d", 2*features.Count))
	}
}

// checkData reports values of settings of data that are texts and neither a name nor a number that is allowed.
func (c *checker) checkData() {
	length, err := strconv.Atoi(c.Data.Groups)
	isLength := err == nil
	if isLength && length < 1 {
		c.add("data.groups", "is a length of blocks below 1", "set data.groups = none, and each pair is left out by itself")
	}
	if c.Data.Missing == "" || c.Data.Missing == NoMissing {
		return
	}
	if _, err := strconv.ParseFloat(c.Data.Missing, 64); err != nil {
		c.add("data.missing", "must be a number, or none", "try -9999, or none")
	}
}

// checkRidge reports contradictions between settings of the ridge regression.
func (c *checker) checkRidge() {
	train := c.Train
	if train.Rows > 0 && c.ChoosesLambda() {
		cause := "train.choice = " + LeaveOneOut
		if train.Method == Best {
			cause = "train.method = " + Best
		}
		c.add("train.rows", "must be 0 with "+cause+", because whole functions are left out", "set it to 0")
	}
	if train.Lambda > 0 && train.Relative > 0 {
		c.add("train.relative", fmt.Sprintf("contradicts train.lambda = %g", train.Lambda), "set one of them to 0")
	}
	isUnregularised := train.Lambda == 0 && train.Relative == 0
	if isUnregularised && train.Rcond == 0 {
		c.add("train.rcond", "must be above 0 when train.lambda = 0, or noise is divided by rounding errors",
			fmt.Sprintf("try %.2g", MachineRcond))
	}
}

// checkFiles reports contradictions between settings of pairs from files.
func (c *checker) checkFiles() {
	if !c.Of().Files {
		return
	}
	if c.Data.TrainFile == "" {
		c.add("data.train_file", "must name a file: "+c.Problem+" are learned from your own pairs", "add --train-data FILE")
	}
	if c.Data.HasTest() && c.Data.Split != 0 {
		c.add("data.split", "has no effect: the test pairs are named", "set it to 0")
	}
	c.checkLow()
}

// checkLow reports settings that pairs of low fidelity do not go with.
func (c *checker) checkLow() {
	method := c.Train.Method
	switch {
	case !c.Data.HasLow() && c.Data.LowPairs != 0:
		c.add("data.low_pairs", "has no effect without a file of pairs of low fidelity", "set it to 0, or name data.low")
	case !c.Data.HasLow():
	case method == RandomFeatures || method == NeuralOperator:
		c.add("train.method", "has no errors of its own for pairs that are left out, by which pairs of low fidelity "+
			"(data.low) are judged", "try "+Best+" or "+KernelRidge)
	case c.Train.Noise:
		c.add("train.noise", "does not go with pairs of low fidelity (data.low)", "set it to no")
	}
}

// checkGrids reports grids that are too coarse or not contained in that of the data, and a place of points that the
// boundary excludes.
func (c *checker) checkGrids() {
	if c.Data.Grid != 0 { // else the grid is that of the file; Complete checks the grids then
		for _, name := range []string{"train.grid", "evaluation.grid"} {
			c.checkGrid(name)
		}
	}
	switch {
	case !c.Of().Files:
	case c.Data.Endpoint == Excluded && c.Closed():
		c.add("data.endpoint", "leaves out the right end, which only periodic functions repeat",
			"try included or centres, or data.boundary=periodic")
	case c.Data.Endpoint == Centres && !c.Closed():
		c.add("data.endpoint", "has no meaning: moved by half a cell, a periodic grid is the same", "try excluded")
	}
}

// checkGrid checks the grid of a key against that of the data.
func (c *checker) checkGrid(name string) {
	k, _ := c.Lookup(name)
	K := *k.pointer(&c.Config).(*int)
	if K == 0 {
		return
	}
	intervals := c.Intervals(K)
	if intervals < least && K != c.Data.Grid {
		c.add(name, fmt.Sprintf("must be at least %d", K-intervals+least), "try "+c.nearestGrid(K))
		return
	}
	isListed := slices.Contains(c.Grids(c.Data.Grid), K)
	divides := c.Data.Columns == 0 && c.Contains(c.Data.Grid, K) // of a rectangle both axes must, as in the list
	if !isListed && !divides {
		problem := fmt.Sprintf("must divide the data grid: its %d intervals must divide the %d of data.grid = %d",
			intervals, c.Intervals(c.Data.Grid), c.Data.Grid)
		c.add(name, problem, "try "+c.nearestGrid(K))
	}
}

// nearestGrid returns the grid closest to want that the data grid contains, or the coarsest one if it contains none
// because it has no intervals itself.
func (c Config) nearestGrid(want int) string {
	grids := c.Grids(c.Data.Grid)
	if len(grids) == 0 {
		return fmt.Sprint(c.Data.Grid - c.Intervals(c.Data.Grid) + least)
	}
	away := func(K int) int { return max(K-want, want-K) }
	closest := slices.MinFunc(grids, func(a, b int) int { return away(a) - away(b) })
	return strconv.Itoa(closest)
}

// Blocks returns the length of the blocks in data.groups, 0 if data.groups has another value.
func (d Data) Blocks() int {
	length, err := strconv.Atoi(d.Groups)
	if err != nil {
		return 0
	}
	return length
}

// LabelArray returns the array of labels that data.groups names, empty if it names none.
func (d Data) LabelArray() string {
	_, err := strconv.Atoi(d.Groups)
	isLength := err == nil
	if isLength || d.Groups == AutoGroups || d.Groups == NoGroups {
		return ""
	}
	return d.Groups
}
