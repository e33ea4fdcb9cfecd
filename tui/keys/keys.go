// Package keys names the keys of the interface. The commands of the active screen define their effects.
package keys

import (
	"slices"
	"strings"
)

// Key is a key, by its name in Bubble Tea.
type Key string

// The keys with a usual purpose.
const (
	None     Key = ""
	Enter    Key = "enter"
	Run      Key = "ctrl+r" // not a letter: one that is meant for a value must not start anything
	Pause    Key = "space"
	Cancel   Key = "esc"
	Up       Key = "up"
	Down     Key = "down"
	Left     Key = "left"
	Right    Key = "right"
	PageUp   Key = "pgup"
	PageDown Key = "pgdown"
	First    Key = "home"
	Last     Key = "end"
	Median   Key = "m"
	NextTab  Key = "tab"

	PreviousTab Key = "shift+tab"

	Filter  Key = "/"
	View    Key = "v"
	Zoom    Key = "z"
	Log     Key = "L"
	Export  Key = "e"
	Copy    Key = "y"
	Presets Key = "p"
	Load    Key = "o"
	Save    Key = "s"
	Take    Key = "f"
	Draw    Key = "d"
	Reset   Key = "backspace"
	Undo    Key = "u"
	Mark    Key = "x"
	Note    Key = "n"
	Delete  Key = "D"
	Stay    Key = "b"
	All     Key = "A"
	Tour    Key = "0"
	Palette Key = ":"
	Help    Key = "?"
	Quit    Key = "q"
	Suspend Key = "ctrl+z"
	Kill    Key = "ctrl+c"

	// Digit stands for all characters with which a number begins, where one can be typed at once; see Begins.
	Digit Key = "0-9"
)

// A Group is keys with a common purpose, as the help and the documentation list them.
type Group struct {
	Title string
	Keys  []Key
}

// Groups returns the groups in the order in which a person needs them. Keys of single modes are in none.
func Groups() []Group {
	return []Group{
		{"Go on", []Key{Enter, Run, All, Stay, Pause, Cancel}},
		{"Move", []Key{Up, Down, Left, Right, PageUp, PageDown, First, Last, Filter, Median, NextTab, PreviousTab}},
		{"Look", []Key{View, Zoom, Log, Draw, Export, Copy}},
		{"Change", []Key{Presets, Load, Save, Take, Reset, Undo, Digit, Mark, Note, Delete}},
		{"Program", []Key{"1", "2", "3", "4", "5", "6", Tour, Palette, Help, Quit, Suspend, Kill}},
	}
}

// GroupOf returns the title of the group of a key; that of keys that change something for keys of single modes.
func GroupOf(key Key) string {
	for _, g := range Groups() {
		if slices.Contains(g.Keys, key) {
			return g.Title
		}
	}
	return "Change"
}

// Begins reports whether a number may begin with a text.
func Begins(text string) bool {
	return len(text) == 1 && strings.Contains("0123456789-+.", text)
}

// also has the other names of keys; those that few keyboards have come after a blank.
var also = map[Key]string{
	Up:       "k",
	Down:     "j",
	Left:     "h",
	Right:    "l",
	PageUp:   "ctrl+u",
	PageDown: "ctrl+d",
	First:    "g",
	Last:     "G",
	Palette:  "ctrl+p",
	"6":      "r",
	Reset:    " delete",
	Help:     " f1",
}

// String returns the name of the key for people, in ASCII.
func (k Key) String() string {
	switch k {
	case PageDown:
		return "pgdn"
	case Reset:
		return "bksp"
	}
	return string(k)
}

// Also returns the other names of the key.
func (k Key) Also() []string { return strings.Fields(also[k]) }

// All returns the names of the key for people, except those that few keyboards have.
func (k Key) All() string {
	common, _, _ := strings.Cut(also[k], " ")
	return strings.TrimSpace(k.String() + " " + common)
}

// Lookup returns the key with a name in Bubble Tea.
func Lookup(name string) Key {
	for key := range also {
		if slices.Contains(key.Also(), name) {
			return key
		}
	}
	return Key(name)
}
