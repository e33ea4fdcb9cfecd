// Package draw is the mode in which a person draws an input by keys or with the mouse, and sees prediction, solution and
// how unlike the training inputs it is, at each change.
package draw

import (
	"context"
	"fmt"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/engine"
	"rfm/model/show/interchange"
	"rfm/solver/base/printable"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// Screen is the mode, a dialog over the whole screen that it was opened from.
type Screen struct {
	session *session.Session
	dialogs *ui.Dialogs
	sketch  *sketch
	help    bool // the keys are listed in place of the pictures
	mouse   bool // the terminal reports the mouse
	turned  int  // of the maps beside that of the input, those that are not shown
	pen     pen  // where the mouse has drawn last
	file    string

	shown    *frame // nil before the first
	making   *frame // waits for its answers; nil if none does
	changed  bool   // the sketch, since the last frame was begun
	stop     context.CancelFunc
	shownAt  time.Time
	pausing  bool // a tick ends the pause after the frame
	remote   bool // the line may be slow
	asks     bool // the terminal is asked whether it has drawn a frame
	awaiting bool // that answer
	answered bool // it has answered once
	asked    int  // number of questions

	inputScale  scale
	outputScale scale
	commands    []ui.Command

	picture page.Cache
}

// Open prepares a trial in the background, and opens the mode for it. slow says that the line may be slow.
func Open(s *session.Session, dialogs *ui.Dialogs, slow bool, prepare func(context.Context) (*engine.Trial, error)) tea.Cmd {
	return func() tea.Msg {
		t, err := prepare(context.Background())
		if err != nil {
			return ui.Prepared{Err: err}
		}
		return ui.Prepared{Dialog: newScreen(s, dialogs, slow, t)}
	}
}

// Begin makes the first frame once the mode is open.
func (s *Screen) Begin() tea.Cmd {
	return s.edited(time.Now())
}

// Command returns the command of a screen that opens the mode.
func Command(do func() tea.Cmd) ui.Command {
	return ui.Command{
		Key:  ui.KeyDraw,
		Word: "draw",
		Help: "draw an input, and see prediction and solution follow",
		Do:   do,
	}
}

func newScreen(s *session.Session, dialogs *ui.Dialogs, remote bool, t *engine.Trial) *Screen {
	d := &Screen{
		session: s,
		dialogs: dialogs,
		sketch:  newSketch(t),
		remote:  remote,
		asks:    remote,
		stop:    func() {},
		file:    "drawn.npz",
	}
	d.commands = d.newCommands()
	return d
}

// close leaves the mode.
func (s *Screen) close() {
	s.stop()
	s.dialogs.Close(s)
}

// back shows the pictures again if the keys are shown in their place, and leaves the mode otherwise.
func (s *Screen) back() {
	if s.help {
		s.help = false
		return
	}
	s.close()
}

// Commands implements ui.Dialog, as do Update and View.
func (s *Screen) Commands() []ui.Command { return s.commands }

func (s *Screen) newCommands() []ui.Command {
	k := s.sketch
	addPicture := s.addCurve
	if k.isField() {
		addPicture = s.addBrush
	}
	isPicture := func() bool { return !k.isNumber() }
	list := only(k.isNumber, s.edits(s.addNumbers))
	list = append(list, only(isPicture, s.edits(addPicture))...)
	list = append(list, s.edits(s.addOthers)...)
	list = append(list, ui.Command{
		Key:  mouse,
		Word: "mouse",
		Help: "drag with the mouse, or leave the mouse to the terminal",
		If:   isPicture,
		Do:   s.edit(func() { s.mouse = !s.mouse }),
	})
	return append(list, s.filesAndEnd()...)
}

// only returns commands that are there while a condition holds.
func only(holds func() bool, list []ui.Command) []ui.Command {
	for i := range list {
		list[i].If = holds
	}
	return list
}

// edit returns the action of a command that changes the sketch.
func (s *Screen) edit(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		do()
		return s.edited(time.Now())
	}
}

// edits returns the commands that a function adds, each of which changes the sketch.
func (s *Screen) edits(addAll func(adding)) []ui.Command {
	var list []ui.Command
	addAll(func(key ui.Key, word, help string, do func()) {
		list = append(list, ui.Command{
			Key:  key,
			Word: word,
			Help: help,
			Do:   s.edit(do),
		})
	})
	return list
}

