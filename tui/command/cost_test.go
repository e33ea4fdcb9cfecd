package command

import (
	"testing"

	"rfm/model/paper"
)

func TestCostOfARun(t *testing.T) {
	root := t.TempDir()
	storeRun(t, root, "x")
	if result := answer[paper.Result](t, "show", "x", "--cost", "--runs", root); len(result.Tables[0].Rows) < 1 {
		t.Errorf("%+v", result)
	}
}
