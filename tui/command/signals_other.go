//go:build !unix

package command

import (
	"os"
	"syscall"
)

// leavingSignals are the signals that ask a program to leave.
var leavingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
