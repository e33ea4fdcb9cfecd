package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Because the program is not a library, another package uses every exported function and variable, and at least one
// constant of every exported group.
func TestExportedNamesAreUsedElsewhere(t *testing.T) {
	var declared [][]string
	used, dotted := map[string]bool{}, map[string]bool{}
	for name, file := range sources(t) {
		own := path.Dir(name)
		if !strings.HasSuffix(name, "_test.go") && file.Name.Name != "main" {
			for _, together := range exportedNames(file) {
				for i, exported := range together {
					together[i] = own + "." + exported
				}
				declared = append(declared, together)
			}
		}
		imports := map[string]string{} // paths below the module by the names of packages
		for _, s := range file.Imports {
			if full, err := strconv.Unquote(s.Path.Value); err == nil && strings.HasPrefix(full, "rfm/") {
				local := path.Base(full)
				if s.Name != nil && s.Name.Name == "." {
					dotted[strings.TrimPrefix(full, "rfm/")] = true
				}
				if s.Name != nil {
					local = s.Name.Name
				}
				imports[local] = strings.TrimPrefix(full, "rfm/")
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if of, ok := s.X.(*ast.Ident); ok && imports[of.Name] != "" {
					used[imports[of.Name]+"."+s.Sel.Name] = true
				}
			}
			return true
		})
	}
	for _, together := range declared {
		if !slices.ContainsFunc(together, func(name string) bool {
			return used[name] || dotted[name[:strings.LastIndexByte(name, '.')]]
		}) {
			t.Errorf("no other package uses %s: begin the name with a small letter", strings.Join(together, ", "))
		}
	}
}

// exportedNames returns the exported functions and variables of a file, each alone, and groups of exported constants.
func exportedNames(file *ast.File) (names [][]string) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.IsExported() {
				names = append(names, []string{d.Name.Name})
			}
		case *ast.GenDecl:
			var group []string
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					for _, n := range v.Names {
						if n.IsExported() {
							group = append(group, n.Name)
						}
					}
				}
			}
			if d.Tok == token.CONST && group != nil {
				names = append(names, group)
				break
			}
			for _, name := range group {
				names = append(names, []string{name})
			}
		}
	}
	return names
}

// sources parses all Go files of the module, by their names in it.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	all := map[string]*ast.File{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution|parser.ParseComments)
		below, relative := filepath.Rel(root, name)
		all[filepath.ToSlash(below)] = file
		if err == nil {
			err = relative
		}
		return err
	})
	noError(t, err)
	return all
}
