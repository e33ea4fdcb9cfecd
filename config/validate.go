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

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Key)
	if e.Symbol != "" && e.Symbol != e.Key {
		fmt.Fprintf(&b, " (%s)", e.Symbol)
	}
	if e.Value != "" {
		b.WriteString(" = " + e.Value)
	}
	b.WriteString(" " + e.Problem)
	if e.Suggestion != "" {
		b.WriteString("; " + e.Suggestion)
	}
	return b.String()
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
	add := func(name, problem, suggestion string) {
		k, _ := c.Lookup(name)
		all = append(all, &Error{
			Key:        k.Name,
			Symbol:     k.Symbol,
			Value:      k.Text(c),
			Problem:    problem,
			Suggestion: suggestion,
		})
	}
	if c.Features.ThetaFile != "" && !stored(c) {
		all = append(all, &Error{
			Key:        "features.theta_file",
			Value:      c.Features.ThetaFile,
			Problem:    fmt.Sprintf("cannot be used: %s features of %s are always drawn", c.Features.Kind, c.Problem),
			Suggestion: "leave it out",
		})
	}
	c.checkFiles(add)
	c.checkGrids(add)
	if c.Features.Pool != 0 && c.Features.Pool < c.Features.Count {
		add("features.pool", fmt.Sprintf("must be 0 or at least features.count = %d, the number of features to choose "+
			"from it", c.Features.Count), fmt.Sprintf("try %d", 2*c.Features.Count))
	}
	if c.Train.Rows > 0 && c.ChoosesLambda() {
		cause := "train.choice = " + LeaveOneOut
		if c.Train.Method == Best {
			cause = "train.method = " + Best
		}
		add("train.rows", "must be 0 with "+cause+", because whole functions are left out", "set it to 0")
	}
	c.checkMethod(add)
	c.checkNumbers(add)
	c.checkSymmetry(add)
	length, err := strconv.Atoi(c.Data.Groups)
	if err == nil && length < 1 {
		add("data.groups", "is a length of blocks below 1", "set data.groups = none, and each pair is left out by itself")
	}
	if _, err := strconv.ParseFloat(c.Data.Missing, 64); err != nil && c.Data.Missing != "" && c.Data.Missing != NoMissing {
		add("data.missing", "must be a number, or none", "try -9999, or none")
	}
	if c.Train.Lambda > 0 && c.Train.Relative > 0 {
		add("train.relative", fmt.Sprintf("contradicts train.lambda = %g", c.Train.Lambda), "set one of them to 0")
	}
	if c.Train.Lambda == 0 && c.Train.Relative == 0 && c.Train.Rcond == 0 {
		add("train.rcond", "must be above 0 when train.lambda = 0, or noise is divided by rounding errors",
			fmt.Sprintf("try %.2g", MachineRcond))
	}
	return errors.Join(all...)
}

// checkFiles reports contradictions between settings of pairs from files.
func (c Config) checkFiles(add func(name, problem, suggestion string)) {
	if !c.Of().Files {
		return
	}
	if c.Data.TrainFile == "" {
		add("data.train_file", "must name a file: "+c.Problem+" are learned from your own pairs", "add --train-data FILE")
	}
	if c.Data.HasTest() && c.Data.Split != 0 {
		add("data.split", "has no effect: the test pairs are named", "set it to 0")
	}
	c.checkLow(add)
}

// checkLow reports settings that pairs of low fidelity do not go with.
func (c Config) checkLow(add func(name, problem, suggestion string)) {
	method := c.Train.Method
	switch {
	case !c.Data.HasLow() && c.Data.LowPairs != 0:
		add("data.low_pairs", "has no effect without a file of pairs of low fidelity", "set it to 0, or name data.low")
	case !c.Data.HasLow():
	case method == RandomFeatures || method == NeuralOperator:
		add("train.method", "has no errors of its own for pairs that are left out, by which pairs of low fidelity "+
			"(data.low) are judged", "try "+Best+" or "+KernelRidge)
	case c.Train.Noise:
		add("train.noise", "does not go with pairs of low fidelity (data.low)", "set it to no")
	}
}

// checkGrids reports grids that are too coarse or not contained in that of the data, and a place of points that the
// boundary excludes.
func (c Config) checkGrids(add func(name, problem, suggestion string)) {
	if c.Data.Grid != 0 { // else the grid is that of the file; Complete checks the grids then
		for _, name := range []string{"train.grid", "evaluation.grid"} {
			c.checkGrid(name, add)
		}
	}
	switch {
	case !c.Of().Files:
	case c.Data.Endpoint == Excluded && c.Closed():
		add("data.endpoint", "leaves out the right end, which only periodic functions repeat",
			"try included or centres, or data.boundary=periodic")
	case c.Data.Endpoint == Centres && !c.Closed():
		add("data.endpoint", "has no meaning: moved by half a cell, a periodic grid is the same", "try excluded")
	}
}

