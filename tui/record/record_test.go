package record

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rfm/solver/fault"
	"rfm/tui/emulator"
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
	r := newRecorder(&file, "test", Header{Width: 20, Height: 3, Env: map[string]string{"TERM": "xterm-256color"}}, clock())
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
	h, events, err := Read(session(), "test")
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	Play(h, events, func(_ Event, screen *emulator.Terminal) bool {
		last = screen.String()
		return true
	})
	if want := "hello \"world\"\ngrid ▲ end\n\n"; last != want {
		t.Errorf("the last screen is %q, want %q", last, want)
	}
}

func TestEveryPrefixIsARecording(t *testing.T) {
	whole := session().Bytes()
	first := bytes.IndexByte(whole, '\n') + 1
	for n := first; n <= len(whole); n++ {
		_, events, err := Read(bytes.NewReader(whole[:n]), "test")
		if err != nil {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
		if lines := bytes.Count(whole[:n], []byte("\n")) - 1; len(events) != lines {
			t.Fatalf("the first %d bytes have %d events, want %d", n, len(events), lines)
		}
	}
}

func TestWrongLinesAreNamed(t *testing.T) {
	header := `{"version":2,"width":20,"height":3}` + "\n"
	for name, text := range map[string]string{
		"empty":      "",
		"version 1":  `{"version":1,"width":20,"height":3}` + "\n",
		"no size":    `{"version":2}` + "\n",
		"no JSON":    header + "nothing\n",
		"two values": header + `[1, "o"]` + "\n",
		"no time":    header + `["now", "o", "x"]` + "\n",
	} {
		_, _, err := Read(strings.NewReader(text), "test")
		var data *fault.Data
		if !errors.As(err, &data) || !strings.Contains(err.Error(), "test, line ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A full disk ends the recording, not what is recorded.
func TestFailureIsReportedAtTheEnd(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no file that is always full")
	}
	if _, err := Create("/dev/full", Header{Width: 1, Height: 1}); err == nil {
		t.Error("a recording on a full disk succeeds")
	}
	broken := errors.New("broken")
	r := newRecorder(failing{broken}, "test", Header{Width: 1, Height: 1}, clock())
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
	r, err := Create(name, Header{Width: 80, Height: 24})
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
	if _, err := Create(filepath.Join(t.TempDir(), "no", "a.cast"), Header{}); err == nil {
		t.Error("a recording in a directory that is not there succeeds")
	}
}
