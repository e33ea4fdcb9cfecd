package headless

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// clock is a time that goes on by a quarter of a second whenever it is asked for.
func clock() func() time.Time {
	t := time.Unix(1760000000, 0)
	return func() time.Time {
		t = t.Add(250 * time.Millisecond)
		return t
	}
}

// session is a short recording.
func session() *bytes.Buffer {
	var file bytes.Buffer
	r := newRecorder(&file, "test", header{Width: 20, Height: 3, Env: map[string]string{"TERM": "xterm-256color"}},
		clock())
	r.Write([]byte("\x1b]11;?\x07\x1b[?2026$phello \"world\"\r\n"))
	r.Resize(20, 3)
	r.Resize(30, 4)
	r.Write([]byte("grid \xe2\x96")) // a character in two pieces
	r.Write([]byte("\xb2 end"))
	return &file
}

func TestRecordingIsAnAsciicast(t *testing.T) {
	want := `{"version":2,"width":20,"height":3,"timestamp":1760000000,"env":{"TERM":"xterm-256color"}}
[0.250000,"o","hello \"world\"\r\n"]
[0.500000,"r","30x4"]
[0.750000,"o","grid "]
[1.000000,"o","▲ end"]
`
	if got := session().String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestRecordingShowsWhatWasWritten(t *testing.T) {
	screens := replay(t, session().Bytes())
	if want := "hello \"world\"\ngrid ▲ end\n\n"; screens[len(screens)-1] != want {
		t.Errorf("the last screen is %q, want %q", screens, want)
	}
}

// replay plays a recording on a terminal in memory and returns its last screens that are not blank, one for each size.
func replay(t *testing.T, text []byte) (screens []string) {
	t.Helper()
	lines := bytes.SplitAfter(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	var h header
	if err := json.Unmarshal(lines[0], &h); err != nil || h.Version != version {
		t.Fatalf("%s: %v", lines[0], err)
	}
	terminal, shown := NewTerminal(h.Width, h.Height), ""
	for _, line := range lines[1:] {
		var (
			at         float64
			kind, data string
		)
		if err := json.Unmarshal(line, &[]any{&at, &kind, &data}); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if kind == "r" {
			width, height, _ := ParseSize(data)
			screens, shown = append(screens, shown), ""
			terminal.Resize(width, height)
		} else {
			terminal.Write([]byte(data))
		}
		if text := terminal.String(); strings.TrimSpace(text) != "" {
			shown = text
		}
	}
	return append(screens, shown)
}

// A full disk ends the recording, not what is recorded.
func TestFailureIsReportedAtTheEnd(t *testing.T) {
	broken := errors.New("broken")
	r := newRecorder(failing{broken}, "test", header{Width: 1, Height: 1}, clock())
	if n, err := r.Write([]byte("abc")); n != 3 || err != nil {
		t.Errorf("Write returned %d, %v", n, err)
	}
	if err := r.Close(); !errors.Is(err, broken) {
		t.Errorf("Close returned %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestCreatedFileHasItsHeaderAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.cast")
	r, err := create(name, header{Width: 80, Height: 24})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil || !strings.HasPrefix(string(text), `{"version":2,"width":80,"height":24,"timestamp":`) {
		t.Errorf("%q, %v", text, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := create(filepath.Join(t.TempDir(), "no", "a.cast"), header{}); err == nil {
		t.Error("a recording in a directory that is not there succeeds")
	}
}
