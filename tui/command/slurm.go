// This file is Slurm: how workers are submitted, and how their tasks fare. The state of the run itself is in its files.

package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"rfm/model/interchange"
	"rfm/model/share"
	"rfm/model/store"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

const jobsFile = "jobs.json"

// jobIDs are the jobs that were submitted for a run or a sweep.
func jobIDs(path string) []string {
	const limit = 1 << 16
	text, err := interchange.Read(filepath.Join(path+".slurm", jobsFile), limit, "")
	var ids, known []string
	if err != nil || json.Unmarshal(text, &ids) != nil {
		return nil
	}
	for _, id := range ids {
		if _, err := strconv.Atoi(id); err == nil { // they become arguments
			known = append(known, id)
		}
	}
	return known
}

// queue is a line for every job of a run that Slurm has in its queue: id, state, time, limit, node or reason. It is
// empty if there is no Slurm, or it does not answer.
func queue(ctx context.Context, path string) []string {
	ids := jobIDs(path)
	if len(ids) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "squeue", "-h", "-r", "-j", strings.Join(ids[max(0, len(ids)-20):], ","), "-o",
		"%i|%T|%M|%l|%N%r").Output()
	if err != nil { // of finished jobs it says that their ids are invalid
		return nil
	}
	var lines []string
	for line := range strings.Lines(string(out)) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// ended is a task that has ended otherwise than it should: id, state, exit code, node.
type ended [4]string

// failures are the tasks of the last submissions that have ended badly, as far as Slurm remembers: by its accounting,
// or by what it has in memory for some minutes.
func failures(ctx context.Context, path string) []ended {
	const some = 6 // jobs
	ids := jobIDs(path)
	if len(ids) == 0 {
		return nil
	}
	ids = ids[max(0, len(ids)-some):]
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var all []ended
	if out, err := exec.CommandContext(ctx, "sacct", "-X", "-P", "-n", "-j", strings.Join(ids, ","), "-o",
		"JobID,State,ExitCode,NodeList").Output(); err == nil {
		for line := range strings.Lines(string(out)) {
			if parts := strings.Split(strings.TrimSpace(line), "|"); len(parts) == len(ended{}) {
				all = append(all, ended(parts))
			}
		}
		ids = nil
	}
	for _, id := range ids {
		out, err := exec.CommandContext(ctx, "scontrol", "-o", "show", "job", id).Output()
		if err != nil { // it has forgotten it
			continue
		}
		for line := range strings.Lines(string(out)) {
			value := map[string]string{}
			for word := range strings.FieldsSeq(line) {
				key, text, _ := strings.Cut(word, "=")
				value[key] = text
			}
			name := value["JobId"]
			if task, ok := value["ArrayTaskId"]; ok {
				name = value["ArrayJobId"] + "_" + task
			}
			all = append(all, ended{name, value["JobState"], value["ExitCode"], value["NodeList"]})
		}
	}
	return slices.DeleteFunc(all, func(e ended) bool {
		state, _, _ := strings.Cut(e[1], " ") // "CANCELLED by 1000"
		return !slices.Contains([]string{"FAILED", "OUT_OF_MEMORY", "TIMEOUT", "NODE_FAIL", "BOOT_FAIL", "DEADLINE",
			"CANCELLED"}, state)
	})
}

// jobs is what Slurm knows, in words: the queue, and tasks that have ended badly.
func (a *app) jobs(ctx context.Context, path string) []string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	states, running := map[string]int{}, queue(ctx, absolute)
	for _, line := range running {
		if parts := strings.Split(line, "|"); len(parts) > 1 {
			states[printable.Line(strings.ToLower(parts[1]))]++
		}
	}
	var all, lines []string
	for _, state := range slices.Sorted(maps.Keys(states)) {
		all = append(all, fmt.Sprintf("%d %s", states[state], state))
	}
	if len(all) > 0 {
		lines = append(lines, "Slurm: "+strings.Join(all, ", "))
	}
	const most = 5
	bad := failures(ctx, absolute)
	for _, e := range bad[:min(most, len(bad))] {
		remedy := map[string]string{"OUT_OF_MEMORY": "; give more with --mem", "TIMEOUT": "; give more with --time"}[e[1]]
		lines = append(lines, printable.Line(fmt.Sprintf("task %s: %s on %s, exit code %s%s", e[0], e[1], e[3], e[2],
			remedy)))
	}
	if len(bad) > most {
		lines = append(lines, fmt.Sprintf("and %d more tasks", len(bad)-most))
	}
	return lines
}

