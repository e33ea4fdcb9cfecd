// Package store keeps experiments in directories. It defines their files and their content, and writes each file whole
// or not at all. A run's directory contains
//
//	config.toml           the complete configuration: with the program it determines the results
//	program.json          program, times, source files; the checksum of the configuration
//	SHA256SUMS            of the products below; `sha256sum -c` verifies them
//	train.npy, test.npy   the pairs: row i is a_i, then u_i
//	model.npz             the trained model
//	predictions*.npy      the model's values of the test and of the training inputs
//	report.json, report.md, errors.csv, timings.json
//	units/NAME-SUM.npy    while the run is not complete: finished parts of pairs, of sums, of predictions
//	claims/               with many processes: the process at each unit
//	lock                  the process that uses the run
//	note.txt              a user's note; not part of the result
//
// A run resumes from its files: an existing unit or product is not made again, whichever process made it. Each of them
// is whole or does not exist, whenever a process is killed or the power fails. Products are written and synced first,
// then the list of their checksums. Apart from program.json and timings.json, all files of a complete run depend on the
// configuration alone: two processes that work on one run waste time and harm nothing.
package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"rfm/config"
	"rfm/model/run/machine"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
)

// Names of files in a run's directory.
const (
	ProgramFile = "program.json"
	ConfigFile  = "config.toml"
	SumsFile    = "SHA256SUMS"
	LockFile    = "lock"
	SweepFile   = "sweep.json" // in the directory of a sweep alone

	TrainFile            = "train.npy"  // pairs, (n, 2, K) or (n, 2, r, r)
	TestFile             = "test.npy"   // the same
	LowFile              = "low.npy"    // the same for pairs of low fidelity, on the training grid
	PointsFile           = "points.npz" // of functions at points of any geometry
	ModelFile            = "model.npz"  // see package trained
	TrainPredictionsFile = "predictions-train.npy"
	TestPredictionsFile  = "predictions.npy"
	ErrorsFile           = "errors.csv"  // columns set, index, relative_error
	ReportFile           = "report.json" // an engine.Result
	MarkdownFile         = "report.md"
	TimingsFile          = "timings.json" // seconds, workers, baselines

	UnitsDirectory  = "units"
	ClaimsDirectory = "claims"
)

