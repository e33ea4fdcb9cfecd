package command

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"rfm/solver/base/processor"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/tui/terminal"
)

// Every command that a page, a help text, a note or an error prints is one that the program accepts. Commands run in a
// directory with the runs and files that they name; long ones with --dry-run, or with small sizes.
func TestPrintedCommandsWork(t *testing.T) {
	commands := printedCommands(t)
	if len(commands) < 100 {
		t.Fatalf("%d commands are found", len(commands))
	}
	t.Chdir(t.TempDir())
	t.Setenv("PATH", "")
	fillForPrinted(t)
	done := map[string]bool{}
	for _, command := range slices.Sorted(maps.Keys(commands)) {
		words := instance(command)
		line := strings.Join(words, " ")
		if done[line] {
			continue
		}
		done[line] = true
		begin := processor.Time() // which other programs do not change
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
		code, _, failure := process(ctx, "", nil, words...)
		stop()
		if took := processor.Time() - begin; took > 10*time.Second {
			t.Errorf("`rfm %s` takes %v", line, took)
		}
		if code != exitDone && !(code == exitData && elsewhere.MatchString(line)) {
			t.Errorf("%s prints `rfm %s`. `rfm %s` has exit code %d: %s", commands[command], command, line, code, failure)
		}
	}
}

// elsewhere matches commands about files that this test does not have.
var elsewhere = regexp.MustCompile(`\.(mat|h5)\b|samples|inputs/|theta\.npy|later\.npz|x_train\.npy|antiderivative|^run benchmark-`)

// inline matches a command in a sentence, in backquotes or, in a help text, in quotes.
var inline = regexp.MustCompile("[`'](?:\\./)?rfm( [^`\n]*?|)[`']")

// remedies matches a command at the end of an advice without quotes.
var remedies = regexp.MustCompile(`(?:: |; )rfm ([a-z]+ [^;` + "`" + `]*)$`)

// printedCommands returns the commands in pages and sources, without the name of the program, and the place of each.
func printedCommands(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	add := func(place, command string) {
		command, _, _ = strings.Cut(" "+command, " #") // a comment follows, maybe the program's name alone
		command = strings.TrimSpace(command)
		command, _, _ = strings.Cut(command, "  ")
		command, _, _ = strings.Cut(command, " | ")
		command, _, _ = strings.Cut(command, " > ")
		if command != "" && !strings.Contains(command, "[") && !strings.Contains(command, ", rfm ") { // usage, lists
			all[command] = place
		}
	}
	pages, err := filepath.Glob("../../docs/*.md")
	noError(t, err)
	for _, page := range append(pages, "../../README.md", "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(page)
		noError(t, err)
		fenced, transcript := false, false
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
				transcript = fenced && strings.TrimSpace(line) == "```console"
				continue
			}
			if transcript {
				continue // TestPagesShowWhatIsPrinted runs it
			}
			if !fenced {
				for _, found := range inline.FindAllStringSubmatch(line, -1) {
					add(filepath.Base(page), found[1])
				}
				continue
			}
			_, piped, _ := strings.Cut(" | "+strings.TrimSpace(line), " | ")
			for piece := range strings.SplitSeq(piped, " | ") {
				if command, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(piece, "$ "), "./"), "rfm "); ok {
					add(filepath.Base(page), command)
				}
			}
		}
	}
	root := (&app{Terminal: terminal.New(strings.NewReader(""), new(strings.Builder), new(strings.Builder), nil)}).root()
	var examples func(cmd *cobra.Command)
	examples = func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			if command, ok := strings.CutPrefix(strings.TrimSpace(line), "rfm "); ok {
				add("help of "+cmd.Name(), command)
			}
		}
		for _, child := range cmd.Commands() {
			examples(child)
		}
	}
	examples(root)
	noError(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				return true
			}
			for _, found := range inline.FindAllStringSubmatch(text, -1) {
				add(path, found[1])
			}
			for _, found := range remedies.FindAllStringSubmatch(text, -1) {
				add(path, found[1])
			}
			return true
		})
		return nil
	}))
	return all
}

