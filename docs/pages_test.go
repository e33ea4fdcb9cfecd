package docs

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/learn/method"
	"rfm/model/show/paper"
	"rfm/solver/pde/equation"
	"rfm/solver/pythontest"
	"rfm/solver/space/grid"
	"rfm/tui/screen"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
	"rfm/tui/words"
)

// renew is the command that generates the pages that follow from the code.
const renew = "`go test ./docs ./tui/command -update`"

// configuration.md is equal to the table generated from the keys.
func TestConfigurationIsUpToDate(t *testing.T) {
	compare(t, "configuration.md", configuration())
}

// validation.md has the table of claims between two marks.
func TestVerificationIsUpToDate(t *testing.T) {
	var b strings.Builder
	b.WriteString(`| equation | exact solution | error is at most | order |
|---|---|---|---|
`)
	for _, c := range equation.Claims() {
		order := "4"
		isExact := c.Limit <= 1e-12 || c.Bounded() && c.Limit < 2e-9
		switch {
		case c.Steady():
			order = "steady"
		case isExact:
			order = "exact"
		}
		exact, where := config.Lines(c.Initial), c.Values()
		for _, name := range slices.Sorted(maps.Keys(where)) {
			exact = append(exact, name+" = "+where[name])
		}
		text := strings.ReplaceAll(c.Text, "; ", "`, `")
		for _, side := range [][2]string{{"left", c.Left}, {"right", c.Right}, {"bottom", c.Bottom}, {"top", c.Top}} {
			if side[1] != "" {
				text += "`, " + side[0] + " `" + strings.ReplaceAll(side[1], "; ", "`, `")
			}
		}
		fmt.Fprintf(&b, "| %s: `%s` | `%s` | %.0e | %s |\n", c.Name, text,
			strings.Join(exact, "`, `"), c.Limit, order)
	}
	b.WriteString(`
| claim | independent program | digits | test |
|---|---|---|---|
| Burgers' solutions on K = 1025 | the authors' setting in NumPy, error below 1e-12 | 1e-8 | ` + "`solver/golden/goldentest`" + `, ` + "`rfm check`" + ` |
| order four for decay, waves, systems, forces in t, quasilinear diffusion | | 0.4 of the order | TestOrderFour |
| order four in the frames of waves | | 0.4 of the order | TestOrderFourInFrames |
| the tolerance is kept | the same at tolerance 1e-11 | 2 tolerances | TestTolerance |
| errors fall exponentially with the grid | the Cole-Hopf solution | 1e-11 at N = 32 | TestSpaceIsExponential |
| mass, energy and momentum are conserved | | 1e-8 | TestConservedQuantities |
| 24 equations on the same grid, 15 of them in no preset | SciPy's solve_ivp | 1e-8 | TestSciPyAgrees |
| values, slopes, sums of both, values in t, jumps, inflow, fronts, waves, clamped plates and beams, third derivatives: 27 exact solutions between ends | | 2e-7 at tolerance 1e-8 | TestExactSolutionsBetweenEnds |
| 19 equations between ends of each kind, none of them a preset | SciPy's Radau on its own polynomials | 1e-7 | TestSciPyAgreesBetweenEnds |
| Korteweg-de Vries between ends, weak and strong, with a wave maker and a free bend; Cahn-Hilliard between a wall that holds a phase and one that does not | dual Petrov-Galerkin, a mixed form, SciPy's Radau | 1e-6 | TestSciPyAgreesOnDispersionAndSeparation |
| 12 demos of Chebgui in time, with conditions, a system, a mean and growth: all of those without period but Buckmaster's equation | matrix exponentials, SciPy's Radau | 1e-6 | TestChebguiDemosAgree |
| one field takes the slope of another at an end: 3 exact solutions | | 1e-7 | TestFieldsGetTheSlopesOfOthers |
| slopes that are functions of the fields at an end, in time and at rest: 7 exact solutions | | 1e-7 | TestSlopesAsFunctionsOfFields, TestSteadyStatesRadiate |
| thin films, clamped, without flux, attracted by the wall: 4 exact solutions | | 1e-7 | TestFilmsFlow |
| standing water between walls, a rod that its motion heats | small amplitudes, a scheme of Verlet | 1e-7, 1e-5 | TestWallsHoldWater, TestVelocitiesHeatOthers |
| every kind of side of the square: 10 exact solutions | | 2e-7 at tolerance 1e-8 | TestExactSolutionsOnTheSquare |
| 192 polynomials change the solution of a fourth-order equation as little as 48 do | | 2e-9 | TestManyPolynomialsKeepTheDigitsOfSlowModes |
| 128 polynomials as little as 64, where modes of third- and fourth-order equations are no eigenfunctions | | 3e-8 | TestMatricesKeepTheDigitsOfSlowModes |
| sides keep their conditions where they demand different slopes of a corner | a Fourier series | 1e-3 at tolerance 1e-3 | TestSidesMayDisagreeInSlopesAtACorner |
| steady states of the interval and the square: 23 exact solutions | | 1e-8 | TestExactSteadyStates, TestExactSteadyStatesOnTheSquare |
| 7 steady states that no preset has, both solutions of Bratu's problem among them | SciPy's solve_bvp | 1e-8 | TestSciPyAgreesOnSteadyStates |
| folds onto a periodic problem, of intervals and squares | the same with polynomials | 3e-7 | TestFoldsAreFoundAndAgree, TestFoldsOnTheSquareAgree |
| folds between the sides alone | the same on the whole torus | 1e-12 | TestReflectedSolutionsAreThoseOnTheTorus |
| x and y have equal rights | the equation with x and y exchanged | 1e-9 | TestAxesHaveEqualRights |
| Darcy flow: order two | manufactured solutions | | ` + "`solver/pde/darcy`" + `, ` + "`rfm check`" + ` |
`)
	const begin, end = "<!-- verification -->\n", "<!-- end of verification -->\n"
	before, rest, ok := strings.Cut(read(t, "validation.md"), begin)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("validation.md has no %s%s", begin, end)
	}
	compare(t, "validation.md", before+begin+b.String()+end+after)
}

