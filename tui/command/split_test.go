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
	do(exitDone, "s: split among workers; go on with", "runs", "--runs", root)
	do(exitDone, "", "work", path, "--workers", "1", "--quiet")
	do(exitDone, "all units are done", "watch", path, "--ascii")
	var seen watchedRun
	if err := json.Unmarshal([]byte(do(exitDone, "", "watch", path, "--json")), &seen); err != nil ||
		seen.Tiles != (counted{6, 6}) || seen.Complete {
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
		" work " + filepath.Join(root, "s"), " resume " + filepath.Join(root, "s") + " --merge --quiet --attempts 5"} {
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
	// a directory of another place, with a blank in it, is the one of the scripts
	elsewhere := filepath.Join(root, "my runs", "u")
	if code, _, errors := call(t, nil, tinySplit("plan", filepath.Dir(elsewhere), "u")...); code != exitDone {
		t.Fatal(errors)
	}
	code, out, errors = call(t, nil, "submit", elsewhere, "--dry-run", "--", "--comment=a b")
	if blank := strings.ReplaceAll(elsewhere, " ", `\ `); code != exitDone ||
		!strings.Contains(out, "#SBATCH --output="+blank+".slurm/%A_%a.out\n") ||
		!strings.Contains(out, "#SBATCH --comment=a\\ b\n") || !strings.Contains(out, " work '"+elsewhere+"'\n") {
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
		{exitConfig, "cannot be split", tinySplit("plan", root, "q", "--set", "train.method=linear")},
		{exitUsage, "--attempts is for --merge", []string{"resume", "q", "--attempts", "2"}},
		{exitUsage, "--attempts", tinySplit("submit", root, "s", "--attempts", "-1")},
		{exitData, "has no jobs", []string{"cancel", "s", "--runs", root}},
		{exitData, "q", []string{"work", "q", "--runs", root}},
	} {
		if code, _, errors := call(t, nil, c.args...); code != c.code || !strings.Contains(errors, c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, code, errors)
		}
	}
}

// Of Slurm there is what its commands say: with fake ones, what is submitted, submitted again, and shown of the queue.
func TestSubmissionsAreRepeatedAndShown(t *testing.T) {
	root, bin := t.TempDir(), t.TempDir()
	tool := func(name, script string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	tool("sbatch", "echo \"$@\" >>"+root+"/calls; wc -l <"+root+"/calls\n")
	tool("squeue", "exit 1\n")
	tool("sacct", "exit 1\n")
	tool("scontrol", "exit 1\n")
	path := filepath.Join(root, "s")
	do := func(want int, says string, args ...string) {
		t.Helper()
		if code, out, errors := call(t, nil, args...); code != want || !strings.Contains(out+errors, says) {
			t.Fatalf("%v: exit code %d: %s%s", args, code, out, errors)
		}
	}
	script := func(says string) {
		t.Helper()
		if text, err := os.ReadFile(filepath.Join(path+".slurm", "finish.sh")); err != nil ||
			!strings.Contains(string(text), says) {
			t.Errorf("%v: no %q in %s", err, says, text)
		}
	}
	do(exitDone, "1 2", tinySplit("submit", root, "s", "--band", "24", "-j", "2")...)
	script(" --merge --quiet --attempts 5\n")
	end := []string{"resume", path, "--merge", "--quiet", "--attempts"}
	do(exitInterrupted, "`rfm submit", with(end, "5")...) // no worker has done anything
	do(exitDone, "", "work", path, "--quiet")
	tiles, err := filepath.Glob(filepath.Join(path, "split", "tile-*"))
	if err != nil || len(tiles) != 6 || os.Remove(tiles[3]) != nil {
		t.Fatal(tiles, err)
	}
	do(exitInterrupted, "submitted again", with(end, "5")...)
	script(" --merge --quiet --attempts 4\n")
	do(exitInterrupted, "`rfm submit", with(end, "4")...) // nothing was done since
	do(exitInterrupted, "`rfm submit", with(end, "0")...)
	if calls, err := os.ReadFile(filepath.Join(root, "calls")); err != nil || strings.Count(string(calls), "\n") != 4 ||
		strings.Count(string(calls), "--dependency=afterany:3") != 1 {
		t.Errorf("%v: %s", err, calls)
	}

	do(exitDone, "tiles 5 of 6", "watch", path) // Slurm has forgotten all
	tool("squeue", "printf '3_1|RUNNING|1:00|1:00:00|n1None\\n3_2|RUNNING|1:00|1:00:00|n2None\\n"+
		"4|PENDING|0:00|1:00:00|(Dependency)\\n'\n")
	tool("scontrol", "[ \"$4\" = 3 ] || exit 1\n"+
		"echo 'JobId=9 ArrayJobId=3 ArrayTaskId=9 JobName=x JobState=TIMEOUT ExitCode=0:15 NodeList=n7'\n"+
		"echo 'JobId=8 ArrayJobId=3 ArrayTaskId=8 JobName=x JobState=COMPLETED ExitCode=0:0 NodeList=n7'\n")
	do(exitDone, "Slurm: 1 pending, 2 running\n task 3_9: TIMEOUT on n7, exit code 0:15; give more with --time\n", "watch",
		path)
	do(exitData, "has 3 jobs in the queue still", "submit", path)
	tool("sacct", "for i in 1 2 3 4 5 6 7; do echo \"3_$i|OUT_OF_MEMORY|0:125|n$i\"; done; echo '3_8|COMPLETED|0:0|n8'\n")
	do(exitDone, "\n task 3_5: OUT_OF_MEMORY on n5, exit code 0:125; give more with --mem\n and 2 more tasks\n", "watch",
		path)
	tool("sbatch", "echo no such partition >&2; exit 1\n")
	do(exitData, "no such partition", "submit", path, "--again")
}
