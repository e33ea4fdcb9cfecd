// This file is what is asked of Slurm: how jobs are submitted, and what it knows of them. What is true is in files.

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

// files of a submission: scripts, and how many units were missing
const (
	workScript   = "work.sh"
	finishScript = "finish.sh"
	leftFile     = "left"
)

// submission is the flags of `rfm submit`.
type submission struct {
	jobs, cpus              int
	attempts                int // of submissions by the end
	left                    int // units that are missing
	limit, mem, partition   string
	again                   bool
	work, finish, directory string // scripts, and where they and the output are
}

// save writes a file of the submission.
func (s *submission) save(name string, content []byte) error {
	if err := os.MkdirAll(s.directory, 0o777); err != nil {
		return fault.Unwritten(s.directory, err, "")
	}
	return interchange.Save(name, content, "")
}

// again submits workers and the end once more for a run that lacks units, if attempts are left and if some were done
// since it was submitted last; ok is false if it does not.
func (a *app) again(ctx context.Context, path string, left, attempts int) (ok bool, err error) {
	s := &submission{again: true, left: left, directory: path + ".slurm"}
	const limit = 1 << 16
	var before [3]string
	for i, name := range []string{workScript, finishScript, leftFile} {
		text, err := interchange.Read(filepath.Join(s.directory, name), limit, "")
		if err != nil {
			return false, err
		}
		before[i] = string(text)
	}
	last, err := strconv.Atoi(strings.TrimSpace(before[2]))
	if err != nil || left >= last || attempts < 1 {
		return false, nil
	}
	s.work = before[0]
	s.finish = strings.Replace(before[1], fmt.Sprintf(" --attempts %d\n", attempts),
		fmt.Sprintf(" --attempts %d\n", attempts-1), 1)
	return true, a.enqueue(ctx, s, path)
}

// enqueue prints the scripts, or writes and submits them.
func (a *app) enqueue(ctx context.Context, s *submission, path string) error {
	if a.flags.dryRun {
		fmt.Fprintf(a.out, "# %s\n%s", filepath.Join(s.directory, workScript), s.work)
		if s.finish != "" {
			fmt.Fprintf(a.out, "\n# %s, after all of that has ended\n%s", filepath.Join(s.directory, finishScript), s.finish)
		}
		return nil
	}
	sbatch, err := exec.LookPath("sbatch")
	if err != nil {
		return misuse("there is no sbatch here; --dry-run prints the scripts, and any engine can start "+
			"workers: rfm work %s", printable.Path(path))
	}
	if err := os.MkdirAll(s.directory, 0o777); err != nil {
		return fault.Unwritten(s.directory, err, "")
	}
	// of two at the same moment the second one finds the jobs of the first one in the queue
	return store.Alone(filepath.Join(s.directory, ".lock"), func() error { return a.send(ctx, sbatch, s, path) })
}

// send writes the scripts and submits them, unless jobs of the run are in the queue still.
func (a *app) send(ctx context.Context, sbatch string, s *submission, path string) error {
	if queued := queue(ctx, path); len(queued) > 0 && !s.again {
		return &fault.Data{Where: path, What: fmt.Sprintf("has %d jobs in the queue still", len(queued)),
			Do: "wait, `rfm cancel` them, or add more with --again"}
	}
	var ids []string
	submit := func(name, script string, options ...string) error {
		file := filepath.Join(s.directory, name)
		if err := s.save(file, []byte(script)); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, sbatch, append(append([]string{"--parsable"}, options...), file)...)
		cmd.Dir = s.directory
		out, err := cmd.Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return &fault.Data{Where: "sbatch", What: strings.TrimSpace(string(exit.Stderr)),
				Do: "options after -- go to sbatch; the script is " + file}
		} else if err != nil {
			return &fault.Data{Where: "sbatch", What: "cannot be started", Err: err}
		}
		id, _, _ := strings.Cut(strings.TrimSpace(string(out)), ";")
		ids = append(ids, id)
		return nil
	}
	if err := submit(workScript, s.work); err != nil {
		return err
	}
	if s.finish != "" {
		if err := submit(finishScript, s.finish, "--dependency=afterany:"+ids[0]); err != nil {
			return err
		}
	}
	if err := s.save(filepath.Join(s.directory, leftFile), fmt.Appendln(nil, s.left)); err != nil {
		return err
	}
	text, err := json.Marshal(append(jobIDs(path), ids...))
	if err == nil {
		err = s.save(filepath.Join(s.directory, jobsFile), text)
	}
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.encode(struct {
			Run  string   `json:"run"`
			Jobs []string `json:"jobs"`
		}{path, ids})
	}
	fmt.Fprintln(a.out, strings.Join(ids, " "))
	return nil
}
