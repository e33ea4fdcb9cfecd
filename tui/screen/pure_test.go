// Drawing changes nothing: what a session knows never depends on what was looked at.

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

	"rfm/tui/theme"
	"rfm/tui/widget"
)

// stateOf writes all that a model holds, field by field: two models that differ anywhere have different texts. Left out are
// drawn pictures, which follow from the rest (see TestPicturesFollowFromTheState), locks, and functions.
func stateOf(m *Model) []string {
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
	case reflect.TypeFor[widget.Cache](), reflect.TypeFor[sync.Mutex](), reflect.TypeFor[theme.Theme]():
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
			if w.seen[v.UnsafePointer()] || strings.HasPrefix(v.Type().Elem().PkgPath(), "rfm/model") || strings.HasPrefix(v.Type().Elem().PkgPath(), "rfm/solver") {
				return // computed beside the interface
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

// clearPictures forgets what was drawn.
func clearPictures(v reflect.Value, seen map[unsafe.Pointer]bool) {
	switch {
	case v.Type() == reflect.TypeFor[widget.Cache]():
		*(*widget.Cache)(v.Addr().UnsafePointer()) = widget.Cache{}
	case v.Kind() == reflect.Interface && !v.IsNil():
		clearPictures(v.Elem(), seen)
	case v.Kind() == reflect.Pointer && !v.IsNil() && !seen[v.UnsafePointer()] && v.Type().Elem().PkgPath() == "rfm/tui/screen":
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

// pureStates are the states of the golden screens, a search that is kept, and searches and studies as they run.
func pureStates(t *testing.T) map[string]*person { return states(t, theme.Options{}) }

// sizes are the first of some sizes for short tests, and all of them else.
func sizes(list ...[2]int) [][2]int {
	if testing.Short() {
		return list[:1]
	}
	return list
}

// Whatever is drawn, at whatever size, how often: the state is afterwards what it was before.
func TestDrawingChangesNothing(t *testing.T) {
	for name, p := range pureStates(t) {
		p.m.follow()
		before := stateOf(p.m)
		if len(before) < 200 {
			t.Fatalf("%s: only %d values are compared", name, len(before))
		}
		for _, size := range sizes([2]int{80, 24}, [2]int{60, 15}, [2]int{120, 40}, [2]int{200, 60}, [2]int{72, 50}, [2]int{40, 10}) {
			m := p.m // drawn at another size than it knows of: no message has told it
			width, height := m.width, m.height
			m.width, m.height = size[0], size[1]
			for range 2 {
				m.View()
				m.actions()
				m.exhibit()
				m.helpKeys()
				m.Epilogue()
			}
			m.width, m.height = width, height
			if after := stateOf(p.m); !slices.Equal(after, before) {
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

// The test above sees a change.
func TestStatesAreCompared(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 1})
	p.press("a")
	for name, change := range map[string]func(){
		"a line":       func() { p.m.configure.line++ },
		"a time":       func() { p.m.views[generating].(*generate).changed = time.Now() },
		"a model":      func() { p.m.evaluate.gain.models = nil },
		"a rank":       func() { p.m.evaluate.selection.rank++ },
		"a page":       func() { p.m.studies.pane.page++ },
		"what is seen": func() { p.m.session.seen[training].Done++ },
	} {
		before := stateOf(p.m)
		if change(); slices.Equal(stateOf(p.m), before) {
			t.Errorf("a change of %s is not seen", name)
		}
	}
}

// What was drawn before is used again only for the same state: drawn anew it is the same.
func TestPicturesFollowFromTheState(t *testing.T) {
	list := pureStates(t)
	for _, name := range slices.Sorted(maps.Keys(list)) {
		p := list[name]
		for _, size := range sizes([2]int{120, 40}, [2]int{80, 24}) {
			p.resize(size[0], size[1])
			p.m.content()
			kept := p.screen()
			clearPictures(reflect.ValueOf(p.m), map[unsafe.Pointer]bool{})
			if anew := p.screen(); changing.ReplaceAllString(anew, "#") != changing.ReplaceAllString(kept, "#") {
				t.Errorf("%s at %dx%d, drawn anew:\n%s\nbefore:\n%s", name, size[0], size[1], anew, kept)
			}
		}
	}
}

// A model can be compared with whether its evaluation was looked at or not.
func TestModelsAreComparedWithoutBeingLookedAt(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("a", "5", "1")
	p.m.session.config.Features.Count = 24
	p.begin("a")
	p.press("5") // nobody looks
	p.settle(nil)
	if got := len(p.m.evaluate.gain.others); got != 1 {
		t.Errorf("%d models to compare with, want the earlier one", got)
	}
}
