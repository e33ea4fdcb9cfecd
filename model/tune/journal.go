// This file keeps searches on disk, so that one that was interrupted goes on: in the command and in the interface.

package tune

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"rfm/config"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// JournalEvery is the time between two copies of a running search on disk.
const JournalEvery = time.Second

// Journal is the name of the file in which an interrupted search is kept: that of its result with an ending.
type Journal string

// JournalOf is the journal of the search whose result is written to a file.
func JournalOf(result string) Journal { return Journal(result + ".search") }

// Load is the search that is kept, and whether there is one. The complete configuration and the seed must be those that it
// began with. Errors are *fault.Data.
func (j Journal) Load(c config.Config, seed uint64) (state State, found bool, err error) {
	const limit = 1 << 28 // bytes; journals have some 10 kB
	text, err := files.ReadFile(string(j), limit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return State{}, false, nil
	case err != nil:
		return State{}, false, &fault.Data{Where: string(j), What: "cannot be read", Err: err}
	}
	if state, err = DecodeState(string(j), text); err != nil {
		return State{}, false, err
	}
	if state.Config != string(c.TOML()) || state.Seed != seed {
		return State{}, false, &fault.Data{Where: string(j), What: "belongs to the search from another configuration", Do: "give that configuration, or another --out, or remove the file"}
	}
	return state, true, nil
}

// Keep stores a search. The error is a *fault.Data.
func (j Journal) Keep(s State) error {
	if err := files.WriteFile(string(j), s.Encode()); err != nil {
		return &fault.Data{Where: string(j), What: "cannot be written", Err: err, Do: "choose another --out"}
	}
	return nil
}

// Remove removes the journal if it is there. The error is a *fault.Data.
func (j Journal) Remove() error {
	if err := os.Remove(string(j)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &fault.Data{Where: string(j), What: "cannot be removed", Err: err}
	}
	return nil
}
