package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/solver/base/printable"
)

// tinySplit returns arguments of a run that is split into tiles.
func tinySplit(command, root, name string, more ...string) []string {
	return append(append([]string{command}, with(tinyArgs[1:], "-m", "60", "--no-baselines", "--runs", root, "--name",
		name)...), more...)
}

// sameRuns fails unless two runs have the same bytes.
func sameRuns(t *testing.T, whole, split string) {
	t.Helper()
	for _, name := range []string{"train.npy", "test.npy", "model.npz", "predictions.npy", "report.json", "errors.csv"} {
		a, err1 := os.ReadFile(filepath.Join(whole, name))
		b, err2 := os.ReadFile(filepath.Join(split, name))
		if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("%s is not that of the other run: %v, %v", name, err1, err2)
		}
	}
}

// sbatch is a script here, which starts two workers as Slurm would and waits. Variables of other schedulers do not
// matter.
func TestWorkersAreSubmitted(t *testing.T) {
	root, bin := t.TempDir(), t.TempDir()
	done(t, tinySplit("run", root, "whole", "--quiet")...)
	done(t, tinySplit("run", root, "s", "--split", "2")...)
	path := filepath.Join(root, "s")
	const workers = `for option; do case $option in --wrap=*) work=${option#--wrap=};; esac; done
for task in 1 2; do sh -c "$work" >/dev/null 2>&1 || touch failed & done
wait
echo '3;cluster'`
	for _, c := range []struct {
		script string
		code   int
		says   string
	}{{"echo no such partition >&2; exit 1", exitData, "sbatch: no such partition; its options stand after --"},
		{workers, exitDone, "job 3; `rfm show " + printable.Path(path) + "` shows how far it is, squeue -j 3 "}} {
		if err := os.WriteFile(filepath.Join(bin, "sbatch"), []byte("#!/bin/sh\necho \"$@\" >call\n"+c.script+"\n"),
			0o755); err != nil {
			t.Fatal(err)
		}
		cmd := program(t, root, "work", path, "--slurm", "2")
		cmd.Env = append(cmd.Env, "PBS_NP=1", "PBS_O_WORKDIR=/", "JOB_ID=7", "SGE_TASK_ID=1", "NSLOTS=2",
			"JOB_COMPLETION_INDEX=0", "HOSTNAME=rfm-0", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, _ := cmd.CombinedOutput() // the exit code is read below
		expect(t, cmd.ProcessState.ExitCode(), c.code, string(out), c.says)
		if given, err := os.ReadFile(path + ".slurm/call"); err != nil || !strings.Contains(string(given), "--array=1-2 ") {
			t.Errorf("%v: sbatch was given %s", err, given)
		}
	}
	if _, err := os.Stat(path + ".slurm/failed"); err == nil {
		t.Error("a worker has failed")
	}
	sameRuns(t, filepath.Join(root, "whole"), path)
}
