// This file reads the files of a run that may be unfinished, without its lock.

package export

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"rfm/config"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// stored is a run as its manifest describes it. What a process adds meanwhile is not seen.
type stored struct {
	path     string
	manifest store.Manifest
	config   config.Config
}

// open reads the manifest and the configuration.
func open(path string) (*stored, error) {
	m, err := store.Read(path)
	if err != nil {
		return nil, err
	}
	s := &stored{path: path, manifest: m}
	if s.config, err = m.Config(path); err != nil {
		return nil, err
	}
	return s, nil
}

// bytes is about the memory in bytes that an export on a grid takes: the files of the run as they are read and arranged, and if
// the grid is another one (0: it is not) the functions there with their predictions.
func (s *stored) bytes(points int) float64 {
	const copies, functions = 3, 2 * 3
	sum := copies * float64(s.manifest.Bytes())
	if points > 0 {
		sum += functions * 8 * float64(s.manifest.Train+s.manifest.Test) * float64(setup.Domain(s.config).Values(points))
	}
	return sum
}

func (s *stored) place(name string) string { return filepath.Join(s.path, name) }

func (s *stored) has(name string) bool {
	_, ok := s.manifest.File(name)
	return ok
}

// scan passes what the manifest describes of a file to use and compares its checksum.
func (s *stored) scan(name string, use func(io.Reader, store.File) error) error {
	f, ok := s.manifest.File(name)
	if !ok {
		return &fault.Data{Where: s.place(name), What: "is no file of the run"}
	}
	in, err := store.OpenFile(s.path, f)
	if err != nil {
		return err
	}
	defer in.Close()
	sum := sha256.New()
	checked := io.TeeReader(io.LimitReader(in, f.Size), sum)
	if err := use(checked, f); err != nil {
		return &fault.Data{Where: s.place(name), What: "cannot be read", Err: err}
	}
	if _, err := io.Copy(io.Discard, checked); err != nil {
		return &fault.Data{Where: s.place(name), What: "cannot be read", Err: err}
	}
	return f.Compare(s.path, sum)
}

// read is the content of a file.
func (s *stored) read(name string) ([]byte, error) { return s.manifest.ReadFile(s.path, name) }

// rows is the rows that the run has of an array; its first axis counts them.
func (s *stored) rows(name string) (npy.Array, error) {
	var a npy.Array
	err := s.scan(name, func(in io.Reader, f store.File) error {
		if len(f.Shape) < 2 {
			return fmt.Errorf("it is no array of the run")
		}
		row := 1
		for _, n := range f.Shape[1:] {
			row *= n
		}
		buffered, header := bufio.NewReaderSize(in, 1<<16), npy.Preamble(f.Shape)
		found := make([]byte, len(header))
		if _, err := io.ReadFull(buffered, found); err != nil {
			return err
		}
		if !bytes.Equal(found, header) {
			return fmt.Errorf("it does not begin as an array of shape %v", f.Shape)
		}
		count := int(f.Size-int64(len(header))) / (8 * row)
		a = npy.Array{Shape: append([]int{count}, f.Shape[1:]...), Data: make([]float64, count*row)}
		var number [8]byte
		for i := range a.Data {
			if _, err := io.ReadFull(buffered, number[:]); err != nil {
				return err
			}
			a.Data[i] = math.Float64frombits(binary.LittleEndian.Uint64(number[:]))
		}
		return nil
	})
	return a, err
}
