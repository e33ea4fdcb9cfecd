// Package keys names the keys of the interface. What a key does says the screen on show, by its commands.
package keys

import (
	"cmp"
	"slices"
	"strings"
)

// Key is a key by what it is usually for.
type Key int

// The keys, in the order of the help page.
const (
	None Key = iota
	Enter
	All
	Up
	Down
	Left
	Right
	PageUp
	PageDown
	First
	Last
	Filter
	View
	Channel
	Best
	Median
	Worst
	NextTab
	PreviousTab
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
	Reset
	Undo
	Presets
	Changes
	Load
	Save
	Take
	Runs
	Continue
	Fold
	Export
	Copy
	Log
	Read
	Pause
	Cancel
	Palette
	Help
	Quit
	Suspend
	Kill
	count
)

// table has the names of each key as Bubble Tea gives them; the first is shown unless there is another word for it.
var table = [count]string{
	Enter: "enter", All: "a", Up: "up k", Down: "down j", Left: "left h", Right: "right l", PageUp: "pgup ctrl+u",
	PageDown: "pgdown ctrl+d", First: "home g", Last: "end G", Filter: "/", Channel: "C", View: "v", Best: "b",
	Median: "m", Worst: "w", NextTab: "tab t", PreviousTab: "shift+tab T", Mark: "x", Note: "n", Rename: "N",
	Delete: "D", Screen1: "1", Screen2: "2", Screen3: "3", Screen4: "4",
	Screen5: "5", Screen6: "6", Reset: "backspace delete", Undo: "u", Presets: "p", Changes: "d", Load: "o",
	Save: "s", Take: "f", Runs: "r", Continue: "c", Fold: "z", Log: "L", Read: "i", Export: "e", Copy: "y", Pause: "space", Cancel: "esc", Palette: ": ctrl+p", Help: "? f1", Quit: "q",
	Suspend: "ctrl+z", Kill: "ctrl+c",
}

// shorter are the words for keys with long names.
var shorter = map[Key]string{PageDown: "pgdn", Reset: "bksp"}

// Screen is the key of the screen at a place, counted from 0; None if there is none.
func Screen(place int) Key {
	if k := Screen1 + Key(place); k <= Screen6 {
		return k
	}
	return None
}

// Names are the names of the key as Bubble Tea gives them.
func (k Key) Names() []string { return strings.Fields(table[k]) }

// String is how the key is written for people, in ASCII.
func (k Key) String() string {
	name, _, _ := strings.Cut(table[k], " ")
	return cmp.Or(shorter[k], name)
}

// All is the names of the key for people: the one that is shown, and what else may be pressed, but for keys that few
// keyboards have.
func (k Key) All() string {
	names := []string{k.String()}
	for _, n := range k.Names()[1:] {
		if n != "delete" && n != "f1" {
			names = append(names, n)
		}
	}
	return strings.Join(names, " ")
}

// Every lists the keys in the order of the help page.
func Every() []Key {
	var list []Key
	for k := None + 1; k < count; k++ {
		list = append(list, k)
	}
	return list
}

// Lookup is the key of a name that Bubble Tea gives, or None.
func Lookup(name string) Key {
	return Key(max(0, slices.IndexFunc(table[:], func(names string) bool {
		return slices.Contains(strings.Fields(names), name)
	})))
}
