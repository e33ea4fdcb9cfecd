// Package share has what many processes, on any machines that see the same directory, work on together: one run that is
// split into units, or the runs of a sweep (sweep.go).
//
// A split run is shared among workers. Ranges of generated pairs and tiles of the sums are units that anybody may do, any
// number of times: a unit's bytes are determined by the run and its name. So workers have no names and no order, there is
// nothing that coordinates them, and the result has the bytes of `rfm run`. While a run is split its directory holds,
// besides what every run has,
//
//	claims/plan.json    the width of the bands, the program, and a canary that shows whether machines compute the same
//	claims/UNIT.N       who is at a unit: a line, then a byte for every beat, "done" or "given back" at the end
//
// Claims only save work; nothing is wrong without them.
package share

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/rfm"
	"rfm/model/store"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// planFile is the name of the plan in the directory for parts.
const planFile = "plan.json"

// Plan says how a run is split.
type Plan struct {
	Format  int           `json:"format"`
	Key     string        `json:"config"` // SHA-256 of config.toml
	Width   int           `json:"width"`  // of the bands of features
	Pairs   int           `json:"pairs"`  // about so many in a unit
	Program store.Program `json:"program"`
	Canary  string        `json:"canary"` // SHA-256 of some pairs, and of a tile over them
}

// part is the directory for the plan of the run in the directory path.
func part(path string) string { return filepath.Join(path, store.ClaimsDirectory) }

// Planned reports whether the run in the directory path is split.
func Planned(path string) bool {
	_, err := os.Lstat(filepath.Join(part(path), planFile))
	return err == nil
}

// defaultWidth is a width of bands for so many workers, 0 if it is not known. Features are evaluated once for each band
// that theirs meets: there are as many bands of at least 1000 as make that a tenth of the sums, but at least four, and
// with many workers two tiles for each.
func defaultWidth(c config.Config, workers int) int {
	// evaluation is what a feature costs at a point, in operations of the sums
	const evaluation, share, narrow, least, most = 50, 0.1, 1000, 4, 48
	m := max(c.Features.Count, c.Features.Pool)
	summed := 1.0 // of the points
	if c.Train.Rows > 0 {
		summed = float64(c.Train.Rows) / float64(c.Train.Grid-1)
	}
	bands := min(1+int(share*summed*float64(m)/evaluation), m/narrow, most/3)
	bands = max(least, bands, min(most, int(math.Ceil(2*math.Sqrt(float64(workers))))))
	width := (m + bands - 1) / bands
	return (width + rfm.TileUnit - 1) / rfm.TileUnit * rfm.TileUnit
}

// MakePlan plans the run in the directory path for so many workers, 0 if it is not known. The run keeps the plan that
// it has if that is the same; width and pairs are 0 for what it has, or what suits. Errors: *config.Error for what
// cannot be split, *fault.Data, those of solvers, ctx's.
func MakePlan(ctx context.Context, path string, width, pairs, workers int, o engine.Options) (Plan, error) {
	p, err := engine.OpenParts(path, o)
	if err != nil {
		return Plan{}, err
	}
	if p.Complete() {
		return Plan{}, &fault.Data{Where: path, What: "is complete: there is nothing to split", Do: "`rfm show` shows it"}
	}
	c := p.Config()
	if c.Train.Method != config.RandomFeatures {
		return Plan{}, &config.Error{Key: "train.method", Value: c.Train.Method,
			Problem:    "cannot be split: only the sums of features are",
			Suggestion: "set train.method = features"}
	}
	if there, err := ReadPlan(path); err == nil && there.same(machine.Program()) && (width == 0 || width == there.Width) &&
		(pairs == 0 || pairs == there.Pairs) {
		return there, nil // workers may be at it
	}
	if width == 0 {
		width = defaultWidth(c, workers)
	}
	if width < rfm.TileUnit || width%rfm.TileUnit != 0 {
		return Plan{}, &config.Error{Key: "--band", Value: fmt.Sprint(width),
			Problem:    fmt.Sprintf("must be a multiple of %d", rfm.TileUnit),
			Suggestion: fmt.Sprintf("try %d", max(1, width/rfm.TileUnit)*rfm.TileUnit)}
	}
	if pairs == 0 {
		pairs = max(64, (c.Data.Train+c.Data.Test)/64)
	}
	key, err := keyOf(path)
	if err != nil {
		return Plan{}, err
	}
	plan := Plan{Format: 1, Key: key, Width: width, Pairs: pairs, Program: machine.Program()}
	if plan.Canary, err = canary(ctx, p); err != nil {
		return Plan{}, err
	}
	if err := os.MkdirAll(part(path), 0o777); err != nil {
		return Plan{}, unwritten(path, err)
	}
	text, err := plan.encode()
	if err == nil {
		err = files.WriteFile(filepath.Join(part(path), planFile), text)
	}
	if err != nil {
		return Plan{}, unwritten(path, err)
	}
	return plan, nil
}

