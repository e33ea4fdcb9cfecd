package engine

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/grid"
	"rfm/solver/scratch"
)

// Pairs and predictions that are kept in mapped files give the bytes that those in memory do, also when the run goes on
// from what it has stored.
func TestPairsOnDiskGiveTheSameRun(t *testing.T) {
	const n, r = 24, 17
	pairs := dataset.Pairs{Inputs: grid.NewBatch(grid.Square, r, n), Outputs: grid.NewBatch(grid.Square, r, n)}
	for i := range pairs.Inputs.Data {
		f, x, y := float64(i/(r*r)), float64(i/r%r)/r, float64(i%r)/r
		pairs.Inputs.Data[i] = math.Sin(f+3*x) * math.Cos(2*f-y)
		pairs.Outputs.Data[i] = math.Tanh(pairs.Inputs.Data[i] + x)
	}
	c := preset(t, config.Fields, "features.count=16", "train.method=features", "evaluation.baselines=no",
		"train.grid=17")
	c.Data.TrainFile = writePairs(t, pairs, r, r)
	root := t.TempDir()
	for _, name := range []string{"memory", "disk"} {
		for _, stage := range []func(*Experiment) error{
			func(e *Experiment) error { return e.Reach(t.Context(), Generating) },
			func(e *Experiment) error { return e.Reach(t.Context(), Training) },
			func(e *Experiment) error { return e.Run(t.Context()) },
		} {
			e, err := Continue(t.Context(), root, name, c, time.Now(), Options{Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if name == "disk" {
				e.scratch = scratch.New(e.Directory())
			}
			if err := stage(e); err != nil {
				t.Fatal(err)
			}
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, file := range []string{TrainFile, TestFile, ModelFile, TrainPredictionsFile, TestPredictionsFile, ReportFile} {
		a, err := os.ReadFile(filepath.Join(root, "memory", file))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(root, "disk", file)); err != nil || string(a) != string(b) {
			t.Errorf("%s differs, %v", file, err)
		}
	}
}
