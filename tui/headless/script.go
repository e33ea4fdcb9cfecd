// This file reads scripts, which drive a program as a person at the keyboard would:
//
//	# comments and empty lines are passed over
//	key enter            press keys, one after the other: names as in the help, e.g. a, up, esc, space, ctrl+c, shift+tab
//	type 1e-3            press the keys of a text
//	wait 2s              do nothing for a time
//	until rank 20s       wait until the screen shows a text, 30 s at most unless a time is given
//	expect train done    the screen must show a text; a busy machine has a second to draw it
//	resize 120x40        change the size of a virtual terminal
//
// A text goes to the end of the line. In quotes it may begin or end with spaces, or end like a time: until "for 2s"
// 10s.

package headless

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/interchange"
	"rfm/solver/fault"
)

// verb is what a step does.
type verb string

const (
	key    verb = "key"
	typing verb = "type"
	wait   verb = "wait"
	until  verb = "until"
	expect verb = "expect"
	resize verb = "resize"
)

// step is one line of a script.
type step struct {
	line          int // counted from 1
	verb          verb
	keys          []tea.KeyPressMsg // key, typing
	text          string            // until, expect
	time          time.Duration     // wait; until: the longest time
	width, height int               // resize
}

// script is the steps of a file.
type script struct {
	name  string // of the file
	steps []step
}

const longestScript = 1 << 20 // bytes

// Times that a text may take to appear.
const (
	untilTime  = 30 * time.Second
	expectTime = time.Second
)

// readScript reads a script from a file; without a name it has no steps. The error is as parse's.
func readScript(name string) (script, error) {
	if name == "" {
		return script{}, nil
	}
	text, err := interchange.Read(name, longestScript, "give a script")
	if err != nil {
		return script{}, err
	}
	return parse(bytes.NewReader(text), name)
}

// parse reads a script; name is what errors call it. The error is a *fault.Data with the number of the line, what is
// there and what is expected.
func parse(in io.Reader, name string) (script, error) {
	s := script{name: name}
	lines := bufio.NewScanner(in)
	number := 0
	for lines.Scan() {
		number++
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		next, wanted := parseStep(text)
		if wanted != "" {
			return s, &fault.Data{Where: fmt.Sprintf("%s, line %d", name, number),
				What: strconv.Quote(text) + " is no step of a script", Do: "expected: " + wanted}
		}
		next.line = number
		s.steps = append(s.steps, next)
	}
	if err := lines.Err(); err != nil {
		return s, &fault.Data{Where: name, What: "cannot be read", Err: err, Do: "give a script"}
	}
	return s, nil
}

// parseStep reads a line; wanted is what was expected if it makes no sense.
func parseStep(text string) (s step, wanted string) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	s.verb = verb(word)
	switch s.verb {
	case key:
		for name := range strings.FieldsSeq(rest) {
			press, ok := ParseKey(name)
			if !ok {
				return s, fmt.Sprintf("key NAME..., and %q is not the name of a key", name)
			}
			s.keys = append(s.keys, press)
		}
		if len(s.keys) == 0 {
			return s, "key NAME..., e.g. key enter"
		}
	case typing:
		for _, r := range unquote(rest) {
			s.keys = append(s.keys, tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		if len(s.keys) == 0 {
			return s, "type TEXT, e.g. type 512"
		}
	case wait:
		var ok bool
		if s.time, ok = parseTime(rest); !ok {
			return s, "wait TIME, e.g. wait 500ms or wait 2s"
		}
	case until, expect:
		s.text, s.time = parseText(rest, s.verb)
		if s.text == "" {
			return s, word + " TEXT, e.g. " + word + " train done"
		}
	case resize:
		var ok bool
		if s.width, s.height, ok = ParseSize(rest); !ok {
			return s, fmt.Sprintf("resize WIDTHxHEIGHT up to %dx%d, e.g. resize 120x40", maxSide, maxSide)
		}
	default:
		return s, "key, type, wait, until, expect or resize"
	}
	return s, ""
}

// quoted is a text in quotes and what follows it.
var quoted = regexp.MustCompile(`^("(?:[^"\\]|\\.)*")\s*(\S*)$`)

// parseText reads a text and, for until, the time that may follow it.
func parseText(rest string, v verb) (string, time.Duration) {
	longest := expectTime
	if v == until {
		longest = untilTime
	}
	if parts := quoted.FindStringSubmatch(rest); parts != nil {
		d, ok := parseTime(parts[2])
		switch {
		case parts[2] == "":
			return unquote(parts[1]), longest
		case ok && v == until:
			return unquote(parts[1]), d
		}
	}
	if at := strings.LastIndexByte(rest, ' '); at > 0 && v == until {
		if d, ok := parseTime(rest[at+1:]); ok {
			return strings.TrimSpace(rest[:at]), d
		}
	}
	return rest, longest
}

// unquote is a text without its quotes if it has any.
func unquote(text string) string {
	if inner, err := strconv.Unquote(text); err == nil && strings.HasPrefix(text, `"`) {
		return inner
	}
	return text
}

// parseTime reads a time like 500ms or 2s; at most a day.
func parseTime(text string) (time.Duration, bool) {
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0 && d <= 24*time.Hour
}

// special are the names of keys that are no characters.
var special = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "f1": tea.KeyF1,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "home": tea.KeyHome, "end": tea.KeyEnd,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
}

// ParseKey is the key of a name: a character, one of special, each possibly after ctrl+, alt+ or shift+.
func ParseKey(name string) (tea.KeyPressMsg, bool) {
	var k tea.KeyPressMsg
	rest := name
	for {
		before, after, ok := strings.Cut(rest, "+")
		mod, known := map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}[before]
		if !ok || !known || after == "" {
			break
		}
		k.Mod |= mod
		rest = after
	}
	if code, ok := special[rest]; ok {
		k.Code = code
		if code == tea.KeySpace && k.Mod == 0 {
			k.Text = " "
		}
		return k, true
	}
	characters := []rune(rest)
	if len(characters) != 1 {
		return k, false
	}
	k.Code = characters[0]
	if k.Mod == 0 {
		k.Text = rest
	}
	return k, true
}
