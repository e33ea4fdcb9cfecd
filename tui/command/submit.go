// This file is Slurm: `rfm submit` writes scripts that start workers, `rfm cancel` ends them.

package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"rfm/model/share"
	"rfm/model/store"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

func (a *app) submitCommand() *cobra.Command {
	s := &submission{}
	cmd := &cobra.Command{
		Use:   "submit [PRESET or FILE.toml or RUN] [-- SBATCH OPTIONS]",
		Short: "Do a split run, or a sweep, on a cluster with Slurm",
		Long: `Splits a run as 'rfm plan' does and submits two jobs: an array of workers, and one that makes the result when they have
ended. With --vary it submits a sweep, as an array. Scripts, job ids and output are in a directory beside the run. Submitted again, only
what is missing is done. Other engines start 'rfm work RUN' themselves: see docs/cluster.md.`,
		Example: `  rfm submit burgers -n 20000 -m 8192 --name wide -j 16 --cpus 16 --time 1:00:00
  rfm submit wide --dry-run            print the scripts, do nothing
  rfm submit burgers --vary seed=1..40 --name seeds -j 10 -- --qos=long`,
		Args: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args = args[:at]
			}
			return arguments(0, 1, "one preset, file or run")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var more []string
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args, more = args[:at], args[at:]
			}
			return a.submit(cmd, s, args, more)
		},
	}
	a.flags.experiment(cmd)
	a.flags.share(cmd, "json")
	a.flags.planned(cmd)
	a.flags.vary(cmd)
	set := cmd.Flags()
	set.IntVarP(&s.jobs, "jobs", "j", 4, "workers: tasks of the array")
	set.IntVar(&s.cpus, "cpus", 1, "CPUs of each")
	set.StringVar(&s.limit, "time", "1:00:00", "time limit of each job, as sbatch takes it")
	set.StringVar(&s.mem, "mem", "", "memory of each worker, as sbatch takes it (default: what is estimated)")
	set.StringVar(&s.partition, "partition", "", "partition")
	set.IntVar(&s.attempts, "attempts", 5,
		"submit again, so often at most, while units are missing and every time some are done")
	set.BoolVar(&s.again, "again", false, "submit even if jobs of this run are in the queue still")
	set.BoolVar(&a.flags.dryRun, "dry-run", false, "print the scripts, make and submit nothing")
	return cmd
}

// script is a batch script: one line that is run in place of the shell, so that signals arrive.
func (s *submission) script(name, options, command string, more []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/bash\n#SBATCH --job-name=%s\n#SBATCH --time=%s\n#SBATCH --requeue\n#SBATCH "+
		"--open-mode=append\n%s", option("rfm-"+name), option(s.limit), options)
	if s.partition != "" {
		fmt.Fprintf(&b, "#SBATCH --partition=%s\n", option(s.partition))
	}
	for _, one := range more {
		fmt.Fprintf(&b, "#SBATCH %s\n", option(one))
	}
	fmt.Fprintf(&b, "exec %s\n", command)
	return b.String()
}

