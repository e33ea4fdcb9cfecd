// This file is what Slurm knows of the jobs of a run: everything true is in files, it is asked only for what explains.

package command

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"rfm/model/interchange"
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
