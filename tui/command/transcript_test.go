//go:build unix

package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/tui/tuitest"
)

// Every command of testdata/refused.txt ends with the exit code and the message below it, and makes no file.
func TestRefusals(t *testing.T) {
	before := transcript(t, "refused.txt", refusable, [2]string{`(in use by process|SHA-256 is)[^;]*`, "$1 ..."})
	if after := tree(t); !slices.Equal(before, after) {
		t.Errorf("files were %v, are %v", before, after)
	}
}

// changing are texts of results that differ between machines, programs and calls: times, sizes and speeds.
var changing = [][2]string{
	{`(?m)(\S |^ {12}) +`, "$1 "}, // columns of tables, as wide as their times
	{`(?s)one evaluation.*?\ngenerate [^\n]*`, "..."},
	{`(?s) *error  one prediction.*?\n(All numbers|\S*test error)`, "...\n$1"},
	{`(?s)process [0-9]+ of .*?\)`, "process ..."},
	{`(?s)(; on one core) .*?(\nstart)`, "$1 ...$2"},
	{`(in use by|SHA-256 is)[^;\n]*`, "$1 ..."},
	{`(?s)(training pairs?)\s+\([^)]*\),\s+(.*?)\s+\([^)]*\)\n`, "$1 ..., $2\n"}, // lines break where the times are long
	{`(training pairs? \.\.\., [^\n]*)\n  `, "$1 "},
	{`\b([0-9.]+( (min|ms|s|h))? to )?[0-9.]+ ?(min [0-9]+ s|ns|us|ms|s|min|h|B|KiB|MiB|GiB|M)\b`, "..."},
	{`-?[0-9.]+e-[0-9]+(  Fortran order)?\n`, "near 0$1\n"}, // means
	{`[0-9]+ workers?,.*`, "..."},
	{`"(time|seconds|workers|bytes|generate|train|evaluate|iterations|evaluations|accepted|within)":[0-9.e+-]+`, "..."},
	{`"simd":"[^"]*"`, `"simd":...`},
	{`:(-?[0-9.]{9,}(e-?[0-9]+)?|"20[0-9-]+T[^"]*")`, ":..."}, // in JSON
	{`("compared"|"title":"Cost of an evaluation"|"[a-z]+":{"pid").*`, "$1 ..."},
}

// Every command of testdata/used.txt ends with the exit code, the output and the new files below it.
func TestUse(t *testing.T) { transcript(t, "used.txt", usable, changing...) }

// Sets of other programs are read as testdata/sets.txt shows, and trained on.
func TestSetsOfOtherPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	data, err := filepath.Abs("../../model/show/interchange/testdata")
	noError(t, err)
	transcript(t, "sets.txt", func(t *testing.T) {
		noError(t, os.CopyFS(".", os.DirFS(data)))
	}, changing...)
}

// transcript runs the commands in a file of testdata in a directory that prepare fills, and compares their outcome with
// that in the file. Texts that differ between machines, programs and calls are replaced. Before the name of the
// program stand variables, and stopped if the command is cancelled. It returns the files that were prepared.
func transcript(t *testing.T, name string, prepare func(*testing.T), replace ...[2]string) (prepared []string) {
	t.Helper()
	file, err := filepath.Abs(filepath.Join("testdata", name))
	noError(t, err)
	script, err := os.ReadFile(file)
	noError(t, err)
	t.Chdir(t.TempDir())
	t.Setenv("PATH", "") // without sbatch
	prepare(t)
	prepared = tree(t)
	here, err1 := os.Getwd()
	self, err2 := os.Executable()
	noError(t, errors.Join(err1, err2))
	known, got := prepared, ""
	for line := range strings.Lines(string(script)) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		if !isCommand {
			if strings.HasPrefix(line, "#") {
				got += "\n" + line
			}
			continue
		}
		variables, args, _ := strings.Cut(strings.TrimSpace(command), "rfm")
		environ, ctx := strings.Fields(variables), t.Context()
		if i := slices.Index(environ, "stopped"); i >= 0 {
			stopped, stop := context.WithCancel(ctx)
			stop()
			ctx, environ = stopped, slices.Delete(environ, i, i+1)
		}
		words := wordsOf(args)
		code, out, failure := process(ctx, "", environ, words...)
		if code == exitDone && slices.Contains(words, "--json") && (!json.Valid([]byte(out)) || strings.Count(out, "\n") != 1) {
			t.Errorf("not one line of JSON: %s%s", command, out)
		}
		text := out + failure
		for _, r := range replace {
			text = regexp.MustCompile(r[0]).ReplaceAllString(text, r[1])
		}
		got += fmt.Sprintf("\n$ %sexit code %d\n%s", command, code,
			strings.NewReplacer(here+"/", "", here, "", self, "rfm", "\x1b", "ESC").Replace(text))
		now := tree(t)
		made := slices.DeleteFunc(slices.Clone(now), func(name string) bool {
			return slices.Contains(known, name) || strings.Count(name, string(filepath.Separator)) > 1
		})
		if known = now; len(made) > 0 {
			got += "made " + strings.Join(made, " ") + "\n"
		}
	}
	tuitest.Compare(t, file, got[1:])
	return prepared
}

