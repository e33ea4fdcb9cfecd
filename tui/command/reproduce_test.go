package command

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Interrupted after an item is done, the command prints how to resume and exits with the code of an interruption.
func TestInterruptedReproductionGoesOn(t *testing.T) {
	out := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // the two features are done at once, the seeds take longer
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(out, "burgers-feature.json")); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	code, _, told := process(ctx, "", nil, "reproduce", "burgers-feature", "darcy-m-n", "--out", out, "--quiet")
	expect(t, code, exitInterrupted, told, "the same command computes")
	gives(t, exitDone, "done before", "reproduce", "burgers-feature", "--out", out)
}
