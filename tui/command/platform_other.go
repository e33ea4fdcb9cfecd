//go:build !unix

package command

import (
	"os"
	"syscall"
)

// checkFiles returns nil: such systems have no limit of open files to check.
func checkFiles() error { return nil }

// suspends reports whether ctrl+z can be undone.
func suspends() bool { return false }

// detached returns the default attributes of a process.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

// leavingSignals are the signals that ask a program to leave.
var leavingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
