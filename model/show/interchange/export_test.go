package interchange

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/setup"
	"rfm/model/run/store"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/pythontest"
)

var noError = filetest.NoError

// configure returns a preset with settings.
func configure(t testing.TB, preset string, settings ...string) config.Config {
	t.Helper()
	c, err := config.PresetByName(preset)
	noError(t, err)
	noError(t, config.Assign(&c, settings...))
	return c
}

// burgers and darcy return experiments of a fraction of a second, tested on another grid than that of the data.
func burgers(t testing.TB, settings ...string) config.Config {
	return configure(t, "quick", append([]string{"data.train=12", "data.test=6", "features.count=9", "data.grid=129",
		"train.grid=33", "evaluation.grid=65", "evaluation.baselines=no"}, settings...)...)
}

func darcy(t testing.TB, settings ...string) config.Config {
	return configure(t, "darcy", append([]string{"data.train=6", "data.test=4", "features.count=5", "data.grid=33",
		"train.grid=9", "evaluation.grid=17", "evaluation.baselines=no"}, settings...)...)
}

// complete runs an experiment in a directory and returns its own.
func complete(t testing.TB, root string, c config.Config) string {
	t.Helper()
	e, err := engine.New(t.Context(), c, engine.Options{Workers: 2, Runs: root, Name: "x"})
	noError(t, err)
	noError(t, e.Run(t.Context()))
	return e.Directory()
}

// stored are the runs of all tests, which do not change them, by the name of the configuration.
var stored = struct {
	sync.Mutex
	root string
	runs map[string]string
}{runs: map[string]string{}}

