package command

import (
	"encoding/json"
	"testing"

	"rfm/model/paper"
)

func TestCostOfARun(t *testing.T) {
	root := t.TempDir()
	storeRun(t, root, "x")
	code, out, failure := call(t, nil, "show", "x", "--cost", "--runs", root, "--json")
	var result paper.Result
	if err := json.Unmarshal([]byte(out), &result); code != exitDone || err != nil ||
		len(result.Tables[0].Rows) < 1 {
		t.Errorf("exit %d, %v: %s%s", code, err, out, failure)
	}
	gives(t, exitData, "", "show", "y", "--cost", "--runs", root)
}
