// Package run keeps experiments in directories: which files there are, what is in them, and that nothing is ever half
// there. A run's directory holds
//
//	manifest.json         what the other files must be, how far the run is, which program wrote it
//	config.toml           the complete configuration
//	train.npy, test.npy   the pairs: row i is a_i, then u_i
//	checkpoint-*.npy      while training: the sums so far
//	model.npz             the trained model
//	predictions*.npy      the model's values of the test and of the training inputs
//	report.json, report.md, errors.csv, timings.json
//	lock                  which process works on it
//
// Whatever is in the manifest is on disk, as its checksum says, whenever a process is killed or the power fails: files are
// written and synced first, then the manifest is replaced. Arrays grow by rows; what is behind the rows that the manifest
// counts is cut off. Apart from what the manifest says about times, machine and program, and timings.json, all files of a
// complete run depend on the configuration alone.
package run

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rfm/config"
	"rfm/solver/durable"
	"rfm/solver/fault"
)

// Names of files in a run's directory.
const (
	ManifestFile = "manifest.json"
	ConfigFile   = "config.toml"
	LockFile     = "lock"

	// CheckpointPrefix begins the names of files that a stage needs only until it is complete.
	CheckpointPrefix = "checkpoint-"
)

// Exists says whether there is anything at the place of the run called name below root.
func Exists(root, name string) bool {
	_, err := os.Lstat(filepath.Join(root, name))
	return name != "" && err == nil
}

// Create makes a directory for a run of c below root, with its configuration and its manifest, and locks it. name is the
// directory's name; if it is empty one is made from the time, the problem and a hash of the configuration. The directory
// appears with both files in it. The error is a *fault.Data.
func Create(root, name string, c config.Config, p Program, now time.Time) (*Directory, error) {
	if strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") {
		return nil, &fault.Data{Where: fmt.Sprintf("run name %q", name), What: "must be a plain name", Do: "leave out directories; they are set with --runs"}
	}
	if err := os.MkdirAll(root, 0o777); err != nil {
		return nil, unwritable(root, err)
	}
	named := name != ""
	if !named {
		hash := sha256.Sum256(c.TOML())
		name = fmt.Sprintf("%s-%s-%x", now.Format("20060102-150405"), c.Problem, hash[:4])
	}
	for attempt := 2; ; attempt++ {
		path := filepath.Join(root, name)
		err := appear(root, name, c, p, now)
		if err == nil {
			return Open(path, p, now)
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, unwritable(path, err)
		}
		if named {
			return nil, &fault.Data{Where: path, What: "exists already", Do: "choose another --name; runs are never overwritten"}
		}
		base, _, _ := strings.Cut(name, "~")
		name = fmt.Sprintf("%s~%d", base, attempt)
	}
}

// appear makes a directory with a configuration and a manifest under another name and renames it. The error is
// fs.ErrExist if the name is taken.
func appear(root, name string, c config.Config, p Program, now time.Time) (err error) {
	path := filepath.Join(root, name)
	if _, err := os.Lstat(path); err == nil {
		return fs.ErrExist
	}
	hidden := filepath.Join(root, "."+name+".new")
	if err := os.RemoveAll(hidden); err != nil { // of a process that was killed here
		return err
	}
	if err := os.Mkdir(hidden, 0o777); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(hidden))
		}
	}()
	text := c.TOML()
	if err := durable.WriteFile(filepath.Join(hidden, ConfigFile), text); err != nil {
		return err
	}
	m := newManifest(c, p, now)
	m.put(File{Name: ConfigFile, Size: int64(len(text)), SHA256: fmt.Sprintf("%x", sha256.Sum256(text))})
	if err := durable.WriteFile(filepath.Join(hidden, ManifestFile), m.encode()); err != nil {
		return err
	}
	if err := os.Rename(hidden, path); err != nil {
		if _, taken := os.Lstat(path); taken == nil {
			return errors.Join(fs.ErrExist, err)
		}
		return err
	}
	return durable.SyncDirectory(root)
}

func unwritable(path string, err error) error {
	return &fault.Data{Where: path, What: "cannot be made", Err: err, Do: "choose another place with --runs, or run with --no-save"}
}
