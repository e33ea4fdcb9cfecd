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
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/method"
	"rfm/solver/space/grid"
)

// measured selects the rows that are measured again, which takes minutes for each.
var measured = flag.String("measure", "", "measure the rows of tables that match this expression")

// unknown leaves the rows as they are that a page has, so that measuring goes on where it was interrupted.
var unknown = flag.Bool("unknown", false, "measure only rows that the page does not have")

// A table is a table of a page, between two marks with its name, whose rows are measured by the commands in them.
type table struct {
	page, name, head string
	rows             []line
	tests            bool // rows are of several tests, whose least errors are bold
}

// A line is a row: its first cell, and the rest, which measure computes. Rows of others are fixed.
type line struct {
	label   string
	measure func(t *testing.T) string
	fixed   string
}

// tables returns all tables. The rows of a page are those of its table, in this order.
func tables() []table {
	all := []table{readme(), allErrors(), sidesErrors(), benchmarks(), curves(), speeds(), unlikes()}
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
			case *unknown && ok:
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
		if w.tests {
			text = strings.ReplaceAll(text, "**", "")
		}
		if cells := strings.Split(text, " | "); len(cells) > 1 {
			rows[strings.TrimPrefix(cells[0], "| ")] = strings.TrimSuffix(text, "\n")
		}
	}
	return rows
}

// text returns the table with those of its rows that are known.
func (w table) text(rows map[string]string) string {
	all := []string{w.head, "|" + strings.Repeat("---|", strings.Count(w.head, "|")-1)}
	var known []string
	for _, r := range w.rows {
		if row := rows[r.label]; row != "" {
			known = append(known, row)
		}
	}
	if w.tests {
		known = emphasise(known)
	}
	return strings.Join(append(all, known...), "\n") + "\n"
}

func (w table) write(t *testing.T, rows map[string]string) {
	t.Helper()
	begin, end := w.marks()
	page := strings.Replace(read(t, w.page), begin+w.between(t)+end, begin+w.text(rows)+end, 1)
	noError(t, os.WriteFile(w.page, []byte(page), 0o644))
}

// outcome is the output of a command, and its use of the machine.
type outcome struct {
	printed string
	Method  string
	Test    struct {
		Error float64 `json:"expected_relative"`
	}
	Errors   []float64 // of the steps of a rollout
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
	for _, m := range method.All(grid.Torus, grid.Torus, config.AutoSymmetry) {
		if m.Timed { // these tables take seconds a cell
			continue
		}
		if m.Title == title && m.Name == o.Method {
			return o.Test.Error
		}
	}
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
	noError(t, err)
	directory := filepath.Join(os.TempDir(), "rfm-measured")
	noError(t, os.MkdirAll(directory, 0o755))
	program := filepath.Join(directory, "rfm")
	if built, err := exec.Command("go", "build", "-o", program, root).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, built)
	}
	command = strings.NewReplacer("python3 docs/", cmp.Or(os.Getenv("PYTHON"), "python3")+" "+here+"/",
		"rfm run", program+" run", "rfm predict", program+" predict", "rfm export", program+" export").Replace(command)
	run := exec.CommandContext(t.Context(), "sh", "-ec", command)
	run.Dir, run.Stderr = directory, os.Stderr
	printed, err := run.Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	o.printed = strings.TrimSpace(string(printed))
	if strings.HasPrefix(o.printed, "{") {
		noError(t, json.Unmarshal(printed, &o))
	}
	o.seconds = (run.ProcessState.UserTime() + run.ProcessState.SystemTime()).Seconds()
	if runtime.GOOS == "linux" { // elsewhere Maxrss has other units, or does not exist
		o.bytes = float64(reflect.ValueOf(run.ProcessState.SysUsage()).Elem().FieldByName("Maxrss").Int()) * 1024
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
		return fmt.Sprintf("%#.2g", e)
	}
	return fmt.Sprintf("%#.3g", e)
}

