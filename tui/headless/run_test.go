package headless

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/solver/fault"
)

// counter is a program that shows its size and the last key; q leaves it.
type counter struct{ size, key string }

func (counter) Init() tea.Cmd { return nil }

func (c counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		c.size = fmt.Sprintf("%dx%d", msg.Width, msg.Height)
	case tea.KeyPressMsg:
		if c.key = msg.String(); c.key == "q" {
			return c, tea.Quit
		}
	}
	return c, nil
}

func (c counter) View() tea.View { return tea.NewView("size " + c.size + "\nkey " + c.key) }

// performed runs a counter on a terminal in memory with the steps of a script, and returns what was recorded.
func performed(t *testing.T, steps string) (screens []string, err error) {
	t.Helper()
	directory := t.TempDir()
	name, cast := filepath.Join(directory, "steps.txt"), filepath.Join(directory, "a.cast")
	if err := os.WriteFile(name, []byte(steps), 0o644); err != nil {
		t.Fatal(err)
	}
	_, failure := Run(t.Context(), counter{}, Options{Virtual: true, Width: 30, Height: 4, Script: name, Record: cast})
	text, err := os.ReadFile(cast)
	if err != nil {
		return nil, errors.Join(failure, err)
	}
	return replay(t, text), failure
}

func TestProgramIsDrivenAndRecorded(t *testing.T) {
	screens, err := performed(t, "until size 30x4\nkey up\nuntil key up\nresize 40x6\nuntil size 40x6\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(screens) != 2 || !strings.Contains(screens[0], "key up") || !strings.Contains(screens[1], "size 40x6") ||
		strings.Count(screens[1], "\n") != 5 {
		t.Errorf("the recording shows %q", screens)
	}
}

func TestScriptThatOutlivesTheProgramFails(t *testing.T) {
	var data *fault.Data
	if _, err := performed(t, "until size 30x4\nkey q\nuntil more 10s\n"); !errors.As(err, &data) ||
		!strings.Contains(err.Error(), "the program has ended") {
		t.Errorf("error %v", err)
	}
}

func TestUnmetScriptEndsTheProgram(t *testing.T) {
	var unmet *Unmet
	if _, err := performed(t, "until size 30x4\nuntil no such text 10ms\n"); !errors.As(err, &unmet) ||
		!strings.Contains(unmet.Screen, "size 30x4") {
		t.Errorf("error %v", err)
	}
}

func TestCancelledProgramLeavesARecording(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.cast")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ; ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
			if text, err := os.ReadFile(name); err == nil && bytes.Contains(text, []byte("size 30x4")) {
				cancel()
			}
		}
	}()
	if _, err := Run(ctx, counter{}, Options{Virtual: true, Width: 30, Height: 4, Record: name}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("error %v", err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if screens := replay(t, text); len(screens) != 1 {
		t.Errorf("the recording shows %q", screens)
	}
}

func TestFileThatIsThereIsNotOverwritten(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.cast")
	if err := os.WriteFile(name, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Run(t.Context(), counter{}, Options{Virtual: true, Width: 30, Height: 4, Record: name})
	text, _ := os.ReadFile(name)
	if err == nil || !strings.Contains(err.Error(), "exists already") || string(text) != "precious" {
		t.Errorf("error %v, the file holds %q", err, text)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]bool{"80x24": true, "1x1000": true, "80": false, "0x24": false, "80x24x3": false,
		"1001x2": false, "": false} {
		if width, height, ok := ParseSize(text); ok != want {
			t.Errorf("%q: %dx%d, %v", text, width, height, ok)
		}
	}
}

// A tty returns the carriage at the end of a line, and so does a recording of what is drawn for one.
func TestRecordingsReturnTheCarriage(t *testing.T) {
	var b bytes.Buffer
	if n, err := (cooked{&b}).Write([]byte("a\nb\n")); n != 4 || err != nil || b.String() != "a\r\nb\r\n" {
		t.Errorf("%d, %v, %q", n, err, b.String())
	}
}