// wordsOf splits a line as a shell does, as far as quoting with single quotes.
func wordsOf(line string) (words []string) {
	inside, open := false, false
	for _, r := range line {
		switch {
		case r == '\'':
			inside = !inside
			if !open {
				words, open = append(words, ""), true
			}
		case r == ' ' && !inside:
			open = false
		default:
			if !open {
				words, open = append(words, ""), true
			}
			words[len(words)-1] += string(r)
		}
	}
	return words
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
		"b.csv": "0.5,1\n", "a-open.npz": "mine", filepath.Join("runs", "s", "sweep.csv"): "mine",
		"superblock.h5": "\x89HDF\r\n\x1a\n" + strings.Repeat("0", 600),
		"short.npy":     "\x93NUMPY\x01\x00", "noise": "\x00\x01\x02",
	}
	var many strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&many, "k%d = 1\n", i)
	}
	files["many.toml"] = many.String()
	for name, text := range files {
		noError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		noError(t, os.WriteFile(name, []byte(text), 0o600))
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
	noError(t, os.Truncate("truncated.npy", 5000))
}

// usable makes the runs and files that the commands of testdata/used.txt name.
func usable(t *testing.T) {
	t.Helper()
	occupyRun(t, "runs", "busy")
	storeRun(t, "runs", strings.Repeat("long-name-", 7))
	flip(t, filepath.Join(storeRun(t, "runs", "damaged"), "test.npy"))
	interruptRun(t, "runs", "unreadable")
	for name, text := range map[string]string{"runs/unreadable/program.json": "{",
		"marked.toml": "\ufeffpreset = \"quick\"\n", "empty.toml": "[data]\n",
		"table.csv": "1,2,3\n4,5,6\n", "id.npy": fmt.Sprintf("\x93NUMPY\x01\x00\x76\x00%-117s\n%s",
			"{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }", "\x00\x00\x00\x00\x00\x00\x00\x10"),
		"tiny.toml": "preset = \"quick\"\n[data]\ntrain = 20\ntest = 10\ngrid = 257\n[features]\ncount = 16\n[train]\n" +
			"grid = 33\n[equation]\ntolerance = 1e-6\n[evaluation]\nbaselines = false\n"} {
		noError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	wave := func(points int, shift float64) npy.Array {
		return arrayOf(func(at []int) float64 {
			i, x := float64(at[0]), 2*math.Pi*(float64(at[1]%32)/32+shift)
			return 0.1 + math.Sin(x+3*i) + 0.3*math.Cos(2*x+i*i)
		}, 12, points)
	}
	// field fills an array with smooth fields on points along each axis, and x with these points.
	field := func(of func(i, x, y float64) float64, points int, from, step float64) (a, x npy.Array) {
		place := func(at int) float64 { return from + step*float64(at) }
		return arrayOf(func(at []int) float64 { return of(float64(at[0]), place(at[1]), place(at[2])) }, 12, points, points),
			arrayOf(func(at []int) float64 { return place(at[0]) }, points)
	}
	closed := func(i, x, y float64) float64 { return math.Cos(x+i) * (y + math.Sin(5*i)) }
	torus := func(i, x, y float64) float64 { return 0.5 + math.Cos(2*math.Pi*(y*(1+i)+x)) }
	a, u, one := wave(33, 0), wave(33, 0.25), wave(33, 0)
	for i := range one.Data {
		one.Data[i] = a.Data[i%33]
	}
	cells, centres := field(closed, 16, 1./32, 1./16)
	points, ends := field(closed, 16, 0, 1./15)
	even, _ := field(torus, 16, 0, 1./16)
	zeros := npy.Array{Shape: u.Shape, Data: slices.Clone(u.Data)}
	clear(zeros.Data[5*33 : 6*33])
	holes := npy.Array{Shape: u.Shape, Data: slices.Clone(zeros.Data)}
	holes.Data[2*33+1] = math.NaN()
	uneven := arrayOf(func(at []int) float64 { return math.Pow(float64(at[0])/32, 2) }, 33)
	for name, arrays := range map[string][]npy.Array{"usual": {a, u}, "open": {wave(32, 0), wave(32, 0.25)},
		"cells": {cells, cells, centres}, "points": {points, points, ends}, "even": {even, even},
		"constant": {one, u}, "zeros": {a, zeros}, "holes": {a, holes}, "uneven": {a, u, uneven}} {
		list := map[string]npy.Array{}
		for i, array := range arrays {
			list[[]string{"a", "u", "x"}[i]] = array
		}
		arraytest.NPZ(t, name+".npz", list)
	}
	arraytest.NPZ(t, "named.npz", map[string]npy.Array{"n": {Shape: []int{2}, Data: []float64{1, 2}}, "before": a,
		"after": u}, "n", "before", "after")
	arraytest.NPY(t, "a.npy", a)
	arraytest.NPY(t, "b.npy", u)
	arraytest.NPZ(t, "wave", map[string]npy.Array{"a": a, "u": u}) // a preset has this name
	arraytest.NPY(t, "infinite.npy", npy.Array{Shape: []int{2, 3}, Data: []float64{1, -2, math.NaN(), 4, math.Inf(1), 7}})
}
