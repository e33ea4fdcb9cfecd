//go:build unix

package files

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestPipesDevicesAndSocketsAreRefusedAtOnce(t *testing.T) {
	directory := t.TempDir()
	pipe, socket := filepath.Join(directory, "pipe"), filepath.Join(directory, "s")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	found := map[string]string{pipe: "a named pipe", os.DevNull: "a device"}
	if listener, err := net.Listen("unix", socket); err == nil { // whose name may be too long here
		defer listener.Close()
		found[socket] = "a socket"
	}
	for name, what := range found {
		for _, open := range []func(string) (Handle, error){Open,
			func(name string) (Handle, error) { return OpenInside(name, os.O_RDWR|os.O_CREATE) }} {
			var other *Error
			if _, err := open(name); !errors.As(err, &other) || other.Found != what {
				t.Errorf("%s: %v, want %s", name, err, what)
			}
		}
	}
}
