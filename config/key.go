// This file is the table of configuration keys: the one place that knows their names, symbols, meanings, ranges
// and the paper's values. TOML, --set, validation, help and the configuration screen all read it.

package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kind is the type of a key's value.
type Kind int

// The kinds of values.
const (
	Integer Kind = iota
	Real
	Choice
	Path
)

// A Key describes one entry of a Config.
type Key struct {
	Name    string   // dotted TOML path, e.g. "data.train"
	Problem string   // the problem it belongs to; empty if it belongs to all
	Symbol  string   // the paper's symbol, e.g. "n"; empty if it has none
	Help    string   // what it is, in half a line
	Paper   string   // the paper's value
	Kind    Kind     // type of the value
	Min     float64  // smallest value of an Integer or Real
	Max     float64  // largest value
	Above   bool     // Min itself is excluded
	Choices []string // values of a Choice

	pointer func(*Config) any
}

// Activations are the names that features.activation takes.
var activations = []string{"elu", "relu", "tanh", "sigmoid", "sin", "selu", "softplus", "gelu"}

const (
	maxGrid  = 1<<16 + 1
	maxSide  = 1<<11 + 1
	maxCount = 1 << 20
	maxM     = 1 << 15
)

var keys = []Key{
	{Name: "problem", Help: "operator to learn", Kind: Choice, Choices: []string{Burgers, Darcy},
		pointer: func(c *Config) any { return &c.Problem }},
	{Name: "seed", Help: "root of every random stream", Kind: Integer, Min: 0, Max: math.MaxUint64,
		pointer: func(c *Config) any { return &c.Seed }},

	{Name: "data.train", Problem: Burgers, Symbol: "n", Help: "number of training pairs", Paper: "512", Kind: Integer, Min: 1, Max: maxCount,
		pointer: func(c *Config) any { return &c.Data.Train }},
	{Name: "data.train", Problem: Darcy, Symbol: "n", Help: "number of training pairs", Paper: "128", Kind: Integer, Min: 1, Max: maxCount,
		pointer: func(c *Config) any { return &c.Data.Train }},
	{Name: "data.test", Problem: Burgers, Symbol: "n'", Help: "number of test pairs", Paper: "4000", Kind: Integer, Min: 1, Max: maxCount,
		pointer: func(c *Config) any { return &c.Data.Test }},
	{Name: "data.test", Problem: Darcy, Symbol: "n'", Help: "number of test pairs", Paper: "1000", Kind: Integer, Min: 1, Max: maxCount,
		pointer: func(c *Config) any { return &c.Data.Test }},
	{Name: "data.grid", Problem: Burgers, Symbol: "K", Help: "grid the data are generated on, both ends counted", Paper: "1025", Kind: Integer, Min: 9, Max: maxGrid,
		pointer: func(c *Config) any { return &c.Data.Grid }},
	{Name: "data.grid", Problem: Darcy, Symbol: "r", Help: "r x r grid the data are generated on", Paper: "257", Kind: Integer, Min: 9, Max: maxSide,
		pointer: func(c *Config) any { return &c.Data.Grid }},
	{Name: "data.train_file", Problem: Burgers, Help: "training pairs from this .npy (K, n, 2), not generated", Kind: Path,
		pointer: func(c *Config) any { return &c.Data.TrainFile }},
	{Name: "data.train_file", Problem: Darcy, Help: "training pairs from this .npy (r, r, n, 2), not generated", Kind: Path,
		pointer: func(c *Config) any { return &c.Data.TrainFile }},
	{Name: "data.test_file", Problem: Darcy, Help: "test pairs from this .npy (r, r, n', 2), not generated", Kind: Path,
		pointer: func(c *Config) any { return &c.Data.TestFile }},
	{Name: "data.test_file", Problem: Burgers, Help: "test pairs from this .npy (K, n', 2), not generated", Kind: Path,
		pointer: func(c *Config) any { return &c.Data.TestFile }},

	{Name: "input.tau", Problem: Burgers, Symbol: "tau", Help: "inverse length scale of the inputs", Paper: "7", Kind: Real, Min: 0, Max: 1e4, Above: true,
		pointer: func(c *Config) any { return &c.Input.Tau }},
	{Name: "input.tau", Problem: Darcy, Symbol: "tau", Help: "inverse length scale of the level set function", Paper: "3", Kind: Real, Min: 0, Max: 1e4, Above: true,
		pointer: func(c *Config) any { return &c.Input.Tau }},
	{Name: "input.alpha", Problem: Burgers, Symbol: "alpha", Help: "regularity of the inputs", Paper: "2.5", Kind: Real, Min: 0.5, Max: 20, Above: true,
		pointer: func(c *Config) any { return &c.Input.Alpha }},
	{Name: "input.alpha", Problem: Darcy, Symbol: "alpha", Help: "regularity of the level set function", Paper: "2", Kind: Real, Min: 1, Max: 20, Above: true,
		pointer: func(c *Config) any { return &c.Input.Alpha }},
	{Name: "input.axis", Problem: Darcy, Help: "weight of modes along one axis: 2 as computed, 1.414 as printed", Paper: "2", Kind: Real, Min: 0, Max: 10,
		pointer: func(c *Config) any { return &c.Input.Axis }},

	{Name: "burgers.viscosity", Problem: Burgers, Symbol: "nu", Help: "viscosity", Paper: "0.01", Kind: Real, Min: 0, Max: 100, Above: true,
		pointer: func(c *Config) any { return &c.Burgers.Viscosity }},
	{Name: "burgers.time", Problem: Burgers, Symbol: "T", Help: "time of the output", Paper: "1", Kind: Real, Min: 0, Max: 1000, Above: true,
		pointer: func(c *Config) any { return &c.Burgers.Time }},
	{Name: "burgers.tolerance", Problem: Burgers, Help: "relative L2 error allowed in the truth", Kind: Real, Min: 1e-12, Max: 1e-2,
		pointer: func(c *Config) any { return &c.Burgers.Tolerance }},

	{Name: "darcy.high", Problem: Darcy, Symbol: "a+", Help: "permeability where the level set function is positive", Paper: "12", Kind: Real, Min: 0, Max: 1e12, Above: true,
		pointer: func(c *Config) any { return &c.Darcy.High }},
	{Name: "darcy.low", Problem: Darcy, Symbol: "a-", Help: "permeability elsewhere", Paper: "3", Kind: Real, Min: 0, Max: 1e12, Above: true,
		pointer: func(c *Config) any { return &c.Darcy.Low }},
	{Name: "darcy.face", Problem: Darcy, Help: "mean of a between grid points", Paper: "arithmetic", Kind: Choice, Choices: []string{"arithmetic", "harmonic"},
		pointer: func(c *Config) any { return &c.Darcy.Face }},
	{Name: "darcy.tolerance", Problem: Darcy, Help: "relative residual of the conjugate gradients", Kind: Real, Min: 1e-13, Max: 1e-2,
		pointer: func(c *Config) any { return &c.Darcy.Tolerance }},
	{Name: "darcy.iterations", Problem: Darcy, Help: "limit to their number", Kind: Integer, Min: 1, Max: 1e6,
		pointer: func(c *Config) any { return &c.Darcy.Iterations }},

	{Name: "features.count", Problem: Burgers, Symbol: "m", Help: "number of random features", Paper: "1024", Kind: Integer, Min: 1, Max: maxM,
		pointer: func(c *Config) any { return &c.Features.Count }},
	{Name: "features.count", Problem: Darcy, Symbol: "m", Help: "number of random features", Paper: "256", Kind: Integer, Min: 1, Max: maxM,
		pointer: func(c *Config) any { return &c.Features.Count }},
	{Name: "features.activation", Problem: Burgers, Symbol: "sigma", Help: "activation", Paper: "elu", Kind: Choice, Choices: activations,
		pointer: func(c *Config) any { return &c.Features.Activation }},
	{Name: "features.gain", Problem: Burgers, Symbol: "gain", Help: "factor inside the activation", Paper: "1024", Kind: Real, Min: 0, Max: 1e9, Above: true,
		pointer: func(c *Config) any { return &c.Features.Gain }},
	{Name: "features.plus", Problem: Darcy, Symbol: "s+", Help: "limit of sigma at +infinity, 1/12", Paper: "0.08333333333333333", Kind: Real, Min: -1e6, Max: 1e6,
		pointer: func(c *Config) any { return &c.Features.Plus }},
	{Name: "features.minus", Problem: Darcy, Symbol: "s-", Help: "limit of sigma at -infinity, -1/3", Paper: "-0.3333333333333333", Kind: Real, Min: -1e6, Max: 1e6,
		pointer: func(c *Config) any { return &c.Features.Minus }},
	{Name: "features.delta", Problem: Burgers, Symbol: "delta", Help: "scale of the filter chi", Paper: "0.0025", Kind: Real, Min: 0, Max: 10, Above: true,
		pointer: func(c *Config) any { return &c.Features.Delta }},
	{Name: "features.delta", Problem: Darcy, Symbol: "delta", Help: "width of sigma's step", Paper: "0.15", Kind: Real, Min: 0, Max: 1e3, Above: true,
		pointer: func(c *Config) any { return &c.Features.Delta }},
	{Name: "features.beta", Problem: Burgers, Symbol: "beta", Help: "decay of the filter chi", Paper: "4", Kind: Real, Min: 0, Max: 100, Above: true,
		pointer: func(c *Config) any { return &c.Features.Beta }},
	{Name: "features.eta", Problem: Darcy, Symbol: "eta", Help: "diffusivity of the mollifier of a", Paper: "0.0001", Kind: Real, Min: 0, Max: 1,
		pointer: func(c *Config) any { return &c.Features.Eta }},
	{Name: "features.step", Problem: Darcy, Symbol: "dt", Help: "time step of the mollifier", Paper: "0.03", Kind: Real, Min: 0, Max: 1,
		pointer: func(c *Config) any { return &c.Features.Step }},
	{Name: "features.steps", Problem: Darcy, Help: "number of the mollifier's steps", Paper: "33", Kind: Integer, Min: 0, Max: 1e6,
		pointer: func(c *Config) any { return &c.Features.Steps }},
	{Name: "features.tau", Problem: Burgers, Symbol: "tau'", Help: "inverse length scale of theta", Paper: "5", Kind: Real, Min: 0, Max: 1e4, Above: true,
		pointer: func(c *Config) any { return &c.Features.Tau }},
	{Name: "features.tau", Problem: Darcy, Symbol: "tau'", Help: "inverse length scale of theta", Paper: "7.5", Kind: Real, Min: 0, Max: 1e4, Above: true,
		pointer: func(c *Config) any { return &c.Features.Tau }},
	{Name: "features.alpha", Problem: Burgers, Symbol: "alpha'", Help: "regularity of theta", Paper: "2", Kind: Real, Min: 0.5, Max: 20, Above: true,
		pointer: func(c *Config) any { return &c.Features.Alpha }},
	{Name: "features.alpha", Problem: Darcy, Symbol: "alpha'", Help: "regularity of theta", Paper: "2", Kind: Real, Min: 1, Max: 20, Above: true,
		pointer: func(c *Config) any { return &c.Features.Alpha }},
	{Name: "features.axis", Problem: Darcy, Help: "weight of theta's modes along one axis", Paper: "2", Kind: Real, Min: 0, Max: 10,
		pointer: func(c *Config) any { return &c.Features.Axis }},
	{Name: "features.theta_file", Problem: Burgers, Help: "theta from this .npy (K, m, 2), not drawn", Kind: Path,
		pointer: func(c *Config) any { return &c.Features.ThetaFile }},
	{Name: "features.theta_file", Problem: Darcy, Help: "theta from this .npy (r, r, m, 2), not drawn", Kind: Path,
		pointer: func(c *Config) any { return &c.Features.ThetaFile }},

	{Name: "train.grid", Problem: Burgers, Symbol: "K", Help: "grid for training", Paper: "129", Kind: Integer, Min: 9, Max: maxGrid,
		pointer: func(c *Config) any { return &c.Train.Grid }},
	{Name: "train.grid", Problem: Darcy, Symbol: "r", Help: "r x r grid for training", Paper: "33", Kind: Integer, Min: 9, Max: maxSide,
		pointer: func(c *Config) any { return &c.Train.Grid }},
	{Name: "train.lambda", Problem: Burgers, Symbol: "lambda", Help: "regularisation, 0 = minimum norm solution", Paper: "0", Kind: Real, Min: 0, Max: 1e6,
		pointer: func(c *Config) any { return &c.Train.Lambda }},
	{Name: "train.lambda", Problem: Darcy, Symbol: "lambda", Help: "regularisation, 0 = minimum norm solution", Paper: "1e-08", Kind: Real, Min: 0, Max: 1e6,
		pointer: func(c *Config) any { return &c.Train.Lambda }},
	{Name: "train.rcond", Help: "lambda = 0: relative cut-off for eigenvalues", Paper: "2.2e-10", Kind: Real, Min: 0, Max: 0.5,
		pointer: func(c *Config) any { return &c.Train.Rcond }},

	{Name: "evaluation.grid", Problem: Burgers, Symbol: "K", Help: "grid for testing, 0 = the training grid", Paper: "129", Kind: Integer, Min: 0, Max: maxGrid,
		pointer: func(c *Config) any { return &c.Evaluation.Grid }},
	{Name: "evaluation.grid", Problem: Darcy, Symbol: "r", Help: "r x r grid for testing, 0 = the training grid", Paper: "33", Kind: Integer, Min: 0, Max: maxSide,
		pointer: func(c *Config) any { return &c.Evaluation.Grid }},
}

