package docs

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fences = regexp.MustCompile("(?s)```.*?```|<!-- keys -->.*?<!-- end of keys -->|<!-- terms -->.*?<!-- end of " +
		"terms -->")
	headings = regexp.MustCompile(`(?m)^(#+) (.*)$`)
)

// A page starts by naming its readers, except for the index and pages for developers of this repository.
func TestPagesNameTheirReaders(t *testing.T) {
	for _, page := range pages(t) {
		switch filepath.Base(page) {
		case "README.md", "CONTRIBUTING.md", "index.md":
			continue
		}
		_, rest, _ := strings.Cut(read(t, page), "\n\n")
		if !strings.HasPrefix(rest, "*For ") {
			t.Errorf("%s does not begin with the readers that it is for: *For ...*", page)
		}
	}
}

// Headings are unique within their page, so that links to them have one target.
func TestHeadings(t *testing.T) {
	for _, page := range pages(t) {
		seen := map[string]bool{}
		for _, found := range headings.FindAllStringSubmatch(fences.ReplaceAllString(read(t, page), ""), -1) {
			title := found[2]
			if seen[title] {
				t.Errorf("%s: heading %q stands twice", page, title)
			}
			seen[title] = true
		}
	}
}

// The comment on a declaration begins with its name.
func TestDocCommentsBeginWithTheName(t *testing.T) {
	article := regexp.MustCompile(`^(?:An?|The) `)
	for name, file := range sources(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		check := func(declared *ast.Ident, doc *ast.CommentGroup) {
			text := article.ReplaceAllString(doc.Text(), "")
			if first := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n,:;'.", r) }); len(first) > 0 &&
				first[0] != declared.Name {
				t.Errorf("%s: the comment on %s begins with %q", name, declared.Name, first[0])
			}
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				check(d.Name, d.Doc)
			case *ast.GenDecl:
				if kind, ok := d.Specs[0].(*ast.TypeSpec); ok && d.Tok == token.TYPE && len(d.Specs) == 1 {
					check(kind.Name, d.Doc)
				}
			}
		}
	}
}
