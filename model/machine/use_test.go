package machine

import (
	"testing"
	"testing/fstest"
)

func TestGaugeCountsBusyCoresBetweenLooks(t *testing.T) {
	at := func(stat string) place {
		return place{root: fstest.MapFS{"proc/stat": {Data: []byte(stat)},
			"proc/meminfo":     {Data: []byte("MemTotal: 100 kB\nMemAvailable:  40 kB\n")},
			"proc/self/status": {Data: []byte("VmRSS:\t 12 kB\n")}}}
	}
	var g Gauge
	if u := g.at(at("cpu  10 0 10 80 0 0 0 0 0 0\ncpu0 5 0 5 40 0 0\ncpu1 5 0 5 40 0 0\n")); u.Busy != 0 || u.Cores != 2 ||
		u.Process != 12*1024 || u.Free != 40*1024 {
		t.Errorf("first look: %+v", u)
	}
	if u := g.at(at("cpu  70 0 20 100 10 0 0 0 7 0\ncpu0 5 0 5 40 0 0\ncpu1 5 0 5 40 0 0\n")); u.Busy != 1.4 {
		t.Errorf("busy %g of 2 cores, want 70%%", u.Busy)
	}
	var elsewhere Gauge // a system without /proc
	if u := elsewhere.at(place{root: fstest.MapFS{}}); u.Process <= 0 || u.Busy != 0 || u.Cores != 0 || u.Free != 0 {
		t.Errorf("without files: %+v", u)
	}
}