// addOthers adds the commands of all kinds of inputs.
func (s *Screen) addOthers(add adding) {
	k := s.sketch
	next := func() { k.next(1) }
	turn := func() { s.turned++ }
	undo := func() { k.undo() }
	explain := func() { s.help = !s.help }
	if len(k.trial.Law.Numbers) > 1 {
		add(ui.KeyNextTab, "channel", "the next channel or number of the input", next)
	}
	if k.isField() {
		add(ui.KeyView, "view", "the next map beside that of the input", turn)
	}
	add(draws, "new", "a new input of the training law", k.draw)
	add(ui.KeyUndo, "undo", "take back the last edit", undo)
	add(ui.KeyHelp, "keys", "show the keys, or the pictures again", explain)
}

// filesAndEnd returns the commands that write and read files, and those that leave the mode.
func (s *Screen) filesAndEnd() []ui.Command {
	return []ui.Command{
		{
			Key:  ui.KeySave,
			Word: "save",
			Help: "store the input and the answers in a file",
			Do:   s.save,
		},
		{
			Key:  ui.KeyLoad,
			Word: "open",
			Help: "begin from the first input of a file",
			Do:   s.load,
		},
		{
			Key:  ui.KeyCancel,
			Word: "back",
			Help: "show the pictures again, or leave",
			Do:   ui.Now(s.back),
		},
		{
			Key: ui.KeyQuit,
			Do:  ui.Now(s.close),
		},
	}
}

// The keys that only this mode has.
const (
	draws     ui.Key = "n"
	waves     ui.Key = "w"
	steps     ui.Key = "t"
	centers   ui.Key = "c"
	smooths   ui.Key = "b"
	mouse     ui.Key = "m"
	picks     ui.Key = "p"
	larger    ui.Key = "+"
	smaller   ui.Key = "-"
	wider     ui.Key = ">"
	narrower  ui.Key = "<"
	turnLeft  ui.Key = "shift+left"
	turnRight ui.Key = "shift+right"
)

// adding adds a command that changes the sketch.
type adding func(key ui.Key, word, help string, do func())

// addCurve adds the commands of functions of one variable.
func (s *Screen) addCurve(add adding) {
	k := s.sketch
	left := func() { k.move(-k.stride(), 0) }
	right := func() { k.move(k.stride(), 0) }
	pull := func() { k.bend(1) }
	push := func() { k.bend(-1) }
	add(ui.KeyLeft, "cursor", "move the cursor", left)
	add(ui.KeyRight, "cursor", "move the cursor", right)
	add(ui.KeyUp, "bend", "pull the curve up at the cursor", pull)
	add(ui.KeyDown, "bend", "push the curve down at the cursor", push)
	s.addWidth(add, "bump")
	s.addSize(add)
	s.addShapes(add)
	if k.trial.Domain.Periodic {
		allLeft := func() { k.shift(-k.stride()) }
		allRight := func() { k.shift(k.stride()) }
		add(turnLeft, "", "move the whole curve to the left", allLeft)
		add(turnRight, "", "move the whole curve to the right", allRight)
	}
	points, _ := k.axes()
	toFirst := func() { k.move(-k.place.first, 0) }
	toLast := func() { k.move(points-1-k.place.first, 0) }
	add(ui.KeyFirst, "", "the cursor at the left end", toFirst)
	add(ui.KeyLast, "", "the cursor at the right end", toLast)
}

// addWidth adds the commands of the width of a bump or a brush, also by the keys without shift.
func (s *Screen) addWidth(add adding, what string) {
	k := s.sketch
	less := func() { k.widen(1 / widthChange) }
	more := func() { k.widen(widthChange) }
	add(narrower, "width", "a narrower "+what, less)
	add(wider, "width", "a wider "+what, more)
	add(",", "", "", less)
	add(".", "", "", more)
}

// addSize adds the commands of the amplitude.
func (s *Screen) addSize(add adding) {
	k := s.sketch
	grow := func() { k.scale(amplitude) }
	shrink := func() { k.scale(1 / amplitude) }
	add(larger, "size", "the whole input, a tenth larger", grow)
	add(smaller, "size", "the whole input, a tenth smaller", shrink)
	add("=", "", "", grow)
}

