package docs

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// budget bounds the lines of Go in each part of the program, tests and generated assembly not counted, and the words of
// all documents. A number may only be lowered: a new feature needs room within it.
var budget = []struct {
	part    string
	folders []string
	except  []string
	most    int
}{
	{"configuration", []string{"config"}, nil, 2209},
	{"numerics", []string{"solver"}, []string{"solver/dataset"}, 8826},
	{"data files", []string{"solver/dataset"}, nil, 5000},
	{"learning", learning, nil, 14793},
	{"runs, studies and files of models", []string{"model"}, learning, 13353},
	{"interface and commands", []string{"tui"}, nil, 12465},
}

// learning lists the packages that learn operators.
var learning = []string{"model/method", "model/ridge", "model/feature", "model/rfm", "model/linalg", "model/activation",
	"model/bands", "model/invert", "model/price", "model/brownian", "model/trained", "model/codec", "model/modes",
	"model/shear", "model/layers"}

// mostWords bounds the words of all documents.
const mostWords = 23022

func TestNoPartGrows(t *testing.T) {
	for _, b := range budget {
		lines := 0
		for _, folder := range b.folders {
			walk(t, folder, func(name string, content []byte) {
				if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !below(name, b.except) {
					lines += bytes.Count(content, []byte("\n"))
				}
			})
		}
		if lines == 0 || lines > b.most {
			t.Errorf("%s: %d lines, at most %d", b.part, lines, b.most)
		}
	}
}

func TestDocumentsDoNotGrow(t *testing.T) {
	words := 0
	count := func(name string, content []byte) {
		if strings.HasSuffix(name, ".md") {
			words += len(bytes.Fields(content))
		}
	}
	walk(t, "docs", count)
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"} {
		content, err := os.ReadFile(filepath.Join(root, name))
		noError(t, err)
		count(name, content)
	}
	if words > mostWords {
		t.Errorf("%d words, at most %d", words, mostWords)
	}
}

// below reports whether a file is in one of several folders.
func below(name string, folders []string) bool {
	for _, folder := range folders {
		if strings.HasPrefix(name, folder+"/") {
			return true
		}
	}
	return false
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
