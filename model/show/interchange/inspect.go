// This file determines the content of a file and its use: arrays, pairs of functions, models, configurations.

package interchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"rfm/config"
	"rfm/model/learn/method"
	"rfm/model/run/reading"
	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/model/trained"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/pairs"
)

// Findings describe the content of a file. Their JSON form is an element of the output of `rfm show --json`.
type Findings struct {
	File    string   `json:"file"`
	Kind    string   `json:"kind"`
	Bytes   int64    `json:"bytes"`
	Arrays  []Array  `json:"arrays,omitempty"`
	Facts   []string `json:"facts,omitempty"`   // in words
	Command string   `json:"command,omitempty"` // the command that uses it

	Layout *reading.Layout `json:"layout,omitempty"` // the meaning of the arrays as pairs
	Model  *Model          `json:"model,omitempty"`  // the facts about a model as numbers and names
}

// Model describes a trained model.
type Model struct {
	Problem     string   `json:"problem"`
	M           int      `json:"m"`
	Grid        int      `json:"grid"`        // of training
	Finest      int      `json:"finest_grid"` // of its random functions
	Lambda      float64  `json:"lambda"`
	Rank        int      `json:"rank"`
	LeaveOneOut float64  `json:"leave_one_out,omitempty"`      // leave-one-out error, if it chose lambda
	Largest     *float64 `json:"largest_eigenvalue,omitempty"` // of the Gram matrix, if known
	Smallest    *float64 `json:"smallest_eigenvalue,omitempty"`
	Version     string   `json:"version"`
}

// Array is an array, or another member of an archive.
type Array struct {
	Name      string    `json:"name"`
	Type      string    `json:"type"`
	Shape     npy.Shape `json:"shape"`
	Order     string    `json:"order,omitempty"`
	Min       *float64  `json:"min,omitempty"` // of the finite values
	Max       *float64  `json:"max,omitempty"`
	Mean      *float64  `json:"mean,omitempty"`
	NotFinite int       `json:"not_finite"`      // number of such values
	Left      int       `json:"left,omitempty"`  // number of values at the end that were not read
	Note      string    `json:"note,omitempty"`  // how the numbers differ from those in the file, or were put together
	Fault     string    `json:"fault,omitempty"` // the reason if it cannot be read, with advice
	Reason    string    `json:"-"`               // the same without advice, if the array is sound but not supported

	sound bool // the fault is a value, not damage
}

// Damaged returns a *fault.Data that names the arrays that cannot be read; nil if there are none.
func (i Findings) Damaged() error {
	var names []string
	for _, m := range i.Arrays {
		if m.Fault != "" && !m.sound {
			name := "its array" // without a name in a .npy file
			if m.Name != "" {
				name = strconv.Quote(m.Name)
			}
			names = append(names, name)
		}
	}
	if names == nil {
		return nil
	}
	return &fault.Data{
		Where: i.File,
		What:  fmt.Sprintf("is damaged: %s cannot be read", strings.Join(names, ", ")),
		Do:    "get another copy of the file",
	}
}

// Look inspects a file. The error is a *fault.Data if its kind is unknown, or if it is damaged.
func Look(ctx context.Context, name string) (Findings, error) {
	f, err := exchange.Open(ctx, name)
	if err != nil {
		return Findings{}, err
	}
	defer f.Close()
	facts := Findings{
		File:  name,
		Kind:  string(f.Kind),
		Bytes: f.Size,
	}
	switch f.Kind {
	case exchange.Model:
		facts.Kind = "trained model"
		err = facts.model(ctx, name)
	case exchange.TOML:
		facts.Kind = "configuration"
		err = facts.configuration(name)
	default:
		err = facts.arrays(ctx, f)
		if err == nil {
			err = facts.pairs(ctx, f)
		}
	}
	return facts, err
}

// enough is the number of values that are read from any file.
const enough = 1 << 27

