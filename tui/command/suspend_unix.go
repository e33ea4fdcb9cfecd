//go:build unix

package command

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// suspends reports whether ctrl+z can be undone: a shell of the same session has started this program. A process that
// leads its session, or was started by a process of another session, has no shell that resumes it.
func suspends() bool {
	own, err := unix.Getsid(0)
	shell, failure := unix.Getsid(unix.Getppid())
	return err == nil && failure == nil && own == shell
}

// detached returns the attributes of a process that does not end with the terminal of this one.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
