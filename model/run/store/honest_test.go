package store

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/files/crash"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A unit that cannot be read may be intact: resuming stops, names it, and leaves it where it is.
func TestUnitsThatCannotBeReadAreKept(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	noError(t, errors.Join(writeRows(d.Units(), "a.npy", 0, pairsOf(0, 2)),
		writeRows(d.Units(), "a.npy", 2, pairsOf(2, 1))))
	list, err := d.Units().List()
	noError(t, err)
	unit, aside := d.Units().file(list[0]), filepath.Join(t.TempDir(), "aside")
	path := closed(t, d)
	noError(t, errors.Join(os.Rename(unit, aside), os.Mkdir(unit, 0o777))) // also root cannot read a directory as a file
	_, err = Open(t.Context(), path)
	isData(t, err, unit+" cannot be read: it is a directory")
	isData(t, err, "it is kept, because it may be intact: make it readable and resume with `rfm run "+path+"`")
	if info, err := os.Lstat(unit); err != nil || !info.IsDir() {
		t.Errorf("the unit is gone: %v", err)
	}
	noError(t, errors.Join(os.Remove(unit), os.Rename(aside, unit))) // readable again
	d, err = Open(t.Context(), path)
	noError(t, err)
	if list, err := d.Units().List(); err != nil || len(list) != 2 || len(d.Session) > 0 {
		t.Errorf("%d units, %v; notices %q", len(list), err, d.Session)
	}
	closed(t, d)
}

// What a run has made is listed in SHA256SUMS. If the list or its end is gone, nobody can tell whether the run is
// intact: it is neither called intact nor made again, and the printed remedy works.
func TestLostChecksumsAreNoticed(t *testing.T) {
	cut := func(lines int) func([]byte) []byte {
		return func(text []byte) []byte {
			all := strings.SplitAfter(string(text), "\n")
			return []byte(strings.Join(all[:len(all)-1-lines], ""))
		}
	}
	for how, spoil := range map[string]func(path string) error{
		"gone":  os.Remove,
		"empty": func(path string) error { return change(path, func([]byte) []byte { return nil }) },
		"cut":   func(path string) error { return change(path, cut(1)) },
		"three": func(path string) error { return change(path, cut(3)) },
	} {
		for stages := 1; stages <= 3; stages++ {
			if stages == 1 && how != "gone" {
				continue // as if the process had been killed before it wrote the list: made again
			}
			root := t.TempDir()
			d := begin(t, root, "x")
			put(t, d, text(TrainFile, "pairs"), text(TestFile, "pairs"))
			if stages > 1 {
				put(t, d, text(ModelFile, "model"))
			}
			if stages > 2 {
				put(t, d, text(ReportFile, `{"test":{"expected_relative":0.125}}`))
			}
			before := *d
			path := closed(t, d)
			sums := filepath.Join(path, SumsFile)
			noError(t, spoil(sums))
			isData(t, errors.Join(Verify(t.Context(), path)...), sums)
			_, err := Open(t.Context(), path)
			isData(t, err, sums)
			if found, err := Unfinished(root); found != "" || err != nil {
				t.Errorf("%s, %d stages: resumed as %s, %v", how, stages, found, err)
			}
			if list, err := List(root); err != nil || len(list) != 1 || list[0].State != ListedUnreadable {
				t.Errorf("%s, %d stages: listed as %+v, %v", how, stages, list, err)
			}
			_, remedy, found := strings.Cut(err.Error(), "to trust the files as they are: ")
			remedy, _, _ = strings.Cut(remedy, "\n")
			shell, missing := exec.LookPath("sh")
			if _, none := exec.LookPath("sha256sum"); !found || missing != nil || none != nil {
				t.Skip(err)
			}
			if out, err := exec.Command(shell, "-c", remedy).CombinedOutput(); err != nil {
				t.Fatalf("the remedy %q fails: %v, %s", remedy, err, out)
			}
			again, err := Read(path)
			if err != nil || again.Reached() != before.Reached() || len(again.Sums) != len(before.Sums) {
				t.Errorf("%s, %d stages: after the remedy %d stages, %v", how, stages, again.Reached(), err)
			}
		}
	}
}

// A process may be killed between a product and its checksum: then the product is made again.
func TestProductsWithoutChecksumsAreMadeAgain(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	noError(t, os.WriteFile(d.File(TrainFile), []byte("half"), 0o644))
	if faults := Verify(t.Context(), d.Path); len(faults) > 0 {
		t.Error(faults)
	}
	put(t, d, text(TrainFile, "pairs"))
	if faults := Verify(t.Context(), d.Path); len(faults) > 0 || !d.Has(TrainFile) {
		t.Error(faults)
	}
}

// counted counts the bytes that are read until the context is cancelled.
type counted struct {
	n      int64
	cancel context.CancelFunc
}

func (c *counted) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	c.cancel()
	return len(p), nil
}

