package command

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"rfm/model/interchange"
)

func TestExportWritesANewDirectory(t *testing.T) {
	run := storeRun(t, t.TempDir(), "x")
	t.Chdir(t.TempDir())
	gives(t, exitDone, " files, |README.txt data.npz errors.csv", "export", run)
	gives(t, exitData, "x-export: exists already|--out", "export", run)
	r := answer[interchange.Exported](t, "export", "x", "--runs", filepath.Dir(run), "--out", "other", "--format", "csv")
	if !r.Complete || !slices.Contains(r.Files, "a_test.csv") {
		t.Errorf("%+v", r)
	}
	gives(t, exitDone, "unfinished|train pairs|the model", "export", interruptRun(t, t.TempDir(), "half"))
	for _, name := range r.Files {
		if info, err := os.Stat(filepath.Join("other", name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
