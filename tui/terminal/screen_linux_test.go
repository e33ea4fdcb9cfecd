package terminal

import (
	"context"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// restoring is what a program writes at its end.
const restoring = "\x1b[?1049l\x1b[?25h"

// A terminal that takes nothing gets what restores it, whether it was stuck before the program was to end or is just
// then: the picture that it has not taken is dropped.
func TestStuckTerminalIsRestored(t *testing.T) {
	for name, use := range map[string]func(*testing.T, *screen, context.CancelFunc){
		"not stuck": func(_ *testing.T, s *screen, end context.CancelFunc) {
			_, _ = s.Write([]byte("a picture"))
			end()
		},
		"stuck with a picture": func(_ *testing.T, s *screen, end context.CancelFunc) {
			drawn := make(chan struct{})
			go func() {
				defer close(drawn)
				_, _ = s.Write([]byte(strings.Repeat("p", 200000))) // fails
			}()
			time.Sleep(50 * time.Millisecond)
			end()
			<-drawn
		},
		"full while it is restored": func(t *testing.T, s *screen, end context.CancelFunc) {
			fill(t, s.file)
			restored := make(chan struct{})
			go func() {
				defer close(restored)
				_, _ = s.Write([]byte(restoring)) // fails
			}()
			time.Sleep(50 * time.Millisecond)
			end()
			<-restored
		},
		"full": func(t *testing.T, s *screen, end context.CancelFunc) {
			fill(t, s.file)
			end()
		},
		"stuck with the last frame, which comes after the end": func(_ *testing.T, s *screen, end context.CancelFunc) {
			end()
			_, _ = s.Write([]byte(strings.Repeat("\x1b[2;3Hp", 30000))) // fails
		},
	} {
		t.Run(name, func(t *testing.T) {
			terminal, slave, err := pty.Open()
			if err != nil {
				t.Skip("there are no pseudo-terminals: ", err)
			}
			defer terminal.Close()
			if _, err := term.MakeRaw(slave.Fd()); err != nil {
				t.Fatal(err)
			}
			ctx, end := context.WithCancel(t.Context())
			s := newScreen(ctx, slave)
			use(t, s, end)
			if name != "full while it is restored" {
				_, _ = s.Write([]byte(restoring)) // fails if it is stuck
			}
			s.release()
			if err := slave.Close(); err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(terminal) // ends with an error, as the other end is closed
			if !strings.HasSuffix(string(text), restoring) {
				t.Errorf("it gets %d bytes that end in %.40q", len(text), text[max(0, len(text)-40):])
			}
			const room = 30000 // bytes, more than any terminal takes at once: the process does not live to write others
			if len(text) > room {
				t.Errorf("%d bytes have to be taken before it is restored", len(text))
			}
		})
	}
}

// fill writes to a terminal until it has no room.
func fill(t *testing.T, terminal *os.File) {
	t.Helper()
	fd := int(terminal.Fd())
	if err := syscall.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	for full := 0; full < 3; { // what it has moves on in between
		if _, err := syscall.Write(fd, []byte(strings.Repeat("f", 100))); err != nil {
			full++
			time.Sleep(20 * time.Millisecond)
		}
	}
	if err := syscall.SetNonblock(fd, false); err != nil {
		t.Fatal(err)
	}
}
