package machine

import (
	"runtime/metrics"
	"strings"
)

// Use is the load of a machine. Unknown values are 0; only Linux reports all of them.
type Use struct {
	Busy    float64 // cores in use by all programs since the last look
	Cores   int     // cores of the machine
	Process float64 // memory of this process, bytes
	Free    float64 // available memory of the machine, bytes
}

// A Gauge measures the load of the machine from time to time. The zero value is ready to use.
type Gauge struct {
	working, all float64 // ticks of all cores at the last look
}

// Look returns the load since the last look; the first look reports no busy cores.
func (g *Gauge) Look() Use { return g.at(here()) }

func (g *Gauge) at(p place) Use {
	u := Use{Process: p.value("proc/self/status", "VmRSS:"), Free: p.value("proc/meminfo", "MemAvailable:")}
	if u.Process == 0 {
		classes := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(classes)
		u.Process = float64(classes[0].Value.Uint64() - classes[1].Value.Uint64())
	}
	working, all := 0.0, 0.0
	for line := range strings.Lines(p.read("proc/stat")) {
		words := strings.Fields(line)
		switch {
		case len(words) < 6 || !strings.HasPrefix(words[0], "cpu"):
		case words[0] != "cpu":
			u.Cores++
		default: // user nice system idle iowait irq softirq steal; user includes guests
			for i, word := range words[1:min(len(words), 9)] {
				ticks, _ := number([]string{word})
				all += ticks
				if i != 3 && i != 4 {
					working += ticks
				}
			}
		}
	}
	if g.all > 0 && all > g.all {
		u.Busy = float64(u.Cores) * (working - g.working) / (all - g.all)
	}
	g.working, g.all = working, all
	return u
}
