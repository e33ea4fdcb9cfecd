package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"rfm/model/interchange"
)

func TestExportWritesANewDirectory(t *testing.T) {
	run := storeRun(t, t.TempDir(), "x")
	t.Chdir(t.TempDir())
	code, out, errors := call(t, nil, "export", run)
	expect(t, code, exitDone, out+errors, " files, ", "README.txt data.npz errors.csv")
	code, _, errors = call(t, nil, "export", run)
	expect(t, code, exitData, errors, "x-export: exists already", "--out")
	code, out, errors = call(t, nil, "export", "x", "--runs", filepath.Dir(run), "--out", "other", "--format", "csv,npz",
		"--json")
	expect(t, code, exitDone, errors)
	var r interchange.Exported
	if err := json.Unmarshal([]byte(out), &r); err != nil || !r.Complete || !slices.Contains(r.Files, "a_test.csv") ||
		!slices.Contains(r.Files, "data.npz") {
		t.Errorf("%v: %+v", err, r)
	}
	code, out, errors = call(t, nil, "export", interruptRun(t, t.TempDir(), "half"))
	expect(t, code, exitDone, out+errors, "unfinished", "train pairs", "the model")
	for _, name := range r.Files {
		if info, err := os.Stat(filepath.Join("other", name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestExportSaysWhyItCannot(t *testing.T) {
	run := storeRun(t, t.TempDir(), "x")
	t.Chdir(t.TempDir())
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{nil, exitUsage, "one run, not 0"},
		{[]string{"nonsense"}, exitData, "nonsense"},
		{[]string{"nonsense", "--format", "xls"}, exitUsage, "npz, npy or csv"}, // mistakes found without the run
		{[]string{run, "--format", "xls"}, exitUsage, "npz, npy or csv"},
		{[]string{run, "--format", ""}, exitUsage, "npz, npy or csv"},
	} {
		code, out, errors := call(t, nil, append([]string{"export"}, test.args...)...)
		if out != "" {
			t.Errorf("%v: standard output has %q", test.args, out)
		}
		expect(t, code, test.code, errors, test.want)
	}
	code, errors := cancelled(t, "export", run)
	expect(t, code, exitCancelled, errors, "cancelled")
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 0 {
		t.Errorf("%v is left behind, %v", entries, err)
	}
}