func TestMain(m *testing.M) {
	var err error
	if stored.root, err = os.MkdirTemp("", "interchange"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(stored.root)
	os.Exit(code)
}

// run returns the directory of the run of burgers or darcy, which is made once.
func run(t testing.TB, name string) string {
	t.Helper()
	stored.Lock()
	defer stored.Unlock()
	if stored.runs[name] == "" {
		c := map[string]func(testing.TB, ...string) config.Config{"burgers": burgers, "darcy": darcy}[name](t)
		stored.runs[name] = complete(t, filepath.Join(stored.root, name), c)
	}
	return stored.runs[name]
}

func exported(t testing.TB, run string, format Format) string {
	t.Helper()
	directory := filepath.Join(t.TempDir(), "out")
	if _, err := Export(t.Context(), run, directory, format); err != nil {
		t.Fatal(err)
	}
	return directory
}

// load returns the numbers of an exported array of the format.
func load(t *testing.T, directory string, f Format, group, name string) []float64 {
	t.Helper()
	if f != NPZ {
		group = name
	}
	file, err := exchange.Open(t.Context(), filepath.Join(directory, group+"."+string(f)))
	noError(t, err)
	defer file.Close()
	if f != NPZ {
		only, err := file.Only()
		noError(t, err)
		name = only.Name
	}
	a, err := file.Member(name).Array()
	noError(t, err)
	return a.Data
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	noError(t, err)
	return string(text)
}

func TestEveryFormatHasTheNumbersOfTheRun(t *testing.T) {
	for _, problem := range []string{"burgers", "darcy"} {
		run := run(t, problem)
		pairs := arraytest.Read(t, filepath.Join(run, store.TestFile))
		predictions := arraytest.Read(t, filepath.Join(run, store.TestPredictionsFile))
		for _, f := range []Format{NPZ, NPY, CSV} {
			directory := filepath.Join(t.TempDir(), "out")
			made, err := Export(t.Context(), run, directory, f)
			if err != nil || f == NPZ && !slices.Contains(made.Files, "solution.npz") || !slices.Contains(made.Files, "rfm.py") ||
				!slices.Contains(made.Files, "experiment.toml") || !slices.Contains(made.Files, "README.txt") {
				t.Fatal(made.Files, err)
			}
			K := len(pairs.Data) / (2 * pairs.Shape[0])
			a, u := load(t, directory, f, "data", "a_test"), load(t, directory, f, "data", "u_test")
			if both := slices.Collect(slices.Chunk(pairs.Data, K)); !slices.Equal(a[:K], both[0]) ||
				!slices.Equal(a[len(a)-K:], both[len(both)-2]) || !slices.Equal(u[len(u)-K:], both[len(both)-1]) {
				t.Errorf("%s as %s: test pairs differ", problem, f)
			}
			if got := load(t, directory, f, "predictions", "predicted_test"); !slices.Equal(got, predictions.Data) {
				t.Errorf("%s as %s: predictions differ", problem, f)
			}
			for _, name := range []string{store.ModelFile, store.ErrorsFile, store.ReportFile, store.MarkdownFile} {
				if read(t, filepath.Join(directory, name)) != read(t, filepath.Join(run, name)) {
					t.Errorf("%s: %s is not that of the run", problem, name)
				}
			}
		}
	}
}

func TestUnfinishedRunsAreExportedAsFarAsTheyAre(t *testing.T) {
	e, err := engine.New(t.Context(), burgers(t), engine.Options{Workers: 1, Runs: t.TempDir(), Name: "x"})
	noError(t, err)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	missing := func() string {
		t.Helper()
		directory := filepath.Join(t.TempDir(), "out")
		// The run is in use.
		r, err := Export(t.Context(), e.Directory(), directory, NPZ)
		noError(t, err)
		if text := read(t, filepath.Join(directory, "README.txt")); r.Complete || !strings.Contains(text, "unfinished") {
			t.Errorf("complete: %v, %s", r.Complete, text)
		}
		return strings.Join(r.Missing, "; ")
	}
	command := "rfm run " + printable.Path(e.Directory())
	if _, err := FindModel(t.Context(), "", e.Directory()); err == nil || !strings.Contains(err.Error(), command) {
		t.Errorf("without a model: %v", err)
	}
	for _, stage := range []struct {
		reach string
		want  string
	}{{engine.Generating, "train pairs; test pairs; the model; the reports"}, {engine.Training, "the model; the reports"},
		{engine.Evaluating, "train predictions; test predictions; the reports"}} {
		if got := missing(); got != stage.want {
			t.Errorf("before %v: missing %q, want %q", stage.reach, got, stage.want)
		}
		noError(t, e.Reach(t.Context(), stage.reach))
	}
}

// The checksum of a model is compared even if a damaged archive can still be read.
func TestAModelWithOtherBytesIsRefused(t *testing.T) {
	path := complete(t, t.TempDir(), burgers(t))
	model, err := FindModel(t.Context(), "", path)
	noError(t, err)
	f, err := os.OpenFile(model, os.O_WRONLY|os.O_APPEND, 0)
	noError(t, err)
	_, err = f.Write(make([]byte, 100))
	noError(t, errors.Join(err, f.Close()))
	_, err = FindModel(t.Context(), "", path)
	filetest.Refused(t, "bytes appended", err, "is damaged: its SHA-256")
}

func TestNothingIsLeftAfterAFailure(t *testing.T) {
	run, damaged := run(t, "burgers"), filepath.Join(t.TempDir(), "copy")
	noError(t, os.CopyFS(damaged, os.DirFS(run)))
	name := filepath.Join(damaged, store.TestFile)
	content := []byte(read(t, name))
	content[len(content)-3] ^= 1
	noError(t, os.WriteFile(name, content, 0o666))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	parent := t.TempDir()
	noError(t, os.WriteFile(filepath.Join(parent, "file"), nil, 0o666))
	for name, test := range map[string]struct {
		ctx            context.Context
		run, directory string
		want           string
	}{
		"taken":   {t.Context(), run, filepath.Join(parent, "file"), "exists already"},
		"parent":  {t.Context(), run, filepath.Join(parent, "file", "out"), "cannot be written"},
		"damaged": {t.Context(), damaged, filepath.Join(parent, "out"), store.TestFile + " is damaged"},
		"no run":  {t.Context(), parent, filepath.Join(parent, "out"), "is not a run"},
		"ended":   {ended, run, filepath.Join(parent, "out"), ""},
	} {
		_, err := Export(test.ctx, test.run, test.directory, NPZ)
		if test.want != "" {
			filetest.Refused(t, name, err, test.want)
		} else if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want the error of the ended context", name, err)
		}
		if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
			t.Errorf("%s leaves %v behind, %v", name, entries, err)
		}
	}
}

// programTolerance bounds differences of numbers of size 1, which come from other transforms and orders of summation.
const programTolerance = 1e-12

// program returns the program in the README of an export.
func program(t *testing.T, directory string) string {
	t.Helper()
	_, text, ok := strings.Cut(read(t, filepath.Join(directory, "README.txt")), "  import ")
	if !ok {
		t.Fatal("README.txt has no program")
	}
	return "import " + strings.ReplaceAll(text, "\n  ", "\n")
}

