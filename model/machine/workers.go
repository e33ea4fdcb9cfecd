// Package machine describes the computer and the build: speed, available memory, number of workers, version.
package machine

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Workers returns the number of computing goroutines for a requested number; 0 requests one per available core.
func Workers(wanted int) int { return workers(wanted, runtime.GOMAXPROCS(0), os.Getenv) }

// workers limits cores, which the runtime has bounded by affinity and the quota of the control group, to the grant of a
// batch system for this process on this machine, which some batch systems do not enforce.
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

// granted returns the number of CPUs that a batch system reports for this process; 0 if there is none, or no report.
// Slurm reports the CPUs of a task only if requested, otherwise those of all its tasks on this machine; PBS and Grid
// Engine report those of the whole job, an upper bound.
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
