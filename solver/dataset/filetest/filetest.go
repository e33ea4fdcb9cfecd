// Package filetest checks calls in tests: their errors, and the memory that they take.
package filetest

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"rfm/solver/base/fault"
)

// NoError ends the test if a call has failed.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Refused fails the test unless err is a *fault.Data with the words.
func Refused(t testing.TB, name string, err error, words string) {
	t.Helper()
	var data *fault.Data
	if !errors.As(err, &data) || !strings.Contains(err.Error(), words) {
		t.Errorf("%s: %v, want *fault.Data with %q", name, err, words)
	}
}

// Allocated returns the number of bytes that f allocates.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