// named matches the name that a command on a page gives to a run or a sweep.
var named = regexp.MustCompile(`^(?:\$ )?rfm run .*--name ([-\w]+)`)

// A reader who runs the commands of a page in their order has one directory of runs: no name is that of a sweep and of a
// single run.
func TestPagesGiveNoNameToASweepAndARun(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	noError(t, err)
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		noError(t, err)
		isSweep := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			found := named.FindStringSubmatch(line)
			if found == nil {
				continue
			}
			sweeps := strings.Contains(line, "--vary")
			before, known := isSweep[found[1]]
			if known && before != sweeps {
				t.Errorf("%s gives the name %s to a sweep and to a run", filepath.Base(page), found[1])
			}
			isSweep[found[1]] = sweeps
		}
	}
}

// placeholders are values of the words that stand for others in printed commands.
var placeholders = map[string]string{"RUN": "x", "FILE": "pairs.npz", "FILE.toml": "my.toml", "PRESET": "burgers",
	"RUN|MODEL.npz": "x", "TEXT": "u_t = nu*u_xx", "N": "16", "M": "16", "S": "2", "s": "64", "K": "65", "k": "2",
	"METHOD": "kernel", "STATES": "3", "NAME": "burgers", "benchmark-NAME": "benchmark-advection", "SHELL": "zsh",
	"runs/NAME/config.toml": "runs/x/config.toml", "INPUTS": "a.npy", "KEY=VALUE": "seed=2", "%s": "x", "%[1]s": "x",
	"%[2]s": "x", "a%[1]s": "a.csv", "u%[1]s": "u.csv", "SWEEP": "cells", "config.toml": "my.toml",
	"/data/runs/big": "runs/big", "...": "", "MODEL.npz": "model.npz"}

// instance returns the arguments of a printed command with values in place of placeholders, and sizes with which it
// takes seconds.
func instance(command string) (words []string) {
	var subject string
	for i, word := range splitLine(command) {
		if value, ok := placeholders[word]; ok {
			word = value
		} else if key, name, ok := strings.Cut(word, "="); ok {
			if value, known := placeholders[name]; known {
				word = key + "=" + value
			}
			if key == "train.coarsen" {
				word = key + "=0.5"
			}
		}
		if i == 0 {
			subject = word
		}
		if subject == "predict" && i == 2 && word == "x" {
			word = "a.npy" // the name after that of the run is a file's
		}
		if word == "-" { // a stream
			word = map[string]string{"--in": "a.npy", "--out": "stream.npy"}[words[len(words)-1]]
		}
		if word != "" {
			words = append(words, word)
		}
	}
	drop := func(flag string) {
		if at := slices.Index(words, flag); at >= 0 {
			words = slices.Delete(words, at, min(len(words), at+2))
		}
	}
	if slices.Contains(words, "--help") || len(words) == 0 {
		return words
	}
	own := regexp.MustCompile(`\W+`).ReplaceAllString(command, "-") // the name of a file of its own
	runs := len(words) > 1 && slices.ContainsFunc([]string{"x", "half"}, func(name string) bool { return words[1] == name })
	switch subject {
	case "run":
		if runs {
			words[1] = "runs/" + words[1]
		}
		if runs && slices.Contains(words, "--split") {
			return append(words, "--help") // it is complete
		}
		drop("--split")
		return append(words, "--dry-run", "--workers", "1")
	case "work":
		if len(words) == 1 {
			return append(words, "--help")
		}
		if words[1] == "x" {
			words[1] = "wide"
		}
		drop("--slurm")
		words = slices.DeleteFunc(words, func(word string) bool { return word == "--dry-run" })
		return slices.Insert(words, 2, "--slurm", "2", "--dry-run") // before options of sbatch
	case "tune":
		drop("--time")
		words = append(words, "-n", "16", "-m", "16", "--evaluations", "1", "-q", "--out", own+".toml")
		if len(words) > 1 && words[1] == "burgers" {
			words = append(words, "--set", "data.grid=65", "-K", "33")
		}
		return words
	case "predict", "invert":
		if len(words) == 1 {
			return append(words, "--help")
		}
		if words[1] == "burgers" {
			words[1] = "x"
		}
		words = append(words, "--force")
		if subject == "invert" {
			words = append(words, "--steps", "20", "--chains", "4", "-q")
		} else if !slices.Contains(words, "--in") && strings.HasPrefix(words[2], "-") {
			words = append(words, "--in", "a.npy")
		}
		return words
	case "export":
		if len(words) == 1 {
			return append(words, "--help")
		}
		drop("--out")
		return append(words, "--out", "export-"+own)
	case "show", "check":
		if slices.Contains(words, "--cost") || slices.Contains(words, "--bench") || slices.Contains(words, "--follow") {
			return append(words, "--help") // takes a minute, or until others have done their work
		}
	case "demo", "reproduce", "--version", "-n": // a terminal is needed, minutes pass
		return append(words, "--help")
	}
	return words
}

