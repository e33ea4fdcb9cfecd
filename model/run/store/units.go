package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/dataset/npy"
)

// Units are the stored work units of a run: finished parts of arrays, each a .npy file that appears whole. A unit is a
// pure function of its name and the run's configuration, whose SHA-256 is the key. The file is called NAME-SUM.npy,
// where SUM is the first half of the SHA-256 of key, name and file. So workers share no list of units: any number of
// processes may write them in any order, and those that make the same unit write the same file.
type Units struct {
	Path string // of the directory; empty: nothing is stored
	Key  string // a text that determines the units
}

// Unit is a part of the work on a run. Make computes it, and returns a function that writes its file, whose content is
// determined by the name.
type Unit struct {
	Name string
	Make func(ctx context.Context) (write func(io.Writer) error, err error)
}

// Stored is a unit that has a file, as the name of the file describes it.
type Stored struct {
	Name string

	file    string // its name
	array   string // file name of the array of which it is a part
	sum     string // the beginning of its checksum
	numbers []int  // first and count of its rows; for a tile those of its columns follow
}

// TilesArray represents the sums of the normal equations, whose units are tiles. Such a file does not exist.
const TilesArray = "sums.npy"

// trainingArrays are arrays whose units only training needs: tiles, and states of descents. Such files do not exist.
var trainingArrays = []string{TilesArray, "network.npy", "network-held.npy"}

// unitFile matches names of files: an array, one or two ranges, which are rows, or rows and columns, and a checksum.
var unitFile = regexp.MustCompile(
	`^(([a-z-]+)-([0-9]{1,9})\+([0-9]{1,9})(?:-([0-9]{1,9})\+([0-9]{1,9}))?)-([0-9a-f]{32})\.npy$`)

// RowsName returns the name of the unit of count rows, from the first on, of the array with the given file name.
func RowsName(array string, first, count int) string {
	name := strings.TrimSuffix(array, filepath.Ext(array))
	return fmt.Sprintf("%s-%09d+%09d", name, first, count)
}

// TileName returns the name of the unit of a tile of the sums.
func TileName(firstRow, rows, firstColumn, columns int) string {
	return fmt.Sprintf("sums-%06d+%06d-%06d+%06d", firstRow, rows, firstColumn, columns)
}

// stored parses the name of a file; ok is false if it is not the name of a unit.
func stored(name string) (s Stored, ok bool) {
	parts := unitFile.FindStringSubmatch(name)
	if parts == nil {
		return s, false
	}
	s = Stored{
		Name:  parts[1],
		file:  name,
		array: parts[2] + ".npy",
		sum:   parts[7],
	}
	for _, digits := range parts[3:7] {
		number, err := strconv.Atoi(digits)
		if err == nil { // the columns of rows are empty
			s.numbers = append(s.numbers, number)
		}
	}
	_, count := s.Rows()
	return s, count > 0
}

// Rows returns the range of rows of the unit.
func (s Stored) Rows() (first, count int) { return s.numbers[0], s.numbers[1] }

// Size returns the number of rows; for a tile the number of its entries on and above the diagonal.
func (s Stored) Size() int {
	firstRow, rows := s.Rows()
	if len(s.numbers) < 4 {
		return rows
	}
	firstColumn := s.numbers[2]
	columns := s.numbers[3]
	if firstRow == firstColumn {
		return rows * (rows + 1) / 2
	}
	return rows * columns
}

// prefix returns the text that precedes the content of a unit in its checksum.
func (u Units) prefix(name string) string { return u.Key + " " + name + "\n" }

// Write makes the file of a unit, durably. It fails for a complete run. The error is one of content, or a *fault.Data.
func (u Units) Write(name string, content func(io.Writer) error) error {
	if u.Path == "" { // nothing is stored
		return nil
	}
	var text bytes.Buffer
	if err := content(&text); err != nil {
		return err
	}
	hash := sha256.New()
	hash.Write([]byte(u.prefix(name)))
	hash.Write(text.Bytes())
	sum := hash.Sum(nil)[:sha256.Size/2]
	path := filepath.Join(u.Path, fmt.Sprintf("%s-%x.npy", name, sum))
	_, err := files.Lstat(path)
	if err == nil { // another process has made it
		return nil
	}
	err = files.WriteFile(path, text.Bytes())
	return u.unwritten(err)
}

