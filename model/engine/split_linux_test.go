package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"

	"rfm/model/rfm"
	"rfm/model/store"
	"rfm/solver/fault"
)

// A full disk stops workers cleanly, at any write, and the next worker resumes with a little more space.
func TestFullDisksStopWorkersCleanly(t *testing.T) {
	root, small := t.TempDir(), append(splittable[:len(splittable):len(splittable)], "train.grid=17")
	whole := created(t, t.TempDir(), "whole", "burgers", small...)
	noError(t, whole.Run(t.Context()))
	const page = 4096
	pages := 12
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
	path, stops := begun(t, root, "split", "burgers", small...), 0
	for {
		e, err := join(path, Options{Workers: 1})
		if err == nil && e.store.Manifest().Split == nil {
			_, err = e.divide(t.Context(), rfm.TileUnit, 16)
		}
		if err == nil {
			err = work(t.Context(), path)
		}
		if err == nil {
			err = merged(t, path)
		}
		if err == nil {
			break
		}
		var data *fault.Data
		if !errors.As(err, &data) || !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("%d pages: %v", pages, err)
		}
		if left, err := filepath.Glob(filepath.Join(path, store.UnitsDirectory, ".*")); err != nil || len(left) > 0 {
			t.Errorf("%d pages: temporary files are left: %v, %v", pages, left, err)
		}
		stops++
		pages += 4
		noError(t, mount(syscall.MS_REMOUNT))
	}
	same(t, "after full disks", whole.Directory(), path)
	if stops < 3 {
		t.Errorf("the disk was full only %d times", stops)
	}
	t.Logf("complete in %d pages, after %d stops", pages, stops)
}
