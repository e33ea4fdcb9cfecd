package processor

import (
	"syscall"
	"time"
)

// Step is the step of the clock of Time.
const Step = time.Second / 64

// Time returns the processor time that this process has used, which other programs do not change.
func Time() time.Duration {
	var created, ended, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	err = syscall.GetProcessTimes(self, &created, &ended, &kernel, &user)
	if err != nil {
		return 0
	}
	return duration(kernel) + duration(user)
}

// duration returns a time that Windows counts in steps of 100 ns.
func duration(t syscall.Filetime) time.Duration {
	steps := int64(t.HighDateTime)<<32 | int64(t.LowDateTime)
	return time.Duration(100 * steps)
}
