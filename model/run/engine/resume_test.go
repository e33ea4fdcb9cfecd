package engine

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// variants returns experiments that train in all ways, with more than one block of samples.
func variants(t *testing.T) map[string]config.Config {
	many := "data.train=130"
	own := preset(t, "functions")
	wave := func(phase float64) func(i, x int) float64 {
		return func(i, x int) float64 { return math.Sin(2*math.Pi*float64(x)/32+phase*float64(i)) + 0.1*float64(i%7) }
	}
	noError(t, config.Assign(&own, "data.train_file="+authorsFile(t, 33, 60, wave(1), wave(2)), "features.count=48",
		"data.train=24", "train.method=kernel", "evaluation.baselines=no"))
	return map[string]config.Config{
		"darcy":         tinyDarcy(t, "features.kind=spectral", "features.window=0.5", "features.spread=0.2"),
		"adapted":       tiny(t, many, "features.pool=96", "features.rms=1", "features.bias=0.5", "train.choice=loo"),
		"own functions": own,
	}
}

// Data from files give the results of the data that were written to them. A run does not need the files once it has
// read them.
func TestDataFromFilesGiveTheSameResult(t *testing.T) {
	detector.Skip(t, detector.Stored)
	made := run(t, tiny(t), 2)
	c := fromFiles(t, made)
	read := stored(t, c, 2)
	if !slices.Equal(read.Model().Solution().Alpha, made.Model().Solution().Alpha) ||
		!slices.Equal(read.Evaluation().Test.Relative, made.Evaluation().Test.Relative) {
		t.Error("alpha or the test errors differ")
	}
	want := contents(t, read.Directory())
	e := begin(t, c, Options{Workers: 2, Runs: t.TempDir(), Name: "x"})
	noError(t, e.Reach(t.Context(), Generating))
	noError(t, e.Close())
	for _, name := range []string{c.Data.TrainFile, c.Data.TestFile, c.Features.ThetaFile} {
		noError(t, os.Remove(name))
	}
	e = reopened(t, e.Directory(), Options{Workers: 2})
	noError(t, e.Run(t.Context()))
	equalContents(t, "from files", contents(t, e.Directory()), want)
	if _, err := Open(t.Context(), e.Directory(), Options{}); err != nil {
		t.Error(err)
	}
}

func TestAnotherProgramIsNoted(t *testing.T) {
	for says, change := range map[string]func(*machine.Build){
		"v0.0.1":     func(p *machine.Build) { p.Version = "v0.0.1" },
		"GOAMD64=v9": func(p *machine.Build) { p.Target = "GOARCH=amd64 GOAMD64=v9" },
		"AVX-1024":   func(p *machine.Build) { p.SIMD = "AVX-1024" },
	} {
		c := tiny(t)
		other := machine.Program()
		change(&other)
		e := begin(t, c, Options{Runs: t.TempDir(), Name: "x"})
		path := e.Directory()
		noError(t, errors.Join(e.Reach(t.Context(), Generating), e.Close()))
		r, err := store.Open(t.Context(), path)
		noError(t, err)
		r.Program = other // as if that had begun it
		noError(t, errors.Join(r.Put(), r.Close()))
		e = reopened(t, path, Options{})
		if n := e.Notices(); len(n) != 1 || !strings.Contains(n[0], "begun by rfm ") ||
			!strings.Contains(strings.Split(n[0], "continued")[0], says) {
			t.Errorf("notices %q", n)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A run identifies its files by digests: it does not resume with others, and reports later changes.
func TestFilesThatHaveChangedAreTold(t *testing.T) {
	pairs := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, 17, 24), Outputs: grid.NewBatch(grid.Torus, 17, 24)}
	for i := range pairs.Inputs.Data {
		pairs.Inputs.Data[i] = float64(i/17+1) * float64(i%17%16)
		pairs.Outputs.Data[i] = pairs.Inputs.Data[i] + 1
	}
	file := writePairs(t, pairs, 17)
	c := preset(t, config.Functions, "features.count=8", "train.method=features", "evaluation.baselines=no")
	c.Data.TrainFile = file
	root := t.TempDir()
	open := func() *Experiment {
		t.Helper()
		e := reopened(t, filepath.Join(root, "x"), Options{Workers: 1})
		t.Cleanup(func() { _ = e.Close() })
		return e
	}
	e := begin(t, c, Options{Workers: 1, Runs: root, Name: "x"})
	if err := e.readFiles(t.Context(), e.sides()); err != nil { // as if it ended there
		t.Fatal(err)
	}
	noError(t, e.Close())
	info, err := os.Stat(file)
	noError(t, err)
	written := info.ModTime()
	content, err := os.ReadFile(file)
	noError(t, err)
	write := func(content []byte) {
		t.Helper()
		noError(t, os.WriteFile(file, content, 0o600))
	}
	other := append([]byte{}, content...)
	other[len(other)/2] ^= 1
	for how, changed := range map[string][]byte{"it was written at": other, "bytes and has": append(other, 0)} {
		write(changed)
		e = open()
		if err := e.Run(t.Context()); err == nil || !strings.Contains(err.Error(), how) ||
			!strings.Contains(err.Error(), "restore the file") {
			t.Errorf("a file in which %s another: %v", how, err)
		}
		noError(t, e.Close())
	}
	write(content)
	noError(t, os.Chtimes(file, time.Time{}, written))
	e = open()
	noError(t, e.Run(t.Context()))
	sources := e.store.Sources
	if len(sources) != 1 || sources[0].Size != int64(len(content)) || sources[0].Name != file {
		t.Errorf("noted are %+v", sources)
	}
	noError(t, e.Close())
	if notices := open().Notices(); len(notices) != 1 {
		t.Errorf("the same file: %q", notices)
	}
	write(other)
	if notices := open().Notices(); len(notices) != 2 || !strings.Contains(notices[1], file+" has changed") {
		t.Errorf("another file: %q", notices)
	}
	noError(t, os.Remove(file))
	if notices := open().Notices(); len(notices) != 2 || !strings.Contains(notices[1], "is not there any more") {
		t.Errorf("no file: %q", notices)
	}
}
