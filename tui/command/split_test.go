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
	do(exitDone, "6 tiles of 24 x 24", tinySplit("run", root, "s", "--split", "2")...)
	path := filepath.Join(root, "s")
	do(exitDone, "6 tiles of 24 x 24", "run", path, "--split", "2") // which keeps the plan
	do(exitDone, "tiles 0 of 6", "show", path, "--ascii")
	_, _, errors := call(t, nil, "show", "--runs", root)
	expect(t, 0, 0, errors, "s: split among workers; ")
	var seen watchedRun
	if err := json.Unmarshal([]byte(do(exitDone, "", "show", path, "--json")), &seen); err != nil ||
		seen.Tiles != (counted{0, 6}) || seen.Complete {
		t.Errorf("%v: %+v", err, seen)
	}
	do(exitDone, "expected relative", "work", path, "--workers", "1", "--quiet") // and merges, being the last one
	do(exitDone, "is complete already", "work", path)
	do(exitDone, "expected relative", "show", path)
	do(exitData, "", "run", path, "--split", "2")
	sameRuns(t, filepath.Join(root, "whole"), path)
	if _, err := os.Stat(filepath.Join(path, "claims")); !os.IsNotExist(err) {
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
		if code, _, errors := call(t, nil, tinySplit("run", root, engine[:3], "--split", "2")...); code != exitDone {
			t.Fatal(errors)
		}
		var workers [2]*exec.Cmd
		for i := range workers {
			workers[i] = program(t, root, "work", path)
			workers[i].Env = append([]string{"COMMAND_TEST_MAIN=1"}, environment...)
			workers[i].Stderr = new(strings.Builder)
			if err := workers[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		for _, w := range workers {
			if err := w.Wait(); err != nil {
				t.Errorf("%s: %v: %s", engine, err, w.Stderr)
			}
		}
		sameRuns(t, filepath.Join(root, "whole"), path)
	}
}

// Any run can be watched, whoever computes it.
func TestRunsAreWatched(t *testing.T) {
	root := t.TempDir()
	half, busy := interruptRun(t, root, "half"), occupyRun(t, root, "busy")
	code, out, errors := call(t, nil, "show", half)
	expect(t, code, exitDone, out+errors, "generate partial", "no process works on it; `rfm run "+half)
	code, out, errors = call(t, nil, "show", busy, "--json")
	expect(t, code, exitDone, errors)
	var seen watchedRun
	if err := json.Unmarshal([]byte(out), &seen); err != nil || len(seen.Stages) != 3 || seen.Stages[0].Unit != "pairs" ||
		seen.Holder == nil || seen.Holder.PID != os.Getpid() {
		t.Errorf("%v: %s", err, out)
	}
	code, out, errors = call(t, nil, "show", half, "--follow") // nothing more is to come
	expect(t, code, exitDone, out+errors, "no process works on it")
}

func TestSlurmCommandIsPrintedAndRefusedWithoutSlurm(t *testing.T) {
	root := filepath.Join(t.TempDir(), "my runs")
	t.Setenv("PATH", root) // no sbatch there
	path := filepath.Join(root, "s")
	if code, _, errors := call(t, nil, tinySplit("run", root, "s", "--split", "7")...); code != exitDone {
		t.Fatal(errors)
	}
	code, out, errors := call(t, nil, "work", path, "--slurm", "7", "--dry-run", "--", "--partition=fast", "--comment=a b")
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, errors)
	}
	for _, word := range []string{" --array=1-7 ", " --partition=fast ", "'--comment=a b'", "'--output=" + path + ".slurm/%A_%a.out'",
		" work '", path + "'"} {
		if !strings.Contains(out, word) {
			t.Errorf("no %q in %s", word, out)
		}
	}
	if _, err := os.Stat(path + ".slurm"); err == nil {
		t.Error("--dry-run has made files")
	}
	sweep := filepath.Join(root, "seeds")
	if code, _, errors := call(t, nil, with(tinyArgs, "--runs", root, "--name", "seeds", "--vary", "seed=1..9", "--split", "3")...); code != exitDone {
		t.Fatal(errors)
	}
	code, out, errors = call(t, nil, "work", sweep, "--slurm", "3", "--dry-run")
	if code != exitDone || !strings.Contains(out, "--array=1-3 ") || !strings.Contains(out, sweep) {
		t.Errorf("exit code %d: %s%s", code, out, errors)
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitUsage, "there is no sbatch here", []string{"work", path, "--slurm", "2"}},
		{exitUsage, "--slurm 0", []string{"work", path, "--slurm", "0"}},
		{exitUsage, "--dry-run is for --slurm", []string{"work", path, "--dry-run"}},
		{exitUsage, "options of sbatch", []string{"work", path, "--", "--time=1"}},
		{exitConfig, "cannot be split", tinySplit("run", root, "q", "--set", "train.method=linear", "--split", "2")},
		{exitUsage, "--no-save", tinySplit("run", root, "q", "--no-save", "--split", "2")},
		{exitData, "nowhere", []string{"work", "nowhere", "--runs", root}},
	} {
		if code, _, errors := call(t, nil, c.args...); code != c.code || !strings.Contains(errors, c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, code, errors)
		}
	}
}

