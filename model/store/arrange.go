// This file arranges stored runs: it annotates, renames, deletes and restores them.

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/solver/printable"
)

const (
	// noteFile is the name of the file with a user's note. It is no part of the result: the manifest does not list it.
	noteFile = "note.txt"
	// deletedDirectory is the directory of deleted runs, below the directory of the runs.
	deletedDirectory = ".deleted"
	// deletedFor is the least time for which deleted runs are kept there.
	deletedFor = 7 * 24 * time.Hour

	mostNote = 200 // characters
)

// note returns the user's note on the run in the directory path, on one line; empty if the run has none.
func note(path string) string {
	const limit = 4 * mostNote // bytes
	text, err := files.ReadFile(filepath.Join(path, noteFile), limit)
	if err != nil {
		return ""
	}
	return printable.Line(strings.TrimSpace(string(text)))
}

// Annotate replaces the note on the run in the directory path; an empty text removes it. The error is a *fault.Data.
func Annotate(path, text string) error {
	if _, err := Read(path); err != nil {
		return err
	}
	where := filepath.Join(path, noteFile)
	text = strings.TrimSpace(text)
	switch n := utf8.RuneCountInString(text); {
	case text == "":
		if err := os.Remove(where); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &fault.Data{Where: where, What: "cannot be removed", Err: err}
		}
		return nil
	case n > mostNote || !printable.Is(text):
		return fault.Bad("note", fmt.Sprintf("write one line of at most %d", mostNote),
			"has %d characters, or some that cannot be printed", n)
	}
	return fault.Unwritten(where, files.WriteFile(where, []byte(text+"\n")), "")
}

// move moves a run to a path that must not exist. The error is a *fault.Data.
func move(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return fault.Bad(to, "choose another name; runs are never overwritten", "exists already")
	}
	err := os.Rename(from, to)
	if err == nil {
		err = errors.Join(files.SyncDirectory(filepath.Dir(from)), files.SyncDirectory(filepath.Dir(to)))
	}
	if err != nil {
		return &fault.Data{Where: from, What: "cannot be moved", Err: err, Do: "check the permissions"}
	}
	return nil
}

// Delete moves the run in the directory path to DeletedDirectory and returns its path there. It also removes runs that
// were deleted more than DeletedFor ago. It refuses runs in use. The error is a *fault.Data.
func Delete(path string, now time.Time) (kept string, err error) {
	if !isRun(path) {
		_, err := Read(path)
		return "", err
	}
	if who := holder(path); who != nil {
		return "", &fault.Data{Where: path, What: "cannot be moved", Err: &InUse{*who},
			Do: "wait until it has finished, or stop it"}
	}
	bin := filepath.Join(filepath.Dir(path), deletedDirectory)
	if err := os.Mkdir(bin, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", &fault.Data{Where: bin, What: "cannot be made", Err: err, Do: "check the permissions"}
	}
	purge(bin, now)
	kept = filepath.Join(bin, filepath.Base(path))
	for attempt := 2; ; attempt++ {
		if _, err := os.Lstat(kept); errors.Is(err, fs.ErrNotExist) {
			break
		}
		kept = filepath.Join(bin, fmt.Sprintf("%s~%d", filepath.Base(path), attempt))
	}
	if err := os.Chtimes(path, now, now); err != nil { // the modification time is the time of the deletion
		return "", &fault.Data{Where: path, What: "cannot be moved", Err: err, Do: "check the permissions"}
	}
	return kept, move(path, kept)
}

// purge removes runs deleted more than DeletedFor ago. It ignores those that cannot be removed.
func purge(bin string, now time.Time) {
	entries, _ := os.ReadDir(bin)
	for _, entry := range entries {
		path := filepath.Join(bin, entry.Name())
		if info, err := entry.Info(); err == nil && entry.IsDir() && isRun(path) && now.Sub(info.ModTime()) > deletedFor {
			_ = os.RemoveAll(path)
		}
	}
}

// Restore moves a deleted run back and gives it a name. The error is a *fault.Data.
func Restore(kept, name string) (path string, err error) {
	if !isRun(kept) {
		return "", &fault.Data{Where: kept, What: "is not a deleted run",
			Do: fmt.Sprintf("%s has the runs deleted in the last %d days", filepath.Dir(kept), int(deletedFor.Hours()/24))}
	}
	if err := CheckName(name); err != nil {
		return "", err
	}
	path = filepath.Join(filepath.Dir(filepath.Dir(kept)), name)
	return path, move(kept, path)
}
