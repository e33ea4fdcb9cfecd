package machine

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"rfm/config"
	"rfm/model/report"
	"rfm/solver/fault"
)

// A Room is the memory that is available under one of the limits of a process.
type Room struct {
	Bytes float64 // available memory, not negative
	Limit string  // name of the limit, in words
}

// place gives access to the limits; tests have their own places.
type place struct {
	root fs.FS               // the root directory
	env  func(string) string // the environment
	soft float64             // the limit of Go's runtime as set by the user; math.MaxInt64 if unset
}

// userLimit is the runtime's limit before LimitMemory changes it: GOMEMLIMIT.
var userLimit = debug.SetMemoryLimit(-1)

// here returns the place of this process.
func here() place { return place{root: os.DirFS("/"), env: os.Getenv, soft: float64(userLimit)} }

// AvailableMemory returns the room under the tightest limit: available memory of the operating system, the limits of
// the process's control groups (versions 1 and 2), its limit of address space (ulimit -v), GOMEMLIMIT, and the
// allocation by Slurm. If nothing is known, its Bytes are 0 and its Limit is empty.
func AvailableMemory() Room { return here().tightest() }

func (p place) tightest() Room {
	tightest := Room{Bytes: math.Inf(1)}
	for _, r := range p.rooms() {
		if r.Bytes < tightest.Bytes {
			tightest = r
		}
	}
	if tightest.Limit == "" {
		return Room{}
	}
	return tightest
}

// rooms returns the room under every limit that applies.
func (p place) rooms() []Room {
	var rooms []Room
	add := func(limit string, total, used float64) {
		rooms = append(rooms, Room{max(0, total-used), limit})
	}
	if available := p.value("proc/meminfo", "MemAvailable:"); available > 0 {
		add("the machine's memory", available, 0)
	}
	resident := p.value("proc/self/status", "VmRSS:")
	if space := p.space(); space.Limit != "" {
		rooms = append(rooms, space)
	}
	if p.soft > 0 && p.soft < math.MaxInt64 {
		add("GOMEMLIMIT", p.soft, resident)
	}
	if total, ok := p.slurm(); ok {
		add("the allocation by Slurm", total, resident)
	}
	return append(rooms, p.groups()...)
}

// space returns the room under the limit of address space, if there is one. Addresses that Go's runtime has reserved
// count as used.
func (p place) space() Room {
	for line := range strings.Lines(p.read("proc/self/limits")) {
		if rest, found := strings.CutPrefix(line, "Max address space"); found {
			if soft, limited := number(strings.Fields(rest)); limited {
				return Room{max(0, soft-p.value("proc/self/status", "VmSize:")), "the limit of address space (ulimit -v)"}
			}
		}
	}
	return Room{}
}

// read returns the content of a file, empty if it cannot be read.
func (p place) read(name string) string {
	text, err := fs.ReadFile(p.root, name)
	if err != nil {
		return ""
	}
	return string(text)
}

// value returns the number in a line "name 123" or, in bytes, "Name: 123 kB" of a file; 0 if it is missing.
func (p place) value(file, name string) float64 {
	for line := range strings.Lines(p.read(file)) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != name {
			continue
		}
		v, _ := number(words[1:])
		if len(words) > 2 && words[2] == "kB" {
			v *= 1024
		}
		return v
	}
	return 0
}

