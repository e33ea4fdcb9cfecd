//go:build unix

package machine

import (
	"syscall"
	"time"
)

// ProcessorStep is the step of the clock of ProcessorTime.
const ProcessorStep = time.Microsecond

// ProcessorTime returns the processor time that this process has used, which other programs do not change.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
