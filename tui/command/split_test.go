package command

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tinySplit are arguments of a run that is split into tiles.
func tinySplit(command, root, name string, more ...string) []string {
	return append(append([]string{command}, with(tinyArgs[1:], "-m", "60", "--no-baselines", "--runs", root, "--name",
		name)...), more...)
}

func TestSplitRunsFromTheShell(t *testing.T) {
	root := t.TempDir()
	do := func(want int, says string, args ...string) (out string) {
		t.Helper()
		code, out, errors := call(t, nil, args...)
		if code != want || !strings.Contains(out+errors, says) {
			t.Fatalf("%v: exit code %d: %s%s", args, code, out, errors)
		}
		return out
	}
	do(exitDone, "test", tinySplit("run", root, "whole", "--quiet")...)
	do(exitDone, "6 tiles of 24 x 24", tinySplit("plan", root, "s", "--band", "24")...)
	path := filepath.Join(root, "s")
	do(exitDone, "6 tiles of 24 x 24", "plan", path) // which keeps the plan
	do(exitInterrupted, "6 of 6 tiles", "resume", path, "--merge", "--quiet")
	do(exitDone, "tiles 0 of 6", "watch", path)
	do(exitDone, "", "work", path, "--workers", "1", "--quiet")
	do(exitDone, "all units are done", "watch", path, "--ascii")
	do(exitDone, "test error with the first 24 features: ", "watch", path, "--errors")
	var seen watchedRun
	if err := json.Unmarshal([]byte(do(exitDone, "", "watch", path, "--errors", "--json")), &seen); err != nil ||
		seen.Tiles != (counted{6, 6}) || seen.Complete || len(seen.Blocks) != 3 || seen.Blocks[2].Features != 60 {
		t.Errorf("%v: %+v", err, seen)
	}
	do(exitDone, "test", "resume", path, "--merge", "--quiet")
	do(exitDone, "is complete", "watch", path)
	sameRuns(t, filepath.Join(root, "whole"), path)
	if _, err := os.Stat(filepath.Join(path, "split")); !os.IsNotExist(err) {
		t.Errorf("what workers made is left: %v", err)
	}
}

// sameRuns fails unless two runs have the same bytes.
func sameRuns(t *testing.T, whole, split string) {
	t.Helper()
	for _, name := range []string{"train.npy", "test.npy", "model.npz", "predictions.npy", "report.json", "errors.csv"} {
		a, err1 := os.ReadFile(filepath.Join(whole, name))
		b, err2 := os.ReadFile(filepath.Join(split, name))
		if err1 != nil || err2 != nil || string(a) != string(b) {
			t.Errorf("%s is not that of the run on one machine: %v, %v", name, err1, err2)
		}
	}
}

// Whatever starts workers, with nothing in their environment but what it sets, the result is the same.
func TestAnyEngineStartsWorkers(t *testing.T) {
	root := t.TempDir()
	if code, _, errors := call(t, nil, tinySplit("run", root, "whole", "--quiet")...); code != exitDone {
		t.Fatal(errors)
	}
	for engine, environment := range map[string][]string{
		"PBS":         {"PBS_JOBID=7[1].server", "PBS_ARRAY_INDEX=1", "PBS_NP=1", "PBS_O_WORKDIR=/"},
		"Grid Engine": {"JOB_ID=7", "SGE_TASK_ID=1", "NSLOTS=2"},
		"Kubernetes":  {"JOB_COMPLETION_INDEX=0", "HOSTNAME=rfm-0", "KUBERNETES_SERVICE_HOST=10.0.0.1"},
	} {
		path := filepath.Join(root, engine[:3])
		if code, _, errors := call(t, nil, tinySplit("plan", root, engine[:3], "--band", "24")...); code != exitDone {
			t.Fatal(errors)
		}
		var workers [2]*exec.Cmd
		for i := range workers {
			workers[i] = program(t, root, "work", path)
			workers[i].Env = append([]string{"COMMAND_TEST_MAIN=1"}, environment...)
			if err := workers[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		for _, w := range workers {
			if err := w.Wait(); err != nil {
				t.Errorf("%s: %v", engine, err)
			}
		}
		end := program(t, root, "resume", path, "--merge", "--quiet")
		end.Env = workers[0].Env
		if out, err := end.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", engine, err, out)
		}
		sameRuns(t, filepath.Join(root, "whole"), path)
	}
}

// Any run can be watched, whoever computes it.
func TestRunsAreWatched(t *testing.T) {
	root := t.TempDir()
	half, busy := interruptRun(t, root, "half"), occupyRun(t, root, "busy")
	code, out, errors := call(t, nil, "watch", half)
	expect(t, code, exitDone, out+errors, "generate pending", "nobody works on it: rfm resume "+half)
	code, out, errors = call(t, nil, "watch", busy, "--json")
	expect(t, code, exitDone, errors)
	var seen watchedRun
	if err := json.Unmarshal([]byte(out), &seen); err != nil || len(seen.Stages) != 3 || seen.Stages[0].Unit != "pairs" ||
		seen.Holder == nil || seen.Holder.PID != os.Getpid() {
		t.Errorf("%v: %s", err, out)
	}
	code, out, errors = call(t, nil, "watch", half, "--follow") // nothing more is to come
	expect(t, code, exitDone, out+errors, "nobody works on it")
}

func TestSubmitPrintsScriptsAndRefusesWithoutSlurm(t *testing.T) {
	root := t.TempDir()
	t.Setenv("PATH", root) // no sbatch there
	code, out, errors := call(t, nil, tinySplit("submit", root, "s", "-j", "7", "--partition", "fast", "--dry-run", "--",
		"--qos=long")...)
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, errors)
	}
	for _, line := range []string{"#SBATCH --array=1-7", "#SBATCH --partition=fast", "#SBATCH --qos=long",
		" work " + filepath.Join(root, "s"), " resume " + filepath.Join(root, "s") + " --merge --quiet"} {
		if !strings.Contains(out, line+"\n") {
			t.Errorf("no line %q in %s", line, out)
		}
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
		t.Errorf("--dry-run has made %v, %v", entries, err)
	}
	code, out, errors = call(t, nil, tinySplit("submit", root, "s", "--vary", "seed=1..9", "-j", "3", "--dry-run")...)
	if code != exitDone || !strings.Contains(out, " --vary seed=1..9 --task $SLURM_ARRAY_TASK_ID/3\n") {
		t.Errorf("exit code %d: %s%s", code, out, errors)
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitUsage, "there is no sbatch here", tinySplit("submit", root, "s")},
		{exitUsage, "--jobs", tinySplit("submit", root, "s", "-j", "0")},
		{exitUsage, "line break", tinySplit("submit", root, "s", "--dry-run", "--time", "1\n#")},
		{exitConfig, "--band", tinySplit("plan", root, "s", "--band", "25")},
		{exitConfig, "cannot be split", tinySplit("plan", root, "q", "--set", "train.solver=qr")},
		{exitData, "has no jobs", []string{"cancel", "s", "--runs", root}},
		{exitData, "q", []string{"work", "q", "--runs", root}},
	} {
		if code, _, errors := call(t, nil, c.args...); code != c.code || !strings.Contains(errors, c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, code, errors)
		}
	}
}
