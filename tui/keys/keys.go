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
	Median
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
	Screen7
	Reset
	Undo
	Presets
	Changes
	Load
	Save
	Take
	Export
	Copy
	Log
	Zoom
	Pause
	Cancel
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
	for _, n := range k.Names()[1:] {
		if n != "delete" && n != "f1" {
			names = append(names, n)
		}
	}
	return strings.Join(names, " ")
}

// A Group is a list of keys for one purpose. Keys of one line are explained together.
type Group struct {
	Title string
	Lines [][]Key
}

// Groups returns all keys, in the order of the help page.
func Groups() []Group {
	return []Group{
		{"Move", [][]Key{{Up, Down}, {Left, Right}, {PageUp, PageDown}, {First, Last}, {Median}, {NextTab, PreviousTab},
			{Filter}}},
		{"Look", [][]Key{{View}, {Zoom}, {Log}, {Export}, {Copy}}},
		{"Run", [][]Key{{Enter}, {All}, {Pause}, {Cancel}, {Presets}, {Changes}, {Load}, {Save}, {Take}, {Reset}, {Undo}}},
		{"Stored runs", [][]Key{{Mark}, {Note}, {Rename}, {Delete}}},
		{"Program", [][]Key{{Screen1, Screen2, Screen3, Screen4, Screen5, Screen6, Screen7}, {Tour}, {Palette}, {Help}, {Quit},
			{Suspend}, {Kill}}},
	}
}

// Label returns the names of the keys of a line; the shown names of all keys come first: "up/down k/j".
func Label(line []Key) string {
	if first, last := line[0], line[len(line)-1]; len(line) > 2 {
		return first.String() + "-" + last.String()
	}
	var names []string
	for at := 0; ; at++ {
		var list []string
		for _, k := range line {
			if all := strings.Fields(k.All()); at < len(all) {
				list = append(list, all[at])
			}
		}
		if len(list) == 0 {
			return strings.Join(names, " ")
		}
		names = append(names, strings.Join(list, "/"))
	}
}

// Lookup returns the key with a name in Bubble Tea, or None.
func Lookup(name string) Key {
	return Key(max(0, slices.IndexFunc(table[:], func(names string) bool {
		return slices.Contains(strings.Fields(names), name)
	})))
}
