// This file keeps searches on disk, so that the command and the interface can resume interrupted ones.

package tune

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"rfm/config"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// journalEvery is the time between two copies of a running search on disk.
const journalEvery = time.Second

// Journal is the name of the file that keeps an interrupted search: the name of its result with an ending.
type Journal string

// JournalOf returns the journal of the search whose result is written to a file.
func JournalOf(result string) Journal { return Journal(result + ".search") }

// Load returns the stored search, and whether one exists. The complete configuration and the seed must be those of its
// start. Errors are *fault.Data.
func (j Journal) Load(c config.Config, seed uint64) (state State, found bool, err error) {
	const limit = 1 << 28 // bytes; journals have some 10 kB
	text, err := files.ReadFile(string(j), limit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return State{}, false, nil
	case err != nil:
		return State{}, false, fault.Unread(string(j), err)
	}
	if state, err = decodeState(string(j), text); err != nil {
		return State{}, false, err
	}
	if state.Config != string(c.TOML()) || state.Seed != seed {
		return State{}, false, &fault.Data{Where: string(j), What: "belongs to the search from another configuration",
			Do: "give that configuration, or another --out, or remove the file"}
	}
	return state, true, nil
}

// FindJournal returns the file for the result of a search from a complete configuration, and its journal's content: the
// first of NAME.toml, NAME-2.toml, ... that neither exists nor belongs to another search. Errors are Load's.
func FindJournal(name string, c config.Config) (file string, state State, err error) {
	base := strings.TrimSuffix(name, ".toml")
	for number := 1; ; number++ {
		if number > 1 {
			name = fmt.Sprintf("%s-%d.toml", base, number)
		}
		state, _, err = JournalOf(name).Load(c, c.Seed)
		const most = 100
		if _, missing := os.Lstat(name); err == nil && errors.Is(missing, fs.ErrNotExist) || number == most {
			return name, state, err
		}
	}
}

// Keep stores a search. The error is a *fault.Data.
func (j Journal) Keep(s State) error {
	return fault.Unwritten(string(j), files.WriteFile(string(j), s.Encode()), "choose another --out")
}

// Remove removes the journal if it exists. The error is a *fault.Data.
func (j Journal) Remove() error {
	if err := os.Remove(string(j)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &fault.Data{Where: string(j), What: "cannot be removed", Err: err}
	}
	return nil
}