func unwritten(path string, err error) error {
	return fault.Unwritten(part(path), err, "what others have made stays; free some space and start workers again")
}

// keyOf is the SHA-256 of a run's configuration.
func keyOf(path string) (string, error) {
	m, err := store.Read(path)
	f, _ := m.File(store.ConfigFile)
	return f.SHA256, err
}

// same reports whether a program is the one that made the plan, maybe on another processor.
func (p Plan) same(other store.Program) bool {
	return p.Program.Version == other.Version && p.Program.Revision == other.Revision
}

// encode is the plan as text, whose last line is the SHA-256 of what is before.
func (p Plan) encode() ([]byte, error) {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return nil, err
	}
	text = append(text, '\n')
	return fmt.Appendf(text, "%x\n", sha256.Sum256(text)), nil
}

// ReadPlan is the plan of the run in the directory path. The error is a *fault.Data.
func ReadPlan(path string) (Plan, error) {
	name := filepath.Join(part(path), planFile)
	damaged := func(what string, err error) (Plan, error) {
		return Plan{}, &fault.Data{Where: name, What: what, Err: err, Do: "`rfm run RUN --split N` makes it again"}
	}
	const limit = 1 << 16
	text, err := files.ReadFile(name, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return Plan{}, &fault.Data{Where: path, What: "is not split", Do: "`rfm run RUN --split N` splits a run"}
	} else if err != nil {
		return damaged("cannot be read", err)
	}
	at := max(0, len(text)-2*sha256.Size-1)
	if sum := sha256.Sum256(text[:at]); !bytes.Equal(text[at:], fmt.Appendf(nil, "%x\n", sum)) {
		return damaged("is damaged", nil)
	}
	var p Plan
	if err := json.Unmarshal(text[:at], &p); err != nil {
		return damaged("is damaged", err)
	}
	if p.Format != 1 || p.Width < rfm.TileUnit || p.Width%rfm.TileUnit != 0 || p.Pairs < 1 {
		return damaged(fmt.Sprintf("has format %d; this program reads format 1", p.Format), nil)
	}
	key, err := keyOf(path)
	if err != nil {
		return Plan{}, err
	}
	if key != p.Key {
		return damaged("is of another configuration", nil)
	}
	return p, nil
}

// canary is the checksum of what a machine computes for a few pairs.
func canary(ctx context.Context, p *engine.Parts) (string, error) {
	computed, err := p.Canary(ctx)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, some := range computed {
		_ = binary.Write(sum, binary.LittleEndian, some) // a hash takes everything
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// open opens the run in the directory path for a worker, who computes what the plan's machine computes. Errors:
// *fault.Data, also for a plan of another program, *config.Error, *engine.Unsound, those of solvers, ctx's.
func open(ctx context.Context, path string, o engine.Options) (*engine.Parts, Plan, error) {
	plan, err := ReadPlan(path)
	if err != nil {
		return nil, plan, err
	}
	own := machine.Program()
	if !plan.same(own) {
		return nil, plan, &fault.Data{Where: part(path), What: fmt.Sprintf("was planned by %v, this is %v", plan.Program,
			own), Do: "use that program, or split the run again: `rfm run RUN --split N`"}
	}
	p, err := engine.OpenParts(path, o)
	if err != nil {
		return nil, plan, err
	}
	if p.Complete() {
		return nil, plan, &fault.Data{Where: path, What: "is complete: there is nothing to do", Do: "`rfm show` shows it"}
	}
	found, err := canary(ctx, p)
	if err != nil {
		return nil, plan, err
	}
	if found != plan.Canary {
		return nil, plan, &engine.Unsound{Where: part(path),
			What: fmt.Sprintf("this machine computes other last digits (%v) than the one that planned it (%v)", own, plan.Program),
			Do:   "leave it out, or set RFM_SIMD as there"}
	}
	return p, plan, nil
}

// Memory is about what a worker on one tile takes, in bytes.
func (p Plan) Memory(c config.Config) float64 {
	small := c
	small.Features.Count, small.Features.Pool = min(2*p.Width, max(c.Features.Count, c.Features.Pool)), 0
	whole := small
	whole.Features.Count = max(c.Features.Count, c.Features.Pool)
	// of all features, to choose bands from
	theta := 8 * float64(whole.Features.Count) * float64(c.Data.Grid+2*c.Train.Grid)
	if c.Dims() == 2 {
		theta *= float64(c.Train.Grid)
	}
	return small.Cost().Bytes + theta
}

// Disk is what tiles take, in bytes.
func (p Plan) Disk(c config.Config) float64 {
	m := float64(max(c.Features.Count, c.Features.Pool))
	return 4 * m * (m + float64(p.Width))
}