// splitLine splits a line as a shell does, as far as quoting.
func splitLine(line string) (words []string) {
	word, open, quote := "", false, rune(0)
	for _, r := range line {
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote, open = r, true
		case r == quote && quote != 0:
			quote = 0
		case r == ' ' && quote == 0:
			if open {
				words = append(words, word)
			}
			word, open = "", false
		default:
			word += string(r)
			open = true
		}
	}
	if open {
		words = append(words, word)
	}
	return words
}

// fillWithMeshes writes small files in the forms of the public sets of functions on meshes.
func fillWithMeshes(t *testing.T) {
	t.Helper()
	const pairs, side = 40, 6
	place := func(pair, k, axis int) float64 { // of point k, moved a little with the pair
		at := [2]float64{float64(k / side), float64(k % side)}
		return at[axis]/side + 0.02*math.Sin(float64(pair)+3*at[1-axis])
	}
	value := func(pair, k int) float64 {
		return math.Sin(float64(pair) + 2*place(pair, k, 0) + place(pair, k, 1))
	}
	write := func(name string, of func(at []int) float64, shape ...int) {
		arraytest.NPY(t, name+".npy", arrayOf(of, shape...))
	}
	const points = side * side
	write("Random_UnitCell_XY_10", func(at []int) float64 { return place(at[2], at[0], at[1]) }, points, 2, pairs)
	write("Random_UnitCell_sigma_10", func(at []int) float64 { return value(at[1], at[0]) }, points, pairs)
	for name, channels := range map[string]int{"NACA_Cylinder": 5, "Pipe": 3} {
		for axis, letter := range []string{"_X", "_Y"} {
			write(name+letter, func(at []int) float64 { return place(at[0], at[1]*side+at[2], axis) }, pairs, side, side)
		}
		write(name+"_Q", func(at []int) float64 {
			return value(at[0], at[2]*side+at[3]) + float64(at[1])
		}, pairs, channels, side, side)
	}
}

