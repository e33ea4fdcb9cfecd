// Package compare compares runs, models on the same pairs, and the cost of an evaluation with its error.
package compare

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/csv"
	"hash/fnv"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/solver/fault"
)

// Comparison is a side-by-side comparison of runs. Its JSON form is the output of `rfm show --json`.
type Comparison struct {
	Runs          []Compared   `json:"runs"`
	Configuration []Difference `json:"configuration"` // the keys whose values differ
}

// Compared is a run in a comparison, as in `rfm show --json`, with its result if it is complete.
type Compared struct {
	store.Entry
	Result  *engine.Result   `json:"result,omitempty"`
	Seconds *machine.Seconds `json:"seconds,omitempty"`
	Gain    *Gain            `json:"gain,omitempty"` // relative to the first run, if both were tested on the same pairs
	Errors  []float64        `json:"-"`              // relative errors of all test inputs
}

// Difference is a configuration key and its value in each run, nil where the key does not apply.
type Difference struct {
	Key    string    `json:"key"`
	Values []*string `json:"values"`
}

// Gain summarises the error ratios of two models on the same inputs: a factor is the other model's error divided by
// this model's error, above 1 where this model is better.
type Gain struct {
	Better    int     `json:"better"` // number of inputs with a factor above 1
	Of        int     `json:"of"`
	Least     float64 `json:"least"`
	Median    float64 `json:"median"`
	Geometric float64 `json:"geometric_mean"`
	Most      float64 `json:"most"`
}

// Factors returns the errors of the other model divided by the errors of this one.
func Factors(own, other []float64) []float64 {
	factors := make([]float64, len(own))
	for i, e := range own {
		factors[i] = other[i] / e
	}
	return factors
}

// NewGain summarises factors, of which there must be at least one.
func NewGain(factors []float64) Gain {
	ascending := slices.Sorted(slices.Values(factors))
	n := len(ascending)
	g := Gain{Of: n, Least: ascending[0], Median: report.Median(ascending), Most: ascending[n-1]}
	logarithm := 0.0
	for _, f := range factors {
		if f > 1 {
			g.Better++
		}
		logarithm += math.Log(f)
	}
	g.Geometric = math.Exp(logarithm / float64(n))
	return g
}

// Compare reads the runs in directories. Incomplete runs have no result. The error is a *fault.Data.
func Compare(paths []string) (Comparison, error) {
	var c Comparison
	var configs []config.Config
	for _, path := range paths {
		run := Compared{Entry: store.NewEntry(path)}
		if run.Fault != nil {
			return c, run.Fault
		}
		configs = append(configs, run.Run.Config)
		if run.Run.Complete() {
			if err := run.read(); err != nil {
				return c, err
			}
			if len(c.Runs) > 0 && run.sameTests(c.Runs[0]) {
				g := NewGain(Factors(run.Errors, c.Runs[0].Errors))
				run.Gain = &g
			}
		}
		c.Runs = append(c.Runs, run)
	}
	c.Configuration = differing(configs)
	return c, nil
}

// sameTests reports whether two models were tested on the same pairs: their files are equal, or were drawn identically.
func (r Compared) sameTests(as Compared) bool {
	if len(r.Errors) == 0 || len(r.Errors) != len(as.Errors) {
		return false
	}
	own, other := r.Run.Sums[store.TestFile], as.Run.Sums[store.TestFile]
	a, b := r.Run.Config, as.Run.Config
	a.Features, a.Train, a.Evaluation, a.Data.Train = b.Features, b.Train, b.Evaluation, b.Data.Train
	return own != "" && own == other || a == b && !a.Of().Files && a.Data.TestFile == ""
}

// read reads the result of a complete run.
func (r *Compared) read() error {
	var times struct{ Seconds machine.Seconds }
	for name, into := range map[string]any{store.ReportFile: &r.Result, store.TimingsFile: &times} {
		if err := r.Run.ReadJSON(name, into); err != nil {
			return err
		}
	}
	r.Seconds = &times.Seconds
	text, err := r.Run.ReadFile(store.ErrorsFile)
	if err != nil {
		return err
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	for _, row := range rows {
		if len(row) == 3 && row[0] == "test" {
			e, wrong := strconv.ParseFloat(row[2], 64)
			r.Errors, err = append(r.Errors, e), cmp.Or(err, wrong)
		}
	}
	if err != nil {
		return &fault.Data{Where: filepath.Join(r.Path, store.ErrorsFile), What: "is not a table of errors", Err: err}
	}
	return nil
}

// differing returns the keys whose values differ, in the order of the first configuration that has them.
func differing(configs []config.Config) []Difference {
	all := []Difference{}
	seen := map[string]bool{}
	for _, c := range configs {
		for _, k := range c.Keys() {
			if seen[k.Name] {
				continue
			}
			seen[k.Name] = true
			d, equal := Difference{Key: k.Name}, true
			for _, other := range configs {
				var value *string
				if same, err := other.Lookup(k.Name); err == nil && same.Name == k.Name {
					text := same.Text(other)
					value = &text
				}
				d.Values = append(d.Values, value)
				equal = equal && value != nil && *value == *d.Values[0]
			}
			if !equal {
				all = append(all, d)
			}
		}
	}
	return all
}

// Fingerprint returns a hash of values, which tells test outputs from others.
func Fingerprint(values []float64) uint64 {
	hash := fnv.New64a()
	binary.Write(hash, binary.LittleEndian, values) // neither of them fails
	return hash.Sum64()
}

// Alone returns a configuration without baselines; its model is the same.
func Alone(c config.Config) config.Config {
	c.Evaluation.Baselines, c.Evaluation.Bands = false, false
	return c
}
