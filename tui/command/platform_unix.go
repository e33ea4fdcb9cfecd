//go:build unix

// This file has the properties of systems with signals, sessions and limits of open files.

package command

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"rfm/solver/base/fault"
)

// leastFiles is the least number of files that the program must be able to have open; with fewer, Go's runtime crashes.
const leastFiles = 9

// checkFiles refuses a limit of open files below leastFiles. The error is a *fault.Data.
func checkFiles() error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || uint64(limit.Cur) >= leastFiles {
		return nil
	}
	return &fault.Data{
		Where: "open files",
		What: fmt.Sprintf("are limited to %d, want at least %d", limit.Cur,
			leastFiles),
		Do: "raise the limit, for example with ulimit -n 64",
	}
}

// suspends reports whether ctrl+z can be undone: a shell with job control, which gives each job a group of processes, has
// started this program in its session. A process in the group of the leader of its session has no shell that resumes it,
// nor has one that was started by a process of another session.
func suspends() bool {
	own, err := unix.Getsid(0)
	shell, failure := unix.Getsid(unix.Getppid())
	return err == nil && failure == nil && own == shell && unix.Getpgrp() != own
}

// detached returns the attributes of a process that does not end with the terminal of this one.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// leavingSignals are the signals of terminals and of batch systems, which send the last two before time is up.
var leavingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2}
