package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Shard is finished rows of an array.
type Shard struct {
	Array        string // name of its file
	First, Count int    // rows
	file         string // name of the shard's file
	sum          string
}

// Shards are those in a directory, for one purpose, which key identifies: those of another key count as damaged. A
// shard is a .npy file that appears whole, and its name says all about it: shard-ARRAY-FIRST-COUNT-SUM.npy, where SUM
// is the first half of the SHA-256 of what it is for, ARRAY, FIRST, COUNT and the file. So there is no list of shards
// that writers have to share: any number of processes may write them in any order, and those who make the same rows
// write the same file.
type Shards struct{ path, key string }

// Shards are those of the run. They are for its configuration.
func (d *Directory) Shards() Shards {
	f, _ := d.Manifest().File(ConfigFile)
	return Shards{d.path, f.SHA256}
}

// In is the shards for the same purpose in another directory.
func (s Shards) In(path string) Shards { return Shards{path, s.key} }

// Key identifies what the shards are for.
func (s Shards) Key() string { return s.key }

// File is the name of the shard's file.
func (s Shard) File() string { return s.file }

const shardPrefix = "shard-"

var shardName = regexp.MustCompile(`^` + shardPrefix + `([a-z-]+)-([0-9]{9})-([0-9]{9})-([0-9a-f]{32})\.npy$`)

func (s Shard) stem() string {
	name := s.Array[:len(s.Array)-len(filepath.Ext(s.Array))]
	return fmt.Sprintf("%s%s-%09d-%09d", shardPrefix, name, s.First, s.Count)
}

// shard is what a name says; ok is false if it is not that of a shard.
func shard(name string) (s Shard, ok bool) {
	parts := shardName.FindStringSubmatch(name)
	if parts == nil {
		return s, false
	}
	first, _ := strconv.Atoi(parts[2])
	count, _ := strconv.Atoi(parts[3])
	return Shard{Array: parts[1] + ".npy", First: first, Count: count, file: name, sum: parts[4]}, count > 0
}

// begin is the checksum of a shard before its file.
func (s Shards) begin(of Shard) hash.Hash {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s\n", s.key, of.stem())
	return sum
}

func end(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)[:sha256.Size/2]) }

// WriteShard is Write for the shards of the run. The error is a *fault.Data, or ctx's.
func (d *Directory) WriteShard(ctx context.Context, array string, first int, blocks ...Block) error {
	return d.unwritten(array, d.Shards().Write(ctx, array, first, blocks...))
}

// Write makes a shard of blocks of rows that follow one another, the first one being row first of the array, and
// returns when it is durable. The error is that of writing, or ctx's.
func (s Shards) Write(ctx context.Context, array string, first int, blocks ...Block) error {
	count := 0
	for _, b := range blocks {
		count += b.Count()
	}
	return s.write(ctx, array, first, blocks[0].shape(count), func(yield func([]float64) bool) {
		for _, b := range blocks {
			for v := range b.values() {
				if !yield(v) {
					return
				}
			}
		}
	})
}

func (s Shards) write(ctx context.Context, array string, first int, shape []int, values iter.Seq[[]float64]) error {
	of := Shard{Array: array, First: first, Count: shape[0]}
	sum := s.begin(of)
	if err := writeRows(ctx, sum, shape, values); err != nil {
		return err
	}
	path := filepath.Join(s.path, of.stem()+"-"+end(sum)+".npy")
	if _, err := os.Lstat(path); err == nil { // somebody has made these rows
		return nil
	}
	return files.Write(path, func(w io.Writer) error { return writeRows(ctx, w, shape, values) })
}

// List is the shards of an array, or all of them if array is empty, in the order of their first rows. They may overlap.
// The error is a *fault.Data.
func (s Shards) List(array string) ([]Shard, error) {
	entries, err := os.ReadDir(s.path)
	if err != nil {
		return nil, &fault.Data{Where: s.path, What: "cannot be listed", Err: err}
	}
	var list []Shard
	for _, entry := range entries {
		one, ok := shard(entry.Name())
		if !ok || array != "" && one.Array != array {
			continue
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b Shard) int {
		return cmp.Or(cmp.Compare(a.Array, b.Array), cmp.Compare(a.First, b.First), cmp.Compare(b.Count, a.Count))
	})
	return list, nil
}

// Read calls use for each row of a shard with its number in the array, and compares the checksum. The slice is valid
// during the call. The error is a *fault.Data, or ctx's.
func (s Shards) Read(ctx context.Context, of Shard, use func(row int, values []float64)) error {
	where := filepath.Join(s.path, of.file)
	f, err := files.OpenInside(where, os.O_RDONLY)
	if err != nil {
		return &fault.Data{Where: where, What: "cannot be opened", Err: err}
	}
	defer f.Close()
	shape, err := shapeOf(f, where)
	if err != nil {
		return err
	}
	sum := s.begin(of)
	in := io.TeeReader(f, sum)
	if len(shape) < 2 || shape[0] != of.Count {
		err = &fault.Data{Where: where, What: fmt.Sprintf("has shape %v, not %d rows", shape, of.Count)}
	} else {
		err = readRows(ctx, in, where, shape, of.Count, func(row int, values []float64) { use(of.First+row, values) })
	}
	if err != nil {
		return err
	}
	if found := end(sum); found != of.sum {
		return &fault.Data{Where: where, What: fmt.Sprintf("is damaged, or another run's: its checksum is %.12s, not %.12s",
			found, of.sum)}
	}
	return nil
}

// shapeOf reads the header of an array and goes back to its beginning.
func shapeOf(f *os.File, where string) ([]int, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, fault.Unread(where, err)
	}
	h, err := npy.ReadHeader(f, info.Size(), where)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, fault.Unread(where, err)
	}
	return h.Shape, nil
}

// Row is the shape of a row of a shard. The error is a *fault.Data.
func (s Shards) Row(of Shard) ([]int, error) {
	where := filepath.Join(s.path, of.file)
	f, err := files.OpenInside(where, os.O_RDONLY)
	if err != nil {
		return nil, &fault.Data{Where: where, What: "cannot be opened", Err: err}
	}
	defer f.Close()
	shape, err := shapeOf(f, where)
	if err != nil {
		return nil, err
	}
	return shape[min(1, len(shape)):], nil
}

// verify checks all shards and returns those that are damaged, with what is wrong.
func (s Shards) verify(ctx context.Context) (damaged []Shard, faults []error) {
	list, err := s.List("")
	if err != nil {
		return nil, []error{err}
	}
	for _, one := range list {
		err := s.Read(ctx, one, func(int, []float64) {})
		if err == nil || errors.Is(err, fs.ErrNotExist) { // the process that works on the run has joined it meanwhile
			continue
		}
		if ctx.Err() != nil {
			return nil, []error{ctx.Err()}
		}
		damaged, faults = append(damaged, one), append(faults, err)
	}
	return damaged, faults
}