// tested takes the test error of the model, for withSeeds.
func tested(o outcome) []float64 { return []float64{o.Test.Error} }

// withSeeds performs a command with seeds for S and returns the errors that take finds in each outcome.
func withSeeds(t *testing.T, command string, take func(o outcome) []float64) []seeded {
	t.Helper()
	return measureSeeds(t, func(t *testing.T, seed int) []float64 {
		some := regexp.MustCompile(`\bS\b`).ReplaceAllString(command, fmt.Sprint(seed))
		return take(perform(t, some+quietly))
	})
}

// readme returns the table of errors in the README.
func readme() table {
	w := table{page: "../README.md", name: "readme-errors", head: "| | error | command |"}
	for _, r := range [][3]string{
		{"random features, published", "0.0310", "Figure 4.3 of the paper"},
		{"random features of the paper, ours", "", "rfm run burgers"},
		{"the best method, by cross-validation", "", "rfm run burgers --set train.method=best"},
		{"a Fourier neural operator", "", "rfm run burgers --set train.method=fno"},
	} {
		row := line{label: r[0], fixed: r[1] + " | " + r[2]}
		if r[1] == "" {
			row.measure = func(t *testing.T) string {
				return digits(perform(t, r[2]+quietly).Test.Error) + " | `" + r[2] + "`"
			}
		}
		w.rows = append(w.rows, row)
	}
	return w
}

// speeds returns the table of the solver of equations beside NumPy.
func speeds() table {
	w := table{page: "performance.md", name: "speed-equations", head: "| preset | error | generate, ms | rfm, ms | NumPy, ms | steps | ratio |"}
	for _, preset := range []string{"burgers", "ks", "kdv", "kdv-burgers", "allen-cahn", "swift-hohenberg", "cahn-hilliard"} {
		w.rows = append(w.rows, line{label: "`" + preset + "`", measure: func(t *testing.T) string {
			return perform(t, "python3 docs/etdrk4_speed.py ./rfm "+preset).printed
		}})
	}
	return w
}

// results returns the tables of results.md.
func results() []table {
	alone := func(label, command string) line {
		return line{label: label, measure: func(t *testing.T) string {
			return withSeeds(t, command, tested)[0].text() + " | `" + command + "`"
		}}
	}
	burgers := table{page: "results.md", name: "results-burgers", head: "| | error | command |", rows: []line{
		{label: "random features, the authors' draw", fixed: "0.0310 | Figure 4.3 of the paper"},
		alone("random features of the paper, m = 1024", "rfm run burgers --seed S"),
		alone("tuned features", "rfm run burgers-tuned --seed S"),
		alone("the same, 1024 of 2048", "rfm run burgers-tuned --seed S --set features.pool=2048"),
		alone("kernel ridge regression", "rfm run burgers --seed S --set train.method=kernel"),
		alone("translation-equivariant kernel", "rfm run burgers --seed S --set train.method=equivariant"),
	}}
	others := table{page: "results.md", name: "results-equations", head: "| preset | features | linear | kernel ridge |"}
	for _, preset := range []string{"advection", "advection-variable", "heat", "ks", "navier-stokes"} {
		others.rows = append(others.rows, line{label: "`" + preset + "`", measure: func(t *testing.T) string {
			cells := withSeeds(t, "rfm run "+preset+" --seed S", func(o outcome) []float64 {
				return []float64{o.Test.Error, o.error("linear"), o.error("kernel ridge")}
			})
			return strings.Join(texts(cells), " | ")
		}})
	}
	darcy := table{page: "results.md", name: "results-darcy", head: "| | error |"}
	darcy.rows = append(darcy.rows, line{label: "random features, `darcy-tuned`", measure: func(t *testing.T) string {
		model := func(o outcome) []float64 { return []float64{o.error("model")} }
		return withSeeds(t, "rfm run darcy-tuned --seed S", model)[0].text()
	}})
	return []table{burgers, others, fronts(), fields(), darcy, coverage(), noise(), rollouts()}
}

