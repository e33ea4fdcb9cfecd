package machine

import (
	"syscall"
	"time"
)

// ProcessorStep is the step of the clock of ProcessorTime.
const ProcessorStep = time.Second / 64

// ProcessorTime returns the processor time that this process has used, which other programs do not change.
func ProcessorTime() time.Duration {
	var created, ended, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err != nil || syscall.GetProcessTimes(self, &created, &ended, &kernel, &user) != nil {
		return 0
	}
	ticks := func(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) } // of 100 ns
	return time.Duration(100 * (ticks(kernel) + ticks(user)))
}