// unwritten returns the error of a failed write with its place and a remedy; nil if there is none.
func (u Units) unwritten(err error) error {
	where := u.Path
	failed, ok := errors.AsType[*files.WriteError](err)
	if ok {
		where = filepath.Join(u.Path, failed.Name)
	}
	run := filepath.Dir(u.Path)
	if err != nil && !exists(run) {
		return fault.Unwritten(run, errMoved, "and resume it under its new name with `rfm run`, or start it again")
	}
	return fault.Unwritten(where, err, "and run it again, which resumes: everything stored before is intact")
}

// List returns the stored units, sorted by name. The error is a *fault.Data.
func (u Units) List() ([]Stored, error) {
	entries, err := files.ReadDir(u.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &fault.Data{
			Where: u.Path,
			What:  "cannot be listed",
			Err:   err,
		}
	}
	var list []Stored
	for _, entry := range entries {
		unit, ok := stored(entry.Name())
		if ok {
			list = append(list, unit)
		}
	}
	slices.SortFunc(list, func(a, b Stored) int {
		byName := cmp.Compare(a.Name, b.Name)
		bySum := cmp.Compare(a.sum, b.sum)
		return cmp.Or(byName, bySum)
	})
	return list, nil
}

// Of returns the stored units of an array, sorted by name. The error is a *fault.Data or, if two files that are intact
// have one unit with different bits, a *fault.Unsound: then machines compute different numbers, and none may be taken.
func (u Units) Of(array string) ([]Stored, error) {
	list, err := u.List()
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(s Stored) bool { return s.array != array })
	return list, u.twofold(list)
}

// twofold returns the error of the first unit that is in a sorted list twice: a *fault.Unsound.
func (u Units) twofold(list []Stored) error {
	for i := 1; i < len(list); i++ {
		first := list[i-1]
		second := list[i]
		if first.Name != second.Name {
			continue
		}
		const (
			what   = "has other bits than %s, although both are intact and the same unit: two machines compute different numbers"
			remedy = "find out which one is wrong, from %s, remove both files, and resume without that machine"
		)
		run := filepath.Dir(u.Path)
		claims := filepath.Join(run, ClaimsDirectory)
		return &fault.Unsound{
			Where: u.file(second),
			What:  fmt.Sprintf(what, first.file),
			Do:    fmt.Sprintf(remedy, claims),
		}
	}
	return nil
}

// file returns the path of a stored unit.
func (u Units) file(s Stored) string { return filepath.Join(u.Path, s.file) }

// Read reads the array of a unit and verifies its checksum. The error is a *fault.Data, or ctx.Err() if ctx ends.
func (u Units) Read(ctx context.Context, s Stored) (npy.Array, error) {
	text, err := content(u.file(s), func(w io.Writer) error {
		return u.copy(ctx, s, w)
	})
	if ctx.Err() != nil {
		return npy.Array{}, ctx.Err()
	}
	if err != nil {
		return npy.Array{}, err
	}
	return npy.Read(text)
}

// copy copies the file of a unit, and compares it with its checksum. The error is a *fault.Data.
func (u Units) copy(ctx context.Context, s Stored, to io.Writer) error {
	sum, err := copyFile(ctx, u.file(s), u.prefix(s.Name), to)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(sum, s.sum) {
		return &fault.Data{
			Where: u.file(s),
			What:  "is damaged, or another run's",
			Err:   &mismatch{sum, s.sum},
			Do:    "remove it: it is made again",
		}
	}
	return nil
}

// check compares a unit with its checksum. A unit that is removed meanwhile has no error. The error is a *fault.Data,
// caused by a *mismatch if the unit is damaged, or ctx.Err() if ctx ends.
func (u Units) check(ctx context.Context, s Stored) error {
	err := u.copy(ctx, s, io.Discard)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Remove removes the units of arrays, the last ones first: a process that is killed meanwhile leaves the first ones. It
// ignores failures, which are harmless.
func (u Units) Remove(arrays ...string) {
	list, _ := u.List()
	for _, s := range slices.Backward(list) {
		if slices.Contains(arrays, s.array) {
			_ = files.Remove(u.file(s))
		}
	}
}

// RemoveOthers removes the units of an array but for one, and ignores failures.
func (u Units) RemoveOthers(array, kept string) {
	list, _ := u.List()
	for _, s := range list {
		if s.array == array && s.Name != kept {
			_ = files.Remove(u.file(s))
		}
	}
}
