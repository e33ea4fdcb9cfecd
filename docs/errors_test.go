package docs

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/learn/score"
	"rfm/model/run/engine"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

const randomFeatures = "random features"

// equations returns the presets with an equation on the torus whose inputs are functions alone, as random features need.
func equations() (all []config.Preset) {
	for _, p := range config.Presets() {
		if p.Config.Problem == config.TextEquation && p.Of == "" && !hasSides(p) && len(p.Config.Equation.Numbers()) == 0 {
			all = append(all, p)
		}
	}
	return all
}

// betweenSides returns the presets with conditions on sides.
func betweenSides() (all []config.Preset) {
	for _, p := range config.Presets() {
		if hasSides(p) {
			all = append(all, p)
		}
	}
	return all
}

// hasSides reports whether the equation of a preset has conditions on sides.
func hasSides(p config.Preset) bool {
	return p.Config.Problem == config.TextEquation && p.Of == "" && p.Config.Equation.Bounded()
}

// sidesTable lists the presets with conditions on sides.
func sidesTable() string {
	var b strings.Builder
	b.WriteString("| preset | error | try this |\n|---|---|---|\n")
	for _, p := range betweenSides() {
		fmt.Fprintf(&b, "| `%s`: %s | %.2g | %s |\n", p.Name, p.Summary, p.Error, escaped(strings.Join(p.Try, " ")))
	}
	return b.String()
}

// escaped returns text in which stars are not Markdown.
func escaped(text string) string { return strings.ReplaceAll(text, "*", `\*`) }

// equation.md contains the presets with conditions on sides, between two marks.
func TestPresetsWithSidesAreUpToDate(t *testing.T) {
	const begin = "<!-- sides -->\n"
	const end = "<!-- end of sides -->\n"
	text := read(t, "equation.md")
	before, rest, ok := strings.Cut(text, begin)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatal("equation.md has no " + begin)
	}
	compare(t, "equation.md", before+begin+sidesTable()+end+after)
}

// columns are the methods of a table for functions on a domain with a symmetry. The mean of the outputs has an error near one
// everywhere.
func columns(domain grid.Domain, symmetry string) (titles []string) {
	for _, m := range method.All(domain, domain, symmetry) {
		if m.Name != config.Mean && !m.Timed { // networks take minutes a cell
			titles = append(titles, m.Title)
		}
	}
	return append([]string{randomFeatures}, titles...)
}

// smaller returns the settings of a preset with fewer pairs and features.
func smaller(c config.Config, seed uint64) config.Config {
	c.Seed = seed
	c.Data.Train = 128
	c.Data.Test = 128
	c.Features.Count = 256
	c.Train.Method = config.RandomFeatures
	c.Train.Choice = config.LeaveOneOut
	c.Evaluation.Baselines = false
	return c
}

// errorsOf trains methods on the pairs of a preset, as train.method = best does. Methods that cannot learn them have no
// error.
func errorsOf(t *testing.T, c config.Config) map[string]float64 {
	t.Helper()
	workers := runtime.GOMAXPROCS(0)
	e, err := engine.New(t.Context(), c, engine.Options{Workers: workers})
	if err == nil {
		err = e.Reach(t.Context(), engine.Training)
	}
	noError(t, err)
	train, test := e.Pairs()
	var grids [2]dataset.Pairs
	for i, pairs := range []dataset.Pairs{train, test} {
		if grids[i], err = pairs.Restrict(c.Train.Grid); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]float64{}
	measure := func(title string, o operator.Operator) {
		predictions, err := o.Predict(t.Context(), grids[1].Inputs, workers, nil)
		noError(t, err)
		measured, err := score.Measure(predictions, grids[1].Outputs)
		noError(t, err)
		all[title] = measured.ExpectedRelative
	}
	measure(randomFeatures, e.Model().Operator)
	symmetry := e.Config.Data.Symmetry // with the fold of an equation between sides
	o := operator.Options{Workers: workers, Seed: c.Seed, Symmetry: symmetry, Race: operator.NewRace()}
	for _, m := range method.All(train.Inputs.Domain, train.Outputs.Domain, symmetry) {
		if m.Timed { // these tables take seconds a cell
			continue
		}
		learned, err := m.Train(t.Context(), grids[0], o)
		if err != nil {
			t.Logf("%s: %v", m.Title, err)
			continue
		}
		measure(m.Title, learned)
		o.Known = append(o.Known, learned)
	}
	return all
}

// allErrors returns the table of all methods on the torus in results.md.
func allErrors() table {
	return errorsTable("errors", equations(), columns(grid.Torus, config.AutoSymmetry))
}

// sidesErrors returns the table of all methods between sides in results.md, with those that learn folded functions.
func sidesErrors() table {
	return errorsTable("errors-sides", betweenSides(), columns(grid.Interval, config.EvenFold))
}

// errorsTable returns a table of the errors of methods, by their titles, on presets.
func errorsTable(name string, presets []config.Preset, titles []string) table {
	w := table{page: "results.md", name: name, head: "| preset | " + strings.Join(titles, " | ") + " |"}
	for _, p := range presets {
		w.rows = append(w.rows, line{label: "`" + p.Name + "`", measure: func(t *testing.T) string {
			cells := measureSeeds(t, func(t *testing.T, seed int) (errors []float64) {
				measured := errorsOf(t, smaller(p.Config, uint64(seed)))
				for _, title := range titles {
					e, ok := measured[title]
					if !ok {
						e = math.Inf(1)
					}
					errors = append(errors, e)
				}
				return errors
			})
			return strings.Join(texts(cells), " | ")
		}})
	}
	return w
}
