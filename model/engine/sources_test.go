package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/grid"
)

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
		e, err := Open(t.Context(), filepath.Join(root, "x"), Options{Workers: 1})
		noError(t, err)
		t.Cleanup(func() { _ = e.Close() })
		return e
	}
	e, err := Create(t.Context(), root, "x", c, time.Now(), Options{Workers: 1})
	noError(t, err)
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
	sources := e.store.Manifest().Sources
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