// number returns the first of some words, if it is a number, unlike "unlimited" and "max".
func number(words []string) (float64, bool) {
	if len(words) == 0 {
		return 0, false
	}
	v, err := strconv.ParseFloat(words[0], 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// slurm returns the memory in bytes of a job on this node, if Slurm reports it. Its numbers are MiB; 0 means all
// memory.
func (p place) slurm() (bytes float64, ok bool) {
	const mib = 1 << 20
	if node, ok := number(strings.Fields(p.env("SLURM_MEM_PER_NODE"))); ok {
		return node * mib, node > 0
	}
	each, ok := number(strings.Fields(p.env("SLURM_MEM_PER_CPU")))
	if !ok || each <= 0 {
		return 0, false
	}
	for _, name := range []string{"SLURM_CPUS_ON_NODE", "SLURM_CPUS_PER_TASK"} {
		if cpus, ok := number(strings.Fields(p.env(name))); ok && cpus > 0 {
			return each * cpus * mib, true
		}
	}
	return each * mib, true
}

// groups returns the rooms in the limited control groups among that of the process and its ancestors.
func (p place) groups() []Room {
	var rooms []Room
	for line := range strings.Lines(p.read("proc/self/cgroup")) { // 4:memory:/a/b, or 0::/a/b for version 2
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		second := parts[0] == "0" && parts[1] == ""
		if !second && !slices.Contains(strings.Split(parts[1], ","), "memory") {
			continue
		}
		top, ok := p.mount(second, parts[2])
		if !ok {
			continue
		}
		limit, usage, cache := "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
		if second {
			limit, usage, cache = "memory.max", "memory.current", "inactive_file"
		}
		for directory := path.Join(top.point, top.below); ; directory = path.Dir(directory) {
			// version 1 has a huge number for "none"
			if total, ok := number(strings.Fields(p.read(directory + "/" + limit))); ok && total < 1<<62 {
				used, _ := number(strings.Fields(p.read(directory + "/" + usage)))
				dropped := p.value(directory+"/memory.stat", cache)
				rooms = append(rooms, Room{max(0, total-used+dropped), "the limit of the control group"})
			}
			if directory == top.point || directory == "." {
				break
			}
		}
	}
	return rooms
}

// mounted is a control group: the mount point of its hierarchy, and the path of the group below it.
type mounted struct{ point, below string }

// mount finds where a control group is seen, in lines of /proc/self/mountinfo such as
// "36 35 98:0 /docker/ab /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory".
func (p place) mount(second bool, group string) (mounted, bool) {
	for line := range strings.Lines(p.read("proc/self/mountinfo")) {
		before, after, found := strings.Cut(line, " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !found || len(left) < 5 || len(right) < 3 {
			continue
		}
		if second && right[0] != "cgroup2" || !second && (right[0] != "cgroup" ||
			!slices.Contains(strings.Split(right[2], ","), "memory")) {
			continue
		}
		m := mounted{point: strings.TrimPrefix(left[4], "/")}
		// otherwise it is outside, in another name space
		if root := strings.TrimSuffix(left[3], "/"); strings.HasPrefix(group+"/", root+"/") {
			m.below = strings.TrimPrefix(group, root)
		}
		if strings.Contains(m.below, "..") {
			m.below = ""
		}
		return m, true
	}
	return mounted{}, false
}

// CheckMemory refuses an experiment that needs more memory than is available: the system would end this program without
// a message, and perhaps others. The error is a *fault.Data.
func CheckMemory(c config.Config) error {
	do := "lower data.test, data.train, data.grid or features.count"
	if c.Data.TrainFile != "" {
		do = "lower data.test, data.train or features.count, or take a part of the file: data.input = a[:1000, ::4]"
	}
	return CheckBytes("this experiment", c.Cost().Bytes, do)
}

// CheckBytes is CheckMemory for the given number of bytes; do is the advice if they are not available.
func CheckBytes(what string, needed float64, do string) error {
	return AvailableMemory().check(what, needed, do)
}

// leastSpace is the least room of address space in bytes. Go's runtime reserves 64 MiB at a time, and prints its stacks
// where it gets none.
const leastSpace = 64 << 20

// CheckAddressSpace refuses a limit of address space that leaves less than leastSpace. The error is a *fault.Data.
func CheckAddressSpace() error {
	return here().space().check("rfm", leastSpace, "raise it to 2 GB or more")
}

// check refuses needs beyond the room.
func (r Room) check(what string, needed float64, do string) error {
	if r.Limit == "" || needed <= r.Bytes {
		return nil
	}
	return &fault.Data{Where: "memory", What: fmt.Sprintf("%s needs about %s, %s are available under %s", what,
		report.Bytes(needed), report.Bytes(r.Bytes), r.Limit), Do: do}
}

// softShare is the share of the available memory above which Go's runtime collects garbage more often.
const softShare = 0.9

// LimitMemory sets the runtime to collect garbage often enough to stay within the available memory, if possible. A
// lower GOMEMLIMIT of the user stays. Only the first call has an effect.
var LimitMemory = sync.OnceFunc(func() {
	p := here()
	room := p.tightest()
	if room.Limit == "" {
		return
	}
	resident := p.value("proc/self/status", "VmRSS:")
	debug.SetMemoryLimit(min(userLimit, int64(resident+softShare*room.Bytes)))
})
