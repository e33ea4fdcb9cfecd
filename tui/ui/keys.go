package ui

import (
	"slices"
	"strings"
)

// Key is a key, by its name in Bubble Tea. The commands of the active screen define its effect.
type Key string

// The keys with a usual purpose.
const (
	KeyNone     Key = ""
	KeyEnter    Key = "enter"
	KeyRun      Key = "ctrl+r" // not a letter: one that is meant for a value must not start anything
	KeyPause    Key = "space"
	KeyCancel   Key = "esc"
	KeyUp       Key = "up"
	KeyDown     Key = "down"
	KeyLeft     Key = "left"
	KeyRight    Key = "right"
	KeyPageUp   Key = "pgup"
	KeyPageDown Key = "pgdown"
	KeyFirst    Key = "home"
	KeyLast     Key = "end"
	KeyMedian   Key = "m"
	KeyNextTab  Key = "tab"

	KeyPreviousTab Key = "shift+tab"

	KeyFilter  Key = "/"
	KeyView    Key = "v"
	KeyZoom    Key = "z"
	KeyLog     Key = "L"
	KeyExport  Key = "e"
	KeyCopy    Key = "y"
	KeyPresets Key = "p"
	KeyLoad    Key = "o"
	KeySave    Key = "s"
	KeyTake    Key = "f"
	KeyDraw    Key = "d"
	KeyReset   Key = "backspace"
	KeyUndo    Key = "u"
	KeyMark    Key = "x"
	KeyNote    Key = "n"
	KeyDelete  Key = "D"
	KeyStay    Key = "b"
	KeyAll     Key = "A"
	KeyTour    Key = "0"
	KeyPalette Key = ":"
	KeyHelp    Key = "?"
	KeyQuit    Key = "q"
	KeySuspend Key = "ctrl+z"
	KeyKill    Key = "ctrl+c"

	// KeyDigit stands for all characters with which a number begins, where one can be typed at once; see BeginsNumber.
	KeyDigit Key = "0-9"
)

// A KeyGroup is keys with a common purpose, as the help and the documentation list them.
type KeyGroup struct {
	Title string
	Keys  []Key
}

// KeyGroups returns the groups in the order in which a person needs them. Keys of single modes are in none.
func KeyGroups() []KeyGroup {
	return []KeyGroup{
		{"Go on", []Key{KeyEnter, KeyRun, KeyAll, KeyStay, KeyPause, KeyCancel}},
		{"Move", []Key{KeyUp, KeyDown, KeyLeft, KeyRight, KeyPageUp, KeyPageDown, KeyFirst, KeyLast, KeyFilter, KeyMedian,
			KeyNextTab, KeyPreviousTab}},
		{"Look", []Key{KeyView, KeyZoom, KeyLog, KeyDraw, KeyExport, KeyCopy}},
		{"Change", []Key{KeyPresets, KeyLoad, KeySave, KeyTake, KeyReset, KeyUndo, KeyDigit, KeyMark, KeyNote, KeyDelete}},
		{"Program", []Key{"1", "2", "3", "4", "5", "6", KeyTour, KeyPalette, KeyHelp, KeyQuit, KeySuspend, KeyKill}},
	}
}

// KeyGroupOf returns the title of the group of a key; that of keys that change something for keys of single modes.
func KeyGroupOf(key Key) string {
	for _, g := range KeyGroups() {
		if slices.Contains(g.Keys, key) {
			return g.Title
		}
	}
	return "Change"
}

// BeginsNumber reports whether a number may begin with a text.
func BeginsNumber(text string) bool {
	return len(text) == 1 && strings.Contains("0123456789-+.", text)
}

// also has the other names of keys; those that few keyboards have come after a blank.
var also = map[Key]string{
	KeyUp:       "k",
	KeyDown:     "j",
	KeyLeft:     "h",
	KeyRight:    "l",
	KeyPageUp:   "ctrl+u",
	KeyPageDown: "ctrl+d",
	KeyFirst:    "g",
	KeyLast:     "G",
	KeyPalette:  "ctrl+p",
	"6":         "r",
	KeyReset:    " delete",
	KeyHelp:     " f1",
}

// String returns the name of the key for people, in ASCII.
func (k Key) String() string {
	switch k {
	case KeyPageDown:
		return "pgdn"
	case KeyReset:
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

// LookupKey returns the key with a name in Bubble Tea.
func LookupKey(name string) Key {
	for key := range also {
		if slices.Contains(key.Also(), name) {
			return key
		}
	}
	return Key(name)
}