// fronts returns the table of methods on steep functions.
func fronts() table {
	w := table{page: "results.md", name: "results-fronts", head: "| method | Burgers, viscosity 0.004 | `navier-stokes` |"}
	for _, m := range []string{"equivariant", "sheared", "corrected", "layers"} {
		w.rows = append(w.rows, line{label: "`" + m + "`", measure: func(t *testing.T) string {
			var cells []string
			for _, preset := range []string{`--equation "u_t = 0.004*u_xx - u*u_x" --set input.scale=2.5 -n 600 --test 200 ` +
				"--set data.grid=1025 --set train.grid=257", "navier-stokes -n 300 --set train.grid=17"} {
				if (m == config.Sheared || m == config.Corrected) && strings.HasPrefix(preset, "navier") { // they gain nothing
					cells = append(cells, "-")
					continue
				}
				o := perform(t, "rfm run "+preset+" --set evaluation.baselines=no --set train.method="+m+quietly)
				cells = append(cells, digits(o.Test.Error))
			}
			return strings.Join(cells, " | ")
		}})
	}
	return w
}

// fields returns the table of methods on sets of fields, most of which docs/fields.py makes.
func fields() table {
	titles := []string{randomFeatures, "linear", "kernel ridge", "kernel, corrected", "local layers"}
	w := table{page: "results.md", name: "results-fields", head: "| set | " + strings.Join(titles, " | ") + " |"}
	row := func(label, prepare, command string) {
		w.rows = append(w.rows, line{label: label, measure: func(t *testing.T) string {
			if prepare != "" {
				perform(t, prepare)
			}
			features := withSeeds(t, command+" --seed S --set train.method=features --set evaluation.baselines=no", tested)
			others := withSeeds(t, command+" --seed S --set train.method=best", func(o outcome) (errors []float64) {
				for _, title := range titles[1:] {
					errors = append(errors, o.error(title))
				}
				return errors
			})
			return strings.Join(texts(slices.Concat(features, others)), " | ")
		}})
	}
	set := func(label, name string, cells, train, test, features int) {
		file := fmt.Sprintf("%s%d.npz", name, cells)
		row(label, fmt.Sprintf("test -f %s || python3 docs/fields.py %s %d %d %[1]s", file, name, cells, train+test),
			fmt.Sprintf("rfm run fields --train-data %s -n %d -m %d --set data.test=%d --set data.split=1", file, train, features,
				test))
	}
	for _, size := range []struct{ cells, train, features int }{{16, 400, 256}, {32, 200, 128}} {
		for _, s := range [][2]string{{"Darcy flow, 3 or 12", "darcy"}, {"Darcy flow, exp(g)", "lognormal"},
			{"Helmholtz", "helmholtz"}, {"a layer at x1 = 1", "layer"}} {
			set(fmt.Sprintf("%s, %d x %[2]d", s[0], size.cells), s[1], size.cells, size.train, 100, size.features)
		}
	}
	set("plane stress, 32 x 32", "elasticity", 32, 300, 100, 128)
	set("Darcy flow, 0.7 or 12, 16 x 16", "unseen", 16, 1000, 200, 256)
	row("Navier-Stokes, periodic, 17 x 17", "", "rfm run navier-stokes -n 400 --test 100 -m 256 --set train.grid=17 "+
		"--set evaluation.grid=17 --set train.choice=loo")
	return w
}

