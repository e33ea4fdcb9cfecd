package command

import (
	"os"
	"testing"

	"rfm/config"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// waves returns count pairs of periodic functions on K = 33.
func waves(count int) map[string]npy.Array {
	a, _, u := channelArrays(count, 33)
	return map[string]npy.Array{"a": a, "u": u}
}

// The configuration that tune writes for own data runs unchanged, and with any number of test pairs: it omits sizes
// that followed from the file of the search.
func TestTunedFilesRunAsTheyAre(t *testing.T) {
	t.Chdir(t.TempDir())
	arraytest.NPZ(t, "pairs.npz", waves(30))
	arraytest.NPZ(t, "few.npz", waves(5))
	done(t, "tune", "functions", "--train-data", "pairs.npz", "-m", "8", "--evaluations", "1",
		"-q", "--set", "train.method=features")
	done(t, "run", "functions-tuned.toml", "-q", "--no-save", "--no-baselines")
	text, err := os.ReadFile("functions-tuned.toml")
	noError(t, err)
	c, err := config.Parse(text)
	noError(t, err)
	if c.Seed = 2; c.SplitSeed() != 1 { // the seed of the search
		t.Errorf("with another seed the file is split by %d: pairs that the search has seen are tested on", c.SplitSeed())
	}
	done(t, "run", "functions-tuned.toml", "--test-data", "few.npz", "-q", "--no-save",
		"--no-baselines")
	done(t, "run", "functions-tuned.toml", "--set", "data.test_file=few.npz", "-q", "--no-save",
		"--no-baselines")
}

// A search without time to check anything lists its configurations and writes no file that could pass for a result.
// No search takes less than the shortest time.
func TestAnUncheckedSearchWritesNoResult(t *testing.T) {
	t.Chdir(t.TempDir())
	arraytest.NPZ(t, "pairs.npz", waves(300))
	out := gives(t, exitInterrupted, "nothing is written|longer --time", "tune", "functions", "--train-data",
		"pairs.npz", "-m", "512", "--time", "1ns")
	expect(t, 0, 0, out, "search", "fresh", "features", "1: ")
	if _, err := os.Stat("functions-tuned.toml"); !os.IsNotExist(err) {
		t.Errorf("a file is there: %v", err)
	}
	if _, err := os.Stat("functions-tuned.toml.search"); err != nil {
		t.Errorf("the search is not kept: %v", err)
	}
}
