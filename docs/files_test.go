package docs

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rfm/model/learn/method"
)

// The table in files.md lists the content of model files, which struct tags define.
func TestContentsOfModelFilesAreUpToDate(t *testing.T) {
	text := read(t, "files.md")
	const begin, end = "<!-- kinds -->\n", "<!-- end of kinds -->\n"
	before, rest, ok := strings.Cut(text, begin)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("files.md has no %s%s", begin, end)
	}
	compare(t, "files.md", before+begin+kindTable()+end+after)
}

// functions are the numbers of codec.Grid, which the page lists only once.
var functions = []string{"dims", "periodic", "cells", "aspect", "points", "in", "out", "places", "place_weights",
	"place_cells", "input_places", "input_weights", "input_cells"}

// kindTable returns the numbers and the arrays of every kind of part.
func kindTable() string {
	var b strings.Builder
	b.WriteString("| kind | numbers and parts | arrays and their shapes |\n|---|---|---|\n")
	all := method.Kinds()
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		var numbers, arrays []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(all[kind]).Elem()) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch shape := f.Tag.Get("shape"); {
			case name == "" || slices.Contains(functions, name):
			case shape == "":
				numbers = append(numbers, name)
			default:
				arrays = append(arrays, name+"("+strings.ReplaceAll(shape, " ", ",")+")")
			}
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | `%s` |\n", kind, strings.Join(numbers, " "), strings.Join(arrays, " "))
	}
	return strings.ReplaceAll(b.String(), "``", "")
}