// exists reports whether a path names something. Something that cannot be looked at exists.
func exists(path string) bool {
	_, err := files.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Begin opens the run called name below root, or makes it with a configuration and notes on its files. An empty name
// means one derived from the configuration; see create. If resume is set, the run may exist with the same
// configuration and, without a name, an unfinished run of that configuration is taken: at path, also with an error.
// Errors are *fault.Data, also for another configuration, and ctx.Err().
func Begin(ctx context.Context, root, name string, resume bool, c config.Config, notes []string) (r *Run, path string,
	err error) {
	const attempts = 100
	for range attempts {
		r, path, err = beginOnce(ctx, root, name, resume, c, notes)
		if _, used := errors.AsType[*InUse](err); !used || name != "" {
			break
		}
		// Of two processes that begin at the same moment, each may take the directory that the other has just made.
	}
	return r, path, err
}

// beginOnce is an attempt of Begin.
func beginOnce(ctx context.Context, root, name string, resume bool, c config.Config, notes []string) (r *Run, path string,
	err error) {
	if resume {
		if name != "" {
			path = filepath.Join(root, name)
		} else if path, err = Unfinished(root, c); err != nil {
			return nil, path, err
		}
	}
	if path == "" || !exists(path) {
		created, err := create(root, name, c, notes)
		if err == nil {
			r, err = Open(context.WithoutCancel(ctx), created) // because an open run can be discarded
			if err != nil {
				return nil, created, err
			}
			r.Made = true // if another process opens it first, it stays
			return r, created, nil
		}
		if path == "" || !exists(path) {
			return nil, path, err
		}
		// Another process has just made it.
	}
	r, err = Open(ctx, path)
	if err != nil {
		return nil, path, err
	}
	if err := r.agrees(c); err != nil {
		return nil, path, errors.Join(err, r.Close())
	}
	return r, path, nil
}

// agrees refuses a run of another configuration than c. The error is a *fault.Data.
func (r *Run) agrees(c config.Config) error {
	there := config.Differences(r.Config, c)
	here := config.Differences(c, r.Config)
	if r.Config.Problem != c.Problem { // whose keys are others
		there = "problem=" + r.Config.Problem
		here = "problem=" + c.Problem
	}
	if there == here {
		return nil
	}
	return &fault.Data{
		Where: r.Path,
		What:  fmt.Sprintf("exists with another configuration: %s there, %s here", there, here),
		Do:    "choose another --name; runs are never overwritten",
	}
}

// create makes a directory for a run below root and returns its path. The directory appears with its first files. An
// empty name means that of nameOf, with a number if it exists already. The error is a *fault.Data.
func create(root, name string, c config.Config, notes []string) (path string, err error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	if err := files.MkdirAll(root); err != nil {
		return "", unwritable(root, err)
	}
	files.RemoveAbandoned(root)
	text := c.TOML()
	hash := sha256.Sum256(text)
	state := Run{
		Key:     fmt.Sprintf("%x", hash),
		Program: machine.Program(),
		Created: time.Now().UTC(),
		Notes:   notes,
	}
	fill := func(hidden string) error {
		err := files.Mkdir(filepath.Join(hidden, UnitsDirectory))
		if err != nil {
			return err
		}
		return files.WriteAll(hidden, hidden,
			files.Text(ConfigFile, text),
			files.Text(ProgramFile, state.encode()),
			files.Text(SumsFile, sums(map[string]string{ConfigFile: state.Key})))
	}
	if name != "" {
		path := filepath.Join(root, name)
		err := files.Directory(path, fill)
		if errors.Is(err, fs.ErrExist) {
			return "", &fault.Data{
				Where: path,
				What:  "exists already",
				Do:    "choose another --name; runs are never overwritten",
			}
		}
		if err != nil {
			return "", unwritable(path, err)
		}
		return path, nil
	}
	derived := nameOf(c)
	name = derived
	for attempt := 2; ; attempt++ {
		path := filepath.Join(root, name)
		err := files.Directory(path, fill)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", unwritable(path, err)
		}
		name = fmt.Sprintf("%s-%d", derived, attempt)
	}
}

// CheckName refuses names that a run or a sweep cannot have on every system. The error is a *fault.Data.
func CheckName(name string) error {
	what := ""
	do := "use letters, digits, - and _, a letter first"
	base, _, _ := strings.Cut(name, ".")
	switch {
	case len(name) > longestName:
		what = fmt.Sprintf("is too long: it has %d bytes, of %d that are possible", len(name), longestName)
		do = "choose a shorter one"
		name = printable.Cut(name, 40)
	case strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, "."):
		what = "must be a plain name"
		do = "leave out the directory, which --runs sets"
	case !printable.Is(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		what = "has characters that cannot be printed"
	case strings.HasPrefix(name, "-"):
		what = "begins with -, as options do"
	case name != strings.TrimSpace(name):
		what = "begins or ends with a blank"
	case strings.HasSuffix(name, "."):
		what = "ends with a dot, which Windows leaves out"
	case slices.Contains(devices, strings.ToUpper(strings.TrimRight(base, " "))):
		what = "is the name of a device of Windows"
	default:
		return nil
	}
	return fault.Bad(fmt.Sprintf("name %q", name), do, "%s", what)
}

// longestName is the number of bytes that leave room in 255 for what programs put around names of runs.
const longestName = 200

// devices are names that Windows reserves, with any extension.
var devices = strings.Fields("CON PRN AUX NUL COM1 COM2 COM3 COM4 COM5 COM6 COM7 COM8 COM9 " +
	"LPT1 LPT2 LPT3 LPT4 LPT5 LPT6 LPT7 LPT8 LPT9")

// unwritable returns the error of a directory that cannot be made.
func unwritable(path string, err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err // its path may be that of a temporary directory
	}
	return &fault.Data{Where: path, What: "cannot be made", Err: err,
		Do: fault.Remedy(err, "or choose another place with --runs, or run with --no-save")}
}
