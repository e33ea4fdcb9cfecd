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
	storeRun(t, root, "x")
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
	for args, want := range map[string]int{"x --cost --figure cost.png": exitUsage, "y --cost": exitData,
		"x --cost --figure " + picture: exitData} {
		gives(t, want, "", with([]string{"show", "--runs", root}, strings.Fields(args)...)...)
	}
}
