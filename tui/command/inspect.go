// This file is `rfm inspect`: what a file holds, and what can be done with it.

package command

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/store"
	"rfm/model/trained"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/regular"
	"rfm/solver/shell"
)

func (a *app) inspectCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "inspect FILE...",
		Short: "Say what files hold, and what can be done with them",
		Long: `Says what is in .npy, .npz, MATLAB .mat and HDF5 files, models, configurations and run directories: types, shapes, ranges of the
values, and for pairs of functions the command that trains on them. Arrays are read once and not kept in memory.`,
		Example: `  rfm inspect pairs.npz
  rfm inspect runs/x/model.npz runs/x --json`,
		Args: arguments(1, math.MaxInt, "one file or more"),
		RunE: a.inspect,
	}
	a.flags.share(cmd, "json")
	return cmd
}

// inspected is what is in a file. Its JSON form is an element of what `rfm inspect --json` prints.
type inspected struct {
	File    string       `json:"file"`
	Kind    string       `json:"kind"`
	Bytes   int64        `json:"bytes"`
	Arrays  []arrayFacts `json:"arrays,omitempty"`
	Facts   []string     `json:"facts,omitempty"`   // in words
	Command string       `json:"command,omitempty"` // what to do with it

	// The facts about a run, a model and a configuration as numbers and names.
	Run           *inspectedRun           `json:"run,omitempty"`
	Model         *inspectedModel         `json:"model,omitempty"`
	Configuration *inspectedConfiguration `json:"configuration,omitempty"` // also of a model
}

// inspectedRun is a run as in `rfm runs --json`, and its stages and files.
type inspectedRun struct {
	listed
	Program  store.Program `json:"program"` // that wrote the run last
	Generate store.Stage   `json:"generate"`
	Train    store.Stage   `json:"train"`
	Evaluate store.Stage   `json:"evaluate"`
	Notes    []string      `json:"notes,omitempty"`
	Notices  []string      `json:"notices,omitempty"`
	Files    []store.File  `json:"files"`
}

// inspectedModel is what a trained model is.
type inspectedModel struct {
	Problem     string   `json:"problem"`
	M           int      `json:"m"`
	Grid        int      `json:"grid"`        // of training
	Finest      int      `json:"finest_grid"` // of its random functions
	Lambda      float64  `json:"lambda"`
	Rank        int      `json:"rank"`
	LeaveOneOut float64  `json:"leave_one_out,omitempty"`      // if lambda was chosen by it
	Largest     *float64 `json:"largest_eigenvalue,omitempty"` // of the Gram matrix, if they are known
	Smallest    *float64 `json:"smallest_eigenvalue,omitempty"`
	Version     string   `json:"version"`
}

// inspectedConfiguration is the preset that a configuration is most like, and what is not as there.
type inspectedConfiguration struct {
	Problem string            `json:"problem"`
	Preset  string            `json:"preset"`
	Changed map[string]string `json:"changed"` // key = value
}

// arrayFacts is an array, or another member of an archive.
type arrayFacts struct {
	Name      string   `json:"name"`
	Type      string   `json:"type"`
	Shape     []int    `json:"shape"`
	Order     string   `json:"order,omitempty"`
	Min       *float64 `json:"min,omitempty"` // of the finite values
	Max       *float64 `json:"max,omitempty"`
	Mean      *float64 `json:"mean,omitempty"`
	NotFinite int      `json:"not_finite"`      // number of values
	Fault     string   `json:"fault,omitempty"` // why it cannot be read
}

func (a *app) inspect(cmd *cobra.Command, names []string) error {
	list, faults := []inspected{}, []error{}
	for _, name := range names {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		facts, err := inspectFile(cmd.Context(), name)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		list = append(list, facts)
		faults = append(faults, facts.damaged())
		if !a.flags.json {
			a.printInspected(facts)
		}
	}
	if a.flags.json {
		faults = append(faults, a.encode(list))
	}
	return errors.Join(faults...)
}

