// This file keeps a search on disk, beside the file for its result.

package tune

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/dataset/npy"
)

// trials is the array of stored evaluations.
const trials = "trials.npy"

// units returns the stored evaluations of a search for the given result. Their key determines the search.
func (s *Session) units(file string) store.Units {
	const version = 6 // raised whenever old evaluations would not lead to the same search
	key := fmt.Sprintf("search %d\n%s", version, s.Complete.TOML())
	return store.Units{Path: file + ".search", Key: key}
}

// KeepBeside keeps the search in a directory next to the file for its result, and loads an existing search of the same
// complete configuration. It returns the number of its models. The error is a *fault.Data.
func (s *Session) KeepBeside(ctx context.Context, file string) (models int, err error) {
	units := s.units(file)
	list, err := units.Of(trials)
	var records []record
	for _, u := range list {
		a, failure := units.Read(ctx, u)
		first, count := u.Rows()
		continues := first == len(records) && len(a.Data) == count*recordLength
		if failure != nil || !continues {
			return 0, &fault.Data{
				Where: units.Path,
				What:  "belongs to the search from another configuration, or is damaged",
				Do:    "give that configuration, or another --out, or remove it",
			}
		}
		for numbers := range slices.Chunk(a.Data, recordLength) {
			records = append(records, recordOf(numbers))
		}
	}
	if err != nil {
		return 0, err
	}
	s.file = file
	s.records = records
	return len(records), nil
}

// KeepAs is KeepBeside with the first of NAME.toml, NAME-2.toml, ... that neither exists nor belongs to another search,
// unless the session has a file already.
func (s *Session) KeepAs(ctx context.Context, name string) (models int, err error) {
	if s.file != "" {
		return len(s.records), nil
	}
	base := strings.TrimSuffix(name, ".toml")
	for number := 1; ; number++ {
		if number > 1 {
			name = fmt.Sprintf("%s-%d.toml", base, number)
		}
		const most = 100
		last := number == most
		_, there := os.Lstat(name)
		if !errors.Is(there, fs.ErrNotExist) && !last {
			continue
		}
		models, err = s.KeepBeside(ctx, name)
		if err == nil || last {
			return models, err
		}
	}
}

// keep stores the evaluations from a number on.
func (s *Session) keep(first int) error {
	if s.file == "" {
		return nil
	}
	records := s.records[first:]
	a := npy.Array{Shape: []int{len(records), recordLength}}
	for _, r := range records {
		a.Data = append(a.Data, r.numbers()...)
	}
	name := store.RowsName(trials, first, len(records))
	return s.units(s.file).Write(name, func(w io.Writer) error {
		return npy.Write(w, a)
	})
}

// Save writes a configuration to the file for the result. Unfinished files are in the directory of the search.
func (s *Session) Save(c config.Config) error {
	text := files.Text(filepath.Base(s.file), c.TOML())
	err := files.WriteAll(s.Directory(), filepath.Dir(s.file), text)
	return fault.Unwritten(s.file, err, "or choose another --out")
}

// Forget removes the directory of the search when the result is stored elsewhere or not wanted. Files that are not the
// search's stay. The error is a *fault.Data.
func (s *Session) Forget() error {
	if s.file == "" {
		return nil
	}
	units := s.units(s.file)
	units.Remove(trials)
	_ = files.RemoveTemporary(units.Path, 0) // of a killed process
	s.records = nil
	err := os.Remove(units.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &fault.Data{
			Where: units.Path,
			What:  "cannot be removed",
			Err:   err,
		}
	}
	return nil
}

// Kept reports whether evaluations are stored.
func (s *Session) Kept() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.file != "" && len(s.records) > 0
}

// Directory returns the directory of the search.
func (s *Session) Directory() string { return s.units(s.file).Path }
