// Package detector skips tests that cannot show anything to the race detector.
package detector

import "testing"

// Reason is the reason why a test is useless under the race detector.
type Reason string

const (
	// Numbers is for tests that compare numbers with their definition.
	Numbers Reason = "compares numbers with their definition: others have the same work side by side"
	// Stored is for tests that compute whole runs.
	Stored Reason = "its runs differ from those of other tests in stored values, not in concurrency"
	// Allocations is for tests that count allocations, since the detector allocates too.
	Allocations Reason = "counts allocations, and the detector makes its own"
)

// Skip skips a short test under the race detector, where it takes ten times as long: without -short it runs, unless it
// counts Allocations.
func Skip(t testing.TB, why Reason) {
	t.Helper()
	if watches && (testing.Short() || why == Allocations) {
		t.Skip(why)
	}
}