// interface.md contains the keys of the interface and its glossary, each between two marks.
func TestKeysAndTermsAreUpToDate(t *testing.T) {
	text := read(t, "interface.md")
	for name, table := range map[string]string{"keys": keyTable(), "terms": termTable()} {
		begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
		before, rest, ok := strings.Cut(text, begin)
		_, after, ended := strings.Cut(rest, end)
		if !ok || !ended {
			t.Fatalf("interface.md has no %s%s", begin, end)
		}
		text = before + begin + table + end + after
	}
	compare(t, "interface.md", text)
}

// Tables call methods by their titles.
func TestMethodsAreInTheGlossary(t *testing.T) {
	for _, d := range []grid.Domain{grid.Torus, grid.Interval, grid.Square, grid.Torus2} {
		for _, m := range method.All(d, d, "auto") {
			if len(words.TermsOn(m.Title)) == 0 {
				t.Errorf("%s has no entry", m.Title)
			}
		}
	}
}

// termTable returns the glossary of the interface.
func termTable() string {
	var b strings.Builder
	b.WriteString("| term | settings | meaning |\n|---|---|---|\n")
	for _, term := range words.Terms() {
		var settings []string
		for _, name := range term.Settings {
			settings = append(settings, "`"+name+"`")
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", term.Name, strings.Join(settings, ", "), strings.ReplaceAll(term.Text, "|", "\\|"))
	}
	return b.String()
}

// compare fails the test if a page is out of date, and names the command that generates it.
func compare(t *testing.T, page, now string) {
	t.Helper()
	if tuitest.Compare(t, page, now); t.Failed() {
		t.Logf("%s renews it", renew)
	}
}

// keyTable returns the effect of each key, and the screens with another effect, from the commands of a fresh interface.
func keyTable() string {
	m := screen.New(session.Options{Config: config.Presets()[0].Config}, shell.Options{}, paper.NewTour(1))
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	m.Session().Select("data.train") // a row with a number
	m.Update(nil)
	var b strings.Builder
	b.WriteString("| key | also | does |\n|---|---|---|\n")
	for _, g := range ui.KeyGroups() {
		fmt.Fprintf(&b, "| **%s** | | |\n", g.Title)
		for _, k := range g.Keys {
			if k == ui.KeyPause {
				continue // of the demo, whose keys are in a section of their own
			}
			var also []string
			for _, name := range k.Also() {
				also = append(also, "`"+name+"`")
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k, strings.Join(also, ", "), does(m, k))
		}
	}
	return b.String()
}

// ofTabs are the effects of keys on pages with tabs.
var ofTabs = map[ui.Key]string{ui.KeyNextTab: "show the next tab", ui.KeyPreviousTab: "show the previous tab"}

// does returns the effect of a key on the screens that use it, or else everywhere.
func does(m *shell.Model, k ui.Key) string {
	var order []string
	screens := map[string][]string{}
	for _, s := range m.Screens {
		if s.Name() == session.TourPage {
			continue // its keys are in a section of their own
		}
		s.Arrange(ui.Canvas{Theme: theme.New(theme.Options{}), Width: 120, Height: 40})
		if c, ok := ui.Find(s.Commands(), k); ok {
			if screens[c.Help] == nil {
				order = append(order, c.Help)
			}
			screens[c.Help] = append(screens[c.Help], s.Name())
		}
	}
	if help := ofTabs[k]; help != "" { // a fresh interface has no results, which have tabs
		order = append(order, help)
		screens[help] = []string{"results"}
	}
	everywhere, common := ui.Find(m.Commands(), k)
	switch {
	case len(order) == 0 || len(order) == 1 && common && everywhere.Help != order[0]:
		return everywhere.Help
	case len(order) == 1:
		return order[0]
	}
	if common && everywhere.Help != "" && !slices.Contains(order, everywhere.Help) {
		screens[everywhere.Help] = []string{"elsewhere"}
		order = append(order, everywhere.Help)
	}
	for i, help := range order {
		order[i] = help + " (" + strings.Join(screens[help], ", ") + ")"
	}
	return strings.Join(order, "; ")
}

func configuration() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Settings

*For people who want to change a setting. Generated from [config](../config/table.go); %s renews it.*

A configuration is one experiment: data, random features, training, evaluation. It starts from a preset or a file, which flags and
`+"`--set KEY=VALUE`"+` change. A file is TOML; it may name a preset and change some keys:

`+"```toml\npreset = \"burgers\"\nseed = 7\n[features]\ncount = 256\ndelta = 0.005\n```"+`

`+"`rfm run FILE.toml`"+` runs it, `+"`--dry-run`"+` checks it and estimates time and memory. An unknown key or an invalid value is refused,
and the message proposes what to write instead. If a setting on the command line, or in a file that names a preset, has no effect
together with the others, `+"`rfm run`"+` prints a note that says why, for example that lambda is chosen by cross-validation. The last
part of a name is enough where it is unambiguous: `+"`--set nu=0.005`"+`. [The method](method.md) defines the symbols. Workers,
directories and colours do not change the result; they are [flags](commands.md).

`+"`rfm run --help`"+` lists the [presets](commands.md#rfm-run); [errors of all methods](results.md#errors-of-all-methods) has those of equations.
`, renew)
	b.WriteString("\n## Problems\n\n| problem | operator | equation of the preset |\n|---|---|---|\n")
	for _, problem := range config.Problems() {
		c, p := preset(problem)
		equation := ""
		if p.Equation != nil {
			equation = "`" + p.Equation(c) + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", problem, cell(p.Operator), equation)
	}
	b.WriteString("\n## Table of settings\n\nThe value is that of the preset with the name of the problem; where " +
		"problems differ, each value " +
		"names its\nproblems.\n\n| setting | symbol | meaning | values | preset |\n|---|---|---|---|---|\n")
	for _, row := range settings() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", row.name, cell(row.symbols.text("")), cell(row.meanings.text("")),
			cell(row.ranges.text("")), cell(row.values.text("`")))
	}
	b.WriteString("\nNext: [the interface](interface.md).\n")
	return b.String()
}

