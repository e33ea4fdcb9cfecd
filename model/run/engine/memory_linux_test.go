package engine

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// memoryCases are small experiments whose memory is dominated by different parts: pairs, features and sums, fields.
func memoryCases(t *testing.T) map[string]func() (*Experiment, error) {
	t.Helper()
	return map[string]func() (*Experiment, error){
		"pairs": func() (*Experiment, error) {
			return New(t.Context(), tiny(t, "data.train=64", "data.test=1500", "data.grid=1025", "equation.tolerance=1e-2",
				"features.count=32", "train.grid=33", "evaluation.grid=1025"), Options{Workers: 2})
		},
		"features": func() (*Experiment, error) {
			return New(t.Context(), tiny(t, "data.train=64", "data.test=16", "features.count=1024", "train.grid=65"),
				Options{Workers: 2})
		},
		"fields": func() (*Experiment, error) {
			return New(t.Context(), tinyDarcy(t, "data.train=64", "data.test=128", "features.count=64", "data.grid=129",
				"train.grid=33"), Options{Workers: 2})
		},
	}
}

// TestMemoryIsEstimatedWithinAFactor runs itself for each case, since the peak belongs to a process.
func TestMemoryIsEstimatedWithinAFactor(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes memory of its own")
	}
	cases := memoryCases(t)
	if name := os.Getenv("RFM_TEST_MEMORY"); name != "" {
		e, err := cases[name]()
		noError(t, err)
		noError(t, e.Run(t.Context()))
		status, err := os.ReadFile("/proc/self/status")
		noError(t, err)
		for line := range strings.Lines(string(status)) {
			if strings.HasPrefix(line, "VmHWM:") {
				fmt.Print(line)
			}
		}
		return
	}
	self, err := os.Executable()
	noError(t, err)
	for name, experiment := range cases {
		e, err := experiment()
		noError(t, err)
		said := e.Config.Cost().Bytes
		child := exec.Command(self, "-test.run=^TestMemoryIsEstimatedWithinAFactor$")
		child.Env = append(os.Environ(), "RFM_TEST_MEMORY="+name)
		out, err := child.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		var kib float64
		for line := range strings.Lines(string(out)) {
			if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kib); n == 1 {
				break
			}
		}
		took := kib * 1024
		t.Logf("%s: said %.0f MiB, took %.0f MiB", name, said/(1<<20), took/(1<<20))
		if took < said/1.5 || took > said*1.5 {
			t.Errorf("%s: said %.0f MiB, took %.0f MiB", name, said/(1<<20), took/(1<<20))
		}
	}
}
