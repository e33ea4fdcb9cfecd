// Package keys is the one table of keys: dispatch, the footer and the help page all read it.
package keys

// Action is something a person can ask a screen to do.
type Action int

// The actions. Which of them are valid depends on the screen and its state.
const (
	None Action = iota
	Accept
	Auto
	Up
	Down
	Left
	Right
	PageUp
	PageDown
	First
	Last
	View
	Best
	Median
	Worst
	NextTab
	PreviousTab
	Study
	NextStep
	PreviousStep
	Step1
	Step2
	Step3
	Step4
	Step5
	Step6
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
	Pause
	Cancel
	Help
	Quit
	Kill
)

// Binding says which keys ask for an action.
type Binding struct {
	Action Action
	Keys   []string // names as Bubble Tea gives them
	Show   string   // how the keys are written for people, in ASCII
	Desc   string   // two words for the footer
	Help   string   // a sentence for the help page
}

// Table holds all bindings in the order of the help page.
var table = []Binding{
	{Accept, []string{"enter"}, "enter", "go on", "start the next step, or edit a value"},
	{Auto, []string{"a"}, "a", "run all", "run all remaining steps without waiting"},
	{Up, []string{"up", "k"}, "up", "up", "previous line, or the cut moves up"},
	{Down, []string{"down", "j"}, "down", "down", "next line, or the cut moves down"},
	{Left, []string{"left", "h"}, "left", "less", "a smaller value, or the previous sample"},
	{Right, []string{"right", "l"}, "right", "more", "a larger value, or the next sample"},
	{PageUp, []string{"pgup"}, "pgup", "page up", "ten lines or samples back"},
	{PageDown, []string{"pgdown"}, "pgdn", "page down", "ten lines or samples on"},
	{First, []string{"home"}, "home", "first", "first line, or the best sample"},
	{Last, []string{"end"}, "end", "last", "last line, or the worst sample"},
	{View, []string{"v"}, "v", "view", "next view: another plot, another field, a cut"},
	{Best, []string{"b"}, "b", "best", "sample with the smallest error"},
	{Median, []string{"m"}, "m", "median", "sample with the median error"},
	{Worst, []string{"w"}, "w", "worst", "sample with the largest error"},
	{NextTab, []string{"t", "]"}, "t", "tab", "next tab of the evaluation"},
	{PreviousTab, []string{"T", "["}, "T", "tab", "previous tab of the evaluation"},
	{Study, []string{"x"}, "x", "study", "the paper's study of the tab, or this model"},
	{NextStep, []string{"tab"}, "tab", "next step", "show the next step"},
	{PreviousStep, []string{"shift+tab"}, "shift+tab", "step back", "show the previous step"},
	{Step1, []string{"1"}, "1", "configure", "show the configuration"},
	{Step2, []string{"2"}, "2", "generate", "show the data"},
	{Step3, []string{"3"}, "3", "train", "show the training"},
	{Step4, []string{"4"}, "4", "evaluate", "show the evaluation"},
	{Step5, []string{"5"}, "5", "paper", "show the paper's figures and tables"},
	{Step6, []string{"6"}, "6", "tune", "adapt the features to the training data"},
	{Reset, []string{"backspace", "delete"}, "bksp", "reset", "back to the preset's value"},
	{Undo, []string{"u"}, "u", "undo", "take back the last change of a parameter"},
	{Presets, []string{"p"}, "p", "presets", "choose a preset"},
	{Changes, []string{"d"}, "d", "changes", "what differs from the preset or file"},
	{Load, []string{"o"}, "o", "load", "load a configuration file"},
	{Save, []string{"s"}, "s", "save", "save the configuration as a file"},
	{Take, []string{"f"}, "f", "take", "take the selected features over"},
	{Runs, []string{"r"}, "r", "runs", "stored runs, to look at or to continue"},
	{Continue, []string{"c"}, "c", "continue", "continue the newest unfinished run"},
	{Fold, []string{"z"}, "z", "fold", "fold all groups of parameters, or open them"},
	{Export, []string{"e"}, "e", "export", "write the screen, its data, its plot to files"},
	{Copy, []string{"y"}, "y", "copy", "copy the table or the numbers (OSC 52)"},
	{Pause, []string{"space"}, "space", "pause", "pause the running step, or go on with it"},
	{Cancel, []string{"esc"}, "esc", "cancel", "stop the running step, or stop editing"},
	{Help, []string{"?", "f1"}, "?", "help", "this page"},
	{Quit, []string{"q"}, "q", "quit", "leave; asks first while a step runs"},
	{Kill, []string{"ctrl+c"}, "ctrl+c", "leave", "leave at once; a running step is cancelled"},
}

// Table lists all bindings.
func Table() []Binding { return append([]Binding(nil), table...) }

// Of is the binding of an action.
func Of(action Action) Binding {
	for _, b := range table {
		if b.Action == action {
			return b
		}
	}
	panic("keys: an action without a binding")
}

// Lookup is the action that the key asks for, or None.
func Lookup(key string) Action {
	for _, b := range table {
		for _, k := range b.Keys {
			if k == key {
				return b.Action
			}
		}
	}
	return None
}