// checkGrid checks the grid of a key against that of the data.
func (c Config) checkGrid(name string, add func(name, problem, suggestion string)) {
	k, _ := c.Lookup(name)
	K := *k.pointer(&c).(*int)
	if K == 0 {
		return
	}
	intervals := c.Intervals(K)
	if intervals < least && K != c.Data.Grid {
		add(name, fmt.Sprintf("must be at least %d", K-intervals+least), "try "+c.nearestGrid(K))
		return
	}
	listed := slices.Contains(c.Grids(c.Data.Grid), K)
	divides := c.Data.Columns == 0 && c.Contains(c.Data.Grid, K) // of a rectangle both axes must, as in the list
	if !listed && !divides {
		add(name, fmt.Sprintf("must divide the data grid: its %d intervals must divide the %d of data.grid = %d",
			intervals, c.Intervals(c.Data.Grid), c.Data.Grid), "try "+c.nearestGrid(K))
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
	return fmt.Sprint(slices.MinFunc(grids, func(a, b int) int { return away(a) - away(b) }))
}

// nearest returns the key whose symbol is the last part of name (features.sigma is the activation). Without one it
// returns the key closest to name: of those with the same last part, or else the number of such things, or else of all.
// Where name has no dot it is compared with groups and the beginnings of the last parts. similar reports a slip.
func (c Config) nearest(name string) (key string, similar bool) {
	group, last, inGroup := strings.Cut(name, ".")
	if !inGroup {
		last = name
	}
	const far = 1000 // above all distances
	from := func(k Key) int {
		ofGroup := !inGroup || k.Group() == group
		switch {
		case k.Symbol != "" && k.Symbol == last && ofGroup:
			return -2 * far
		case !inGroup:
			beginning := k.Short()[:min(len(name)+1, len(k.Short()))]
			return min(distance(name, beginning), distance(name, k.Group()))
		case k.Short() == last:
			return distance(name, k.Name) - far
		case k.Name == last+".count":
			return 0
		}
		return distance(name, k.Name)
	}
	best := slices.MinFunc(c.Keys(), func(a, b Key) int { return from(a) - from(b) })
	return best.Name, from(best) <= slip(name)
}

// Nearest returns the candidate with the smallest edit distance to name.
func Nearest(name string, candidates []string) string {
	return slices.MinFunc(candidates, func(a, b string) int { return distance(name, a) - distance(name, b) })
}

// Similar returns Nearest if name may be a slip of the keyboard for it, and "" otherwise.
func Similar(name string, candidates []string) string {
	best := Nearest(name, candidates)
	if distance(name, best) > slip(name) {
		return ""
	}
	return best
}

// slip bounds the distance of a name from the one that was meant.
func slip(name string) int { return min(len(name)-1, max(1, len(name)/3)) }

// distance returns the Levenshtein distance of a and b in bytes; only the first 64 bytes count.
func distance(a, b string) int {
	a = a[:min(len(a), 64)]
	b = b[:min(len(b), 64)]
	row := make([]int, len(b)+1) // distances of the beginning of a, so far empty, from all beginnings of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// symmetriesOf restricts the choices of a key to the symmetries of the domains that the problem may have.
func symmetriesOf(p Problem, k *Key) {
	all := []string{AutoSymmetry, NoSymmetry, Translations, Reflection, OddReflection, WholeSquare}
	neverPeriodic := !p.Periodic && !p.Files
	k.Choices = slices.DeleteFunc(all, func(symmetry string) bool {
		return onTorus(symmetry) && neverPeriodic || symmetry == WholeSquare && p.Dims == 1
	})
}

// onTorus reports whether transformations are those of periodic functions.
func onTorus(symmetry string) bool { return symmetry == Translations || symmetry == OddReflection }

// Commutes reports whether a value of data.symmetry names transformations that every method must commute with.
func Commutes(symmetry string) bool {
	return symmetry != "" && symmetry != AutoSymmetry && symmetry != NoSymmetry
}

// checkSymmetry reports contradictions of other settings to data.symmetry.
func (c Config) checkSymmetry(add func(name, problem, suggestion string)) {
	symmetry := c.Data.Symmetry
	method := c.Method()
	if symmetry == NoSymmetry && method.equivariant {
		add("data.symmetry", fmt.Sprintf("contradicts train.method = %s, which is translation-equivariant", method.Name),
			"set data.symmetry = auto, or train.method = kernel")
	}
	if !Commutes(symmetry) {
		return
	}
	in, out := c.Channels()
	if max(in, out) > 1 {
		add("data.symmetry", fmt.Sprintf("is for functions with one channel: inputs have %d, outputs %d, and motions may "+
			"change their signs", in, out), "try auto")
	}
	if c.Closed() {
		switch {
		case onTorus(symmetry):
			add("data.symmetry", "is of periodic functions, these end at a boundary", "try "+Reflection)
		case symmetry == WholeSquare && c.Data.Columns != 0 && c.Data.Columns != c.Data.Grid:
			add("data.symmetry", fmt.Sprintf("is of the square, and fields are on %d x %d points", c.Data.Grid,
				c.Data.Columns), "try "+Reflection)
		}
		return
	}
	if symmetry == WholeSquare {
		add("data.symmetry", "is of fields that end at a boundary, these are periodic", "try "+Reflection)
	}
	if method.placed != 0 && c.Dims() >= method.placed {
		add("train.method", fmt.Sprintf("is not translation-equivariant, as data.symmetry = %s requires", symmetry),
			"try "+EquivariantKernel)
	}
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
