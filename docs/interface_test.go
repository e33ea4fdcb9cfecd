package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inside are the top-level packages of tui. Each may import itself and those after it.
var inside = []string{"command", "terminal", "screen", "shell", "page", "ui", "plot", "session", "words", "theme", "layout"}

// Imports within tui run one way, and the page shows every room.
func TestRoomsOfTheInterface(t *testing.T) {
	const forTests = "tuitest"
	room := func(path string) string {
		below, isInside := strings.CutPrefix(path, "tui/")
		if !isInside {
			return ""
		}
		name, _, _ := strings.Cut(below, "/")
		return name
	}
	page, err := os.ReadFile("architecture.md")
	noError(t, err)
	for path, imports := range packages(t) {
		from := room(path)
		if from == "" || from == forTests {
			continue
		}
		rank := slices.Index(inside, from)
		if rank < 0 {
			t.Errorf("tui/%s is no room yet: is it part of one of %s?", from, strings.Join(inside, ", "))
		}
		if !strings.Contains(string(page), "| `tui/"+from) {
			t.Errorf("architecture.md does not show tui/%s", from)
		}
		for _, other := range imports {
			to := slices.Index(inside, room(other))
			if room(other) != "" && to < rank {
				t.Errorf("%s imports %s: imports run %s", path, other, strings.Join(inside, " -> "))
			}
		}
	}
}

// modes are the packages of screens that lie over other screens, which open them as dialogs.
var modes = []string{"tui/screen/draw", "tui/screen/vary"}

// Screens reach each other only by messages to the session, and know the shell only by the contract in tui/ui. A mode
// does not know any screen, and only screens open it.
func TestScreensDoNotKnowEachOther(t *testing.T) {
	all := packages(t)
	isScreen := func(path string) bool { return strings.HasPrefix(path, "tui/screen/") }
	for path, imports := range all {
		opensModes := isScreen(path) && !slices.Contains(modes, path)
		for _, other := range imports {
			if isScreen(path) && other == "tui/shell" {
				t.Errorf("%s imports the shell: what both need is in tui/ui", path)
			}
			if !isScreen(other) || path == "tui/screen" || opensModes && slices.Contains(modes, other) {
				continue
			}
			t.Errorf("%s imports %s: only the list of screens may", path, other)
		}
	}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(all)), isScreen) {
		t.Error("there are no screens")
	}
}

// The session does not depend on widths or colours, and drawing does not depend on the session. The package words
// depends on neither, because it imports nothing else of tui.
func TestSessionIsApartFromDrawing(t *testing.T) {
	all := packages(t)
	drawing := []string{"tui/plot", "tui/theme", "tui/layout", "tui/words", "tui/page", "tui/ui"}
	for _, path := range drawing {
		if _, ok := all[path]; !ok {
			t.Errorf("there is no %s", path)
		}
		if slices.Contains(all[path], "tui/session") {
			t.Errorf("%s imports the session", path)
		}
	}
	for _, other := range all["tui/session"] {
		if roomOf(other) == "tui" && other != "tui/words" {
			t.Errorf("the session imports %s", other)
		}
	}
	for _, other := range all["tui/words"] {
		if roomOf(other) == "tui" {
			t.Errorf("words import %s", other)
		}
	}
}

// Golden files are few enough for a reader.
func TestGoldenFilesAreFew(t *testing.T) {
	const most = 120
	count := 0
	err := filepath.WalkDir(filepath.Join(root, "tui"), func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Base(filepath.Dir(name)) == "testdata" {
			count++
		}
		return err
	})
	if err != nil || count == 0 || count > most {
		t.Errorf("%d golden files in tui, at most %d: %v", count, most, err)
	}
}

