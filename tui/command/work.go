// This file implements `rfm work`: a worker of a split run or of a sweep, or many of them as tasks of Slurm.

package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rfm/model/run/engine"
	"rfm/model/run/store"
	"rfm/model/run/sweep"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
)

// working is one call of `rfm work`.
type working struct {
	*app
	tasks  int // of Slurm
	dryRun bool
}

func (a *app) workCommand() *cobra.Command {
	w := &working{app: a}
	cmd := &cobra.Command{
		Use:        "work RUN or SWEEP [-- SBATCH OPTIONS]",
		Short:      "Join the workers of a split run or of a sweep",
		SuggestFor: []string{"submit"},
		Long: `Computes units of a run that 'rfm run --split' has split, or runs of a sweep, together with any number of other workers
on any machines that see its directory. If a worker is killed, others take over its unit. The last one merges the units into
the run, which has the same bytes as that of 'rfm run'. A worker that is asked to stop releases its unit (exit code 75).

With --slurm it submits that many workers as an array of tasks. Everything after -- goes to sbatch; the defaults are
--time=1:00:00, one CPU for each task, and the estimated memory. If you submit it again, only the missing units are computed.`,
		Example: `  rfm run burgers -n 20000 -m 8192 --name wide --split 16
  rfm work wide                        on as many machines as you like
  rfm work wide --slurm 16 -- --time=4:00:00 --cpus-per-task=16 --partition=long
  rfm work wide --slurm 16 --dry-run   print the sbatch command`,
		Args: func(cmd *cobra.Command, args []string) error {
			return arguments(1, 1, "one run or sweep")(cmd, args[:beforeDash(cmd, args)])
		},
		ValidArgsFunction: a.completeRuns(1),
		RunE:              w.run,
	}
	whole(cmd, &w.tasks, "slurm", 1, mostWorkers, "submit `N` workers to Slurm")
	cmd.Flags().BoolVar(&w.dryRun, "dry-run", false, "with --slurm: print the command, submit nothing")
	return a.share(cmd, "runs", "workers", "json", "quiet")
}

// beforeDash returns the number of arguments before --.
func beforeDash(cmd *cobra.Command, args []string) int {
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		return at
	}
	return len(args)
}

func (w *working) run(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	more := args[beforeDash(cmd, args):]
	if err := refuse(cmd, rule{w.tasks == 0, "dry-run", "is for --slurm, which is not given"}); err != nil {
		return err
	}
	if w.tasks == 0 && len(more) > 0 {
		return misuse("options after -- are for sbatch and need --slurm, which is not given")
	}
	kind, path, err := w.locate(args[0])
	if err != nil {
		return err
	}
	if kind == someFiles {
		return &fault.Data{
			Where: printable.Path(path),
			What:  "is a file, not a run or a sweep that is split",
			Do:    "`rfm run PRESET --split 4` makes one, `rfm show` lists them",
		}
	}
	var cells *sweep.Sweep
	if kind == oneSweep {
		if cells, err = sweep.Open(path); err != nil {
			return err
		}
	}
	if w.tasks > 0 {
		return w.submit(ctx, path, cells, more)
	}
	if cells != nil {
		groups := cells.Groups()
		first := os.Getpid() % len(groups) // workers begin with different groups, whose cells share their data
		return w.cells(ctx, cells, slices.Concat(groups[first:], groups[:first]))
	}
	if m, err := store.Read(path); err == nil && m.Complete() {
		fmt.Fprintf(w.Err, "%s is complete already\n", printable.Line(path))
		return nil
	}
	return w.units(ctx, path)
}

// submit submits workers of a split run or a sweep as an array of tasks. more are options of sbatch, which come last,
// so that they take precedence.
func (w *working) submit(ctx context.Context, path string, cells *sweep.Sweep, more []string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	bytes := 0.0
	if cells != nil {
		bytes = cells.Base.Cost().Bytes
	} else if bytes, err = workerBytes(path); err != nil {
		return err
	}
	directory := path + ".slurm"
	const spare = 64 // MiB for what the estimate leaves out
	words := []string{
		"sbatch",
		"--parsable",
		fmt.Sprintf("--array=1-%d", w.tasks),
		"--job-name=rfm-" + filepath.Base(path),
		"--requeue",
		"--open-mode=append",
		"--time=1:00:00",
		"--cpus-per-task=1",
		fmt.Sprintf("--mem=%.0fM", bytes/(1<<20)+spare),
		"--output=" + strings.ReplaceAll(directory, "%", "%%") + "/%A_%a.out",
	}
	words = append(words, more...)
	words = append(words, "--wrap=exec "+quoted(executable(), "work", path, "--quiet")) // exec, so that signals arrive
	if w.dryRun {
		if w.json {
			return w.encode(map[string][]string{"command": words})
		}
		fmt.Fprintln(w.Out, quoted(words...))
		return nil
	}
	sbatch, err := exec.LookPath("sbatch")
	if err != nil {
		return &fault.Data{
			Where: "sbatch",
			What:  "is not on this machine, or not in PATH",
			Do:    "submit where Slurm is, or start workers in any other way: rfm work " + printable.Path(path),
		}
	}
	if err := os.MkdirAll(directory, 0o777); err != nil {
		return fault.Unwritten(directory, err, "")
	}
	cmd := exec.CommandContext(ctx, sbatch, words[1:]...)
	cmd.Dir = directory
	out, err := cmd.Output()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if ok {
		return &fault.Data{
			Where: "sbatch",
			What:  strings.TrimSpace(string(exit.Stderr)),
			Do:    "its options stand after --; --dry-run prints the command",
		}
	}
	if err != nil {
		return &fault.Data{
			Where: "sbatch",
			What:  "cannot be started",
			Err:   err,
		}
	}
	id, _, _ := strings.Cut(strings.TrimSpace(string(out)), ";")
	if w.json {
		return w.encode(struct {
			Run string `json:"run"`
			Job string `json:"job"`
		}{path, id})
	}
	fmt.Fprintf(w.Out, "job %s; `rfm show %s` shows how far it is, squeue -j %[1]s its tasks, scancel %[1]s cancels them\n", id,
		printable.Path(path))
	return nil
}

// workerBytes returns the memory in bytes of a worker of the split run in the directory path, merging included.
func workerBytes(path string) (float64, error) {
	m, err := store.Read(path)
	switch {
	case err != nil:
		return 0, err
	case m.Complete():
		return 0, &fault.Data{
			Where: path,
			What:  "is complete: there is nothing to submit",
			Do:    "rfm show " + printable.Path(path),
		}
	case m.Split == nil:
		return 0, &fault.Data{
			Where: path,
			What:  "is not split",
			Do:    "`rfm run RUN --split N` splits a run",
		}
	}
	return max(engine.UnitMemory(*m.Split, m.Config), m.Config.Cost().Bytes), nil
}

// quoted returns a command quoted for a shell.
func quoted(words ...string) string {
	var all []string
	for _, w := range words {
		all = append(all, printable.Quote(w))
	}
	return strings.Join(all, " ")
}
