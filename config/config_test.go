package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"rfm/solver/base/parallel/detector"
)

// The expected values are those of sections 3 and 4 of the paper for its two experiments.
func TestPaperPresetsAreThePaper(t *testing.T) {
	for problem, values := range map[string]map[string]string{
		"burgers": {"data.train": "512", "data.test": "4000", "data.grid": "1025", "input.tau": "7", "input.alpha": "2.5",
			"equation.parameters.nu": "0.01",
			"equation.time":          "1", "features.count": "1024", "features.activation": "elu", "features.delta": "0.0025",
			"features.beta": "4", "features.tau": "5",
			"features.alpha": "2", "train.grid": "129", "train.lambda": "0", "train.rcond": "2.2e-10", "evaluation.grid": "129"},
		Darcy: {"data.train": "128", "data.test": "1000", "data.grid": "257", "input.tau": "3", "input.alpha": "2",
			"darcy.high": "12", "darcy.low": "3",
			"features.count": "256", "features.plus": "0.08333333333333333", "features.minus": "-0.3333333333333333",
			"features.delta": "0.15", "features.eta": "0.0001",
			"features.step": "0.03", "features.steps": "33", "features.sweeps": "1", "features.tau": "7.5",
			"features.alpha": "2", "train.grid": "33",
			"train.lambda": "1e-08", "evaluation.grid": "33"},
	} {
		c, err := PresetByName(problem)
		if err != nil {
			t.Fatal(err)
		}
		if c.Title() != problem {
			t.Errorf("preset %s is about %s", problem, c.Title())
		}
		for name, want := range values {
			if k, err := c.Lookup(name); err != nil || k.Paper() != want {
				t.Errorf("%s: the paper's %s is %s, want %s, %v", problem, name, k.Paper(), want, err)
			}
		}
	}
}

// Settings of problems that the paper does not treat have no published value, although those of their features may
// have one.
func TestOwnDataHaveThePapersFeaturesOnly(t *testing.T) {
	c, _ := PresetByName(Functions)
	for name, want := range map[string]string{"data.train": "", "train.lambda": "", "features.count": "",
		"features.delta": "0.0025", "features.tau": "5"} {
		if k, err := c.Lookup(name); err != nil || k.Paper() != want {
			t.Errorf("%s: %q, want %q, %v", name, k.Paper(), want, err)
		}
	}
}

func TestProblemsAreComplete(t *testing.T) {
	for _, p := range problems {
		if p.Operator == "" || p.Dims < 1 || len(p.Maps) == 0 || p.Start().Problem != p.Name ||
			p.Start().Features.Kind != p.Maps[0] {
			t.Errorf("%s is not complete", p.Name)
		}
	}
}

// Fields of other problems must be zero in presets, or equal configurations would differ.
func TestForeignFieldsAreZero(t *testing.T) {
	for _, p := range Presets() {
		c := p.Config
		for _, k := range c.Keys() {
			switch v := k.pointer(&c).(type) {
			case *int:
				*v = 0
			case *uint64:
				*v = 0
			case *float64:
				*v = 0
			case *string:
				*v = ""
			case *bool:
				*v = false
			}
		}
		c.Equation.Parameters = "" // their keys have no fields
		if c != (Config{}) {
			t.Errorf("%s: beyond its keys there is %+v", p.Name, c)
		}
	}
}

func TestAnotherProblemBringsItsConfiguration(t *testing.T) {
	c := Presets()[0].Config
	c.Seed = 9
	if err := Assign(&c, "problem=darcy"); err != nil {
		t.Fatal(err)
	}
	want, _ := PresetByName("darcy")
	want.Seed = 9
	if c != want {
		t.Errorf("got %+v", c)
	}
}

// Every field of the configuration is in the table of keys exactly once, so that none can be missing from a saved
// configuration.
func TestKeysCoverTheStruct(t *testing.T) {
	leaves := 0
	var walk func(reflect.Type)
	walk = func(s reflect.Type) {
		for i := range s.NumField() {
			if f := s.Field(i).Type; f.Kind() == reflect.Struct {
				walk(f)
			} else {
				leaves++
			}
		}
	}
	walk(reflect.TypeFor[Config]())
	var c Config
	covered := map[any]bool{}
	for _, problem := range problems {
		seen := map[any]string{}
		for _, k := range problem.Start().Keys() {
			p := k.pointer(&c)
			if other, ok := seen[p]; ok {
				t.Errorf("%s: %s and %s are the same field", problem.Name, k.Name, other)
			}
			seen[p] = k.Name
			covered[p] = true
		}
	}
	if len(covered) != leaves {
		t.Errorf("%d keys for %d fields", len(covered), leaves)
	}
}