// addShapes adds the commands that replace the whole input.
func (s *Screen) addShapes(add adding) {
	k := s.sketch
	add(waves, "wave", "a wave, with one more period each time", k.wave)
	add(steps, "step", "a step up and one down", k.step)
	if len(k.trial.Law.Levels) == 0 {
		add(smooths, "smooth", "remove short waves", k.smooth)
		add(centers, "center", "give it the mean of the training inputs", k.center)
	}
}

// addBrush adds the commands of fields.
func (s *Screen) addBrush(add adding) {
	k := s.sketch
	move := func(first, second int) func() {
		return func() { k.move(first*k.stride(), second*k.stride()) }
	}
	add(ui.KeyLeft, "brush", "move the brush", move(-1, 0))
	add(ui.KeyRight, "brush", "move the brush", move(1, 0))
	add(ui.KeyUp, "brush", "move the brush", move(0, 1))
	add(ui.KeyDown, "brush", "move the brush", move(0, -1))
	add(ui.KeyPause, "paint", "place the value of the brush", k.paint)
	const pen = "lower the brush, which then paints as it moves, or lift it"
	lower := func() { k.down = !k.down }
	add(ui.KeyEnter, "pen", pen, lower)
	add(picks, "pick", "take the value below the brush", k.pick)
	for digit := 1; digit <= 9; digit++ {
		word := ""
		if digit == 1 || digit == 9 {
			word = "value"
		}
		const help = "the value of the brush: 1 is the least of the training inputs, 9 the largest"
		key := ui.Key(strconv.Itoa(digit))
		add(key, word, help, func() { k.choose(digit) })
	}
	s.addWidth(add, "brush")
	if len(k.trial.Law.Levels) == 0 {
		s.addSize(add)
	}
	s.addShapes(add)
}

// addNumbers adds the commands of inputs that are numbers.
func (s *Screen) addNumbers(add adding) {
	k := s.sketch
	less := func() { k.turn(-1) }
	more := func() { k.turn(1) }
	before := func() { k.nextNumber(-1) }
	next := func() { k.nextNumber(1) }
	add(ui.KeyLeft, "value", "a smaller value", less)
	add(ui.KeyRight, "value", "a larger value", more)
	add(ui.KeyUp, "number", "the number before", before)
	add(ui.KeyDown, "number", "the next number", next)
}

// Update implements ui.Dialog: keys without a command do nothing.
func (s *Screen) Update(tea.Msg) tea.Cmd { return nil }

// save asks for the name of a file for the input and the answers that are shown.
func (s *Screen) save() tea.Cmd {
	f := s.shown
	if f == nil {
		return nil
	}
	drawn := interchange.Drawn{
		Input:    f.sketch.values,
		Solution: f.answers.solution,
	}
	if f.answers.answer != nil && f.answers.predErr == nil {
		drawn.Prediction = f.answers.answer.Prediction
	}
	try := func(_ context.Context, name string, force bool) (func() tea.Cmd, error) {
		err := interchange.SaveDrawn(name, force, s.sketch.trial, drawn)
		return ui.Now(func() { s.saved(name) }), err
	}
	line := ui.Line{
		Title: "store the input and the answers as a .npz file",
		Verb:  "save",
		Files: true,
		Try:   try,
	}
	return line.Ask(s.dialogs, s.file)
}

// saved says how to predict the input that was saved in a file.
func (s *Screen) saved(name string) {
	const format = "saved; `rfm predict @ %s` predicts it with the newest run"
	s.file = name
	s.session.Say(fmt.Sprintf(format, printable.Path(name)))
}

// load asks for a file to begin from.
func (s *Screen) load() tea.Cmd {
	try := func(ctx context.Context, name string, _ bool) (func() tea.Cmd, error) {
		values, err := interchange.OpenDrawn(ctx, name, s.sketch.trial)
		begin := func() tea.Cmd {
			s.sketch.replace(values)
			s.session.Say("began from " + printable.Line(name))
			return s.edited(time.Now())
		}
		return begin, err
	}
	line := ui.Line{
		Title: "begin from the first input of a file",
		Verb:  "open",
		Files: true,
		Opens: true,
		Try:   try,
	}
	return line.Ask(s.dialogs, s.file)
}
