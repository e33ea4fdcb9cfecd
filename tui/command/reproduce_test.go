package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rfm/model/show/paper"
	"rfm/tui/terminal"
)

// pictureArgs returns arguments that reproduce pictures, which need no training.
func pictureArgs(out string) []string {
	return []string{"reproduce", "feature", "--out", out}
}

// A report in 80 columns; the same command again writes the same one.
func TestReproduceWritesAReport(t *testing.T) {
	out := t.TempDir()
	code, text, errors := call(t, nil, append(pictureArgs(out), "--seed", "7")...)
	expect(t, code, exitDone, text+errors, "Burgers: a random feature  Figure 3.1", "Darcy: a random feature  Figure 3.2",
		"filter chi(k)", "report in")
	for line := range strings.Lines(text) {
		if width := len([]rune(strings.TrimRight(line, "\n"))); width > terminal.Usual {
			t.Errorf("%d columns: %s", width, line)
		}
	}
	report := func() (all string) {
		for _, name := range []string{"report.md", "burgers-feature.csv", "burgers-feature.json", "darcy-feature.csv",
			"darcy-feature.json"} {
			content, err := os.ReadFile(filepath.Join(out, name))
			if err != nil || len(content) == 0 {
				t.Errorf("%s: %d bytes, %v", name, len(content), err)
			}
			all += string(content)
		}
		return all
	}
	first := report()
	code, text, errors = call(t, nil, append(pictureArgs(out), "--json", "--seed", "7")...)
	expect(t, code, exitDone, errors, "burgers-feature: done before")
	if report() != first {
		t.Error("the report differs")
	}
	var got struct {
		Version string
		Quick   bool
		Seed    uint64
		Results []paper.Result
	}
	if decode(t, text, &got); got.Seed != 7 || len(got.Results) != 2 || got.Results[0].Name != "burgers-feature" ||
		len(got.Results[0].Figures) != 2 {
		t.Errorf("got seed %d and %d results", got.Seed, len(got.Results))
	}
}

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
