package docs

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// measured selects the rows that are measured again, which takes minutes for each.
var measured = flag.String("measure", "", "measure the rows of tables that match this expression")

// A table is a table of a page, between two marks with its name, whose rows are measured by the commands in them.
type table struct {
	page, name, head string
	rows             []line
}

// A line is a row: its first cell, and the rest, which measure computes. Rows of others are fixed.
type line struct {
	label   string
	measure func(t *testing.T) string
	fixed   string
}

// tables returns all tables. The rows of a page are those of its table, in this order.
func tables() []table {
	all := []table{allErrors(), benchmarks(), curves()}
	return append(all, results()...)
}

// TestTables compares the rows of all tables with their definitions; -measure computes those rows again that an expression
// such as ^results-burgers/ selects.
func TestTables(t *testing.T) {
	for _, w := range tables() {
		have := w.read(t)
		for _, r := range w.rows {
			name := w.name + "/" + strings.Trim(r.label, "`")
			switch text, ok := have[r.label]; {
			case r.measure == nil:
				have[r.label] = "| " + r.label + " | " + r.fixed + " |"
				if *measured == "" && text != have[r.label] {
					t.Errorf("%s: %s is %q, want %q; -measure '^$' writes it", w.page, name, text, have[r.label])
				}
			case *measured != "" && regexp.MustCompile(*measured).MatchString(name):
				have[r.label] = "| " + r.label + " | " + r.measure(t) + " |"
				t.Log(have[r.label])
				w.write(t, have)
			case !ok && *measured == "":
				t.Errorf("%s has no row %s: go test ./docs -run TestTables -measure '^%s$'", w.page, name, regexp.QuoteMeta(name))
			}
		}
		if *measured != "" {
			w.write(t, have)
		} else if w.text(have) != w.between(t) {
			t.Errorf("%s: the table %s has other rows than its definition; -measure '^$' writes it", w.page, w.name)
		}
	}
}

// marks returns the lines around the table.
func (w table) marks() (begin, end string) {
	return "<!-- " + w.name + " -->\n", "<!-- end of " + w.name + " -->\n"
}

// between returns the text of the page between the marks.
func (w table) between(t *testing.T) string {
	t.Helper()
	begin, end := w.marks()
	_, rest, ok := strings.Cut(read(t, w.page), begin)
	text, _, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("%s has no %s%s", w.page, begin, end)
	}
	return text
}

// read returns the rows of the page by their first cells.
func (w table) read(t *testing.T) map[string]string {
	rows := map[string]string{}
	for text := range strings.Lines(w.between(t)) {
		if cells := strings.Split(text, " | "); len(cells) > 1 {
			rows[strings.TrimPrefix(cells[0], "| ")] = strings.TrimSuffix(text, "\n")
		}
	}
	return rows
}

// text returns the table with those of its rows that are known.
func (w table) text(rows map[string]string) string {
	text := w.head + "\n|" + strings.Repeat("---|", strings.Count(w.head, "|")-1) + "\n"
	for _, r := range w.rows {
		if row := rows[r.label]; row != "" {
			text += row + "\n"
		}
	}
	return text
}

func (w table) write(t *testing.T, rows map[string]string) {
	t.Helper()
	begin, end := w.marks()
	page := strings.Replace(read(t, w.page), begin+w.between(t)+end, begin+w.text(rows)+end, 1)
	if err := os.WriteFile(w.page, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}

// outcome is the output of a command, and its use of the machine.
type outcome struct {
	printed string
	Test    struct {
		Error float64 `json:"expected_relative"`
	}
	Compared []struct {
		Name  string
		Error *float64
	}
	Bands *struct {
		Coverage []struct{ Promised, Function, Whole, Point float64 }
	}
	Curve *struct {
		Twice     struct{ Error float64 }
		Low, High float64
	} `json:"learning_curve"`
	seconds float64 // of all processors
	bytes   float64 // at most at a time
}

// error returns the test error of a method by its title in tables; NaN if it was not compared.
func (o outcome) error(title string) float64 {
	for _, c := range o.Compared {
		if c.Name == title && c.Error != nil {
			return *c.Error
		}
	}
	return math.NaN()
}

// perform runs a command line in the directory of measured data. rfm is this program; python3 may be another by PYTHON.
func perform(t *testing.T, command string) (o outcome) {
	t.Helper()
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	directory := filepath.Join(os.TempDir(), "rfm-measured")
	if err := os.MkdirAll(directory, 0o755); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(directory, "rfm")
	if built, err := exec.Command("go", "build", "-o", program, "rfm").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, built)
	}
	command = strings.NewReplacer("python3 docs/", cmp.Or(os.Getenv("PYTHON"), "python3")+" "+here+"/",
		"rfm run", program+" run", "rfm predict", program+" predict").Replace(command)
	run := exec.CommandContext(t.Context(), "sh", "-ec", command)
	run.Dir, run.Stderr = directory, os.Stderr
	printed, err := run.Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	o.printed = strings.TrimSpace(string(printed))
	if strings.HasPrefix(o.printed, "{") {
		if err := json.Unmarshal(printed, &o); err != nil {
			t.Fatal(err)
		}
	}
	o.seconds = (run.ProcessState.UserTime() + run.ProcessState.SystemTime()).Seconds()
	if used, ok := run.ProcessState.SysUsage().(*syscall.Rusage); ok && runtime.GOOS == "linux" {
		o.bytes = float64(used.Maxrss) * 1024
	}
	return o
}

