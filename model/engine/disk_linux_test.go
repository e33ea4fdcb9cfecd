package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"rfm/solver/fault"
)

// A full disk stops a run cleanly at any write. With a little more space the run resumes until the disk is full again.
func TestFullDiskStopsCleanlyAndTheRunGoesOn(t *testing.T) {
	root := t.TempDir()
	const page = 4096
	pages := 3
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
	c := small(t)
	want := contents(t, stored(t, c, 2).Directory())
	stops := map[string]int{}
	for {
		e, err := Continue(t.Context(), root, "x", c, time.Now(), eager(2))
		if err == nil {
			err = e.Run(t.Context())
			noError(t, e.Close())
		}
		if err == nil {
			break
		}
		var data *fault.Data
		if !errors.As(err, &data) || !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("%d pages: %v", pages, err)
		}
		stops[stageOf(t, filepath.Join(root, "x"))]++
		pages++
		noError(t, mount(syscall.MS_REMOUNT))
	}
	equalContents(t, "after a full disk", contents(t, filepath.Join(root, "x")), want)
	noTemporaryFiles(t, root)
	if len(stops) < 3 {
		t.Errorf("the disk was full only in %v", stops)
	}
	t.Logf("complete in %d pages; full when runs were at %v", pages, stops)
}
