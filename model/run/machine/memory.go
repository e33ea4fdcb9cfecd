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

	"rfm/model/show/report"
	"rfm/solver/base/fault"
)

// A Room is the memory that is available under one of the limits of a process. An empty Limit means that there is none.
type Room struct {
	Bytes float64 // available memory, not negative
	Limit string  // name of the limit, in words
}

// room returns the room under a limit of which some bytes are used; none if the total is unknown or without bound.
func room(limit string, total, used float64) Room {
	const unlimited = 1 << 62 // control groups of version 1 have a huge number for "none"
	if total <= 0 || total >= unlimited {
		return Room{}
	}
	return Room{max(0, total-used), limit}
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
func here() place {
	return place{root: os.DirFS("/"), env: os.Getenv, soft: float64(userLimit)}
}

// AvailableMemory returns the room under the tightest limit: available memory of the operating system, the limits of
// the process's control groups (versions 1 and 2), its limit of address space (ulimit -v), GOMEMLIMIT, and the
// allocation by Slurm. If nothing is known, its Bytes are 0 and its Limit is empty.
func AvailableMemory() Room { return here().tightest() }

func (p place) tightest() (tightest Room) {
	resident := p.value("proc/self/status", "VmRSS:")
	for _, r := range append(p.groups(), p.space(),
		room("the machine's memory", p.value("proc/meminfo", "MemAvailable:"), 0),
		room("GOMEMLIMIT", p.soft, resident),
		room("the allocation by Slurm", p.slurm(), resident)) {
		if r.Limit != "" && (tightest.Limit == "" || r.Bytes < tightest.Bytes) {
			tightest = r
		}
	}
	return tightest
}

// space returns the room under the limit of address space. Addresses that Go's runtime has reserved count as used.
func (p place) space() Room {
	for line := range strings.Lines(p.read("proc/self/limits")) {
		if rest, found := strings.CutPrefix(line, "Max address space"); found {
			return room("the limit of address space (ulimit -v)", number(rest), p.value("proc/self/status", "VmSize:"))
		}
	}
	return Room{}
}

// slurm returns the memory in bytes of a job on this node, if Slurm reports it in MiB; 0 otherwise, and for all memory.
func (p place) slurm() float64 {
	const mib = 1 << 20
	if node := p.env("SLURM_MEM_PER_NODE"); node != "" {
		return number(node) * mib
	}
	processors := max(1, number(p.env("SLURM_CPUS_ON_NODE")))
	return number(p.env("SLURM_MEM_PER_CPU")) * processors * mib
}

// hierarchy names the files of a version of control groups.
type hierarchy struct {
	top   string // directory of the root group
	limit string // file with the limit of a group
	usage string // file with the memory that it uses
	cache string // the part of that, in memory.stat, which can be taken at once
}

var (
	firstVersion = hierarchy{
		top:   "sys/fs/cgroup/memory",
		limit: "memory.limit_in_bytes",
		usage: "memory.usage_in_bytes",
		cache: "total_inactive_file",
	}
	secondVersion = hierarchy{
		top:   "sys/fs/cgroup",
		limit: "memory.max",
		usage: "memory.current",
		cache: "inactive_file",
	}
)

// groups returns the rooms in the control group of the process and its ancestors. Parents of a container are not seen
// from inside, where its own group is the root.
func (p place) groups() (rooms []Room) {
	for line := range strings.Lines(p.read("proc/self/cgroup")) { // 4:memory:/a/b, or 0::/a/b for version 2
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		number, controllers, group := parts[0], parts[1], parts[2]
		switch {
		case number == "0" && controllers == "":
			rooms = append(rooms, p.ancestry(secondVersion, group)...)
		case slices.Contains(strings.Split(controllers, ","), "memory"):
			rooms = append(rooms, p.ancestry(firstVersion, group)...)
		}
	}
	return rooms
}

// ancestry returns the rooms in a control group and in its ancestors.
func (p place) ancestry(h hierarchy, group string) (rooms []Room) {
	directory := path.Join(h.top, path.Clean("/"+group))
	for {
		limit := number(p.read(directory + "/" + h.limit))
		used := number(p.read(directory+"/"+h.usage)) - p.value(directory+"/memory.stat", h.cache)
		rooms = append(rooms, room("the limit of the control group", limit, used))
		if directory == h.top {
			return rooms
		}
		directory = path.Dir(directory)
	}
}

// read returns the content of a file, empty if it cannot be read.
func (p place) read(name string) string {
	text, _ := fs.ReadFile(p.root, name)
	return string(text)
}

// value returns the number in a line "name 123" or, in bytes, "Name: 123 kB" of a file; 0 if it is missing.
func (p place) value(file, name string) float64 {
	for line := range strings.Lines(p.read(file)) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != name {
			continue
		}
		if len(words) == 2 {
			return number(words[1])
		}
		return number(words[1]) * 1024
	}
	return 0
}

// number returns the first word of a text as a number; 0 if it is none, like "unlimited" and "max".
func number(text string) float64 {
	words := strings.Fields(text)
	if len(words) == 0 {
		return 0
	}
	v, err := strconv.ParseFloat(words[0], 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0
	}
	return v
}

// CheckBytes refuses a computation that needs more bytes than are available: the system would end this program without
// a message, and perhaps others. The error is a *fault.Data with the advice do.
func CheckBytes(what string, needed float64, do string) error {
	return AvailableMemory().check(what, needed, do)
}

// leastSpace is the least room of address space: Go's runtime reserves 64 MiB at a time, and prints stacks without it.
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
	return &fault.Data{
		Where: "memory",
		What:  fmt.Sprintf("%s needs about %s, but only %s are available under %s", what, report.Bytes(needed), report.Bytes(r.Bytes), r.Limit),
		Do:    do,
	}
}

// LimitMemory sets the runtime to collect garbage often enough to stay within the available memory, if possible. A
// lower GOMEMLIMIT of the user stays. It is for the start of the program.
func LimitMemory() {
	const share = 0.9 // of the available memory, above which garbage is collected more often
	p := here()
	if room := p.tightest(); room.Limit != "" {
		resident := p.value("proc/self/status", "VmRSS:")
		debug.SetMemoryLimit(min(userLimit, int64(resident+share*room.Bytes)))
	}
}