// coverage returns the table of test pairs in bands.
func coverage() table {
	w := table{page: "results.md", name: "results-bands", head: "| method | in L2 | whole curves | points |"}
	row := func(label, command string) {
		w.rows = append(w.rows, line{label: label, measure: func(t *testing.T) string {
			o := perform(t, command+" --set evaluation.bands=yes --set evaluation.baselines=no"+quietly)
			if o.Bands == nil {
				t.Fatal("no bands")
			}
			for _, c := range o.Bands.Coverage {
				if c.Promised == 0.9 {
					return fmt.Sprintf("%.1f%% | %.1f%% | %.1f%%", 100*c.Function, 100*c.Whole, 100*c.Point)
				}
			}
			t.Fatal("no bands of 90%")
			return ""
		}})
	}
	for _, m := range []string{"features", "linear", "kernel", "equivariant"} {
		row("`"+m+"`", "rfm run burgers --test 2000 --set data.grid=257 --set train.method="+m)
	}
	row("`darcy-tuned`, n = 128", "rfm run darcy-tuned --test 1000 --set data.grid=129")
	return w
}

// noise returns the table of errors on clean test pairs after training on noisy ones.
func noise() table {
	shares := []string{"0.01", "0.05", "0.2"}
	w := table{page: "results.md", name: "results-noise", head: "| noise on | 1% | 5% | 20% |"}
	for _, where := range []string{"inputs", "outputs", "both"} {
		w.rows = append(w.rows, line{label: where, measure: func(t *testing.T) string {
			perform(t, "test -d noise-export || { rm -rf runs/noise; rfm run burgers --test 500 --set train.method=equivariant "+
				"--set evaluation.baselines=no --name noise -q; rfm export noise; } >/dev/null")
			var cells []string
			for _, share := range shares {
				perform(t, "python3 docs/fields.py noise "+where+" "+share+" noise-export/data.npz noisy.npz")
				cells = append(cells, digits(perform(t, "rfm run noisy.npz"+quietly).Test.Error))
			}
			return strings.Join(cells, " | ")
		}})
	}
	return w
}

// rollouts returns the table of errors along trajectories.
func rollouts() table {
	times := []int{1, 5, 10, 20, 40, 60}
	w := table{page: "results.md", name: "results-rollouts", head: "| method, n, states of a trajectory |"}
	for _, step := range times {
		w.head += fmt.Sprintf(" %d |", step)
	}
	for _, r := range []struct {
		method        string
		count, states int
	}{{"features", 256, 1}, {"features", 256, 21}, {"equivariant", 256, 21}} {
		label := fmt.Sprintf("`%s`, n = %d, %d", r.method, r.count, r.states)
		w.rows = append(w.rows, line{label: label, measure: func(t *testing.T) string {
			perform(t, "rm -rf runs/rollout rollout-export")
			perform(t, fmt.Sprintf("rfm run ks -n %d -m 1024 --test 64 --set equation.time=1 --set equation.steps=%d "+
				"--set train.method=%s --set evaluation.baselines=no --name rollout -q >/dev/null", r.count, r.states, r.method))
			perform(t, "rfm export rollout >/dev/null")
			o := perform(t, "rfm predict rollout --in rollout-export/data.npz --array a_test --steps 60 --check --json "+
				"--out steps.npy --force")
			var cells []string
			for _, step := range times {
				cells = append(cells, digits(o.Errors[step-1]))
			}
			return strings.Join(cells, " | ")
		}})
	}
	return w
}

