//go:build unix

package command

import (
	"fmt"
	"syscall"

	"rfm/solver/fault"
)

// leastFiles is the least number of files that the program must be able to have open; with fewer, Go's runtime crashes.
const leastFiles = 9

// checkFiles refuses a limit of open files below leastFiles. The error is a *fault.Data.
func checkFiles() error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || uint64(limit.Cur) >= leastFiles {
		return nil
	}
	return &fault.Data{Where: "open files", What: fmt.Sprintf("are limited to %d, at least %d are needed", limit.Cur,
		leastFiles), Do: "raise the limit, for example with ulimit -n 64"}
}