func TestTOMLRoundTrip(t *testing.T) {
	c := Presets()[2].Config
	c.Seed = math.MaxUint64
	c.Data.TrainFile = `odd "name"\with	everything`
	c.Train.Lambda = 1e-300
	c.Input.Tau = 1. / 3
	all := []Config{c}
	for _, p := range Presets() {
		all = append(all, p.Config)
	}
	for _, c := range all {
		got, err := Parse(c.TOML())
		if err != nil {
			t.Fatalf("%v in\n%s", err, c.TOML())
		}
		if got != c {
			t.Errorf("got %+v\nwant %+v", got, c)
		}
	}
}

func TestParseStartsFromPreset(t *testing.T) {
	c, err := Parse([]byte("preset = \"quick\"\n[features]\ncount = 99\ngain = 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	want, _ := PresetByName("quick")
	want.Features.Count, want.Features.Gain = 99, 3
	if c != want {
		t.Errorf("got %+v", c)
	}
}

func TestMessages(t *testing.T) {
	apply := func(assignments ...string) error {
		c, _ := PresetByName("burgers")
		if err := Assign(&c, assignments...); err != nil {
			return err
		}
		return c.Validate()
	}
	darcy := func(assignment string) error { return apply("problem=darcy", assignment) }
	parse := func(text string) error { _, err := Parse([]byte(text)); return err }
	_, unknownPreset := PresetByName("burger")
	for _, test := range []struct {
		name string
		err  error
		want []string
	}{
		{"zero n", apply("data.train=0"), []string{"data.train (n) = 0", "from 1 to", "try 512"}},
		{"zero m", apply("features.count=0"), []string{"features.count (m) = 0", "from 1 to", "try 1024"}},
		{"negative rows", apply("train.rows=-1"), []string{"train.rows = -1", "from 0 to", "try 0"}},
		{"negative time", apply("time=-1"), []string{"equation.time (T) = -1", "above 0", "try 1"}},
		{"NaN", apply("features.gain=nan"), []string{"features.gain", "a number above 0"}},
		{"fraction for a count", apply("data.train=1.5"), []string{"data.train (n) = 1.5", "whole number"}},
		{"word for a number", apply("train.lambda=small"), []string{"train.lambda (lambda) = small", "a number from 0"}},
		{"time with an unknown unit", apply("train.patience=5 fortnights"), []string{"a number of seconds", "a time such as 5m"}},
		{"unknown activation", apply("activation=elo"), []string{"features.activation", "elu, relu", "try elu"}},
		{"unknown key", apply("features.cuont=3"), []string{"features.cuont is not a setting of problem equation",
			`"features.count"`}},
		{"unknown short key", apply("viscosity=3"),
			[]string{"viscosity is not a setting of problem equation; set a parameter of the equation: nu"}},
		{"ambiguous key", apply("grid=3"), []string{"ambiguous", "data.grid or train.grid"}},
		{"empty assignment", apply(""), []string{`"" is not an assignment`}},
		{"assignment to nothing", apply("=5"), []string{"=5 is not an assignment"}},
		{"no assignment", apply("nonsense"), []string{"nonsense is not an assignment", "key=value"}},
		{"rows of left out functions", apply("train.rows=8", "train.choice=loo"),
			[]string{"train.rows = 8 must be 0 with train.choice = loo"}},
		{"noise for features", apply("train.noise=yes"),
			[]string{"train.noise = yes adds leave-one-out errors", "choose another train.method"}},
		{"grid does not divide", apply("train.grid=100"), []string{"train.grid (K) = 100 must divide", "its 99 intervals",
			"try 129"}},
		{"odd grid does not divide", apply("train.grid=99"), []string{"train.grid (K) = 99", "must divide",
			"data.grid = 1025", "try 129"}},
		{"even data grid", apply("data.grid=1024"), []string{"train.grid (K) = 129",
			"its 128 intervals must divide the 1023 of data.grid = 1024", "try 94"}},
		{"two lambdas", apply("train.lambda=1e-3", "train.relative=1e-9"), []string{"train.relative", "set one of them"}},
		{"small pool", apply("features.pool=100"), []string{"features.pool = 100", "at least features.count = 1024"}},
		{"functions without a file", apply("problem=functions"), []string{"data.train_file must name a file"}},
		{"fields without a file", apply("problem=fields"), []string{"data.train_file must name a file"}},
		{"rcond zero", apply("rcond=0"), []string{"train.rcond", "above 0 when train.lambda = 0"}},
		{"unknown preset", unknownPreset,
			[]string{`"burger"`, "did you mean \"burgers\"? `rfm run --help` lists presets"}},
		{"key of another problem", darcy("equation.parameters.nu=1"),
			[]string{"equation.parameters.nu is not a setting of problem darcy"}},
		{"key of an equation alone", darcy("equation.left=u = 0"),
			[]string{"is not a setting of problem darcy; leave it out, because only problem equation has it"}},
		{"key of pairs alone", apply("data.boundary=open"),
			[]string{"leave it out, because only the problems functions and fields have it"}},
		{"unlike all names of its group", darcy("features.zzzz=1"), []string{"leave it out, or write the whole name, such as features.count"}},
		{"unlike all names", darcy("foo.bar=1"), []string{"leave it out, or write the whole name, such as features.count"}},
		{"nothing as a choice", apply("train.method="), []string{"train.method must be one of", "try features"}},
		{"no time", parse("[equation]\ntext = \"u_t = u_xx\"\ntime = 0"), []string{"equation.time (T) = 0 must be", "try 1"}},
		{"coarser than coarse", apply("train.coarsen=-1"), []string{"train.coarsen = -1 must be", "try 0"}},
		{"negative permeability", darcy("darcy.low=-1"), []string{"darcy.low (a-) = -1", "above 0", "try 3"}},
		{"even r", darcy("train.grid=32"), []string{"train.grid (r) = 32 must divide", "its 31 intervals", "try 33"}},
		{"small r", darcy("train.grid=3"), []string{"train.grid (r) = 3", "from 9", "try 33"}},
		{"preset and problem", parse("preset = \"quick\"\nproblem = \"darcy\""),
			[]string{"preset = quick", "problem = darcy"}},
		{"unknown problem", parse("problem = \"darcey\""), []string{"problem = darcey", "try darcy"}},
		{"preset as problem", parse("problem = \"kdv\""), []string{"problem = kdv", "`rfm run kdv`, or preset = \"kdv\""}},
		{"bad TOML", parse("[data\ntrain=3"), []string{"line 1, column 6", "not valid TOML"}},
		{"unknown TOML key", parse("[data]\ntrian = 3"), []string{"data.trian", `"data.train"`}},
		{"TOML key outside its section", parse("train_file = \"x\""), []string{"train_file", `"data.train_file"`}},
		{"TOML type", parse("[data]\ntrain = true"), []string{"data.train (n) = true", "whole number"}},
		{"TOML array", parse("[data]\ntrain = [1]"), []string{"data.train (n) = [1]", "whole number"}},
		{"section is a number", parse("data = 3"), []string{"data is not a setting"}},
		{"TOML range", parse("[features]\ndelta = inf"), []string{"features.delta", "at most 10"}},
		{"too large", parse(strings.Repeat("#", maxTOML+1)), []string{"131073 bytes"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var e *Error
			if !errors.As(test.err, &e) {
				t.Fatalf("got %v, want an *Error", test.err)
			}
			for _, w := range test.want {
				if !strings.Contains(test.err.Error(), w) {
					t.Errorf("%q does not say %q", test.err, w)
				}
			}
		})
	}
}

func TestSetLeavesConfigAloneOnError(t *testing.T) {
	c := Presets()[0].Config
	before := c
	for _, k := range c.Keys() {
		if k.Kind != Path && k.Set(&c, "-bad-\x1b") == nil {
			t.Errorf("%s took nonsense", k.Name)
		}
	}
	if c != before {
		t.Errorf("changed to %+v", c)
	}
}

func TestSetTakesWholeNumbersInFloatForm(t *testing.T) {
	c := Presets()[0].Config
	if err := Assign(&c, "data.test=4e3"); err != nil || c.Data.Test != 4000 {
		t.Errorf("got %d, %v", c.Data.Test, err)
	}
}

// Every key accepts the published value of its setting, such as 0.0025, because otherwise that value would be
// mistyped here.
func TestPaperValuesAreAllowed(t *testing.T) {
	for _, problem := range problems {
		for _, k := range problem.Start().Keys() {
			c := problem.Start()
			if k.Paper() == "" {
				continue
			}
			if err := k.Set(&c, k.Paper()); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestGridsOfThePaper(t *testing.T) {
	want := []int{9, 17, 33, 65, 129, 257, 513, 1025}
	if got := Reference().Grids(1025); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	oblong := Reference()
	oblong.Problem, oblong.Data.Boundary, oblong.Data.Grid, oblong.Data.Columns = Fields, Closed, 65, 9
	if got := oblong.Grids(65); !reflect.DeepEqual(got, want[1:4]) { // 9 x 2 points are too few
		t.Errorf("got %v for 65 x 9 points", got)
	}
}

// The cost of a rectangle depends only on its number of values, so that exchanged axes cost the same and a square
// costs about as much.
func TestCostOfRectangles(t *testing.T) {
	of := func(rows, columns, train int) Cost {
		c, err := PresetByName(Fields)
		if err != nil {
			t.Fatal(err)
		}
		c.Data.TrainFile, c.Data.Train, c.Data.Test, c.Data.Grid, c.Train.Grid = "pairs.npz", 64, 8, rows, train
		if columns != rows {
			c.Data.Columns = columns
		}
		return c.Cost()
	}
	lying, standing, square := of(33, 129, 17), of(129, 33, 65), of(65, 65, 33)
	for name, costs := range map[string][3]float64{
		"bytes":           {lying.Bytes, standing.Bytes, square.Bytes},
		"Gram matrix":     {lying.GramFlops, standing.GramFlops, square.GramFlops},
		"reading":         {lying.TruthPoints, standing.TruthPoints, square.TruthPoints},
		"training points": {lying.TrainPoints, standing.TrainPoints, square.TrainPoints},
		"test points":     {lying.TestPoints, standing.TestPoints, square.TestPoints},
	} {
		for _, cost := range costs[:2] {
			if r := cost / costs[2]; r < 0.85 || r > 1.25 {
				t.Errorf("%s: %g lying, %g standing, %g of a square", name, costs[0], costs[1], costs[2])
			}
		}
	}
}

func TestCostScales(t *testing.T) {
	c := Presets()[1].Config
	a := c.Cost()
	c.Data.Train *= 2
	if b := c.Cost(); b.GramFlops != 2*a.GramFlops {
		t.Errorf("Gram flops %g and %g for twice the samples", a.GramFlops, b.GramFlops)
	}
	c.Data.TrainFile, c.Data.TestFile = "x", "y"
	if b := c.Cost(); b.TruthTransforms != 0 {
		t.Errorf("%g truth transforms for data from files", b.TruthTransforms)
	}
}

func FuzzParse(f *testing.F) {
	for _, p := range Presets() {
		f.Add(p.Config.TOML())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(c.TOML())
		if err != nil || again != c {
			t.Fatalf("%+v became %+v, %v", c, again, err)
		}
	})
}

func TestFileNamesThatAreNotTextAreRefused(t *testing.T) {
	for _, problem := range problems {
		for _, k := range problem.Start().Keys() {
			c := problem.Start()
			if k.Kind != Path {
				continue
			}
			before := c
			if err := k.Set(&c, "data\xff.npz"); err == nil || !strings.Contains(err.Error(), `"data\xff.npz" is not UTF-8`) ||
				c != before {
				t.Errorf("%s: %v", k.Name, err)
			}
		}
	}
}

// A configuration after an assignment survives writing and reading.
func FuzzAssign(f *testing.F) {
	for _, a := range []string{"seed=18446744073709551615", "data.train_file=\x9b",
		"data.train_file=a \"b\"\\\t\x7f\u0085'''\u2028", "data.input=a", "train.lambda=1e-300", "train.lambda=-0",
		"problem=darcy", "features.bias=0.1"} {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, assignment string) {
		for _, problem := range Problems() {
			c, err := PresetByName(problem)
			if err != nil {
				t.Fatal(err)
			}
			before := c
			if Assign(&c, assignment) != nil {
				if c != before {
					t.Errorf("%q is refused and changes the configuration", assignment)
				}
				continue
			}
			if again, err := Parse(c.TOML()); err != nil || again != c {
				t.Errorf("%q: %+v, %v", assignment, again, err)
			}
		}
	})
}

// A new feature map starts with its own values, keeps settings common to all maps, and refuses the others.
func TestDarcyHasTwoFeatureMaps(t *testing.T) {
	c, err := PresetByName(Darcy)
	if err != nil {
		t.Fatal(err)
	}
	paper := c
	for _, a := range []string{"features.count=77", "features.kind=spectral"} {
		if err := Assign(&c, a); err != nil {
			t.Fatal(err)
		}
	}
	if c.Features.Count != 77 || c.Features.Activation == "" || !c.Train.Offset || c.Train.Lambda != paper.Train.Lambda {
		t.Errorf("spectral features begin with %+v, offset %t, lambda %g", c.Features, c.Train.Offset, c.Train.Lambda)
	}
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	read, err := Parse(c.TOML())
	if err != nil || read != c {
		t.Errorf("written and read again it is %+v, %v", read, err)
	}
	for _, name := range []string{"features.sweeps", "features.theta_file"} {
		if _, err := c.Lookup(name); err == nil {
			t.Errorf("spectral features have %s", name)
		}
	}
	filed := paper
	for _, a := range []string{"features.theta_file=theta.npy", "features.kind=spectral"} {
		if err := Assign(&filed, a); err != nil {
			t.Fatal(err)
		}
	}
	if err := filed.Validate(); err == nil || !strings.Contains(err.Error(),
		"features.theta_file = theta.npy cannot be used") {
		t.Errorf("a file of parameters for spectral features: %v", err)
	}
	if err := Assign(&c, "features.kind=predictor-corrector"); err != nil {
		t.Fatal(err)
	}
	paper.Features.Count = 77
	if c != paper {
		t.Errorf("back again it is %+v, want %+v", c, paper)
	}
}

func TestContradictorySymmetriesAreRefused(t *testing.T) {
	apply := func(assignments string) error {
		c := functions.Start()
		if err := Assign(&c, strings.Fields(assignments)...); err != nil {
			return err
		}
		return c.Validate()
	}
	for assignments, want := range map[string]string{
		"problem=functions data.train_file=x data.symmetry=translations data.boundary=closed": "periodic functions",
		"problem=functions data.train_file=x data.symmetry=odd-reflection train.method=kernel": "is not translation-" +
			"equivariant",
		"problem=functions data.train_file=x data.symmetry=none train.method=equivariant":                  "contradicts",
		"problem=functions data.train_file=x data.symmetry=reflection data.in=2":                           "one channel",
		"problem=fields data.train_file=x data.symmetry=square data.grid=17 train.grid=17 data.columns=33": "of the square",
		"problem=fields data.train_file=x data.symmetry=square data.boundary=periodic":                     "these are periodic",
		"problem=functions data.train_file=x data.symmetry=square":                                         "one of auto",
		"problem=darcy data.symmetry=translations":                                                         "one of auto",
	} {
		err := apply(assignments)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "try ") &&
			!strings.Contains(err.Error(), "set ") {
			t.Errorf("%s: %v, want %q and what to do", assignments, err, want)
		}
	}
	for _, assignments := range []string{"problem=darcy data.symmetry=square",
		"problem=equation data.symmetry=odd-reflection",
		"problem=equation equation.dims=2 data.symmetry=translations", "problem=fields data.train_file=x " +
			"data.symmetry=reflection"} {
		if err := apply(assignments); err != nil {
			t.Errorf("%s: %v", assignments, err)
		}
	}
}

func TestKeysAreSuggested(t *testing.T) {
	c := Presets()[0].Config
	for name, want := range map[string]string{"features.sigma": "features.activation", "sigma": "features.activation",
		"features.gian": "features.gain", "trian.grid": "train.grid", "train.features": "features.count",
		"model.features": "features.count", "data.count": "features.count", "train.seed": "seed", "dta": "data.train"} {
		if err := Assign(&c, name+"=1"); err == nil || !strings.Contains(err.Error(), `did you mean "`+want+`"?`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAssignmentsThatResetOthersComeFirst(t *testing.T) {
	c := Presets()[0].Config
	err := Assign(&c, "data.grid=65", "nu=0.5", "features.gain=3", "equation.dims=2",
		"equation.text=u_t = nu*lap(u)", "problem=equation")
	if err != nil || c.Data.Grid != 65 || c.Equation.Dims != 2 || c.Features.Gain != 3 {
		t.Errorf("%+v, %v", c, err)
	}
	if err := Assign(&c, "gain=1", "features.gain=2"); err != nil || c.Features.Gain != 2 {
		t.Errorf("gain %g, not the last one given: %v", c.Features.Gain, err)
	}
	before := c
	if err := Assign(&c, "data.grid=33", "data.grid=none"); err == nil || c != before {
		t.Errorf("a mistake in one assignment left others: %v", err)
	}
}

func TestErrorsOfAFileAreBounded(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "wrong%d = 1\n", i)
	}
	_, err := Parse([]byte(text.String()))
	if err == nil || strings.Count(err.Error(), "\n") != 20 || !strings.Contains(err.Error(), "980 more keys") {
		t.Errorf("%v", err)
	}
}

// Some commands read all presets, so each preset may take some 480 allocations; it took 1,600 when every setting
// listed the keys.
func TestPresetsAreReadQuickly(t *testing.T) {
	detector.Skip(t, detector.Allocations)
	const most = 700 // for each preset
	n := testing.AllocsPerRun(1, func() { new(presetReader).all() })
	if n > most*float64(len(Presets())) {
		t.Errorf("%g allocations for %d presets", n, len(Presets()))
	}
}

func TestCatalogueIsThatOfPresets(t *testing.T) {
	presets := Presets()
	entries := Catalogue()
	if len(entries) != len(presets) {
		t.Fatalf("%d entries for %d presets", len(entries), len(presets))
	}
	for i, e := range entries {
		p := presets[i]
		if e.Name != p.Name || e.Summary != p.Summary {
			t.Errorf("entry %d is %s, want %s", i, e.Name, p.Name)
		}
	}
}

// Names of arrays and files must be text: a list or a table is refused.
func TestOnlyLinesOfEquationsAreLists(t *testing.T) {
	for _, line := range []string{`input = ["a", "b"]`, `train_file = ["a.csv", "u.csv", "x.csv"]`,
		`train_file = {a = "in.npy"}`, `input = true`, `train = [1]`} {
		var e *Error
		if _, err := Parse([]byte("problem = \"functions\"\n[data]\n" + line)); !errors.As(err, &e) ||
			!strings.Contains(e.Problem, "must be") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestPresetsHaveTheirNamesAsTitles(t *testing.T) {
	for _, p := range Presets() {
		title, want := p.Config.Title(), cmp.Or(p.Of, p.Name)
		if p.Name == TextEquation { // begins as another preset
			want = "burgers"
		}
		if p.Config.Problem == TextEquation && title != want {
			t.Errorf("the preset %s has the title %s", p.Name, title)
		}
	}
}

// An error about a list of names as long as a file shows its beginning.
func TestErrorsShowTheBeginningOfLongValues(t *testing.T) {
	long := &Error{Key: "data.input", Value: strings.Repeat("ä", 3000), Problem: "is too long"}
	if text := long.Error(); len(text) > 500 || !strings.Contains(text, "ää...") || !strings.HasSuffix(text, "is too long") {
		t.Errorf("%s", text)
	}
}

// Errors are compared if the equation, or the arrays of a file, are the same, whatever is learned from them.
func TestSameProblem(t *testing.T) {
	own := Problem{Name: Functions}.Start()
	own.Data.TrainFile = "a.npz"
	more := own
	more.Features.Count *= 2
	if !own.SameProblem(more) {
		t.Error("the number of features changes the problem")
	}
	other := own
	other.Data.TrainFile = "b.npz"
	if own.SameProblem(other) {
		t.Error("pairs from another file are the same problem")
	}
	other = own
	other.Data.Output = "v"
	if own.SameProblem(other) {
		t.Error("another array of outputs is the same problem")
	}
	typed := Config{Problem: TextEquation}
	typed.Equation.Text = "u_t = u_xx - u^5"
	changed := typed
	changed.Equation.Text = "u_t = u_xx - u^7"
	if typed.SameProblem(changed) {
		t.Error("two equations of no preset are one problem")
	}
}