// submit submits workers of a split run or a sweep as an array of tasks. more are options of sbatch, which come last, so
// that they hold.
func (a *app) submit(ctx context.Context, path string, sweep *share.Sweep, tasks int, dryRun bool, more []string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	bytes := 0.0
	if sweep != nil {
		bytes = sweep.Base.Cost().Bytes
	} else if bytes, err = workerBytes(path); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("the path of this program is unknown: %w", err)
	}
	directory := path + ".slurm"
	words := append([]string{"sbatch", "--parsable", fmt.Sprintf("--array=1-%d", tasks),
		"--job-name=rfm-" + filepath.Base(path), "--requeue", "--open-mode=append", "--time=1:00:00", "--cpus-per-task=1",
		fmt.Sprintf("--mem=%.0fM", bytes/(1<<20)+64),
		"--output=" + strings.ReplaceAll(directory, "%", "%%") + "/%A_%a.out"}, more...)
	words = append(words, "--wrap=exec "+quoted(self, "work", path, "--quiet")) // exec, so that signals arrive
	if dryRun {
		fmt.Fprintln(a.out, quoted(words...))
		return nil
	}
	sbatch, err := exec.LookPath("sbatch")
	if err != nil {
		return misuse("there is no sbatch here; any other scheduler can start workers: rfm work %s", printable.Path(path))
	}
	if err := os.MkdirAll(directory, 0o777); err != nil {
		return fault.Unwritten(directory, err, "")
	}
	// of two at the same moment the second one finds the tasks of the first one in the queue
	return store.Alone(filepath.Join(directory, ".lock"), func() error { return a.send(ctx, sbatch, words[1:], path) })
}

// send submits workers with the arguments of sbatch, unless tasks of the run or sweep are in the queue.
func (a *app) send(ctx context.Context, sbatch string, arguments []string, path string) error {
	directory := path + ".slurm"
	if queued := queue(ctx, path); len(queued) > 0 {
		return &fault.Data{Where: path, What: fmt.Sprintf("has %d tasks in the queue", len(queued)),
			Do: "wait, or cancel them first: scancel " + strings.Join(jobIDs(path), " ")}
	}
	cmd := exec.CommandContext(ctx, sbatch, arguments...)
	cmd.Dir = directory
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &fault.Data{Where: "sbatch", What: strings.TrimSpace(string(exit.Stderr)),
			Do: "its options stand after --; --dry-run prints the command"}
	} else if err != nil {
		return &fault.Data{Where: "sbatch", What: "cannot be started", Err: err}
	}
	id, _, _ := strings.Cut(strings.TrimSpace(string(out)), ";")
	text, err := json.Marshal(append(jobIDs(path), id))
	if err == nil {
		err = interchange.Save(filepath.Join(directory, jobsFile), text, "")
	}
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.encode(struct {
			Run string `json:"run"`
			Job string `json:"job"`
		}{path, id})
	}
	fmt.Fprintf(a.out, "job %s; `rfm show %s` shows its tasks, scancel %[1]s cancels them\n", id, printable.Path(path))
	return nil
}

// workerBytes is the memory of a worker of the split run in the directory path, which may be the one that merges.
func workerBytes(path string) (float64, error) {
	plan, err := share.ReadPlan(path)
	if err != nil {
		return 0, err
	}
	m, err := store.Read(path)
	if err != nil {
		return 0, err
	}
	if m.Complete() {
		return 0, &fault.Data{Where: path, What: "is complete: there is nothing to submit",
			Do: "rfm show " + printable.Path(path)}
	}
	c, err := m.Config(path)
	return max(plan.Memory(c), c.Cost().Bytes), err
}

// quoted is a command as a shell reads it.
func quoted(words ...string) string {
	var all []string
	for _, w := range words {
		all = append(all, printable.Quote(w))
	}
	return strings.Join(all, " ")
}
