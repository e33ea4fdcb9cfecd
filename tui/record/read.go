// This file reads recordings, and plays them on a terminal in memory.

package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"rfm/solver/fault"
	"rfm/tui/emulator"
)

// maxLine bounds the memory for a line of a recording.
const maxLine = 16 << 20

// maxSide bounds the sizes of terminals.
const maxSide = 4096

// Read reads a recording; name is what errors call it. A last line that has no end, which a process that was killed
// leaves, is left out. The error is a *fault.Data with the number of the line.
func Read(in io.Reader, name string) (Header, []Event, error) {
	var (
		h      Header
		events []Event
		line   int
	)
	wrong := func(err error) error {
		return &fault.Data{Where: fmt.Sprintf("%s, line %d", name, line), What: "is no line of an asciicast of version 2", Err: err}
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	lines.Split(wholeLines)
	for lines.Scan() {
		line++
		if line == 1 {
			if err := h.parse(lines.Bytes()); err != nil {
				return h, nil, wrong(err)
			}
			continue
		}
		e, err := parseEvent(lines.Bytes())
		if err != nil {
			return h, events, wrong(err)
		}
		events = append(events, e)
	}
	line++
	switch err := lines.Err(); {
	case err != nil:
		return h, events, wrong(err)
	case line == 1:
		return h, events, wrong(io.ErrUnexpectedEOF)
	}
	return h, events, nil
}

// wholeLines splits text into lines that have an end.
func wholeLines(text []byte, _ bool) (advance int, line []byte, err error) {
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		return end + 1, text[:end], nil
	}
	return 0, nil, nil
}

func (h *Header) parse(text []byte) error {
	if err := json.Unmarshal(text, h); err != nil {
		return err
	}
	switch {
	case h.Version != Version:
		return fmt.Errorf("version %d", h.Version)
	case h.Width < 1 || h.Height < 1 || h.Width > maxSide || h.Height > maxSide:
		return fmt.Errorf("a terminal of %dx%d", h.Width, h.Height)
	}
	return nil
}

func parseEvent(text []byte) (Event, error) {
	var (
		e     Event
		parts []json.RawMessage
	)
	if err := json.Unmarshal(text, &parts); err != nil {
		return e, err
	}
	if len(parts) != 3 {
		return e, fmt.Errorf("%d values, 3 are expected: %s", len(parts), bytes.TrimSpace(text))
	}
	return e, errors.Join(json.Unmarshal(parts[0], &e.Time), json.Unmarshal(parts[1], &e.Kind), json.Unmarshal(parts[2], &e.Data))
}

// Play shows a recording on a terminal in memory and calls look after every event, until it returns false. Events of
// kinds that are not known, and sizes that make no sense, are passed over.
func Play(h Header, events []Event, look func(Event, *emulator.Terminal) bool) {
	screen := emulator.New(h.Width, h.Height)
	for _, e := range events {
		switch e.Kind {
		case Output:
			screen.Write([]byte(e.Data))
		case Resize:
			var width, height int
			if _, err := fmt.Sscanf(e.Data, "%dx%d", &width, &height); err == nil && width > 0 && height > 0 && width <= maxSide && height <= maxSide {
				screen.Resize(width, height)
			}
		}
		if !look(e, screen) {
			return
		}
	}
}