// fillForPrinted makes the runs and files that printed commands name, in the working directory.
func fillForPrinted(t *testing.T) {
	t.Helper()
	varied := with(tinyArgs, "--set", "nu=random in [0.01, 0.03]", "--set", "train.method=kernel", "--name", "varied", "-q")
	if code, _, failure := call(t, nil, varied...); code != exitDone { // first, since others are the newest run
		t.Fatal(failure)
	}
	code, _, failure := call(t, nil, with(tinyArgs, "--set", "evaluation.bands=yes", "--name", "x", "-q")...)
	if code != exitDone {
		t.Fatal(failure)
	}
	for _, name := range []string{"A", "B", "b", "first", "small", "large", "half", "bands", "ks", "steps", "burgers-kernel-seed2"} {
		noError(t, os.CopyFS(filepath.Join("runs", name), os.DirFS("runs/x")))
	}
	for name, more := range map[string][]string{"wide": {"--split", "2"}, "big": {"--split", "2"}, "cells": {"--split", "2", "--vary", "seed=1,2"}} {
		if code, _, failure := call(t, nil, with(tinyArgs, append(more, "--name", name, "-q")...)...); code != exitDone {
			t.Fatal(failure)
		}
	}
	text, err := os.ReadFile("runs/x/config.toml")
	noError(t, err)
	model, err := os.ReadFile("runs/x/model.npz")
	noError(t, err)
	for _, name := range []string{"my.toml", "burgers-tuned.toml", "spring-tuned.toml"} {
		noError(t, os.WriteFile(name, text, 0o600))
	}
	noError(t, os.WriteFile("model.npz", model, 0o600))
	const n, K = 40, 33
	wave := func(shift float64) npy.Array {
		return arrayOf(func(at []int) float64 {
			i, x := float64(at[0]), 2*math.Pi*(float64(at[1]%(K-1))/(K-1)+shift)
			return 0.1 + 0.1*math.Sin(x+3*i) + 0.03*math.Cos(2*x+i*i)
		}, n, K)
	}
	a, u := wave(0), wave(0.25)
	for _, name := range []string{"pairs.npz", "train.npz", "test.npz", "noisy.npz", "few.npz"} {
		arraytest.NPZ(t, name, map[string]npy.Array{"a": a, "u": u}, "a", "u")
	}
	arraytest.NPZ(t, "many.npz", map[string]npy.Array{"a": wave(0.1), "u": wave(0.35)}, "a", "u") // of low fidelity
	arraytest.NPZ(t, "flow.npz", map[string]npy.Array{"coeff": a, "sol": u}, "coeff", "sol")
	arraytest.NPZ(t, "inputs.npz", map[string]npy.Array{"a": a})
	arraytest.NPZ(t, "outputs.npz", map[string]npy.Array{"u": u})
	fields := arrayOf(func(at []int) float64 {
		return math.Sin(float64(at[0]) + float64(at[1])/8 + float64(at[0]%7)*float64(at[2])/8)
	}, 120, 17, 17)
	arraytest.NPZ(t, "SET.npz", map[string]npy.Array{"a": fields, "u": fields}, "a", "u")
	fillWithMeshes(t)
	for _, name := range []string{"inputs", "outputs", "samples"} {
		noError(t, os.Mkdir(name, 0o777))
	}
	for _, name := range []string{"ns-0.h5", "ns-1.h5"} {
		noError(t, os.WriteFile(name, nil, 0o600))
	}
	both := npy.Array{Shape: []int{n, 2, K}}
	for i := range n {
		both.Data = append(append(both.Data, a.Data[i*K:(i+1)*K]...), u.Data[i*K:(i+1)*K]...)
	}
	noError(t, os.Mkdir("pairs", 0o777))
	for name, array := range map[string]npy.Array{"a.npy": a, "new.npy": a, "train.npy": both, "test.npy": both,
		"pairs/a_test.npy": a} {
		arraytest.NPY(t, name, array)
	}
	table := func(name string, of npy.Array) {
		var b strings.Builder
		for i := range n {
			for k, v := range of.Data[i*K : (i+1)*K] {
				if k > 0 {
					b.WriteByte(',')
				}
				fmt.Fprint(&b, v)
			}
			b.WriteByte('\n')
		}
		noError(t, os.WriteFile(name, []byte(b.String()), 0o600))
	}
	table("a.csv", a)
	table("u.csv", u)
	pages, err := filepath.Glob(filepath.Join(sourceRoot, "docs", "*.md"))
	noError(t, err)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		noError(t, err)
		for _, b := range blocksOf(string(text)) {
			b.writeFile(t, ".")
		}
	}
	noError(t, os.WriteFile("observed.csv", []byte("0.1,0.2\n0.4,0.1\n0.8,-0.3\n"), 0o600))
	spring, err := os.ReadFile(filepath.Join(sourceRoot, "docs/spring.csv"))
	noError(t, err)
	noError(t, os.Mkdir("docs", 0o777))
	noError(t, os.WriteFile("docs/spring.csv", spring, 0o600))
}

// sourceRoot is the root of the sources.
var sourceRoot = func() string {
	path, _ := filepath.Abs("../..")
	return path
}()
