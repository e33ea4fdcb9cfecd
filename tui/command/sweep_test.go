package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/model/report"
	"rfm/solver/printable"
)

// tinySweep returns arguments of a sweep over seeds; a pool of 8 is too small for 16 features.
func tinySweep(root string) []string {
	return with(tinyArgs, "--no-baselines", "--runs", root, "--name", "s", "--vary", "seed=1..2", "--vary",
		"features.pool=0,8")
}

func TestSweepsFromTheShell(t *testing.T) {
	root := t.TempDir()
	code, out, errors := call(t, nil, with(tinySweep(root), "--split", "2")...)
	if code != exitDone || !strings.Contains(out, "4 cells in "+printable.Path(filepath.Join(root, "s"))) {
		t.Fatalf("exit code %d: %s%s", code, out, errors)
	}
	code, out, errors = call(t, nil, "work", "s", "--runs", root, "--json", "--quiet")
	var printed report.Page
	if err := json.Unmarshal([]byte(out), &printed); err != nil || code != exitConfig || len(printed.Tables[0].Rows) == 0 {
		t.Fatalf("exit code %d, %v: %s%s", code, err, out, errors)
	}
	code, out, errors = call(t, nil, "show", filepath.Join(root, "s"))
	if code != exitDone || !strings.Contains(out, "2 of 4 cells complete") ||
		!strings.Contains(out, "seed=2,features.pool=8 failed") {
		t.Errorf("exit code %d: %s%s", code, out, errors)
	}
	table, err := os.ReadFile(filepath.Join(root, "s", "sweep.csv"))
	if err != nil || strings.Count(string(table), ",complete,") != 2 {
		t.Errorf("%v: %s", err, table)
	}
}

func TestSweepsRefuseWhatTheyCannotDo(t *testing.T) {
	root := t.TempDir()
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitUsage, "--details", with(tinySweep(root), "--details", "d.csv")},
		{exitUsage, "--split 0", with(tinySweep(root), "--split", "0")},
		{exitUsage, "--no-save", with(tinySweep(root), "--no-save")},
		{exitConfig, "did you mean", with(tinyArgs, "--vary", "sed=1,2")},
		{exitConfig, "must be a whole number", with(tinyArgs, "--vary", "features.count=8,0")},
		{exitConfig, "features.pool", with(tinySweep(root), "--dry-run")},
		{exitData, "is not a run", []string{"show", root}},
	} {
		if code, _, errors := call(t, nil, c.args...); code != c.code || !strings.Contains(errors, c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, code, errors)
		}
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	if code, out, errors := call(t, nil, with(tinyArgs, "--vary", "seed=1..3", "--dry-run")...); code != exitDone ||
		!strings.Contains(out, "3 cells are valid. On ") || !strings.Contains(out, "  evaluate  about ") {
		t.Errorf("exit code %d: %s%s", code, out, errors)
	}
	var sum planned
	if decode(t, done(t, with(tinyArgs, "--vary", "seed=1..3", "--dry-run", "--json")...), &sum); sum.Cells != 3 ||
		sum.N != 0 || sum.Bytes <= 0 {
		t.Errorf("%+v", sum)
	}
}

// Tables of a sweep and reports of a reproduction do not replace files of other origin.
func TestDirectoriesOfOthersAreRefused(t *testing.T) {
	root := t.TempDir()
	mine := filepath.Join(root, "s", "sweep.csv")
	if err := os.MkdirAll(filepath.Dir(mine), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{tinySweep(root), {"reproduce", "brownian", "--quick", "--out", filepath.Dir(mine)}} {
		fails(t, exitData, "choose another", args...)
	}
	if text, err := os.ReadFile(mine); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
}
