// Drawing changes nothing: the state of a session never depends on the screens drawn.

package screen

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"rfm/tui/page"
	"rfm/tui/shell"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
)

// stateOf lists the state of a model field by field: two models that differ anywhere have different lists. It omits
// pictures, which follow from the rest (see TestPicturesFollowFromTheState), locks, and functions.
func stateOf(m *shell.Model) []string {
	w := &stateWriter{seen: map[unsafe.Pointer]bool{}}
	w.write("model", reflect.ValueOf(m))
	return w.lines
}

type stateWriter struct {
	lines []string
	seen  map[unsafe.Pointer]bool
}

func (w *stateWriter) add(path string, value any) {
	w.lines = append(w.lines, fmt.Sprintf("%s = %v", path, value))
}

func (w *stateWriter) write(path string, v reflect.Value) {
	switch v.Type() {
	case reflect.TypeFor[page.Cache](), reflect.TypeFor[sync.Mutex](), reflect.TypeFor[theme.Theme]():
		return
	case reflect.TypeFor[time.Time]():
		w.add(path, fmt.Sprintf("%+v", v)) // with its monotonic part
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		if v.IsNil() {
			w.add(path, "nil")
			return
		}
		w.add(path, v.UnsafePointer())
		if v.Kind() == reflect.Pointer {
			if w.seen[v.UnsafePointer()] || strings.HasPrefix(v.Type().Elem().PkgPath(), "rfm/model") ||
				strings.HasPrefix(v.Type().Elem().PkgPath(), "rfm/solver") {
				return // computed in the background
			}
			w.seen[v.UnsafePointer()] = true
			w.write(path, v.Elem())
			return
		}
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			w.add(path, "nil")
		} else {
			w.write(path, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			w.write(path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		w.add(path, v.Len())
		for i := range v.Len() {
			w.write(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Map:
		entries := v.MapRange()
		var list []string
		for entries.Next() {
			inner := &stateWriter{seen: w.seen}
			inner.write(fmt.Sprintf("%s[%v]", path, entries.Key()), entries.Value())
			list = append(list, inner.lines...)
		}
		slices.Sort(list)
		w.lines = append(w.lines, list...)
	case reflect.Float32, reflect.Float64:
		w.add(path, math.Float64bits(v.Float()))
	case reflect.Func:
	default:
		w.add(path, v)
	}
}

// clearPictures empties all caches of pictures.
func clearPictures(v reflect.Value, seen map[unsafe.Pointer]bool) {
	switch {
	case v.Type() == reflect.TypeFor[page.Cache]():
		*(*page.Cache)(v.Addr().UnsafePointer()) = page.Cache{}
	case v.Kind() == reflect.Interface && !v.IsNil():
		clearPictures(v.Elem(), seen)
	case v.Kind() == reflect.Pointer && !v.IsNil() && !seen[v.UnsafePointer()] &&
		strings.HasPrefix(v.Type().Elem().PkgPath(), "rfm/tui/"):
		seen[v.UnsafePointer()] = true
		clearPictures(v.Elem(), seen)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			clearPictures(v.Field(i), seen)
		}
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		for i := range v.Len() {
			clearPictures(v.Index(i), seen)
		}
	}
}

// sizes returns the first of some sizes in short tests, and else all of them.
func sizes(list ...[2]int) [][2]int {
	if testing.Short() {
		return list[:1]
	}
	return list
}

// Drawing at any size and any number of times leaves the state as it was.
func TestDrawingChangesNothing(t *testing.T) {
	for name, p := range plainStates(t) {
		for _, size := range sizes([2]int{60, 15}, [2]int{200, 60}) {
			p.Resize(size[0], size[1])
			c := ui.Canvas{Theme: theme.New(theme.Options{}), Width: size[0], Height: size[1]}
			for _, s := range p.M.Screens { // also those that are not shown
				if p.S.Runner.Has(s.Name()) {
					s.Arrange(c)
				}
			}
			p.Send(nil)
			before := stateOf(p.M)
			if len(before) < 200 {
				t.Fatalf("%s: only %d values are compared", name, len(before))
			}
			for _, s := range p.M.Screens {
				ui.Offers(s.Commands())
				if p.S.Runner.Has(s.Name()) {
					s.View()
					s.Page()
				}
			}
			p.M.View()
			ui.Offers(p.M.Commands())
			p.S.Epilogue()
			if after := stateOf(p.M); !slices.Equal(after, before) {
				for i := range min(len(after), len(before)) {
					if after[i] != before[i] {
						t.Fatalf("%s at %dx%d: drawing changes %s to %s", name, size[0], size[1], before[i], after[i])
					}
				}
				t.Fatalf("%s at %dx%d: drawing changes the state", name, size[0], size[1])
			}
		}
	}
}

// The test above detects a change by any screen.
func TestStatesAreCompared(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 1})
	p.Press("ctrl+r")
	for _, keys := range [][]string{{"1", "down"}, {"2", "tab"}, {"3", "end"}, {"4", "right"}, {"5", "left"}} {
		p.Press(keys[0])
		before := stateOf(p.M)
		if p.Press(keys[1]); slices.Equal(stateOf(p.M), before) {
			t.Errorf("what %s does on screen %s is not seen", keys[1], keys[0])
		}
	}
}

// A cached picture equals the picture drawn from the same state.
func TestPicturesFollowFromTheState(t *testing.T) {
	list := plainStates(t)
	for _, name := range slices.Sorted(maps.Keys(list)) {
		p := list[name]
		for _, size := range sizes([2]int{120, 40}, [2]int{80, 24}) {
			p.Resize(size[0], size[1])
			kept := p.Screen()
			clearPictures(reflect.ValueOf(p.M), map[unsafe.Pointer]bool{})
			if anew := p.Screen(); changing.ReplaceAllString(anew, "#") != changing.ReplaceAllString(kept, "#") {
				t.Errorf("%s at %dx%d, drawn anew:\n%s\nbefore:\n%s", name, size[0], size[1], anew, kept)
			}
		}
	}
}