// damaged is a *fault.Data that names the arrays that cannot be read; nil if there are none.
func (i inspected) damaged() error {
	var names []string
	for _, m := range i.Arrays {
		if m.Fault != "" {
			names = append(names, strconv.Quote(m.Name))
		}
	}
	if names == nil {
		return nil
	}
	return &fault.Data{Where: i.File, What: "is damaged: " + strings.Join(names, ", ") + " cannot be read", Do: "get another copy of the file"}
}

// inspectFile looks into a file or a directory. The error is a *fault.Data if it is of no kind that is known, or damaged.
func inspectFile(ctx context.Context, name string) (inspected, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return inspectRun(name)
	}
	f, err := exchange.Open(ctx, name)
	if err != nil {
		return inspected{}, err
	}
	defer f.Close()
	facts := inspected{File: name, Kind: string(f.Kind), Bytes: f.Size}
	switch f.Kind {
	case exchange.Model:
		facts.Kind = "trained model"
		err = facts.model(name)
	case exchange.TOML:
		facts.Kind = "configuration"
		err = facts.configuration(name)
	case exchange.NPY, exchange.NPZ, exchange.MAT, exchange.MAT73, exchange.HDF5:
		if err = facts.arrays(ctx, f); err == nil {
			err = facts.pairs(ctx, f)
		}
	case exchange.CSV, exchange.JSON:
		err = facts.text(name)
	}
	return facts, err
}

// arrays looks at every number of every array once. The error is ctx's.
func (i *inspected) arrays(ctx context.Context, f *exchange.File) error {
	for _, m := range f.Members {
		facts := arrayFacts{Name: m.Name, Type: m.Type, Shape: m.Shape, Order: string(m.Order)}
		if !m.Readable {
			i.Arrays = append(i.Arrays, facts)
			continue
		}
		count, sum, least, most := 0, 0.0, math.Inf(1), math.Inf(-1)
		err := f.Scan(m.Name, npy.Strides(m.Shape), npy.Selection{Put: func(_ npy.Run, values []float64) bool {
			for _, v := range values {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					facts.NotFinite++
					continue
				}
				count++
				sum += v
				least, most = min(least, v), max(most, v)
			}
			return true
		}})
		if err := ctx.Err(); err != nil {
			return err
		}
		mean := sum / float64(count)
		switch {
		case err != nil:
			facts.Fault, facts.NotFinite = err.Error(), 0
		case count > 0 && !math.IsInf(sum, 0):
			facts.Min, facts.Max, facts.Mean = &least, &most, &mean
		case count > 0:
			facts.Min, facts.Max = &least, &most
		}
		i.Arrays = append(i.Arrays, facts)
	}
	return nil
}

// model says what a model file is.
func (i *inspected) model(name string) error {
	m, err := trained.ReadFile(name)
	if err != nil {
		return err
	}
	i.Facts = append(i.Facts, m.String(), "trained by rfm "+m.Version)
	s := m.Solution
	i.Model = &inspectedModel{Problem: m.Problem, M: len(s.Alpha), Grid: m.Grid, Finest: m.FinestGrid(), Lambda: s.Lambda, Rank: s.Rank, LeaveOneOut: s.LeaveOneOut, Version: m.Version}
	if e := s.Eigenvalues; len(e) > 0 {
		largest, smallest := slices.Max(e), slices.Min(e)
		i.Model.Largest, i.Model.Smallest = &largest, &smallest
		i.Facts = append(i.Facts, fmt.Sprintf("eigenvalues of the Gram matrix from %.3g to %.3g", smallest, largest))
	}
	i.Facts = append(i.Facts, fmt.Sprintf("evaluates on any grid; its random functions are on %s=%d, and interpolated between its points", m.Domain().Symbol(), m.FinestGrid()))
	if c, err := config.Parse([]byte(m.Config)); err == nil {
		i.differences(c)
	}
	i.Command = "rfm predict " + shell.Path(name) + " --in a.npy --out u.npy"
	return nil
}