// knots are the packages with files that use each other in a cycle, with the number of such files. Mostly one type has
// methods in several files. A number may become smaller, and no package should be added.
var knots = map[string]int{
	"tui/plot":        3,
	"tui/screen/draw": 4,
	"tui/screen/form": 6,
	"tui/screen/runs": 5,
	"tui/screen/tour": 3,
	"tui/screen/tune": 2,
	"tui/session":     7,
	"tui/shell":       7,
	"tui/theme":       2,
	"tui/ui":          3,
}

// Files of one package do not use each other in a cycle, except for those listed in knots.
func TestFilesOfScreensHaveAnOrder(t *testing.T) {
	for path := range packages(t) {
		if !strings.HasPrefix(path, "tui/") {
			continue
		}
		names, err := filepath.Glob(filepath.Join(root, path, "*.go"))
		noError(t, err)
		names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
		tied := 0
		for _, cycle := range cycles(fileUses(t, names)) {
			tied += len(cycle)
			if tied > knots[path] {
				t.Errorf("%s: these files use each other: %s", path, strings.Join(cycle, ", "))
			}
		}
		if tied < knots[path] {
			t.Errorf("%s: %d files use each other, no longer %d: correct the list of knots", path, tied, knots[path])
		}
	}
}

// fileUses returns, for each file, the files whose declarations it uses.
func fileUses(t *testing.T, names []string) map[string]map[string]bool {
	t.Helper()
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(set, name, nil, 0)
		noError(t, err)
		files = append(files, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	checker := types.Config{Importer: nothing{}, Error: func(error) {}} // imported packages do not matter
	pkg, _ := checker.Check("p", set, files, info)
	uses := map[string]map[string]bool{}
	for ident, object := range info.Uses {
		if object.Pkg() != pkg || object.Parent() != pkg.Scope() && !isMember(object) {
			continue
		}
		from, to := filepath.Base(set.Position(ident.Pos()).Filename), filepath.Base(set.Position(object.Pos()).Filename)
		if from != to {
			if uses[from] == nil {
				uses[from] = map[string]bool{}
			}
			uses[from][to] = true
		}
	}
	return uses
}

// isMember reports whether an object is a method.
func isMember(object types.Object) bool {
	f, ok := object.(*types.Func)
	return ok && f.Signature().Recv() != nil
}

// nothing is an importer of empty packages.
type nothing struct{}

func (nothing) Import(path string) (*types.Package, error) {
	pkg := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
	pkg.MarkComplete()
	return pkg, nil
}

// cycles returns the groups of files of which each uses every other, directly or indirectly.
func cycles(uses map[string]map[string]bool) [][]string {
	reach := map[string]map[string]bool{}
	var walk func(from, at string)
	walk = func(from, at string) {
		for next := range uses[at] {
			if !reach[from][next] {
				reach[from][next] = true
				walk(from, next)
			}
		}
	}
	for file := range uses {
		reach[file] = map[string]bool{}
		walk(file, file)
	}
	var list [][]string
	seen := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(uses)) {
		if seen[file] || !reach[file][file] {
			continue
		}
		var group []string
		for _, other := range slices.Sorted(maps.Keys(uses)) {
			if reach[file][other] && reach[other][file] {
				group, seen[other] = append(group, other), true
			}
		}
		list = append(list, group)
	}
	return list
}

// The test above detects a cycle, and reports none in a graph without one.
func TestCyclesAreFound(t *testing.T) {
	directory := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(directory, name)
		noError(t, os.WriteFile(name, []byte("package p\n"+text), 0o600))
		return name
	}
	a, b, c := write("a.go", "func A() { B() }"), write("b.go", "type T int\nfunc B() { T(0).C() }"),
		write("c.go", "func (T) C() { A() }")
	if got := cycles(fileUses(t, []string{a, b, c})); len(got) != 1 || len(got[0]) != 3 {
		t.Errorf("cycles %v", got)
	}
	if got := cycles(fileUses(t, []string{a, write("b.go", "func B() {}")})); len(got) != 0 {
		t.Errorf("cycles %v", got)
	}
}