// curves returns the table that checks the errors expected of twice the pairs.
func curves() table {
	w := table{page: "results.md", name: "results-curves", head: "| preset, method | n = 256, expected of 128 | measured | ratio |"}
	for _, c := range [][2]string{{"burgers", "equivariant"}, {"burgers", "kernel"}, {"kdv", "equivariant"},
		{"ks", "equivariant"}, {"wave", "linear"}, {"fisher-kpp", "sheared"}, {"navier-stokes", "kernel"},
		{"schroedinger", "equivariant"}, {"shallow-water", "equivariant"}} {
		w.rows = append(w.rows, line{label: "`" + c[0] + "`, " + c[1], measure: func(t *testing.T) string {
			command := fmt.Sprintf("rfm run %s --test 512 --set train.method=%s --set evaluation.baselines=no --set evaluation.curve=yes -n ", c[0], c[1])
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

// benchmarks returns the public benchmarks. Numbers of others are quoted. Ours are for pairs from the published
// distribution and equation, which the first command makes unless rfm makes them itself.
func benchmarks() table {
	ours := func(label, size, prepare, command string) line {
		return line{label: label, measure: func(t *testing.T) string {
			if prepare != "" {
				perform(t, prepare)
			}
			use := func(o outcome) string { return fmt.Sprintf("%.0f s, %.0f MB", o.seconds, o.bytes/1e6) }
			if strings.Contains(command, "--seed S") {
				var last outcome
				errors := withSeeds(t, command, func(o outcome) []float64 {
					last = o
					return tested(o)
				})
				return fmt.Sprintf("%s, stand-in | %s | %s | `%s`", errors[0].text(), size, use(last), command)
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
			return fmt.Sprintf("%s, stand-in | %s | %s | `%s`", digits(e), size, use(o), command)
		}}
	}
	theirs := func(label, error, size, source string) line {
		return line{label: label, fixed: error + " | " + size + " | | " + source}
	}
	w := table{page: "compare.md", name: "benchmarks", tests: true,
		head: "| test, method | error | n, grid | CPU time, memory | command, or source |"}
	w.rows = []line{
		ours("Burgers, viscosity 0.1: kernel, sheared", "1000, K = 129", "",
			"rfm run burgers-fno --seed S --set train.method=sheared --set evaluation.baselines=no"),
		theirs("Burgers: Fourier neural operator", "0.0007 to 0.0018", "1000", "public file [6]"),
		theirs("Burgers: Galerkin Transformer", "0.0007 to 0.0010", "1000", "public file [7]"),
		ours("Darcy flow: kernel, corrected", "1000, 85 x 85", "",
			"rfm run darcy -n 1000 --test 200 --set data.grid=421 --set train.grid=85 --set evaluation.grid=85 --set "+
				"train.method=corrected --set evaluation.baselines=no"),
		theirs("Darcy flow: LaMO", "0.0039", "1000, 85 x 85", "public file [8]"),
		theirs("Darcy flow: Latent Neural Operator [17]", "0.0049", "1000, 85 x 85", "public file, as compared in [8]"),
		theirs("Darcy flow: U-Net", "0.0080", "1000, 85 x 85", "public file, as compared in [8]"),
		theirs("Darcy flow: Fourier neural operator", "0.0108", "1000, 85 x 85", "public file [5]"),
		ours("Navier-Stokes, viscosity 0.001, ten frames to ten: kernel ridge", "200, 64 x 64",
			"test -f ns_V1e-3_N5000_T50.mat || python3 docs/fields.py navier-stokes 200 200 ns_V1e-3_N5000_T50.mat",
			"rfm run benchmark-navier-stokes"),
		theirs("Navier-Stokes: Fourier neural operator", "0.0098 to 0.0129", "200, 64 x 64", "public file [6]"),
		ours("PDEBench advection, speed 0.1: Fourier multiplier", "1000, 1024 cells",
			"python3 docs/fields.py advection 1000 200 1D_Advection_Sols_beta0.1.hdf5", "rfm run benchmark-advection"),
		theirs("PDEBench advection: Fourier neural operator", "0.007", "9000", "public file [10]"),
	}
	for _, e := range [][2]string{{"burgers", "equivariant kernel"}, {"kdv", "equivariant kernel"}, {"ks", "local layers"}} {
		w.rows = append(w.rows, ours("APEBench "+e[0]+", GMean100: "+e[1], "625 steps, 160 points",
			"rm -rf runs/steps; "+strings.ReplaceAll("python3 docs/fields.py ape-NAME 50 30 ape_NAME.npz", "NAME", e[0]),
			"rfm run benchmark-ape-"+e[0]))
	}
	return w
}
