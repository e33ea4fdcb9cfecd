package command

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rfm/model/paper"
)

// pictureArgs returns arguments that reproduce pictures, which need no training.
func pictureArgs(out string) []string {
	return []string{"reproduce", "feature", "--out", out}
}

func TestReproduceWritesAReport(t *testing.T) {
	out := t.TempDir()
	code, text, errors := call(t, nil, pictureArgs(out)...)
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, errors)
	}
	for _, want := range []string{"Burgers: a random feature  Figure 3.1", "Darcy: a random feature  Figure 3.2",
		"filter chi(k)", "report in"} {
		if !strings.Contains(text, want) {
			t.Errorf("output does not say %q", want)
		}
	}
	for _, name := range []string{"report.md", "burgers-feature.csv", "burgers-feature.json", "darcy-feature.csv",
		"darcy-feature.json"} {
		if content, err := os.ReadFile(filepath.Join(out, name)); err != nil || len(content) == 0 {
			t.Errorf("%s: %d bytes, %v", name, len(content), err)
		}
	}
}

func TestReproduceFitsEightyColumns(t *testing.T) {
	_, text, _ := call(t, nil, append(pictureArgs(t.TempDir()), "--quiet")...)
	for line := range strings.Lines(text) {
		if width := len([]rune(strings.TrimRight(line, "\n"))); width > 80 {
			t.Errorf("%d columns: %s", width, line)
		}
	}
}

func TestReproduceAgainGivesTheSameReport(t *testing.T) {
	out := t.TempDir()
	report := func() string {
		content, err := os.ReadFile(filepath.Join(out, "report.md"))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	call(t, nil, pictureArgs(out)...)
	first := report()
	code, _, errors := call(t, nil, pictureArgs(out)...)
	if code != exitDone || !strings.Contains(errors, "burgers-feature: done before") {
		t.Errorf("exit code %d: %s", code, errors)
	}
	if report() != first {
		t.Error("the report differs")
	}
}

func TestReproducePrintsOneJSONObject(t *testing.T) {
	code, text, errors := call(t, nil, append(pictureArgs(t.TempDir()), "--json", "--quiet", "--seed", "7")...)
	if code != exitDone || errors != "" {
		t.Fatalf("exit code %d: %s", code, errors)
	}
	var got struct {
		Version string
		Quick   bool
		Seed    uint64
		Results []paper.Result
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&got); err != nil || decoder.More() {
		t.Fatalf("%v in %.200q", err, text)
	}
	if got.Seed != 7 || len(got.Results) != 2 || got.Results[0].Name != "burgers-feature" ||
		len(got.Results[0].Figures) != 2 {
		t.Errorf("got seed %d and %d results", got.Seed, len(got.Results))
	}
}

func TestFiguresAreDrawnOnRequest(t *testing.T) {
	out := t.TempDir()
	if code, _, errors := call(t, nil, append(pictureArgs(out), "--figures")...); code != exitDone {
		t.Fatalf("exit code %d: %s", code, errors)
	}
	for _, name := range []string{"burgers-feature.svg", "darcy-feature.svg"} {
		if content, err := os.ReadFile(filepath.Join(out, name)); err != nil || !strings.Contains(string(content), "</svg>") {
			t.Errorf("%s: %d bytes, %v", name, len(content), err)
		}
	}
}

func TestReproduceUnknownItemIsAUsageError(t *testing.T) {
	out := filepath.Join(t.TempDir(), "none")
	code, _, errors := call(t, nil, "reproduce", "semigruop", "--out", out)
	if code != exitUsage || !strings.Contains(errors, `did you mean "semigroup"?`) {
		t.Errorf("exit code %d: %s", code, errors)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("made the directory for nothing")
	}
}

func TestReproduceIntoAFileIsADataError(t *testing.T) {
	out := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(out, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errors := call(t, nil, pictureArgs(out)...); code != exitData || !strings.Contains(errors, "--out") {
		t.Errorf("exit code %d: %s", code, errors)
	}
}

// Interrupted after an item is done, the command prints how to resume and exits with the code of an interruption.
func TestInterruptedReproductionGoesOn(t *testing.T) {
	out := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stdout, stderr bytes.Buffer
	go func() { // the two features are done at once, the seeds take longer
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(out, "burgers-feature.json")); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	code := run(ctx, []string{"reproduce", "burgers-feature", "darcy-m-n", "--out", out, "--quiet"},
		streams{in: strings.NewReader(""), out: &stdout, err: &stderr}, nil)
	if code != exitInterrupted || !strings.Contains(stderr.String(), "the same command computes") {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	code, text, errors := call(t, nil, "reproduce", "burgers-feature", "--out", out)
	if code != exitDone || !strings.Contains(errors, "done before") {
		t.Errorf("exit code %d: %s %s", code, text, errors)
	}
}
