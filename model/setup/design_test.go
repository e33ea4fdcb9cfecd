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
	"rfm/model/method"
	"rfm/solver/grid"
)

// sources returns the texts of the program's files except tests, by their names in the repository.
func sources(t *testing.T) map[string]string {
	t.Helper()
	root, all := filepath.Join("..", ".."), map[string]string{}
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
		"problem":     {`config\.(Burgers|Darcy|Functions|Fields)\b`, `^(config|model/setup|model/study|model/paper)/`},
		"feature map": {`config\.(Spectral|PredictorCorrector)\b`, `^(config|model/feature)/`},
		"method": {`config\.(Linear|KernelRidge|EquivariantKernel)\b`,
			`^(config|model/method|model/machine|tui/live)/`}, // machine has the cost of each, live learns with a fast one
	} {
		named, allowed := regexp.MustCompile(place.named), regexp.MustCompile(place.allowed)
		for name, text := range sources(t) {
			if found := named.FindString(text); found != "" && !allowed.MatchString(name) {
				t.Errorf("%s names a %s: %s", name, what, found)
			}
		}
	}
}

// A new method is one file and one line: its declaration is named in that file and in the list alone.
func TestMethodsAreAFileAndALine(t *testing.T) {
	// A linear operator has one name in files, multiplier or not; layers and corrections start with one of the kernels.
	parts := map[string][]string{"model/method/multiplier.go": {"linearMethod"},
		"model/method/stored.go":          {"kernelMethod", "equivariantMethod", "shearedMethod"},
		"model/method/corrected_train.go": {"kernelMethod", "layersMethod"},
		"model/method/layered.go":         {"kernelMethod"}}
	for folder, list := range map[string]struct {
		declared, file string
		least          int
	}{"model/method/": {`(?m)^var (\w+) = Method\{`, "method.go", 5}} {
		declared, all := regexp.MustCompile(list.declared), sources(t)
		maps.DeleteFunc(all, func(name, _ string) bool { return !strings.HasPrefix(name, folder) })
		count := 0
		for own, text := range all {
			for _, found := range declared.FindAllStringSubmatch(text, -1) {
				count++
				word := regexp.MustCompile(`\b` + found[1] + `\b`)
				for name, other := range all {
					uses := len(word.FindAllString(other, -1))
					if name == folder+list.file && uses != 1 || name != own && name != folder+list.file &&
						!slices.Contains(parts[name], found[1]) && uses > 0 {
						t.Errorf("%s names %s of %s %d times", name, found[1], own, uses)
					}
				}
			}
		}
		if count < list.least {
			t.Errorf("%d declarations found in %s", count, folder)
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
