package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// spoken matches two words in lower case: a text that people read.
var spoken = regexp.MustCompile(`[a-z] [a-z]`)

// Messages and help are written like the documents: their sentences have no forbidden phrase.
func TestWordsOfMessages(t *testing.T) {
	patterns := make([]*regexp.Regexp, len(forbidden))
	for i, f := range forbidden {
		patterns[i] = regexp.MustCompile(f.pattern)
	}
	for _, folder := range rooms {
		walk(t, folder, func(name string, content []byte) {
			if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, content, parser.SkipObjectResolution)
			noError(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				literal, ok := n.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(literal.Value)
				if err != nil || !spoken.MatchString(text) {
					return true
				}
				for i, f := range forbidden {
					if found := patterns[i].FindString(text); found != "" {
						t.Errorf("%s: %q; write %s", set.Position(literal.Pos()), found, f.instead)
					}
				}
				return true
			})
		})
	}
}