// However large a file is, verification and copies end with their context.
func TestReadingLargeFilesEndsWithItsContext(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	put(t, d, text(TrainFile, "pairs"))
	noError(t, os.Truncate(d.File(TrainFile), 1<<26)) // a hole
	ctx, cancel := context.WithCancel(t.Context())
	some := &counted{cancel: cancel}
	if err := d.Copy(ctx, TrainFile, some); !errors.Is(err, context.Canceled) || some.n > 1<<20 {
		t.Errorf("copied %d bytes, %v", some.n, err)
	}
	if faults := Verify(ctx, d.Path); len(faults) != 1 || !errors.Is(faults[0], context.Canceled) {
		t.Error(faults)
	}
	if _, err := d.ReadFile(ctx, TrainFile); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	noError(t, writeRows(d.Units(), "a.npy", 0, pairsOf(0, 2)))
	list, err := d.Units().List()
	noError(t, err)
	if _, err := d.Units().Read(ctx, list[0]); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	noError(t, os.Truncate(d.File(TrainFile), 1<<10))
	if err := d.Copy(t.Context(), TrainFile, io.Discard); err == nil {
		t.Error("a changed file is intact")
	}
}

func changeTimes(to time.Time, names ...string) (err error) {
	for _, name := range names {
		err = errors.Join(err, os.Chtimes(name, to, to))
	}
	return err
}

// Two machines that make one unit with different bits are told apart, for every array.
func TestUnitsWithDifferentBitsAreUnsound(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	noError(t, writeRows(d.Units(), TrainFile, 0, pairsOf(0, 2)))
	noError(t, d.Units().Write(RowsName(TrainFile, 0, 2), pairsOf(1, 2).Write))
	_, err := d.Units().Of(TrainFile)
	if _, ok := errors.AsType[*fault.Unsound](err); !ok || !strings.Contains(err.Error(), "train-000000000+000000002-") {
		t.Error(err)
	}
	faults := Verify(t.Context(), d.Path)
	if len(faults) != 1 {
		t.Error(faults)
	}
	if _, err := d.Units().Of(TestFile); err != nil {
		t.Errorf("another array: %v", err)
	}
}

// Nothing is written through a link in place of a directory of the run.
func TestLinkedDirectoriesOfARunAreRefused(t *testing.T) {
	for _, name := range []string{UnitsDirectory, ClaimsDirectory} {
		path, elsewhere := closed(t, begin(t, t.TempDir(), "x")), t.TempDir()
		link := filepath.Join(path, name)
		noError(t, os.RemoveAll(link))
		if err := os.Symlink(elsewhere, link); err != nil {
			t.Skip(err)
		}
		_, err := Open(t.Context(), path)
		isData(t, err, link+" is not a directory of the run")
		if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) > 0 {
			t.Errorf("the directory behind the link has %v, %v, want nothing in it", entries, err)
		}
	}
}

// A configuration that somebody removes while the run is computed is written again: without it the run is lost.
func TestARemovedConfigurationComesBack(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	noError(t, os.Remove(d.File(ConfigFile)))
	_, err := Read(d.Path)
	isData(t, err, "config.toml is missing; restore it from a copy: program.json has its SHA-256")
	complete(t, d)
	if r, err := Read(d.Path); err != nil || !r.Complete() || r.Config != d.Config {
		t.Errorf("got %+v, %v, want a complete run with the configuration of its beginning", r, err)
	}
}

// The error of a write names the file that could not be written, and a remedy for the cause.
func TestFailedWritesNameFileAndRemedy(t *testing.T) {
	for cause, do := range map[syscall.Errno]string{syscall.ENOSPC: "free some space, and resume",
		syscall.EMFILE: "allow more open files (ulimit -n), and", syscall.EFBIG: "allow larger files (ulimit -f), and", syscall.EACCES: "check the permissions",
		syscall.EIO: "check the disk"} {
		d := begin(t, t.TempDir(), "x")
		restore := files.Replace(&crash.Injector{System: files.Disk(), Fail: func(_ int, operation, name string) error {
			if operation == "Rename" && strings.HasSuffix(name, ReportFile) {
				return cause
			}
			return nil
		}})
		err := d.Put(text(ErrorsFile, "1"), text(ReportFile, "2"))
		restore()
		isData(t, err, d.File(ReportFile)+" cannot be written: "+cause.Error()+"; "+do[:5])
		isData(t, err, do)
		if strings.Contains(err.Error(), "partial") || do[:4] != "free" && strings.Contains(err.Error(), "space") {
			t.Error(err)
		}
	}
}

// A run whose directory is renamed while it is computed is not lost.
func TestARenamedRunIsSaidToBeElsewhere(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	noError(t, os.Rename(d.Path, d.Path+"y"))
	isData(t, d.Put(text(TrainFile, "1")), "somebody has renamed or removed the directory of the run; resume it under its "+
		"new name")
	isData(t, writeRows(d.Units(), "a.npy", 0, pairsOf(0, 1)), "somebody has renamed or removed")
	noError(t, os.Rename(d.Path+"y", d.Path))
}

// Processes that begin the same run at the same moment all have one of their own.
func TestSimultaneousBeginningsDoNotDisturbEachOther(t *testing.T) {
	for range 20 {
		root := t.TempDir()
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				r, _, err := Begin(t.Context(), root, "", true, configuration(t), nil)
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(time.Millisecond)
				if !r.Complete() { // by another process that was faster
					complete(t, r)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	}
}