// preset returns the preset with the name of a problem, and the problem.
func preset(problem string) (config.Config, config.Problem) {
	c, err := config.PresetByName(problem)
	if err != nil {
		panic(err) // every problem has a preset of its name
	}
	return c, c.Of()
}

// variants are the texts of a setting, and the problems with each.
type variants struct {
	texts    []string
	problems map[string][]string
}

func (v *variants) add(text, problem string) {
	if v.problems == nil {
		v.problems = map[string][]string{}
	}
	if text == "" {
		return
	}
	if v.problems[text] == nil {
		v.texts = append(v.texts, text)
	}
	base, _, _ := strings.Cut(problem, " with ") // another feature map, with the same text for most settings
	if !slices.Contains(v.problems[text], base) {
		v.problems[text] = append(v.problems[text], problem)
	}
}

// text returns the only text, or each text with its problems.
func (v *variants) text(quote string) string {
	var all []string
	for _, text := range v.texts {
		if len(v.texts) > 1 {
			all = append(all, quote+text+quote+" ("+strings.Join(v.problems[text], ", ")+")")
		} else {
			all = append(all, quote+text+quote)
		}
	}
	return strings.Join(all, "; ")
}

// setting is a row: a setting, with all problems and feature maps that have it.
type setting struct {
	name                              string
	symbols, meanings, ranges, values variants
}

