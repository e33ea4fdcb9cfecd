// This file reads the files of a run that may be unfinished, without its lock.

package interchange

import (
	"context"
	"path/filepath"

	"rfm/config"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/dataset/npy"
)

// stored is a run as its manifest describes it. Later changes by other processes have no effect.
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

// bytes returns the approximate memory of an export in bytes: the files of the run while they are read and arranged
// and, for another grid with the given number of points (0: the run's), functions and predictions on it.
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

// read returns the content of a file.
func (s *stored) read(name string) ([]byte, error) { return s.manifest.ReadFile(s.path, name) }

// rows returns the stored rows of an array, which its first axis counts; without any, the shape is nil.
func (s *stored) rows(ctx context.Context, name string) (a npy.Array, err error) {
	a.Shape, err = s.manifest.ReadArray(ctx, s.path, name, func(_ int,
		values []float64) {
		a.Data = append(a.Data, values...)
	})
	return a, err
}