// configuration says whether a configuration is valid, and what it changes.
func (i *inspected) configuration(name string) error {
	text, err := readLimited(name)
	if err != nil {
		return &fault.Data{Where: name, What: "cannot be read", Err: err}
	}
	c, err := config.Parse(text)
	if err == nil {
		err = c.Validate()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	i.Facts = append(i.Facts, "valid")
	i.differences(c)
	i.Command = "rfm run " + shell.Path(name)
	return nil
}

// differences finds the preset that a configuration is most like, and what is not as there.
func (i *inspected) differences(c config.Config) {
	like, words := "", []string(nil)
	var values map[string]string
	for _, p := range config.Presets() {
		preset, err := config.PresetByName(p.Name)
		if err != nil || preset.Problem != c.Problem {
			continue
		}
		var list []string
		changed := map[string]string{}
		for _, k := range c.Keys() {
			if !k.Same(c, preset) {
				difference := fmt.Sprintf("%s = %s", k.Name, k.Text(c))
				if there := k.Text(preset); there != "" {
					difference += ", not " + there
				}
				list = append(list, difference)
				changed[k.Name] = k.Text(c)
			}
		}
		if like == "" || len(list) < len(words) {
			like, words, values = p.Name, list, changed
		}
	}
	if like == "" {
		return
	}
	i.Configuration = &inspectedConfiguration{Problem: c.Problem, Preset: like, Changed: values}
	if len(words) == 0 {
		i.Facts = append(i.Facts, "preset "+like)
		return
	}
	i.Facts = append(append(i.Facts, "like preset "+like+", but"), words...)
}

// text says what is in a table or in a JSON file.
func (i *inspected) text(name string) error {
	content, err := regular.ReadFile(name, i.Bytes)
	if err != nil {
		return &fault.Data{Where: name, What: "cannot be read", Err: err}
	}
	if i.Kind == string(exchange.CSV) {
		r := csv.NewReader(bytes.NewReader(content))
		first, err := r.Read()
		r.ReuseRecord = true
		lines := 0
		for ; err == nil; lines++ {
			_, err = r.Read()
		}
		if err != io.EOF {
			return &fault.Data{Where: name, What: "is no table", Err: err}
		}
		i.Facts = append(i.Facts, fmt.Sprintf("%d lines of %d values; the first: %s", lines, len(first), ansi.Truncate(strings.Join(first, ", "), 60, "...")))
		return nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(content, &object) == nil {
		names := slices.Sorted(maps.Keys(object))
		const most = 20
		more := ""
		if len(names) > most {
			names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
		}
		i.Facts = append(i.Facts, "an object with "+strings.Join(names, ", ")+more)
	}
	return nil
}

// inspectRun says how far a run is.
func inspectRun(path string) (inspected, error) {
	m, err := store.Read(path)
	if err != nil {
		return inspected{}, err
	}
	symbol := config.Config{Problem: m.Problem}.GridSymbol()
	i := inspected{File: path, Kind: "run", Bytes: m.Bytes()}
	i.Facts = []string{fmt.Sprintf("%s n=%d m=%d %s=%d, %d test pairs, seed %d", m.Problem, m.Train, m.Features, symbol, m.Grid, m.Test, m.Seed)}
	var holder *store.Identity
	if !m.Complete() {
		holder = store.Holder(path)
	}
	entry := store.Entry{Name: filepath.Base(filepath.Clean(path)), Path: path, Manifest: m, Holder: holder}
	i.Run = &inspectedRun{describeRun(entry, time.Now()), m.Program, m.Generating, m.Training, m.Evaluating, m.Notes, m.Notices, m.Files}
	switch {
	case m.Complete() && m.TestError != nil:
		i.Facts = append(i.Facts, fmt.Sprintf("complete: expected relative test error %.6f", *m.TestError))
		i.Command = "rfm export " + shell.Path(path)
	case holder != nil:
		i.Facts = append(i.Facts, fmt.Sprintf("%s, in use by %s", unfinished(m), holder))
	default:
		i.Facts = append(i.Facts, "unfinished: "+unfinished(m))
		i.Command = "rfm resume " + shell.Path(path)
	}
	var names []string
	for _, f := range m.Files {
		names = append(names, f.Name)
	}
	i.Facts = append(i.Facts, "files: "+strings.Join(names, ", "), fmt.Sprintf("begun %s, last by rfm %s on %s", m.Created.Local().Format("2006-01-02 15:04"), m.Program.Version, m.Program.Platform))
	i.Facts = slices.Concat(i.Facts, m.Notes, m.Notices)
	return i, nil
}
