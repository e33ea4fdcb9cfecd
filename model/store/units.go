package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Units are the stored work units of a run: finished parts of arrays, each a .npy file that appears whole. A unit is a
// pure function of its name and the run's configuration, whose SHA-256 is the key. The file is called NAME-SUM.npy,
// where SUM is the first half of the SHA-256 of key, name and file. So workers share no list of units: any number of
// processes may write them in any order, and those that make the same unit write the same file.
type Units struct{ path, key string }

// Unit is a part of the work on a run. Make computes it, and returns a function that writes its file, whose content is
// determined by the name. A stored unit has its file instead.
type Unit struct {
	Name string
	Make func(ctx context.Context) (write func(io.Writer) error, err error)

	file, sum string
	numbers   []int // in the name of a stored one
}

// NewUnits returns the units in the directory path that belong to a key: a text that determines them.
func NewUnits(path, key string) Units { return Units{path, key} }

// Path returns the directory of the units.
func (u Units) Path() string { return u.path }

// sumsFile represents the sums of the normal equations, whose units are tiles. Such a file does not exist.
const sumsFile = "sums.npy"

// unitName matches names of units: an array and one or two ranges, which are rows, or rows and columns.
var unitName = regexp.MustCompile(`^([a-z-]+)-([0-9]{1,9})\+([0-9]{1,9})(?:-([0-9]{1,9})\+([0-9]{1,9}))?$`)

var unitFile = regexp.MustCompile(`^([a-z-]+(?:-[0-9]+\+[0-9]+)+)-([0-9a-f]{32})\.npy$`)

// RowsName returns the name of the unit of count rows, from the first on, of the array with the given file name.
func RowsName(array string, first, count int) string {
	return fmt.Sprintf("%s-%09d+%09d", array[:len(array)-len(filepath.Ext(array))], first, count)
}

// TileName returns the name of the unit of a tile of the sums.
func TileName(firstRow, rows, firstColumn, columns int) string {
	return fmt.Sprintf("sums-%06d+%06d-%06d+%06d", firstRow, rows, firstColumn, columns)
}

// stored parses the name of a file; ok is false if it is not the name of a unit.
func stored(name string) (s Unit, ok bool) {
	parts := unitFile.FindStringSubmatch(name)
	if parts == nil {
		return s, false
	}
	words := unitName.FindStringSubmatch(parts[1])
	if words == nil {
		return s, false
	}
	s = Unit{Name: parts[1], file: name, sum: parts[2]}
	for _, w := range words[2:] {
		if n, err := strconv.Atoi(w); err == nil {
			s.numbers = append(s.numbers, n)
		}
	}
	return s, s.numbers[1] > 0
}

// Array returns the file name of the array that contains the unit.
func (s Unit) Array() string { return unitName.FindStringSubmatch(s.Name)[1] + ".npy" }

// Rows returns the range of rows of the unit.
func (s Unit) Rows() (first, count int) { return s.numbers[0], s.numbers[1] }

// Size returns the number of rows; for a tile the number of its entries on and above the diagonal.
func (s Unit) Size() int {
	if len(s.numbers) < 4 {
		return s.numbers[1]
	}
	if s.numbers[0] == s.numbers[2] {
		return s.numbers[1] * (s.numbers[1] + 1) / 2
	}
	return s.numbers[1] * s.numbers[3]
}

func (u Units) sum(name string, content []byte) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s\n", u.key, name)
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil)[:sha256.Size/2])
}

// Write makes the file of a unit, durably. It fails for a complete run. The error is one of content, or a *fault.Data.
func (u Units) Write(name string, content func(io.Writer) error) error {
	if u.path == "" { // nothing is stored
		return nil
	}
	var text bytes.Buffer
	if err := content(&text); err != nil {
		return err
	}
	path := filepath.Join(u.path, name+"-"+u.sum(name, text.Bytes())+".npy")
	if _, err := os.Lstat(path); err == nil { // another process has made it
		return nil
	}
	return u.unwritten(files.WriteFile(path, text.Bytes()))
}

func (u Units) unwritten(err error) error {
	return fault.Unwritten(u.path, err, "everything stored before is intact: free some space and resume")
}

// List returns the stored units, sorted by name. The error is a *fault.Data.
func (u Units) List() ([]Unit, error) {
	entries, err := os.ReadDir(u.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &fault.Data{Where: u.path, What: "cannot be listed", Err: err}
	}
	var list []Unit
	for _, entry := range entries {
		if one, ok := stored(entry.Name()); ok {
			list = append(list, one)
		}
	}
	slices.SortFunc(list, func(a, b Unit) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.sum, b.sum)) })
	return list, nil
}

// Of returns the stored units of an array.
func (u Units) Of(array string) ([]Unit, error) {
	list, err := u.List()
	return slices.DeleteFunc(list, func(s Unit) bool { return s.Array() != array }), err
}

// Read reads the array of a unit and verifies its checksum. The error is a *fault.Data.
func (u Units) Read(s Unit) (npy.Array, error) {
	where := filepath.Join(u.path, s.file)
	f, err := files.OpenInside(where, os.O_RDONLY)
	if err != nil {
		return npy.Array{}, &fault.Data{Where: where, What: "cannot be opened", Err: err}
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return npy.Array{}, fault.Unread(where, err)
	}
	if found := u.sum(s.Name, text); found != s.sum {
		return npy.Array{}, fault.Bad(where, "remove it: it is made again", "is damaged, or another run's: its "+
			"checksum is %.12s, not %.12s", found, s.sum)
	}
	return npy.Read(text)
}

// Remove removes the units of arrays, the last ones first: a process that is killed meanwhile leaves the first ones. It
// ignores failures, which are harmless.
func (u Units) Remove(arrays ...string) {
	list, _ := u.List()
	for _, s := range slices.Backward(list) {
		if slices.Contains(arrays, s.Array()) {
			_ = os.Remove(filepath.Join(u.path, s.file))
		}
	}
}

// sweep removes damaged units and returns a description of each damage.
func (u Units) sweep(ctx context.Context) (faults []error, err error) {
	list, err := u.List()
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if _, wrong := u.Read(s); wrong != nil && !errors.Is(wrong, fs.ErrNotExist) {
			faults = append(faults, wrong)
			err = errors.Join(err, os.Remove(filepath.Join(u.path, s.file)))
		}
	}
	return faults, u.unwritten(err)
}