const quietly = " --json --no-save -q"

// digits formats an error.
func digits(e float64) string {
	switch {
	case math.IsNaN(e):
		return "-"
	case e < 0.01:
		return fmt.Sprintf("%.2g", e)
	}
	return fmt.Sprintf("%.3g", e)
}

// withSeeds performs a command with seeds 1, 2 and 3 for S and returns the errors that take finds in each outcome.
func withSeeds(t *testing.T, command string, take func(o outcome) []float64) []string {
	t.Helper()
	var cells []string
	for seed := range 3 {
		some := regexp.MustCompile(`\bS\b`).ReplaceAllString(command, fmt.Sprint(seed+1))
		for i, e := range take(perform(t, some+quietly)) {
			if seed == 0 {
				cells = append(cells, digits(e))
			} else {
				cells[i] += ", " + digits(e)
			}
		}
	}
	return cells
}

// results returns the tables of results.md.
func results() []table {
	model := func(o outcome) []float64 { return []float64{o.Test.Error} }
	alone := func(label, command string) line {
		return line{label: label, measure: func(t *testing.T) string {
			return withSeeds(t, command, model)[0] + " | `" + command + "`"
		}}
	}
	burgers := table{"results.md", "results-burgers", "| | error | command |", []line{
		{label: "random features, the authors' draw", fixed: "0.0310 | Figure 4.3 of the paper"},
		alone("random features of the paper, m = 1024", "rfm run burgers --seed S"),
		alone("tuned features", "rfm run burgers-tuned --seed S"),
		alone("the same, 1024 of 2048", "rfm run burgers-tuned --seed S --set features.pool=2048"),
		alone("kernel ridge regression", "rfm run burgers --seed S --set train.method=kernel"),
		alone("translation-equivariant kernel", "rfm run burgers --seed S --set train.method=equivariant"),
	}}
	others := table{"results.md", "results-equations", "| preset | features | linear | kernel ridge |", nil}
	for _, preset := range []string{"advection", "advection-variable", "heat", "ks", "navier-stokes"} {
		others.rows = append(others.rows, line{label: "`" + preset + "`", measure: func(t *testing.T) string {
			return strings.Join(withSeeds(t, "rfm run "+preset+" --seed S", func(o outcome) []float64 {
				return []float64{o.Test.Error, o.error("linear"), o.error("kernel ridge")}
			}), " | ")
		}})
	}
	blend := table{"results.md", "results-blend", "| | error |", nil}
	for label, title := range map[string]string{"blend of two solves": "blend of two solves",
		"random features, `darcy-tuned`": "model"} {
		blend.rows = append(blend.rows, line{label: label, measure: func(t *testing.T) string {
			return withSeeds(t, "rfm run darcy-tuned --seed S", func(o outcome) []float64 { return []float64{o.error(title)} })[0]
		}})
	}
	slices.SortFunc(blend.rows, func(a, b line) int { return strings.Compare(a.label, b.label) })
	return []table{burgers, others, blend}
}

// curves returns the table that checks the errors expected of twice the pairs.
func curves() table {
	w := table{"results.md", "results-curves", "| preset, method | n = 256, expected of 128 | measured | ratio |", nil}
	for _, c := range [][2]string{{"burgers", "equivariant"}, {"burgers", "kernel"}, {"kdv", "equivariant"},
		{"ks", "equivariant"}, {"wave", "linear"}, {"fisher-kpp", "sheared"}, {"navier-stokes", "kernel"},
		{"schroedinger", "equivariant"}, {"shallow-water", "equivariant"}} {
		w.rows = append(w.rows, line{label: "`" + c[0] + "`, " + c[1], measure: func(t *testing.T) string {
			command := fmt.Sprintf("rfm run %s --test 512 --set train.method=%s --set evaluation.baselines=no -n ", c[0], c[1])
			few, twice := perform(t, command+"128"+quietly), perform(t, command+"256"+quietly)
			if few.Curve == nil {
				t.Fatal("no learning curve")
			}
			e := few.Curve
			return fmt.Sprintf("%s (%s to %s) | %s | %.2f", digits(e.Twice.Error), digits(e.Low), digits(e.High),
				digits(twice.Test.Error), e.Twice.Error/twice.Test.Error)
		}})
	}
	return w
}

