// Package keys names the keys of the interface. What a key does says the screen on show, by its commands.
package keys

import "strings"

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
	NextScreen
	PreviousScreen
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
	Style
	Read
	ReadLeft
	ReadRight
	ReadUp
	ReadDown
	ZoomIn
	ZoomOut
	Pause
	Cancel
	Palette
	Help
	Quit
	Kill
	count
)

// table has the names of each key as Bubble Tea gives them; the first is shown unless there is another word for it.
var table = [count]struct {
	names []string
	show  string
}{
	Enter: {[]string{"enter"}, ""}, All: {[]string{"a"}, ""},
	Up: {[]string{"up", "k"}, ""}, Down: {[]string{"down", "j"}, ""}, Left: {[]string{"left", "h"}, ""},
	Right:  {[]string{"right", "l"}, ""},
	PageUp: {[]string{"pgup", "ctrl+u"}, ""}, PageDown: {[]string{"pgdown", "ctrl+d"}, "pgdn"},
	First: {[]string{"home", "g"}, ""}, Last: {[]string{"end", "G"}, ""}, Filter: {[]string{"/"}, ""},
	Channel: {[]string{"C"}, ""},
	View:    {[]string{"v"}, ""}, Best: {[]string{"b"}, ""}, Median: {[]string{"m"}, ""}, Worst: {[]string{"w"}, ""},
	NextTab: {[]string{"tab", "t"}, ""}, PreviousTab: {[]string{"shift+tab", "T"}, ""}, Mark: {[]string{"x"}, ""},
	Note: {[]string{"n"}, ""}, Rename: {[]string{"N"}, ""}, Delete: {[]string{"D"}, ""},
	NextScreen: {[]string{"]"}, ""}, PreviousScreen: {[]string{"["}, ""},
	Screen1: {[]string{"1"}, ""}, Screen2: {[]string{"2"}, ""}, Screen3: {[]string{"3"}, ""}, Screen4: {[]string{"4"}, ""},
	Screen5: {[]string{"5"}, ""}, Screen6: {[]string{"6"}, ""},
	Reset: {[]string{"backspace", "delete"}, "bksp"}, Undo: {[]string{"u"}, ""},
	Presets: {[]string{"p"}, ""}, Changes: {[]string{"d"}, ""}, Load: {[]string{"o"}, ""}, Save: {[]string{"s"}, ""},
	Take: {[]string{"f"}, ""},
	Runs: {[]string{"r"}, ""}, Continue: {[]string{"c"}, ""}, Fold: {[]string{"z"}, ""}, Style: {[]string{"S"}, ""},
	Read: {[]string{"i"}, ""}, ReadLeft: {[]string{",", "shift+left"}, ""}, ReadRight: {[]string{".", "shift+right"}, ""},
	ReadUp: {[]string{"shift+up"}, ""}, ReadDown: {[]string{"shift+down"}, ""},
	ZoomIn: {[]string{"+", "="}, ""}, ZoomOut: {[]string{"-"}, ""},
	Export: {[]string{"e"}, ""},
	Copy:   {[]string{"y"}, ""},
	Pause:  {[]string{"space"}, ""}, Cancel: {[]string{"esc"}, ""},
	Palette: {[]string{":", "ctrl+p"}, ""}, Help: {[]string{"?", "f1"}, ""},
	Quit: {[]string{"q"}, ""}, Kill: {[]string{"ctrl+c"}, ""},
}

// Screen is the key of the screen at a place, counted from 0; None if there is none.
func Screen(place int) Key {
	if k := Screen1 + Key(place); k <= Screen6 {
		return k
	}
	return None
}

// Names are the names of the key as Bubble Tea gives them.
func (k Key) Names() []string { return table[k].names }

// String is how the key is written for people, in ASCII.
func (k Key) String() string {
	if table[k].show != "" || len(table[k].names) == 0 {
		return table[k].show
	}
	return table[k].names[0]
}

// All is the names of the key for people: the one that is shown, and what else may be pressed, but for keys that few
// keyboards have.
func (k Key) All() string {
	names := []string{k.String()}
	for _, n := range table[k].names[1:] {
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
	for _, k := range Every() {
		for _, n := range k.Names() {
			if n == name {
				return k
			}
		}
	}
	return None
}