// With commands of Slurm that are scripts: workers are submitted once, and their tasks shown.
func TestWorkersAreSubmittedOnceAndShown(t *testing.T) {
	root, bin := t.TempDir(), t.TempDir()
	tool := func(name, script string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	tool("sbatch", "sleep 0.2; echo \"$@\" >>"+root+"/calls; echo 3\n")
	tool("squeue", "[ -e "+root+"/calls ] && printf '3_1|RUNNING|1:00|1:00:00|n1None\\n3_2|PENDING|0:00|1:00:00|(Priority)\\n'\n")
	tool("sacct", "exit 1\n")
	tool("scontrol", "echo 'JobId=9 ArrayJobId=3 ArrayTaskId=9 JobName=x JobState=TIMEOUT ExitCode=0:15 NodeList=n7'\n"+
		"echo 'JobId=8 ArrayJobId=3 ArrayTaskId=8 JobName=x JobState=COMPLETED ExitCode=0:0 NodeList=n7'\n")
	path := filepath.Join(root, "s")
	do := func(want int, says string, args ...string) {
		t.Helper()
		if code, out, errors := call(t, nil, args...); code != want || !strings.Contains(out+errors, says) {
			t.Fatalf("%v: exit code %d: %s%s", args, code, out, errors)
		}
	}
	do(exitDone, "6 tiles", tinySplit("run", root, "s", "--split", "2")...)
	codes := make(chan int)
	for range 2 { // at the same moment
		go func() {
			code, _, _ := call(t, nil, "work", path, "--slurm", "2")
			codes <- code
		}()
	}
	if a, b := <-codes, <-codes; a+b != exitDone+exitData {
		t.Errorf("two that submit at the same moment end with %d and %d", a, b)
	}
	do(exitData, "has 2 tasks in the queue; wait, or cancel them first: scancel 3", "work", path, "--slurm", "2")
	do(exitDone, "Slurm: 1 pending, 1 running\n task 3_9: TIMEOUT on n7, exit code 0:15; give more with --time\n", "show", path)
	tool("sacct", "for i in 1 2 3 4 5 6 7; do echo \"3_$i|OUT_OF_MEMORY|0:125|n$i\"; done; echo '3_8|COMPLETED|0:0|n8'\n")
	do(exitDone, "\n task 3_5: OUT_OF_MEMORY on n5, exit code 0:125; give more with --mem\n and 2 more tasks\n", "show", path)
	tool("squeue", "exit 1\n")
	tool("sbatch", "echo no such partition >&2; exit 1\n")
	do(exitData, "no such partition", "work", path, "--slurm", "2")
	if calls, err := os.ReadFile(filepath.Join(root, "calls")); err != nil || strings.Count(string(calls), "\n") != 1 {
		t.Errorf("%v: sbatch was called with %s", err, calls)
	}
}