// benchmarks returns the tests of the field. Numbers of others are theirs; ours are for pairs by the published
// distribution and equation, which the first command makes unless rfm does.
func benchmarks() table {
	ours := func(label, size, prepare, command string) line {
		return line{label: label, measure: func(t *testing.T) string {
			if prepare != "" {
				perform(t, prepare)
			}
			name, rollout := strings.CutPrefix(command, "rfm run benchmark-ape-")
			options := quietly
			if rollout {
				options = " --json -q --name steps"
			}
			o := perform(t, command+options)
			e := o.Test.Error
			if rollout {
				steps := "rfm predict steps --in ape_NAME_test.npz --array a --endpoint excluded --layout functions-first " +
					"--steps 100 --out steps.npy --force >/dev/null; python3 docs/fields.py gmean steps.npy ape_NAME_test.npz"
				if _, err := fmt.Sscan(perform(t, strings.ReplaceAll(steps, "NAME", name)).printed, &e); err != nil {
					t.Fatal(err)
				}
			}
			return fmt.Sprintf("**%s**, stand-in | %s | %.0f s, %.0f MB | `%s`", digits(e), size, o.seconds, o.bytes/1e6, command)
		}}
	}
	theirs := func(label, error, size, source string) line {
		return line{label: label, fixed: error + " | " + size + " | | " + source}
	}
	w := table{"compare.md", "benchmarks", "| test, method | error | n, grid | CPU time, memory | command, or source |", []line{
		ours("Burgers, viscosity 0.1: kernel, sheared", "1000, K = 129", "",
			"rfm run burgers-fno --set train.method=sheared --set evaluation.baselines=no"),
		theirs("Burgers: Fourier neural operator", "0.0007 to 0.0018", "1000", "public file [6]"),
		theirs("Burgers: Galerkin Transformer", "0.0007 to 0.0010", "1000", "public file [7]"),
		ours("Darcy flow: kernel, corrected", "1000, 85 x 85", "",
			"rfm run darcy -n 1000 --test 200 --set data.grid=421 --set train.grid=85 --set evaluation.grid=85 --set "+
				"train.method=corrected --set evaluation.baselines=no"),
		theirs("Darcy flow: LaMO", "0.0039", "1000, 85 x 85", "public file [8]"),
		theirs("Darcy flow: LNO", "0.0049", "1000, 85 x 85", "public file [8]"),
		theirs("Darcy flow: U-Net", "0.0080", "1000, 85 x 85", "public file, as compared in [8]"),
		theirs("Darcy flow: Fourier neural operator", "0.0108", "1000, 85 x 85", "public file [5]"),
		ours("Navier-Stokes, viscosity 0.001, ten frames to ten: kernel ridge", "200, 64 x 64",
			"test -f ns_V1e-3_N5000_T50.mat || python3 docs/fields.py navier-stokes 200 200 ns_V1e-3_N5000_T50.mat",
			"rfm run benchmark-navier-stokes"),
		theirs("Navier-Stokes: Fourier neural operator", "0.0098 to 0.0129", "200, 64 x 64", "public file [6]"),
		ours("PDEBench advection, speed 0.1: Fourier multiplier", "1000, 1024 cells",
			"python3 docs/fields.py advection 1000 200 1D_Advection_Sols_beta0.1.hdf5", "rfm run benchmark-advection"),
		theirs("PDEBench advection: Fourier neural operator", "0.007", "9000", "public file [10]"),
	}}
	for _, e := range [][2]string{{"burgers", "equivariant kernel"}, {"kdv", "equivariant kernel"}, {"ks", "local layers"}} {
		w.rows = append(w.rows, ours("APEBench "+e[0]+", GMean100: "+e[1], "625 steps, 160 points",
			"rm -rf runs/steps; "+strings.ReplaceAll("python3 docs/fields.py ape-NAME 50 30 ape_NAME.npz", "NAME", e[0]),
			"rfm run benchmark-ape-"+e[0]))
	}
	return w
}
