//go:build !unix

package command

import "syscall"

// suspends reports whether ctrl+z can be undone.
func suspends() bool { return false }

// detached is a process that does not end with the terminal of this one.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