func settings() (rows []*setting) {
	index := map[string]*setting{}
	add := func(problem string, c config.Config) {
		for _, k := range c.Keys() {
			row := index[k.Name]
			if row == nil {
				row = &setting{name: k.Name}
				index[k.Name], rows = row, append(rows, row)
			}
			row.symbols.add(k.Symbol, problem)
			row.meanings.add(k.Help, problem)
			row.ranges.add(k.Range(), problem)
			row.values.add(k.Text(c), problem)
		}
	}
	for _, problem := range config.Problems() {
		c, p := preset(problem)
		add(problem, c)
		for _, kind := range p.Maps {
			other := c
			if err := config.Assign(&other, "features.kind="+kind); err != nil {
				panic(err) // the problem lists this map
			}
			if kind != c.Features.Kind {
				add(problem+" with "+kind, other)
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b *setting) int { // sections in the order of their first setting
		return cmp.Compare(section(rows, a), section(rows, b))
	})
	return rows
}

// section returns the index of the first setting in the section of a row.
func section(rows []*setting, row *setting) int {
	group, _, _ := strings.Cut(row.name, ".")
	return slices.IndexFunc(rows, func(r *setting) bool { return strings.HasPrefix(r.name, group) })
}

// cell escapes text for a table cell of Markdown.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "<", `\<`).Replace(text)
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	noError(t, err)
	return string(text)
}

// pages returns the names of all documents.
func pages(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("*.md")
	if err != nil || len(list) < 10 {
		t.Fatalf("%d pages, %v", len(list), err)
	}
	return append(list, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md"))
}

// Links to files and to headings have existing targets.
func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, page := range pages(t) {
		for _, found := range link.FindAllStringSubmatch(read(t, page), -1) {
			target, heading, _ := strings.Cut(found[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := cmp.Or(target, filepath.Base(page))
			file = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: a link to %s, which is not there", page, found[1])
				continue
			}
			if heading != "" && !slices.Contains(anchors(read(t, file)), heading) {
				t.Errorf("%s: a link to %s, which has no such heading", page, found[1])
			}
		}
	}
}

// anchors returns the names of the headings of a page, in the form of code hosts.
func anchors(text string) []string {
	var list []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "#") {
			name := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#")))
			name = regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(name, "")
			list = append(list, strings.ReplaceAll(name, " ", "-"))
		}
	}
	return list
}

// The index links to every page, and every page to the next one.
func TestIndexLeadsToEveryPage(t *testing.T) {
	text := read(t, "index.md")
	list, err := filepath.Glob("*.md")
	noError(t, err)
	for _, page := range list {
		if page != "index.md" && !strings.Contains(text, "("+page+")") {
			t.Errorf("index.md has no link to %s", page)
		}
		if lines := strings.Split(strings.TrimSpace(read(t, page)), "\n"); !strings.HasPrefix(lines[len(lines)-1], "Next: [") {
			t.Errorf("%s does not end with the next page", page)
		}
	}
}

// Presets that the documents name exist.
func TestNamesInDocumentsExist(t *testing.T) {
	run := regexp.MustCompile(`rfm (?:run|tune) ([a-z][a-z-]*)(?:[ \x60\n])`)
	transcripts := regexp.MustCompile("(?s)```console.*?```") // a test runs them, and some show errors
	for _, page := range pages(t) {
		for _, found := range run.FindAllStringSubmatch(transcripts.ReplaceAllString(read(t, page), ""), -1) {
			if _, err := config.PresetByName(found[1]); err != nil {
				t.Errorf("%s: %s: %v", page, found[0], err)
			}
		}
	}
}

// Files and functions named in architecture.md and adding.md exist.
func TestPlacesInDocumentsExist(t *testing.T) {
	file := regexp.MustCompile("`((?:config|solver|model|tui|docs)/[a-z0-9_/<>-]+\\.(?:go|md))`")
	for _, page := range pages(t) {
		for _, found := range file.FindAllStringSubmatch(read(t, page), -1) {
			if strings.Contains(found[1], "<") {
				continue // a name for the reader to choose
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(found[1]))); err != nil {
				t.Errorf("%s sends to %s, which is not there", page, found[1])
			}
		}
	}
}