// Problems lists the operators that can be learned.
func Problems() []string { return []string{Burgers, Darcy} }

// Keys lists the configuration keys of a problem in the order in which they are shown and written.
func Keys(problem string) []Key {
	return slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.Problem != "" && k.Problem != problem })
}

// Lookup finds a key of a problem by its full name ("data.train"), or by its last part where that is unambiguous
// ("viscosity"). The error names the nearest key.
func Lookup(problem, name string) (Key, error) {
	var found []Key
	for _, k := range Keys(problem) {
		if k.Name == name {
			return k, nil
		}
		if strings.HasSuffix(k.Name, "."+name) {
			found = append(found, k)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Key{}, &Error{Key: name, Problem: "is not a configuration key of problem " + problem, Suggestion: fmt.Sprintf("did you mean %q?", nearest(problem, name))}
	}
	names := make([]string, len(found))
	for i, k := range found {
		names[i] = k.Name
	}
	return Key{}, &Error{Key: name, Problem: "is ambiguous", Suggestion: "write " + strings.Join(names, " or ")}
}

// Group is the first part of the key's name, or "experiment" for a key outside any section.
func (k Key) Group() string {
	if group, _, ok := strings.Cut(k.Name, "."); ok {
		return group
	}
	return "experiment"
}

// Short is the last part of the key's name.
func (k Key) Short() string { return k.Name[strings.LastIndexByte(k.Name, '.')+1:] }

// Text is the key's value in c as a person would type it.
func (k Key) Text(c Config) string {
	switch v := k.pointer(&c).(type) {
	case *int:
		return strconv.Itoa(*v)
	case *uint64:
		return strconv.FormatUint(*v, 10)
	case *float64:
		return strconv.FormatFloat(*v, 'g', -1, 64)
	case *string:
		return *v
	default:
		panic(fmt.Sprintf("config: key %s has type %T", k.Name, v))
	}
}

// Set parses text, checks it against the key's range and stores it in c. On an error c is as it was.
// Integers also take forms like 1e3; conditions between keys are left to Validate. Another problem brings its own
// configuration with it, the paper's; only the seed stays.
func (k Key) Set(c *Config, text string) error {
	text = strings.TrimSpace(text)
	before := *c
	switch p := k.pointer(c).(type) {
	case *int:
		v, ok := parseInteger(text)
		if !ok || v < math.MinInt32 || v > math.MaxInt32 {
			return k.error(text, "")
		}
		*p = int(v)
	case *uint64:
		v, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return k.error(text, "")
		}
		*p = v
	case *float64:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return k.error(text, "")
		}
		*p = v
	case *string:
		if k.Kind == Choice {
			text = strings.ToLower(text)
		}
		*p = text
	}
	if err := k.check(*c); err != nil {
		*c = before
		return err
	}
	if c.Problem != before.Problem {
		other, err := PresetByName(c.Problem)
		if err != nil {
			panic("config: " + err.Error()) // every problem has a preset of its name
		}
		*c = other
		c.Seed = before.Seed
	}
	return nil
}

