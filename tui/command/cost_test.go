package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/model/paper"
)

func TestCostOfARun(t *testing.T) {
	root := t.TempDir()
	code, _, failure := call(t, nil, "run", "quick", "-n", "16", "-m", "16", "--test", "8", "-K", "33", "--set",
		"data.grid=65", "--quiet",
		"--runs", root, "--name", "x", "--no-baselines")
	if code != exitDone {
		t.Fatal(failure)
	}
	picture := filepath.Join(root, "cost.svg")
	code, out, failure := call(t, nil, "show", "x", "--cost", "--runs", root, "--json", "--figure", picture)
	var result paper.Result
	if err := json.Unmarshal([]byte(out), &result); code != exitDone || err != nil ||
		len(result.Tables[0].Rows) < 1 {
		t.Errorf("exit %d, %v: %s%s", code, err, out, failure)
	}
	if text, err := os.ReadFile(picture); err != nil || !strings.Contains(string(text), "model") {
		t.Errorf("the figure: %v", err)
	}
	if code, _, failure := call(t, nil, "show", "y", "--cost", "--runs", root, "--figure", "cost.png"); code != exitUsage {
		t.Errorf("exit %d for a picture of another kind: %s", code, failure)
	}
	if code, _, failure := call(t, nil, "show", "y", "--cost", "--runs", root); code != exitData {
		t.Errorf("exit %d for a run that is not there: %s", code, failure)
	}
}