// option quotes an option of a batch script as sbatch reads it: a backslash takes away what the next character means.
func option(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(" \t\\\"'#", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// output is the option of a batch script for the file with what a job prints. In names of directories % is no pattern.
func (s *submission) output(file string) string {
	return "#SBATCH --output=" + option(strings.ReplaceAll(s.directory, "%", "%%")+"/"+file) + "\n"
}

func mebibytes(bytes float64) string { return fmt.Sprintf("%.0fM", bytes/(1<<20)+64) }

// words quotes a command.
func words(command ...string) string {
	var all []string
	for _, w := range command {
		all = append(all, printable.Quote(w))
	}
	return strings.Join(all, " ")
}

func (a *app) submit(cmd *cobra.Command, s *submission, args, more []string) error {
	for name, value := range map[string]string{"time": s.limit, "mem": s.mem, "partition": s.partition,
		"sbatch options": strings.Join(more, "")} {
		if strings.ContainsAny(value, "\n\r") {
			return misuse("--%s has a line break", name)
		}
	}
	if s.jobs < 1 || s.cpus < 1 || s.attempts < 0 {
		return misuse("--jobs and --cpus: a number from 1 on is expected, and none below 0 for --attempts")
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("this program does not know where it is: %w", err)
	}
	array := func(mem string) string {
		options := fmt.Sprintf("#SBATCH --array=1-%d\n#SBATCH --cpus-per-task=%d\n", s.jobs, s.cpus)
		if s.mem != "" {
			mem = s.mem
		}
		if mem != "" {
			options += "#SBATCH --mem=" + option(mem) + "\n"
		}
		return options
	}
	if len(a.flags.axes) > 0 {
		return a.submitSweep(cmd, s, args, more, self, array)
	}
	path, name, worker, end := "", a.flags.name, "", ""
	if a.flags.dryRun { // nothing is made
		if path, err = a.planned(cmd, args); err == nil {
			path, err = filepath.Abs(path)
		}
		if err == nil {
			err = incomplete(path)
		}
		if err != nil {
			return err
		}
		name = filepath.Base(path)
	} else {
		var plan share.Plan
		if path, plan, err = a.plan(cmd, args, s.jobs); err != nil {
			return err
		}
		if path, err = filepath.Abs(path); err != nil {
			return err
		}
		m, err := store.Read(path)
		if err != nil {
			return err
		}
		c, err := m.Config(path)
		if err != nil {
			return err
		}
		progress, err := plan.Progress(path)
		if err != nil {
			return err
		}
		s.left = progress.Left()
		name, worker, end = filepath.Base(path), mebibytes(plan.Memory(c)), mebibytes(c.Cost().Bytes)
	}
	s.directory = path + ".slurm"
	s.work = s.script(name, array(worker)+s.output("%A_%a.out"), words(self, "work", path), more)
	finish := fmt.Sprintf("#SBATCH --cpus-per-task=%d\n", s.cpus)
	if end != "" {
		finish += "#SBATCH --mem=" + end + "\n"
	}
	s.finish = s.script(name, finish+s.output("%j.out"), words(self, "resume", path, "--merge", "--quiet",
		"--attempts", strconv.Itoa(s.attempts)), more)
	return a.enqueue(cmd.Context(), s, path)
}

// planned is the directory of the run that plan would take or make for the arguments.
func (a *app) planned(cmd *cobra.Command, args []string) (string, error) {
	source := source(args, "NAME")
	if isRun(source) {
		return source, nil
	}
	if path, err := store.Find(a.flags.runs, source); err == nil && !a.flags.configured(cmd) && a.flags.name == "" {
		return path, nil
	}
	name := a.flags.name
	if name == "" {
		name = filepath.Base(source)
	}
	return filepath.Join(a.flags.runs, name), nil
}

// incomplete refuses a run that is complete; one that there is not is none.
func incomplete(path string) error {
	if m, err := store.Read(path); err == nil && m.Complete() {
		return &fault.Data{Where: path, What: "is complete: there is nothing to submit", Do: "`rfm runs` shows it"}
	}
	return nil
}

// submitSweep submits a sweep as an array of its parts: every task goes on with what is not complete.
func (a *app) submitSweep(cmd *cobra.Command, s *submission, args, more []string, self string,
	array func(string) string) error {
	source := source(args, "quick")
	base, err := a.flags.configuration(cmd, source)
	if err != nil {
		return err
	}
	if a.flags.name == "" || isRun(source) {
		return misuse("a sweep is submitted under a name: give a preset or a file, and --name")
	}
	root, err := filepath.Abs(a.flags.runs)
	if err != nil {
		return err
	}
	path := filepath.Join(root, a.flags.name)
	s.directory = path + ".slurm"
	file := filepath.Join(s.directory, "config.toml")
	command := []string{self, "run", file, "--runs", root, "--name", a.flags.name, "--quiet"}
	for _, axis := range a.flags.axes {
		command = append(command, "--vary", axis)
	}
	mem := mebibytes(base.Cost().Bytes)
	s.work = s.script(a.flags.name, array(mem)+s.output("%A_%a.out"),
		words(command...)+fmt.Sprintf(" --task $SLURM_ARRAY_TASK_ID/%d", s.jobs), more)
	if !a.flags.dryRun {
		if err := s.save(file, base.TOML()); err != nil {
			return err
		}
	}
	return a.enqueue(cmd.Context(), s, path)
}

func (a *app) cancelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cancel RUN",
		Short: "Cancel the jobs of a run on a cluster",
		Long: `Cancels the jobs that 'rfm submit' has submitted for a run or a sweep, with scancel. What is done stays; 'rfm submit' submits the
rest again.`,
		Example: `  rfm cancel runs/wide`,
		Args:    arguments(1, 1, "one run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := args[0]
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				path = filepath.Join(a.flags.runs, path)
			}
			path, err := filepath.Abs(path)
			if err != nil {
				return err
			}
			ids := jobIDs(path)
			if len(ids) == 0 {
				return &fault.Data{Where: path, What: "has no jobs that `rfm submit` has submitted"}
			}
			out, err := exec.CommandContext(cmd.Context(), "scancel", ids...).CombinedOutput()
			if err != nil {
				return &fault.Data{Where: "scancel", What: strings.TrimSpace(string(out)), Err: err}
			}
			fmt.Fprintf(a.err, "cancelled; what is done stays, `rfm submit %s` submits the rest\n", printable.Path(args[0]))
			return nil
		},
	}
	return a.flags.share(cmd, "runs")
}
