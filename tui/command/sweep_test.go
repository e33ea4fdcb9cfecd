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
	gives(t, exitDone, "4 cells|"+printable.Path(filepath.Join(root, "s")), with(tinySweep(root), "--split", "2")...)
	var printed report.Page
	out := gives(t, exitConfig, "", "work", "s", "--runs", root, "--json", "--quiet")
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&printed); err != nil || len(printed.Tables[0].Rows) == 0 {
		t.Fatalf("%v: %s", err, out)
	}
	gives(t, exitConfig, "2 of 4 cells complete  "+filepath.Join(root, "s")+"  next: rfm show ", "work", "s", "--runs", root)
	gives(t, exitDone, "2 of 4 cells complete|seed=2,features.pool=8 failed", "show", filepath.Join(root, "s"))
	table, err := os.ReadFile(filepath.Join(root, "s", "sweep.csv"))
	if err != nil || strings.Count(string(table), ",complete,") != 2 {
		t.Errorf("%v: %s", err, table)
	}
}

func TestDryRunOfASweep(t *testing.T) {
	args := with(tinyArgs, "--vary", "seed=1..3", "--dry-run")
	gives(t, exitDone, "3 cells are valid. On |  evaluate  about ", args...)
	if sum := answer[planned](t, args...); sum.Cells != 3 || sum.N != 0 || sum.Bytes <= 0 {
		t.Errorf("%+v", sum)
	}
}