// Functions that a page names together with their file exist.
func TestFunctionsInDocumentsExist(t *testing.T) {
	place := regexp.MustCompile("`(?:[A-Za-z]+\\.)?([A-Za-z]+)` \\(`([a-z/_]+\\.go)`\\)|`(?:[A-Za-z]+\\.)?([A-Za-z]+)` " +
		"in `([a-z/_]+\\.go)`")
	count := 0
	for _, page := range pages(t) {
		for _, found := range place.FindAllStringSubmatch(strings.ReplaceAll(read(t, page), "\n", " "), -1) {
			name, file := found[1]+found[3], found[2]+found[4]
			declared := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |var |\t)` + name + `\b`)
			if count++; !declared.MatchString(read(t, filepath.Join(root, filepath.FromSlash(file)))) {
				t.Errorf("%s sends to %s in %s, which does not declare it", page, name, file)
			}
		}
	}
	if count < 5 {
		t.Errorf("%d places found", count)
	}
}

// Tests that pages name exist: two that had been renamed were still named.
func TestTestsInDocumentsExist(t *testing.T) {
	named, declared := regexp.MustCompile("`(Test[A-Z]\\w+)`"), map[string]bool{}
	for _, room := range append(slices.Clone(rooms), "docs") {
		walk(t, room, func(_ string, content []byte) {
			for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(content, -1) {
				declared[string(found[1])] = true
			}
		})
	}
	for _, page := range pages(t) {
		for _, found := range named.FindAllStringSubmatch(read(t, page), -1) {
			if !declared[found[1]] {
				t.Errorf("%s names %s, which is not there", page, found[1])
			}
		}
	}
}

// Members of a package or a type, named in pages for developers, are declared in one of this name.
func TestMembersInDocumentsExist(t *testing.T) {
	declared := map[string]bool{}
	method, member := regexp.MustCompile(`(?m)^func \([^)]*?(\w+)(?:\[\w+\])?\) (\w+)`),
		regexp.MustCompile(`(?m)^(?:func|type|var|const|\t)\s*([A-Z]\w*)\b`)
	for path := range packages(t) {
		files, err := filepath.Glob(filepath.Join(root, path, "*.go"))
		noError(t, err)
		for _, file := range files {
			source := read(t, file)
			for _, found := range method.FindAllStringSubmatch(source, -1) {
				declared[found[1]+"."+found[2]] = true
			}
			for _, found := range member.FindAllStringSubmatch(source, -1) {
				declared[filepath.Base(path)+"."+found[1]] = true
			}
		}
	}
	name, count := regexp.MustCompile("`(?:rfm/)?((?:[a-z]+\\.[A-Z]|[A-Za-z]+\\.[a-zA-Z])\\w*)`"), 0
	file := regexp.MustCompile(`\.(?:go|md|toml|json|csv|svg|png|npz|npy|mat|pt|h5|sh|out|txt)$`)
	for _, page := range []string{"architecture.md", "adding.md"} {
		for _, found := range name.FindAllStringSubmatch(read(t, page), -1) {
			if file.MatchString(found[1]) || strings.ToLower(found[1]) == found[1] {
				continue // a file, a key
			}
			if count++; !declared[found[1]] {
				t.Errorf("%s names %s, which is not there", page, found[1])
			}
		}
	}
	if count < 20 {
		t.Errorf("%d names found", count)
	}
}

// The fields of the page on methods can be made.
func TestFieldsAreMade(t *testing.T) {
	directory := t.TempDir()
	script, err := filepath.Abs("fields.py")
	noError(t, err)
	got := pythontest.Run(t, directory, `import runpy, sys, numpy as np
for name in ("darcy", "lognormal", "helmholtz", "layer"):
    sys.argv = ["fields.py", name, "4", "2", name + ".npz"]
    runpy.run_path("`+filepath.ToSlash(script)+`", run_name="__main__")
    f = np.load(name + ".npz")
    assert f["a"].shape == f["u"].shape == (2, 4, 4) and np.isfinite(f["u"]).all() and f["u"].any(), name
print("made")`)
	if got != "made\n" {
		t.Error(got)
	}
}
