// This file hands what is to be submitted to sbatch.

package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"rfm/model/interchange"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

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
