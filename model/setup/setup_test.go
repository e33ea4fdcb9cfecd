package setup

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/grid"
)

// Every problem that is not known from files only can be computed, on its domain and grid.
func TestEveryProblemHasItsTruth(t *testing.T) {
	for _, problem := range config.Problems() {
		c, err := config.PresetByName(problem)
		if err != nil {
			t.Fatal(err)
		}
		o := Truth(c)
		if (o == nil) != c.Of().Files {
			t.Errorf("%s: truth %v, from files only: %v", problem, o, c.Of().Files)
		}
		if o == nil {
			continue
		}
		if domain, points := o.Grid(); domain != Domain(c) || points != c.Data.Grid {
			t.Errorf("%s: computed on %s, configured on %s", problem, domain.Grid(points), Domain(c).Grid(c.Data.Grid))
		}
	}
	if got := Domain(config.Config{Problem: config.Fields}); got != grid.Square {
		t.Errorf("fields live on %s", got.Name())
	}
}

// Which problem is configured is decided in config and in the registry of this package; everything else asks what a
// problem says about itself. The paper's studies, which are about its two problems, are the exception.
func TestNobodyElseAsksForAProblemsName(t *testing.T) {
	named := regexp.MustCompile(`config\.(Burgers|Darcy|Functions|Fields)\b`)
	allowed := []string{"config/", "model/setup/", "model/study/", "model/paper/"}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		name, _ := filepath.Rel(root, path)
		for _, prefix := range allowed {
			if strings.HasPrefix(filepath.ToSlash(name), prefix) {
				return nil
			}
		}
		text, err := os.ReadFile(path)
		if where := named.FindIndex(text); where != nil {
			t.Errorf("%s names a problem: %s", name, text[where[0]:where[1]])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
