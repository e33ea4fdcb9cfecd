// Package machine knows what computes: how fast it is, how much memory it can give, how many workers it has, and which
// build of the program runs on it.
package machine

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Workers is the number of goroutines that compute if wanted are asked for; 0 asks for one for each available core.
func Workers(wanted int) int { return workers(wanted, runtime.GOMAXPROCS(0), os.Getenv) }

// workers takes cores, which the runtime has bounded by affinity and the quota of the control group, and what a batch
// system has granted to this process on this machine, where it does not enforce that.
func workers(wanted, cores int, env func(string) string) int {
	if wanted > 0 {
		return wanted
	}
	if env("GOMAXPROCS") != "" {
		return cores
	}
	if cpus := granted(env); cpus > 0 {
		return min(cores, cpus)
	}
	return cores
}

// granted is the number of CPUs that a batch system says this process has; 0 if there is none, or it does not say.
// Slurm gives the CPUs of a task only if they were asked for, and those of all its tasks on this machine else; PBS and
// Grid Engine give those of the whole job, which are no fewer.
func granted(env func(string) string) int {
	number := func(name string) int {
		digits := env(name)
		if end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
			digits = digits[:end] // 4(x2): 4 on each of two machines
		}
		n, err := strconv.Atoi(digits)
		if err != nil {
			return 0
		}
		return n
	}
	if n := number("SLURM_CPUS_PER_TASK"); n > 0 {
		return n
	}
	if n := number("SLURM_CPUS_ON_NODE"); n > 0 {
		return max(1, n/max(1, number("SLURM_STEP_TASKS_PER_NODE")))
	}
	for _, name := range []string{"PBS_NP", "NSLOTS"} {
		if n := number(name); n > 0 {
			return n
		}
	}
	return 0
}
