//go:build unix

// Names and contents must not write to the clipboard, move the cursor or run a program.

package command

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"

	"rfm/config"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/model/show/interchange"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/tui/terminal"
)

// hostile contains every kind of text that a terminal obeys: the clipboard, the title, the cursor, colours, hidden
// text, C1 controls, the direction of writing, a byte that is not UTF-8.
const hostile = "x\x1b]52;c;cHduZWQ=\a\x1b]0;title\a\x1b[2J\x1b[31mred\x1b[8mhidden\u009b1A\u202e\r\xff"

// onPTY runs the program on a terminal and returns the bytes sent to the terminal.
func onPTY(t *testing.T, args ...string) string {
	t.Helper()
	master, line, err := pty.Open()
	if err == nil {
		err = pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 80})
	}
	if err != nil {
		t.Skip("there are no pseudo-terminals: ", err)
	}
	defer master.Close()
	defer time.AfterFunc(2*time.Minute, func() { panic(fmt.Sprintf("%q does not end", args)) }).Stop() // and tells where
	go func() {
		defer line.Close()
		run(t.Context(), args, terminal.New(line, line, line, []string{"TERM=xterm-256color", "LANG=C.UTF-8"}))
	}()
	var sent bytes.Buffer
	_, _ = io.Copy(&sent, master) // ends with an error when the other side is closed
	return sent.String()
}

// ours are the control sequences of the program's own lines: styles, and the line of progress.
var ours = regexp.MustCompile("\x1b\\[[0-9;:]*m|\r\x1b\\[K|\r\n|\t")

// hostileRun stores a run whose files contain hostile text.
func hostileRun(t *testing.T, root, name string) string {
	t.Helper()
	c, err := config.PresetByName("quick")
	noError(t, err)
	c.Data.Train, c.Data.Test, c.Features.Count, c.Evaluation.Baselines = 8, 4, 8, false // some commands resume it
	d, _, err := store.Begin(t.Context(), root, "plain", false, c, nil)
	noError(t, err)
	d.Notices, d.Seconds[0], d.Program = []string{hostile}, 1, machine.Build{Version: hostile, Platform: hostile}
	noError(t, d.Put())
	noError(t, d.Close())
	path := filepath.Join(root, name)
	noError(t, os.Rename(filepath.Join(root, "plain"), path))
	return path
}

func TestNothingHostileReachesTheTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	file := func(name string, content []byte) {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Skip("this file system takes no such names: ", err)
		}
	}
	quoted, err := json.Marshal(hostile)
	noError(t, err)
	file(hostile+".csv", []byte(hostile+",b\n1,2\n"))
	file(hostile+".json", []byte(`{`+string(quoted)+`: 1}`))
	file(hostile+".toml", []byte("problem = "+string(quoted)+"\n"))
	file("table.toml", []byte("["+string(quoted)+"]\nx = 1\n["+"data]\n"+string(quoted)+" = 2\n"))
	file("value.toml", []byte("[data]\ntrain_file = "+string(quoted)+"\n"))
	file("bytes.toml", []byte(hostile))
	file(hostile+".npy", []byte("\x93NUMPY\x01\x00"+hostile))
	file("steps.txt", []byte("expect "+hostile+" 10ms\n"))
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	w, err := z.Create(hostile + ".npy")
	if err == nil {
		err = npy.Write(w, npy.Array{Shape: []int{2, 5}, Data: make([]float64, 10)})
	}
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	file(hostile+".npz", archive.Bytes())
	file(hostile+".mat", []byte(hostile))
	root := "runs"
	run := hostileRun(t, root, hostile)
	damaged := filepath.Join(root, "damaged\x1b]52;c;x\a")
	noError(t, os.MkdirAll(damaged, 0o700))
	file(filepath.Join("runs", filepath.Base(damaged), store.ProgramFile),
		[]byte(`{"format": 1, "program": `+string(quoted)+`}`))
	future := filepath.Join(root, "future")
	noError(t, os.MkdirAll(future, 0o700))
	file(filepath.Join("runs", "future", store.ProgramFile),
		[]byte(`{"format": 99, "program": {"version": `+string(quoted)+`}}`))

	for i, args := range [][]string{
		{"run"}, // resumes the run
		{hostile}, {"run", hostile}, {"run", "--" + hostile}, {"run", "-K", hostile}, {"run", "--set", hostile},
		{"run", "--set", "problem=" + hostile},
		{"run", "--name", hostile, "--dry-run"}, {"run", "-n", "8", "-m", "8", "--test", "4", "--no-baselines", "--name",
			hostile},
		{"run", "--workers", hostile},
		{"run", "functions", "--train-data", hostile + ".npz", "--no-save"}, {"run", "functions", "--train-data", hostile},
		{"run", hostile + ".toml"}, {"run", "table.toml"},
		{"run", "value.toml", "--no-save"}, {"run", "bytes.toml"}, {"run", run},
		{"run", "quick", "-n", "8", "-m", "8", "--test", "4", "-K", "9", "--set", "data.grid=257", "--no-baselines", "--runs",
			hostile + "-root"},
		{"tune", hostile + ".toml"}, {"tune", "quick", "-n", "8", "-m", "8", "--out", hostile + "/x"}, {"tune", hostile},
		{"run", damaged}, {"show"}, {"show", "--verify"},
		{"show", "--json"}, {"show", "--runs", hostile}, {"show", hostile},
		{"export", run}, {"export", hostile}, {"export", run, "--format", hostile}, {"export", run, "--out", hostile},
		{"predict", hostile, "--in", "a.npy", "--out", "u.npy"}, {"predict", run, "--in", hostile, "--out", hostile + ".npy"},
		{"predict", run, "--in", "a", "--out", hostile},
		{"predict", hostile + ".npz", "--in", "a", "--out", "u.npy"},
		{"predict", run, "--in", "a", "--out", "u.npy", "--endpoint", hostile},
		{"show", hostile + ".csv"}, {"show", hostile + ".json"}, {"show", hostile + ".toml"},
		{"show", "table.toml"}, {"show", "value.toml"}, {"show", "bytes.toml"},
		{"show", hostile + ".npy"}, {"show", hostile + ".npz"}, {"show", hostile + ".mat"}, {"show", hostile},
		{"show", run}, {"show", run, "--json"},
		{"show", damaged}, {"show", future}, {"show", hostile + ".npz", "--json"},
		{"reproduce", hostile}, {"reproduce", "bridge", "--quick", "--out", filepath.Join("steps.txt", hostile)},
		{"check", hostile}, {"check", "--workers", hostile},
		{"demo", hostile}, {"demo", "--" + hostile},
		{"completion", hostile}, {"work", hostile}, {"__complete", "work", ""}, {"__complete", "run", "--set", hostile},
		{"help", hostile},
	} {
		if testing.Short() && i%8 != 0 {
			continue
		}
		sent := onPTY(t, args...)
		if sent == "" {
			t.Errorf("%q: nothing is said", args)
		}
		rest := ours.ReplaceAllString(sent, "")
		if !utf8.ValidString(rest) {
			t.Errorf("%q: the terminal is sent what is not UTF-8: %q", args, sent)
		}
		for _, r := range rest {
			if r < 0x20 && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 || r == '\u202e' {
				t.Errorf("%q: the terminal is sent %q: %q", args, r, sent)
				break
			}
		}
		if strings.Contains(sent, "\x1b[31mred") || strings.Contains(sent, "\x1b[8m") {
			t.Errorf("%q: a style of somebody else: %q", args, sent)
		}
	}
}

