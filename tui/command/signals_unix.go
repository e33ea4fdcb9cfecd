//go:build unix

package command

import (
	"os"
	"syscall"
)

// leavingSignals are those of a terminal and of batch systems; the last two are sent before time is up.
var leavingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2}
