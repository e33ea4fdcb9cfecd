// Package machine describes the computer and the build: available memory, number of workers, version.
package machine

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/num/simd"
)

// Version returns the module version, or the VCS revision of a build from source ("+dirty" if changed), or "devel".
func Version() string { return Program().Version }

// Instructions returns the vector instructions in use, in words.
func Instructions() string { return simd.Active().String() }

// InstructionsVariable names the environment variable that limits the instructions: off or avx2.
const InstructionsVariable = simd.EnvironmentVariable

// Build identifies a program that computes runs.
type Build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // of the source, if known to the build
	Date     string `json:"date,omitempty"`     // of that revision, RFC 3339, UTC
	Go       string `json:"go"`
	Platform string `json:"platform"` // GOOS/GOARCH
	// instructions available to the compiler, e.g. GOARCH=amd64 GOAMD64=v1
	Target string `json:"target,omitempty"`
	SIMD   string `json:"simd"` // instruction set of the kernels
}

// String returns the version with all that may change last digits.
func (b Build) String() string {
	parts := []string{b.Go, b.Platform, b.Target, b.SIMD}
	return fmt.Sprintf("rfm %s (%s)", b.Version, strings.Join(slices.DeleteFunc(parts,
		func(s string) bool { return s == "" }), ", "))
}

// Program returns the identity of this program.
func Program() Build {
	info, _ := debug.ReadBuildInfo()
	return program(info)
}

// program is Program for the build information of an executable; nil if it has none.
func program(info *debug.BuildInfo) Build {
	p := Build{
		Go:       runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Target:   "GOARCH=" + runtime.GOARCH,
		SIMD:     Instructions(),
	}
	var version, dirty string
	if info != nil {
		version = strings.TrimPrefix(info.Main.Version, "(devel)")
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				p.Revision = s.Value[:min(12, len(s.Value))]
			case s.Key == "vcs.time":
				p.Date = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				dirty = "+dirty"
			case s.Key == "GO"+strings.ToUpper(runtime.GOARCH): // last digits depend on it: some fuse products with sums
				p.Target += " " + s.Key + "=" + s.Value
			}
		}
	}
	if p.Revision != "" {
		p.Revision += dirty
	}
	p.Version = cmp.Or(version, p.Revision, "devel")
	return p
}

// Workers returns the number of computing goroutines for a requested number; 0 requests one per available core.
func Workers(wanted int) int { return workers(wanted, runtime.GOMAXPROCS(0), os.Getenv) }

// workers limits cores, which the runtime has bounded by affinity and the quota of the control group, to the grant of a
// batch system for this process on this machine, which some batch systems do not enforce.
func workers(wanted, cores int, env func(string) string) int {
	switch {
	case wanted > 0:
		return wanted
	case env("GOMAXPROCS") != "":
		return cores
	}
	return min(cores, cmp.Or(granted(env), cores))
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
