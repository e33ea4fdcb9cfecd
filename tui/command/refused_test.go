//go:build unix

package command

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/tui/golden"
)

// Every command of testdata/refused.txt ends with the exit code and the message below it, and makes no file.
func TestRefusals(t *testing.T) {
	file, err := filepath.Abs(filepath.Join("testdata", "refused.txt"))
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("PATH", "") // without sbatch
	refusable(t)
	before, got := tree(t), ""
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	// texts that differ between machines, programs and their presets
	changing := regexp.MustCompile(`(in use by process|SHA-256 is)[^;]*`)
	for line := range strings.Lines(string(script)) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		if !isCommand {
			if strings.HasPrefix(line, "#") {
				got += "\n" + line
			}
			continue
		}
		variables, args, _ := strings.Cut(strings.TrimSpace(command), "rfm")
		code, out, failure := call(t, strings.Fields(variables), wordsOf(args)...)
		if code == exitDone {
			t.Errorf("%s is not refused", command)
		}
		text := changing.ReplaceAllString(out+failure, "$1 ...")
		got += fmt.Sprintf("\n$ %sexit code %d\n%s", command, code,
			strings.NewReplacer(here+"/", "", "\x1b", "ESC").Replace(text))
	}
	golden.Compare(t, file, got[1:])
	if after := tree(t); !slices.Equal(before, after) {
		t.Errorf("files were %v, are %v", before, after)
	}
}

// tree lists the files below the current directory.
func tree(t *testing.T) (names []string) {
	t.Helper()
	if err := filepath.WalkDir(".", func(name string, _ fs.DirEntry, err error) error {
		if filepath.Base(name) != ".lock" {
			names = append(names, name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return names
}

// refusable makes the runs and files that the commands name.
func refusable(t *testing.T) {
	t.Helper()
	storeRun(t, "runs", "done")
	interruptRun(t, "runs", "half")
	occupyRun(t, "runs", "busy")
	flip(t, filepath.Join(interruptRun(t, "runs", "damaged"), "config.toml"))
	periodic := []float64{0, 1, 0, -1, 0, 1, 0, -1, 0}
	files := map[string]string{
		filepath.Join(storeRun(t, "runs", "spoilt"), "report.json"): "{}", filepath.Join("runs", "other", "x"): "",
		"bad.toml": "[data\n", "key.toml": "[data]\ntrian = 1\n", "dta.toml": "[dta]\n",
		"wide.csv": "0.1,0.2,0.3\n", "far.csv": "0.1,1\n1.5,2\n", "empty.csv": "x,u\n", "words.csv": "0.1,1\n0.2,two\n",
		"b.csv": "0.5,1\n", filepath.Join("runs", "s", "sweep.csv"): "mine",
		"superblock.h5": "\x89HDF\r\n\x1a\n" + strings.Repeat("0", 600),
		"short.npy":     "\x93NUMPY\x01\x00", "noise": "\x00\x01\x02",
	}
	var many strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&many, "k%d = 1\n", i)
	}
	files["many.toml"] = many.String()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, a := range map[string]npy.Array{
		"a.npy": {Shape: []int{1, 9}, Data: periodic}, "open.npy": {Shape: []int{1, 8}, Data: periodic[:8]},
		"cube.npy":      {Shape: []int{2, 3, 3}, Data: slices.Repeat(periodic, 2)},
		"taken.npy":     {Shape: []int{1}, Data: periodic[:1]},
		"flat.npy":      {Shape: []int{4, 3}, Data: make([]float64, 12)},
		"negative.npy":  {Shape: []int{9, 9, 1, 2}, Data: slices.Repeat([]float64{-1, 1}, 81)},
		"lines.npy":     {Shape: []int{81, 1, 2}, Data: make([]float64, 162)},
		"truncated.npy": {Shape: []int{257, 20, 2}, Data: make([]float64, 257*40)},
	} {
		arraytest.NPY(t, name, a)
	}
	arraytest.NPZ(t, "p.npz", map[string]npy.Array{"b": {Shape: []int{1, 9}, Data: periodic},
		"c": {Shape: []int{1, 9}, Data: periodic}})
	if err := os.Truncate("truncated.npy", 5000); err != nil {
		t.Fatal(err)
	}
}