// parseInteger reads a whole number, also when it is written like 1e3 or 4000.0.
func parseInteger(text string) (int64, bool) {
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		return v, true
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v != math.Trunc(v) || math.Abs(v) > 1<<53 {
		return 0, false
	}
	return int64(v), true
}

// Assign applies one assignment "key=value", as given to --set. On an error c is as it was.
func Assign(c *Config, assignment string) error {
	name, value, ok := strings.Cut(assignment, "=")
	if !ok {
		return &Error{Key: assignment, Problem: "is not an assignment", Suggestion: "write key=value, for example features.delta=0.005"}
	}
	k, err := Lookup(c.Problem, strings.TrimSpace(name))
	if err != nil {
		return err
	}
	return k.Set(c, value)
}

// Same reports whether the key has the same value in a and b.
func (k Key) Same(a, b Config) bool { return k.Text(a) == k.Text(b) }

// check tests the key's own range.
func (k Key) check(c Config) error {
	text := k.Text(c)
	switch p := k.pointer(&c).(type) {
	case *int:
		if v := float64(*p); v < k.Min || v > k.Max {
			return k.error(text, k.clamp(v))
		}
	case *float64:
		v := *p
		if math.IsNaN(v) {
			return k.error(text, k.Paper)
		}
		if v < k.Min || v > k.Max || k.Above && v == k.Min {
			return k.error(text, k.clamp(v))
		}
	case *string:
		if k.Kind == Choice && !slices.Contains(k.Choices, *p) {
			return k.error(text, nearestOf(*p, k.Choices))
		}
	}
	return nil
}

