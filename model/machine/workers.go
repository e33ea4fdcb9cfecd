// Package machine knows what computes: how fast it is, how much memory it can give, how many workers it has, and which
// build of the program runs on it.
package machine

import (
	"os"
	"runtime"
	"strconv"
)

// Workers is the number of goroutines that compute if wanted are asked for; 0 asks for one for each available core.
func Workers(wanted int) int { return workers(wanted, runtime.GOMAXPROCS(0), os.Getenv) }

// workers takes cores, which the runtime has bounded by affinity and the quota of the control group, and what Slurm was
// asked for, where it does not enforce that.
func workers(wanted, cores int, env func(string) string) int {
	if wanted > 0 {
		return wanted
	}
	if granted, err := strconv.Atoi(env("SLURM_CPUS_PER_TASK")); err == nil && granted > 0 && env("GOMAXPROCS") == "" {
		return min(cores, granted)
	}
	return cores
}
