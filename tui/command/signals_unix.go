//go:build unix

package command

import (
	"os"
	"syscall"
)

// leavingSignals are the signals of terminals and of batch systems, which send the last two before time is up.
var leavingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2}
