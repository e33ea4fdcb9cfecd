package setup_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/method"
	"rfm/solver/space/grid"
)

// sources returns the texts of the program's files except tests, by their names in the repository.
func sources(t *testing.T) map[string]string {
	t.Helper()
	root, all := filepath.Join("..", "..", ".."), map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Only config and the constructors here decide by the configured problem, feature map or method; all other code uses
// their descriptions. The paper's studies, which are about its two problems, are the exception.
func TestNobodyElseAsksForAName(t *testing.T) {
	for what, place := range map[string]struct{ named, allowed string }{
		"problem":     {`config\.(Burgers|Darcy|Functions|Fields)\b`, `^(config|model/run/setup|model/show/paper)/|^tui/command/settings.go`},
		"feature map": {`config\.(Spectral|PredictorCorrector)\b`, `^(config|model/learn/feature)/`},
		"method": {`config\.(Linear|KernelRidge|EquivariantKernel)\b`,
			`^(config|model/learn/(method|correct|kernel|linear|shear|translate)|model/run/reading)/|^model/run/engine/low.go`}, // reading and fidelities look at pairs by the fastest methods
	} {
		named, allowed := regexp.MustCompile(place.named), regexp.MustCompile(place.allowed)
		for name, text := range sources(t) {
			if found := named.FindString(text); found != "" && !allowed.MatchString(name) {
				t.Errorf("%s names a %s: %s", name, what, found)
			}
		}
	}
}

// Every configurable method can be trained, and every trainable one configured.
func TestMethodsOfConfigurationsAreThere(t *testing.T) {
	configured := map[string]bool{}
	for _, problem := range config.Problems() {
		key, err := config.Config{Problem: problem}.Of().Start().Lookup("train.method")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range key.Choices {
			configured[name] = true
		}
	}
	// need more than pairs
	for _, name := range []string{config.RandomFeatures, config.Best} {
		delete(configured, name)
	}
	names := slices.Sorted(maps.Keys(configured))
	trained := map[string]bool{}
	for _, d := range grid.Domains() {
		for _, m := range method.All(d, d, "") {
			trained[m.Name] = true
		}
	}
	if all := slices.Sorted(maps.Keys(trained)); !slices.Equal(all, names) {
		t.Errorf("package method has %q, configurations have %q", all, names)
	}
}
