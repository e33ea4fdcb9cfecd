//go:build !unix

package command

import "syscall"

// suspends reports whether ctrl+z can be undone.
func suspends() bool { return false }

// detached returns the default attributes of a process.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
