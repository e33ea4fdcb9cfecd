// Package docs checks that the documents match the program: pages generated from the code are compared with it, links
// must have targets, and the rules of architecture.md must hold.
package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rfm/solver/dataset/filetest"
)

var noError = filetest.NoError

// root is the path of the module's directory from this one.
const root = ".."

// rooms are the top-level folders of the program. Each may import itself and those after it.
var rooms = []string{"tui", "model", "solver", "config"}

// permitted are the packages below tui that tui imports. Screens and commands should need fewer of them: remove a line
// whenever possible, and add one only if two others go.
var permitted = []string{
	"config",                 // configurations
	"model/show/check",       // rfm check
	"model/run/engine",       // the stages of an experiment: generate, train, evaluate; rfm run --split, rfm work
	"model/run/machine",      // workers, memory, version
	"model/run/store",        // stored runs
	"model/show/interchange", // files from and for other programs: rfm show FILE, rfm export, rfm predict
	"model/run/sweep",        // rfm run --vary
	"model/show/report",      // pages: tables, figures and notes for screens, commands and exports
	"model/show/paper",       // rfm reproduce, the studies of the paper, the demo
	"model/show/compare",     // comparisons of runs, the cost of an evaluation
	"model/run/tune",         // rfm tune
	"solver/base/fault",      // errors with advice
	"solver/base/printable",  // text without control characters, for terminals and shells
}

// Every package has a comment that `go list` can print.
func TestPackagesHaveComments(t *testing.T) {
	for path := range packages(t) {
		files, err := filepath.Glob(filepath.Join(root, path, "*.go"))
		noError(t, err)
		if !slices.ContainsFunc(files, func(name string) bool {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
			return err == nil && file.Doc != nil
		}) {
			t.Errorf("%s has no package comment", path)
		}
	}
}

// Imports run one way: tui -> model -> solver -> config.
func TestImportsRunOneWay(t *testing.T) {
	rank := func(path string) int { return slices.Index(rooms, roomOf(path)) }
	for path, imports := range packages(t) {
		for _, other := range imports {
			if rank(path) >= 0 && rank(other) < rank(path) {
				t.Errorf("%s imports %s: imports run %s", path, other, strings.Join(rooms, " -> "))
			}
		}
	}
}

// What learns, and what trained models do, knows nothing of how runs are carried out and results are shown.
func TestNumericsImportNeitherRunsNorReports(t *testing.T) {
	numerics := func(path string) bool {
		return strings.HasPrefix(path, "model/learn/") || path == "model/trained" || strings.HasPrefix(path, "model/trained/")
	}
	for path, imports := range packages(t) {
		for _, other := range imports {
			isAbove := strings.HasPrefix(other, "model/show/") || strings.HasPrefix(other, "model/run/")
			if numerics(path) && isAbove {
				t.Errorf("%s imports %s: runs and reports import numerics, never the other way", path, other)
			}
		}
	}
}

// tui imports only the packages below it that the page lists, and config.
func TestInterfaceImportsWhatThePageLists(t *testing.T) {
	const most = 12
	if len(permitted)-1 > most {
		t.Errorf("tui imports %d packages from below, want at most %d", len(permitted)-1, most)
	}
	page, err := os.ReadFile("architecture.md")
	noError(t, err)
	for _, path := range permitted {
		if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), "`"+path+"`") {
			t.Errorf("architecture.md does not say that tui imports %s", path)
		}
	}
	found := map[string]bool{}
	for path, imports := range packages(t) {
		for _, other := range imports {
			if roomOf(path) == "tui" && roomOf(other) != "tui" {
				found[other] = true
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		if !slices.Contains(permitted, path) {
			t.Errorf("tui imports %s, which is not among the packages that docs/architecture.md lists", path)
		}
	}
	for _, path := range permitted {
		if !found[path] {
			t.Errorf("tui does not import %s any more: take it out of this list", path)
		}
	}
}

func roomOf(path string) string {
	room, _, _ := strings.Cut(path, "/")
	return room
}

// packages returns the imports of each package of the program from it, tests not counted. Paths are below the module.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, room := range rooms {
		err := filepath.WalkDir(filepath.Join(root, room), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			directory, err := filepath.Rel(root, filepath.Dir(name))
			if err != nil {
				return err
			}
			path := filepath.ToSlash(directory)
			all[path] = slices.Clip(all[path])
			for _, spec := range file.Imports {
				if other, err := strconv.Unquote(spec.Path.Value); err != nil {
					return err
				} else if own, ok := strings.CutPrefix(other, "rfm/"); ok {
					all[path] = append(all[path], own)
				}
			}
			return nil
		})
		noError(t, err)
	}
	return all
}

// walk visits the files below a folder of the module; their names begin with it.
func walk(t *testing.T, folder string, visit func(name string, content []byte)) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err == nil {
			visit(filepath.ToSlash(name), content)
		}
		return err
	})
	noError(t, err)
}
