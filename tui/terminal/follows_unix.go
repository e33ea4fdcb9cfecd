//go:build unix

package terminal

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// follows waits for a while until more input can be read, and reports whether it can.
func follows(in *os.File, within time.Duration) bool {
	fd := int(in.Fd())
	var ready unix.FdSet
	ready.Set(fd)
	wait := unix.NsecToTimeval(within.Nanoseconds())
	n, err := unix.Select(fd+1, &ready, nil, nil, &wait)
	return err == nil && n > 0
}