func TestTheProgramOfTheReadmeComputesThePredictions(t *testing.T) {
	pythontest.Interpreter(t) // skips before the work
	functions := filepath.Join(exported(t, run(t, "burgers"), NPZ), "data.npz")
	fields := filepath.Join(exported(t, run(t, "darcy"), NPZ), "data.npz")
	own := func(problem string, settings ...string) config.Config {
		return configure(t, problem, append([]string{"data.input=a_train", "data.output=u_train", "features.count=6",
			"train.lambda=1e-6", "train.choice=given", "train.method=features", "evaluation.baselines=no"}, settings...)...)
	}
	var names, directories []string
	for name, c := range map[string]config.Config{
		"burgers":   burgers(t),
		"options":   burgers(t, "features.bias=0.7", "features.mean=remove", "features.activation=softplus"),
		"darcy":     darcy(t, "features.sweeps=2"),
		"filtered":  darcy(t, "features.kind=spectral"),
		"functions": own("functions", "data.train_file="+functions, "train.grid=33"),
		"fields":    own("fields", "data.train_file="+fields, "train.grid=17"),
	} {
		formats := []Format{NPZ}
		if name == "burgers" {
			formats = append(formats, NPY)
		}
		run := complete(t, t.TempDir(), c)
		for _, f := range formats {
			directory := exported(t, run, f)
			predictions := read(t, filepath.Join(run, store.TestPredictionsFile))
			noError(t, os.WriteFile(filepath.Join(directory, "predicted_test.npy"), []byte(predictions), 0o666))
			noError(t, os.WriteFile(filepath.Join(directory, "program.py"), []byte(program(t, directory)), 0o666))
			names, directories = append(names, name+" as "+string(f)), append(directories, directory)
		}
	}
	const all = "import os, sys\nfor d in sys.argv[1:]:\n    os.chdir(d)\n    sys.path.insert(0, d)\n    v = {}\n    exec(open('program.py').read(), v)\n" +
		"    p = v['np'].load('predicted_test.npy')\n    s = (v['a'].shape[1] - 1) // (p.shape[1] - 1)\n" +
		"    print(abs(v['np'].array(v['u'])[(slice(None),) + (slice(None, None, s),) * (p.ndim - 1)] - p).max())"
	out := pythontest.Run(t, ".", all, directories...)
	differences := strings.Fields(out)
	if len(differences) != len(names) {
		t.Fatal(out)
	}
	for i, text := range differences {
		if difference, err := strconv.ParseFloat(text, 64); err != nil || !(difference <= programTolerance) {
			t.Errorf("%s: predictions differ by %s", names[i], text)
		}
	}
}

// The file of the inputs is never replaced, not even with --force.
func TestFilesOfInputsAreNeverReplaced(t *testing.T) {
	one := npy.Array{Shape: []int{1}, Data: []float64{1}}
	a := arraytest.NPY(t, filepath.Join(t.TempDir(), "a.npy"), one)
	u, other := arraytest.NPY(t, a+".u.npy", one), arraytest.NPY(t, a+".v.npy", one)
	force := true
	for out, refused := range map[string]bool{a: true, u: true, other: false} {
		if err := Unoccupied(out, "--out", &force, a+","+u); (err != nil) != refused {
			t.Errorf("%s: got %v, want refused: %v", out, err, refused)
		}
	}
}

// An export takes memory for the model alone: arrays pass through, whatever their size.
func TestExportsStreamArrays(t *testing.T) {
	const n = 10000
	c := burgers(t, fmt.Sprintf("data.train=%d", n))
	r, path, err := store.Begin(t.Context(), t.TempDir(), "x", false, c, nil)
	noError(t, err)
	pairs := setup.NewPairs(c, 129, n)
	for i := range pairs.Inputs.Data {
		pairs.Inputs.Data[i] = float64(i)
		pairs.Outputs.Data[i] = float64(-i)
	}
	size := 16 * len(pairs.Inputs.Data)
	both := store.Block{pairs.Inputs, pairs.Outputs}
	noError(t, errors.Join(r.Put(store.Rows(store.TrainFile, both), store.Rows(store.TestFile, both.Range(0, 6))), r.Close()))
	for _, format := range []Format{NPZ, NPY, CSV} {
		out := filepath.Join(t.TempDir(), "out")
		allocated := filetest.Allocated(func() { _, err = Export(t.Context(), path, out, format) })
		noError(t, err)
		if allocated > uint64(size)/3 {
			t.Errorf("%s: %d bytes are allocated for an export of pairs of %d", format, allocated, size)
		}
		if format != NPY {
			continue
		}
		for name, want := range map[string][]float64{"a_train.npy": pairs.Inputs.Data, "u_train.npy": pairs.Outputs.Data} {
			a := arraytest.Read(t, filepath.Join(out, name))
			if !slices.Equal(a.Shape, []int{n, 129}) || !slices.Equal(a.Data, want) {
				t.Errorf("%s has shape %v and other numbers", name, a.Shape)
			}
		}
	}
}
