package engine

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/store"
	"rfm/solver/parallel/detector"
)

// variants returns experiments that train in all ways, with more than one block of samples.
func variants(t *testing.T) map[string]config.Config {
	many := "data.train=130"
	own, err := config.PresetByName("functions")
	noError(t, err)
	wave := func(phase float64) func(i, x int) float64 {
		return func(i, x int) float64 { return math.Sin(2*math.Pi*float64(x)/32+phase*float64(i)) + 0.1*float64(i%7) }
	}
	for _, a := range []string{"data.train_file=" + authorsFile(t, 33, 60, wave(1), wave(2)), "features.count=48",
		"data.train=24", "train.method=kernel", "evaluation.baselines=no"} {
		noError(t, config.Assign(&own, a))
	}
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
	e, err := Create(t.Context(), t.TempDir(), "x", c, time.Now(), Options{Workers: 2})
	noError(t, err)
	noError(t, e.Reach(t.Context(), Generating))
	noError(t, e.Close())
	for _, name := range []string{c.Data.TrainFile, c.Data.TestFile, c.Features.ThetaFile} {
		noError(t, os.Remove(name))
	}
	if e, err = Open(t.Context(), e.Directory(), Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	noError(t, e.Run(t.Context()))
	equalContents(t, "from files", contents(t, e.Directory()), want)
	if _, err := Open(t.Context(), e.Directory(), Options{}); err != nil {
		t.Error(err)
	}
}

func TestAnotherProgramIsNoted(t *testing.T) {
	for says, change := range map[string]func(*store.Program){
		"v0.0.1":     func(p *store.Program) { p.Version = "v0.0.1" },
		"GOAMD64=v9": func(p *store.Program) { p.Target = "GOARCH=amd64 GOAMD64=v9" },
		"AVX-1024":   func(p *store.Program) { p.SIMD = "AVX-1024" },
	} {
		c := tiny(t)
		other := machine.Program()
		change(&other)
		e, err := Create(t.Context(), t.TempDir(), "x", c, time.Now(), Options{})
		noError(t, err)
		path := e.Directory()
		noError(t, errors.Join(e.Reach(t.Context(), Generating), e.Close()))
		d, err := store.Open(t.Context(), path, other, time.Now()) // as if another program had resumed it briefly
		noError(t, err)
		noError(t, errors.Join(d.Put(func(*store.Manifest) {}), d.Close()))
		if e, err = Open(t.Context(), path, Options{}); err != nil {
			t.Fatal(err)
		}
		if n := e.Notices(); len(n) != 2 || !strings.Contains(n[1], "begun by rfm ") ||
			!strings.Contains(strings.Split(n[1], "continued")[0], says) {
			t.Errorf("notices %q", n)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}
