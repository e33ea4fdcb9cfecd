// Package keys names the keys of the interface. The commands of the active screen define their effects.
package keys

import (
	"cmp"
	"slices"
	"strings"
)

// Key is a key by its usual purpose.
type Key int

// The keys.
const (
	None Key = iota
	Enter
	All
	Pause
	Cancel
	Up
	Down
	Left
	Right
	PageUp
	PageDown
	First
	Last
	Filter
	Median
	NextTab
	PreviousTab
	View
	Zoom
	Log
	Export
	Copy
	Presets
	Changes
	Load
	Save
	Take
	Reset
	Undo
	Mark
	Note
	Rename
	Delete
	Screen1
	Screen2
	Screen3
	Screen4
	Screen5
	Screen6
	Screen7
	Tour
	Palette
	Help
	Quit
	Suspend
	Kill
	count
)

// table has the names of each key in Bubble Tea; the first is shown unless shorter has another.
var table = [count]string{
	Enter: "enter", All: "a", Up: "up k", Down: "down j", Left: "left h", Right: "right l", PageUp: "pgup ctrl+u",
	PageDown: "pgdown ctrl+d", First: "home g", Last: "end G", Filter: "/", View: "v",
	Median: "m", NextTab: "tab", PreviousTab: "shift+tab", Mark: "x", Note: "n", Rename: "N",
	Delete: "D", Screen1: "1", Screen2: "2", Screen3: "3", Screen4: "4",
	Screen5: "5", Screen6: "6", Screen7: "7 r", Reset: "backspace delete", Undo: "u", Presets: "p", Changes: "d",
	Load: "o", Save: "s", Take: "f", Log: "L", Zoom: "z", Export: "e", Copy: "y", Pause: "space", Cancel: "esc",
	Tour: "0", Palette: ": ctrl+p",
	Help: "? f1", Quit: "q",
	Suspend: "ctrl+z", Kill: "ctrl+c",
}

// shorter has the words for keys with long names.
var shorter = map[Key]string{PageDown: "pgdn", Reset: "bksp"}

// Screen returns the key of the screen at a place, counted from 0; None if there is none.
func Screen(place int) Key {
	if k := Screen1 + Key(place); k <= Screen7 {
		return k
	}
	return None
}

// Names returns the names of the key in Bubble Tea.
func (k Key) Names() []string { return strings.Fields(table[k]) }

// String returns the name of the key for people, in ASCII.
func (k Key) String() string {
	name, _, _ := strings.Cut(table[k], " ")
	return cmp.Or(shorter[k], name)
}

// All returns the names of the key for people: the shown one and its alternatives, except for keys that few keyboards
// have.
func (k Key) All() string {
	names := []string{k.String()}
	for i, n := range k.Names() {
		if i > 0 && n != "delete" && n != "f1" {
			names = append(names, n)
		}
	}
	return strings.Join(names, " ")
}

// Lookup returns the key with a name in Bubble Tea, or None.
func Lookup(name string) Key {
	return Key(max(0, slices.IndexFunc(table[:], func(names string) bool {
		return slices.Contains(strings.Fields(names), name)
	})))
}