// clamp suggests a value for one that is out of range.
func (k Key) clamp(v float64) string {
	switch {
	case k.Paper != "" && v <= k.Min:
		return k.Paper
	case v <= k.Min:
		return formatNumber(math.Max(k.Min, 1e-8))
	default:
		return formatNumber(k.Max)
	}
}

// Range says which values the key takes, e.g. "a whole number from 1 to 32768".
func (k Key) Range() string {
	switch k.Kind {
	case Choice:
		return "one of " + strings.Join(k.Choices, ", ")
	case Path:
		return "a file name, or empty"
	case Integer:
		if k.Max == math.MaxUint64 {
			return "a whole number, 0 or more"
		}
		return fmt.Sprintf("a whole number from %s to %s", formatNumber(k.Min), formatNumber(k.Max))
	default:
		if k.Above {
			return fmt.Sprintf("a number above %s, at most %s", formatNumber(k.Min), formatNumber(k.Max))
		}
		return fmt.Sprintf("a number from %s to %s", formatNumber(k.Min), formatNumber(k.Max))
	}
}

func (k Key) error(value, suggestion string) *Error {
	if suggestion == "" {
		suggestion = k.Paper
	}
	e := &Error{Key: k.Name, Symbol: k.Symbol, Value: value, Problem: "must be " + k.Range()}
	if suggestion != "" {
		e.Suggestion = "try " + suggestion
	}
	return e
}

func formatNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e7 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