func TestArraysAreNotWrittenToTerminals(t *testing.T) {
	sent := onPTY(t, "predict", "x", "--in", "a.npy", "--out", "-")
	if !strings.Contains(sent, "standard output, which is a terminal") {
		t.Errorf("a terminal is sent %q", sent)
	}
}

// shellWords are names with a meaning in a shell.
var shellWords = []string{"x;touch PWNED #", "$(touch PWNED)", "`touch PWNED`", `it's "so"`, "two words", "-leading",
	"a&b|c", "tab\tand\x1b[2J", "star*"}

// evaluate runs a command line that starts with rfm as a shell reads it, and returns the words after rfm.
func evaluate(t *testing.T, directory, command string) []string {
	t.Helper()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "rfm"),
		[]byte("#!/bin/sh\nfor w in \"$@\"; do printf '%s\\0' \"$w\"; done\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Dir, cmd.Env = directory, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(command, "rfm ") {
		t.Fatalf("%s: %v: %s", command, err, out)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

func TestSuggestedCommandsAreSafeToPaste(t *testing.T) {
	t.Chdir(t.TempDir())
	backquoted := regexp.MustCompile("(?s)`(rfm run .*?[^\\\\])`(?: resumes it)?(?:\n|;|$)")
	for _, word := range shellWords {
		run := interruptRun(t, ".", "plain")
		if err := os.Rename(run, word); err != nil {
			t.Skip("this file system takes no such names: ", err)
		}
		path := word
		if strings.HasPrefix(word, "-") {
			path = "./" + word
		}
		_, _, text := call(t, nil, "show", "--runs", ".")
		_, interrupted := cancelled(t, "run", "--", word)
		_, _, noModel := call(t, nil, "predict", "--in", "a.npy", "--out", "u.npy", "--", word)
		for _, said := range []string{text, interrupted, noModel} {
			found := backquoted.FindStringSubmatch(said)
			if found == nil {
				t.Errorf("%q: no command in %q", word, said)
			} else if got := evaluate(t, ".", found[1]); len(got) != 2 || got[0] != "run" || got[1] != path &&
				got[1] != "./"+path {
				t.Errorf("%q: %s is read as %q", word, found[1], got)
			}
		}
		noError(t, os.RemoveAll(word))
		// arrays and files of pairs
		name := filepath.Join(t.TempDir(), "pairs.npz")
		in, out := word, "u"+word
		if strings.ContainsAny(word, "\t") {
			in, out = "in", "out" // the format has no such names
		}
		pairs := make([]float64, 4*9)
		for i := range pairs {
			pairs[i] = float64(1 + i%9%8*(i/9+1)) // repeats at the right end
		}
		array := npy.Array{Shape: []int{4, 9}, Data: pairs}
		arraytest.NPZ(t, name, map[string]npy.Array{in: array, out: array})
		noError(t, os.Rename(name, word))
		_, text, failure := call(t, nil, "show", "--json", "--", word)
		if got := evaluate(t, ".", commandOf(t, text)); len(got) < 2 || got[0] != "run" && got[0] != "predict" ||
			!slices.Contains(got, path) {
			t.Errorf("%q: %s %s is read as %q", word, text, failure, got)
		}
		noError(t, os.Remove(word))
	}
	if _, err := os.Lstat("PWNED"); err == nil {
		t.Error("a name was run")
	}
}

// commandOf returns the command that inspect suggests.
func commandOf(t *testing.T, text string) string {
	t.Helper()
	var list []interchange.Findings
	if err := json.Unmarshal([]byte(text), &list); err != nil || len(list) != 1 || list[0].Command == "" {
		t.Fatalf("%v: %q", err, text)
	}
	return list[0].Command
}
