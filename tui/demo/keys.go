// This file is the keys of the tour: dispatch and the footer read one table.

package demo

// action is what can be asked of the tour.
type action int

const (
	none action = iota
	pause
	back
	next
	slower
	faster
	first
	last
	quit
)

// binding says which keys ask for an action, and how the footer shows them; those without a description are shown with
// the one before, or not at all.
type binding struct {
	action     action
	keys       []string // names as Bubble Tea gives them
	show, desc string
}

var bindings = []binding{
	{pause, []string{"space", "enter", "p"}, "space", "pause"},
	{back, []string{"left", "h", "pgup", "shift+tab"}, "left", "back"},
	{next, []string{"right", "l", "pgdown", "tab", "n"}, "right", "next"},
	{slower, []string{"-", "_"}, "-/+", "pace"},
	{faster, []string{"+", "="}, "", ""},
	{first, []string{"home"}, "", ""},
	{last, []string{"end"}, "", ""},
	{quit, []string{"q", "esc", "ctrl+c"}, "q", "quit"},
}

// lookup is the action that a key asks for.
func lookup(key string) action {
	for _, b := range bindings {
		for _, k := range b.keys {
			if k == key {
				return b.action
			}
		}
	}
	return none
}
