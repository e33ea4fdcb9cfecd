// This file is what Slurm knows of the jobs of a run: everything true is in files, it is asked only for what explains.

package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
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

// jobs is the queue in words.
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
	if len(running) == 0 {
		return nil
	}
	var all []string
	for state, n := range states {
		all = append(all, fmt.Sprintf("%d %s", n, state))
	}
	return []string{"Slurm: " + strings.Join(all, ", ")}
}
