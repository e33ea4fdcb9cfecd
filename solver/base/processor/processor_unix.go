//go:build unix

package processor

import (
	"syscall"
	"time"
)

// Step is the step of the clock of Time.
const Step = time.Microsecond

// Time returns the processor time that this process has used, which other programs do not change.
func Time() time.Duration {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	if err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
