package machine

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/filetest"
)

var noError = filetest.NoError

const mib = 1 << 20

// fake returns a place with the given files and environment, and 8 GiB of memory.
func fake(files, env map[string]string) place {
	root := fstest.MapFS{
		"proc/meminfo":     {Data: []byte("MemTotal:       16777216 kB\nMemFree: 1 kB\nMemAvailable:    8388608 kB\n")},
		"proc/self/status": {Data: []byte("Name:\trfm\nVmSize:\t  307200 kB\nVmRSS:\t  51200 kB\nVmData:\t  102400 kB\n")},
	}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return place{root: root, env: func(name string) string { return env[name] }, soft: math.MaxInt64}
}

func TestTheTightestLimitHolds(t *testing.T) {
	limits := func(address string) string {
		return "Limit                     Soft Limit           Hard Limit           Units     \n" +
			"Max address space         " + address + "            unlimited            bytes     \n"
	}
	for name, c := range map[string]struct {
		files, env map[string]string
		want       float64
		limit      string
	}{
		"none but the machine's": {nil, nil, 8192 * mib, "machine"},
		"unlimited": {map[string]string{"proc/self/limits": limits("unlimited")}, nil, 8192 * mib,
			"machine"},
		"address space": {map[string]string{"proc/self/limits": limits("1048576000")}, nil, 700 * mib,
			"ulimit -v"},
		"less than is used": {map[string]string{"proc/self/limits": limits("1048576")}, nil, 0, "ulimit -v"},
		"own group, version 2": {map[string]string{"proc/self/cgroup": "0::/job/step\n",
			"sys/fs/cgroup/job/step/memory.max": "157286400\n", "sys/fs/cgroup/job/step/memory.current": "52428800\n"}, nil,
			100 * mib, "control group"},
		"its cache can be dropped": {map[string]string{"proc/self/cgroup": "0::/job\n",
			"sys/fs/cgroup/job/memory.max": "157286400\n", "sys/fs/cgroup/job/memory.current": "52428800\n",
			"sys/fs/cgroup/job/memory.stat": "anon 5\ninactive_file 20971520\n"}, nil, 120 * mib, "control group"},
		"a group above it": {map[string]string{"proc/self/cgroup": "0::/job/step\n",
			"sys/fs/cgroup/job/step/memory.max": "max\n",
			"sys/fs/cgroup/job/memory.max":      "209715200\n", "sys/fs/cgroup/job/memory.current": "104857600\n"}, nil,
			100 * mib,
			"control group"},
		"the root of a container": {map[string]string{"proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/memory.max": "104857600\n", "sys/fs/cgroup/memory.current": "0\n"}, nil, 100 * mib, "control group"},
		"version 1, mounted from inside": {map[string]string{
			"proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/docker/ab/task\n0::/\n",
			"sys/fs/cgroup/memory/docker/memory.limit_in_bytes": "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":        "157286400\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes":        "52428800\n",
			"sys/fs/cgroup/memory/memory.stat":                  "inactive_file 0\ntotal_inactive_file 10485760\n"}, nil,
			110 * mib,
			"control group"},
		"version 1, another name space": {map[string]string{"proc/self/cgroup": "4:memory:/../elsewhere\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "104857600\n"}, nil, 100 * mib, "control group"},
		"Slurm, a node":       {nil, map[string]string{"SLURM_MEM_PER_NODE": "1050"}, 1000 * mib, "Slurm"},
		"Slurm, a whole node": {nil, map[string]string{"SLURM_MEM_PER_NODE": "0"}, 8192 * mib, "machine"},
		"Slurm, CPUs": {nil, map[string]string{"SLURM_MEM_PER_CPU": "100", "SLURM_CPUS_ON_NODE": "4"}, 350 * mib,
			"Slurm"},
		"Slurm, a CPU": {nil, map[string]string{"SLURM_MEM_PER_CPU": "100"}, 50 * mib, "Slurm"},
		"nonsense": {map[string]string{"proc/self/limits": "Max address space\n", "proc/self/cgroup": "x\n4:memory\n0::/a\n"},
			map[string]string{"SLURM_MEM_PER_NODE": "much"}, 8192 * mib, "machine"},
	} {
		got := fake(c.files, c.env).tightest()
		if got.Bytes != c.want || !strings.Contains(got.Limit, c.limit) {
			t.Errorf("%s: %g MiB under %q, want %g under %q", name, got.Bytes/mib, got.Limit, c.want/mib, c.limit)
		}
	}
	soft := fake(nil, nil)
	soft.soft = 150 * mib
	if got := soft.tightest(); got.Bytes != 100*mib || got.Limit != "GOMEMLIMIT" {
		t.Errorf("GOMEMLIMIT: %v", got)
	}
	if got := (place{root: fstest.MapFS{}, env: func(string) string { return "" }}).tightest(); got != (Room{}) {
		t.Errorf("a system that tells nothing has %v", got)
	}
}

func TestWhatDoesNotFitIsRefusedWithWords(t *testing.T) {
	room := Room{100 * mib, "the limit of the control group"}
	noError(t, room.check("x", 100*mib, "do"))
	noError(t, (Room{}).check("x", math.Inf(1), "do"))
	var data *fault.Data
	err := room.check("this", 2048*mib, "lower it")
	if want := "memory: this needs about 2.0 GiB, but only 100 MiB are available under the limit of the control group; lower it"; !errors.As(err, &data) || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestTooFewAddressesAreRefused(t *testing.T) {
	for limit, refused := range map[string]bool{"unlimited": false, "419430400": false, "377487360": true, "1000": true} {
		p := fake(map[string]string{"proc/self/limits": "Max address space         " + limit + "   unlimited   bytes\n"}, nil)
		if err := p.space().check("rfm", leastSpace, "raise it"); (err != nil) != refused {
			t.Errorf("%s: %v", limit, err)
		}
	}
}

// TestAddressSpaceOfAChild runs the test binary with less address space than an experiment needs.
func TestAddressSpaceOfAChild(t *testing.T) {
	if os.Getenv("RFM_TEST_CHILD") != "" {
		c, err := config.PresetByName("burgers-fine")
		noError(t, err)
		c.Data.Test = 100000 // more than 1.6 GB
		noError(t, CheckBytes("this experiment", c.Cost().Bytes, ""))
		return
	}
	prlimit, err := exec.LookPath("prlimit")
	if err != nil {
		t.Skip("prlimit is not there")
	}
	self, err := os.Executable()
	noError(t, err)
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings,
		debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector takes more address space than is allowed here")
	}
	run := func(space string) (string, error) {
		cmd := exec.Command(prlimit, "--as="+space, self, "-test.run=^TestAddressSpaceOfAChild$", "-test.v")
		cmd.Env = append(os.Environ(), "RFM_TEST_CHILD=1")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if room := AvailableMemory(); room.Limit == "" || room.Bytes < 6<<30 {
		t.Skip("this machine has too little memory to tell limits apart, or does not say how much")
	}
	if out, err := run("17179869184"); err != nil {
		t.Errorf("with 16 GiB: %v\n%s", err, out)
	}
	out, err := run("2000000000")
	if err == nil || !strings.Contains(out, "ulimit -v") {
		t.Errorf("with 2 GB: %v\n%s", err, out)
	}
}

func TestWorkers(t *testing.T) {
	for _, c := range []struct {
		wanted int
		env    map[string]string
		want   int
	}{
		{3, map[string]string{"SLURM_CPUS_PER_TASK": "2"}, 3},
		{0, nil, 8},
		{-1, map[string]string{"SLURM_CPUS_PER_TASK": "2"}, 2},
		{0, map[string]string{"SLURM_CPUS_PER_TASK": "64"}, 8},
		{0, map[string]string{"SLURM_CPUS_PER_TASK": "2", "GOMAXPROCS": "8"}, 8},
		{0, map[string]string{"SLURM_CPUS_PER_TASK": "x"}, 8},
		{0, map[string]string{"SLURM_CPUS_PER_TASK": "-1"}, 8},
		{0, map[string]string{"SLURM_CPUS_ON_NODE": "3"}, 3},
		{0, map[string]string{"SLURM_CPUS_ON_NODE": "4", "SLURM_CPUS_PER_TASK": "2"}, 2},
		{0, map[string]string{"SLURM_CPUS_ON_NODE": "4", "SLURM_STEP_TASKS_PER_NODE": "4(x2)"}, 1},
		{0, map[string]string{"PBS_NP": "2"}, 2},
		{0, map[string]string{"NSLOTS": "5"}, 5},
		{0, map[string]string{"NSLOTS": "99999999999999999999"}, 8},
	} {
		if got := workers(c.wanted, 8, func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%+v gives %d", c, got)
		}
	}
}
