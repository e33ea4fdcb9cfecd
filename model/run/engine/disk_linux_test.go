package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"

	"rfm/model/learn/rfm"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
)

// onSmallDisk calls work in a directory on a disk of some pages until it succeeds, each time with more space. Errors
// other than those of a full disk end the test. It calls full after each of them, and returns the directory.
func onSmallDisk(t *testing.T, pages, more int, work func(root string) error, full func(root string)) (root string) {
	t.Helper()
	root = t.TempDir()
	const page = 4096
	mount := func(flags uintptr) error {
		return syscall.Mount("tmpfs", root, "tmpfs", flags, fmt.Sprintf("size=%d", pages*page))
	}
	if err := mount(0); err != nil {
		t.Skip("no small disk can be made here: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(root, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	for err := work(root); err != nil; err = work(root) {
		var data *fault.Data
		if !errors.As(err, &data) || !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("%d pages: %v", pages, err)
		}
		full(root)
		pages += more
		noError(t, mount(syscall.MS_REMOUNT))
	}
	return root
}

// A full disk stops a run cleanly at any write. With a little more space the run resumes until the disk is full again.
func TestFullDiskStopsCleanlyAndTheRunGoesOn(t *testing.T) {
	c, stops := small(t), map[string]int{}
	want := contents(t, stored(t, c, 2).Directory())
	root := onSmallDisk(t, 3, 1, func(root string) error {
		e, err := New(t.Context(), c, eager(2).In(root, "x", true))
		if err == nil {
			err = e.Run(t.Context())
			noError(t, e.Close())
		}
		return err
	}, func(root string) { stops[stageOf(t, filepath.Join(root, "x"))]++ })
	equalContents(t, "after a full disk", contents(t, filepath.Join(root, "x")), want)
	noTemporaryFiles(t, root)
	if len(stops) < 3 {
		t.Errorf("the disk was full only in %v", stops)
	}
}

// A full disk stops workers cleanly, at any write, and the next worker resumes with a little more space.
func TestFullDisksStopWorkersCleanly(t *testing.T) {
	small := append(splittable[:len(splittable):len(splittable)], "train.grid=17")
	whole, path, stops := whole(t, "burgers", small...), "", 0
	onSmallDisk(t, 12, 4, func(root string) error {
		if path == "" {
			path = begun(t, root, "split", "burgers", small...)
		}
		e, err := join(path, Options{Workers: 1})
		if err == nil && e.store.Split == nil {
			_, err = e.divide(t.Context(), rfm.TileUnit, 16)
		}
		if err == nil {
			err = workOn(t.Context(), path)
		}
		if err == nil {
			err = merged(t, path)
		}
		return err
	}, func(string) {
		if left, err := filepath.Glob(filepath.Join(path, store.UnitsDirectory, ".*")); err != nil || len(left) > 0 {
			t.Errorf("temporary files are left: %v, %v", left, err)
		}
		stops++
	})
	same(t, "after full disks", whole, path)
	if stops < 3 {
		t.Errorf("the disk was full only %d times", stops)
	}
}
