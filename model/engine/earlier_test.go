package engine

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"rfm/model/store"
	"rfm/solver/parallel/detector"
)

// Unfinished runs of versions whose arrays grew by rows go on with what they have: pairs, sums, predictions.
func TestUnfinishedRunsOfEarlierVersionsGoOn(t *testing.T) {
	detector.Skip(t, detector.Stored)
	for name, has := range map[string]struct {
		array   string
		samples int // that the sums have seen
	}{"generate": {array: TestFile}, "train": {samples: 256}, "evaluate": {array: TestPredictionsFile}} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.CopyFS(path, os.DirFS(filepath.Join("testdata", "growing", name))); err != nil {
			t.Fatal(err)
		}
		before := map[string][]float64{} // the rows that there are
		m, err := store.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range m.Files {
			if f.Shape == nil {
				continue
			}
			if f.Growing != (f.Name == has.array) {
				t.Fatalf("%s: %+v", name, f)
			}
			_, err := m.ReadArray(t.Context(), path, f.Name, func(_ int,
				row []float64) {
				before[f.Name] = append(before[f.Name], row...)
			})
			if err != nil || len(before[f.Name]) == 0 {
				t.Fatalf("%s: %s has %d numbers, %v", name, f.Name, len(before[f.Name]), err)
			}
		}
		for session := range 2 { // the first one ends before it has done anything
			e, err := Open(t.Context(), path, Options{Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if shards, err := e.shards(has.array); err != nil || has.array != "" && len(shards) != 1 {
				t.Errorf("%s: shards %+v, %v", name, shards, err)
			}
			if got := e.store.Manifest().Training.Done; has.samples > 0 && got != has.samples {
				t.Errorf("%s: %d samples", name, got)
			}
			if session == 0 {
				if err := e.Close(); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if err := e.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			for file, rows := range before {
				shape, ok := e.store.Array(file)
				var after []float64
				err := e.store.ReadArray(t.Context(), file, func(_ int, row []float64) { after = append(after, row...) })
				if err != nil || !ok || len(after) != shape[0]*product(shape[1:]) || !slices.Equal(after[:len(rows)], rows) {
					t.Errorf("%s: %s has shape %v and other rows than before, %v", name, file, shape, err)
				}
			}
			fresh := run(t, e.Config, 2).Evaluation().Test.ExpectedRelative
			// other instructions made the rest
			if got := e.Evaluation().Test.ExpectedRelative; math.Abs(got-fresh) > 1e-6*fresh {
				t.Errorf("%s: test error %g, %g in a new run", name, got, fresh)
			}
		}
		noTemporaryFiles(t, path)
	}
}