// arrays reads every number of every array once, or a part of a suspiciously compressed file. It returns ctx.Err() if
// ctx is done.
func (i *Findings) arrays(ctx context.Context, f *exchange.File) error {
	left := f.Bound(enough)
	for _, m := range f.Members {
		facts := Array{
			Name:  m.Name,
			Type:  m.Type,
			Shape: m.Shape,
			Note:  m.Note,
			Order: "C",
		}
		if m.Fortran {
			facts.Order = "Fortran"
		}
		if m.Readable() {
			facts.Left = m.Count()
			if left > 0 {
				facts.scan(m, &left)
			}
		} else {
			facts.refuse(m.Refused)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		i.Arrays = append(i.Arrays, facts)
	}
	return nil
}

// refuse records why an array is not read.
func (a *Array) refuse(why error) {
	a.Fault = why.Error()
	a.sound = true
	var data *fault.Data
	if errors.As(why, &data) {
		a.Reason = data.What
	}
}

// scan reads the numbers of an array, at most about left of them, by which it lowers left.
func (a *Array) scan(m npy.Member, left *int) {
	finite := 0 // numbers
	sum := 0.0
	least := math.Inf(1)
	most := math.Inf(-1)
	err := m.Scan(npy.Along(make([]int, len(m.Shape))...), func(_ []int, values []float64) bool {
		for _, v := range values {
			if v-v != 0 { // NaN or infinite
				a.NotFinite++
				continue
			}
			finite++
			sum += v
			if v < least {
				least = v
			}
			if v > most {
				most = v
			}
		}
		a.Left -= len(values)
		*left -= len(values)
		return *left > 0
	})
	if err != nil {
		a.Fault = err.Error()
		a.NotFinite = 0
		a.Left = 0
		a.sound = errors.As(err, &npy.ValueError{})
		return
	}
	if finite == 0 {
		return
	}
	a.Min = &least
	a.Max = &most
	if !math.IsInf(sum, 0) {
		mean := sum / float64(finite)
		a.Mean = &mean
	}
}

// constant returns an error if learning is impossible, because all inputs that were read have one value everywhere or
// all outputs are zero; nil otherwise.
func (i *Findings) constant(g pairs.Guess) error {
	in, _, _ := strings.Cut(g.Input, "[")
	out, _, _ := strings.Cut(g.Output, "[")
	for _, m := range i.Arrays {
		oneValue := m.Min != nil && *m.Min == *m.Max && m.NotFinite == 0
		if !oneValue {
			continue
		}
		if m.Name == in || m.Name == out && *m.Min == 0 {
			return &fault.Data{
				Where: i.File,
				What:  fmt.Sprintf("has the value %g everywhere in %s, from which nothing can be learned", *m.Min, cmp.Or(m.Name, "its array")),
				Do:    "give inputs that differ, and outputs that are not zero",
			}
		}
	}
	return nil
}

// model describes a model file.
func (i *Findings) model(ctx context.Context, name string) error {
	m, err := trained.ReadFile(ctx, name)
	if err != nil {
		return err
	}
	i.Facts = append(i.Facts, m.String(), "trained by rfm "+m.Version)
	s := m.Solution()
	i.Model = &Model{
		Problem:     m.Problem,
		M:           len(s.Alpha),
		Grid:        m.Grid,
		Finest:      m.Operator.Finest(),
		Lambda:      s.Lambda,
		Rank:        s.Rank,
		LeaveOneOut: s.LeaveOneOut,
		Version:     m.Version,
	}
	if len(s.Eigenvalues) > 0 {
		largest := slices.Max(s.Eigenvalues)
		smallest := slices.Min(s.Eigenvalues)
		i.Model.Largest = &largest
		i.Model.Smallest = &smallest
		i.Facts = append(i.Facts, fmt.Sprintf("eigenvalues of the Gram matrix from %.3g to %.3g", smallest, largest))
	}
	functions := "random functions are"
	if _, ok := m.Features(); !ok {
		functions = "training pairs were"
		if left := m.Operator.LeaveOneOut(); left > 0 {
			fact := "leave-one-out error " + report.Measured(left)
			if method.Estimated(m.Operator) {
				fact += ", an estimate"
			}
			i.Facts = append(i.Facts, fact)
		}
	}
	i.Facts = append(i.Facts, fmt.Sprintf("evaluates on any grid; its %s on %s=%d, and interpolated between its points",
		functions, m.Domain().Symbol(), m.Operator.Finest()))
	c, err := config.Parse([]byte(m.Config))
	if err == nil {
		i.settings(c)
	}
	i.Command = "rfm predict " + printable.Path(name) + Application(c)
	return nil
}

// Application returns the flags of rfm predict for a model of a configuration: for tables, if it has learned from tables.
func Application(c config.Config) string {
	extension := "npy"
	if strings.EqualFold(filepath.Ext(c.Data.TrainFile), ".csv") {
		extension = "csv"
	}
	return fmt.Sprintf(" --in a.%s%s --out u.%[1]s", extension, c.GivenNumbers())
}

// configuration reports whether a configuration is valid, and its settings.
func (i *Findings) configuration(name string) error {
	c, err := store.ReadConfig(name)
	if err != nil {
		return err
	}
	if err := c.Validate(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	i.Facts = append(i.Facts, "valid")
	i.settings(c)
	i.Command = "rfm run " + printable.Path(name)
	return nil
}

// settings adds the settings in which a configuration differs from the preset of its title.
func (i *Findings) settings(c config.Config) {
	base, err := config.PresetByName(c.Title())
	if err != nil {
		return
	}
	i.Facts = append(i.Facts, strings.TrimSuffix(fmt.Sprintf("preset %s with %s", c.Title(), config.Differences(c, base)),
		" with "))
}

// Save writes a file with the given content atomically, and replaces an existing one. The error is a *fault.Data with
// the advice do.
func Save(name string, content []byte, do string) error {
	target, err := files.Target(name)
	if err == nil {
		files.RemoveAbandoned(filepath.Dir(target))
		err = files.WriteFile(target, content)
	}
	return fault.Unwritten(name, err, do)
}

// Unoccupied refuses, before anything is computed, to write the file that a flag names if its directory does not exist,
// or if the file does, unless force points to true; force is nil if there is no such flag. Files of the input are never
// replaced. The error is a *fault.Data.
func Unoccupied(name, flag string, force *bool, input string) error {
	if name == "" || name == Stream {
		return nil
	}
	there, err := os.Stat(name)
	for _, input := range exchange.Paths(input) {
		if given, failure := os.Stat(input); err == nil && failure == nil && os.SameFile(there, given) {
			return fault.Bad(name, "choose another "+flag, "is the file of the inputs")
		}
	}
	_, link := os.Lstat(name)
	other := "or move it away"
	if force != nil {
		other = "or replace it with --force"
	}
	directory := filepath.Dir(name)
	switch {
	case link == nil && (force == nil || !*force):
		return fault.Bad(name, "choose another "+flag+", "+other, "exists already")
	case err == nil && !there.Mode().IsRegular():
		return fault.Bad(name, "choose another "+flag, "is not a file")
	case err == nil:
		return nil
	}
	_, err = os.Stat(directory)
	if err != nil {
		return &fault.Data{
			Where: name,
			What:  fmt.Sprintf("the directory %s does not exist", directory),
			Do:    "make it, or choose another " + flag,
		}
	}
	return nil
}

// DataExtensions returns the extensions of data files, without the dot.
func DataExtensions() []string { return exchange.Extensions() }

// IsThere reports whether a path is a file, a directory, or a pattern that matches files.
func IsThere(path string) bool { return exchange.IsThere(path) }

// HoldsData reports whether a path is a directory of data files, and not a run.
func HoldsData(path string) bool { return exchange.IsData(path) }

// Readable returns nil if name is a directory, or regular files that can be opened, and otherwise the reason.
func Readable(name string) error {
	for _, path := range exchange.Paths(name) {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			continue
		}
		f, err := files.Open(path)
		if err != nil {
			return err
		}
		f.Close()
	}
	return nil
}
