package operator

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

const (
	Garbage = 1.2      // factor of Method.Bytes for memory that is free and not yet collected
	Spare   = 64 << 20 // bytes for all else, such as stacks, to which the heap may grow besides
)

// bounded is true while the runtime has a limit of bound.
var bounded atomic.Bool

// bound has garbage collected often enough that the heap grows by no more than the given bytes, if possible, and not
// more often, which would take a quarter of the time of small trainings. The first of nested or concurrent calls counts.
// It returns a function that ends the limit.
func bound(bytes float64) (end func()) {
	if bytes == 0 || !bounded.CompareAndSwap(false, true) {
		return func() {}
	}
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	before := debug.SetMemoryLimit(-1) // which only reads it
	percent := debug.SetGCPercent(400)
	needed := int64(now.HeapAlloc) + int64(bytes) + Spare
	debug.SetMemoryLimit(min(before, needed))
	return func() {
		runtime.GC() // else the heap may grow to twice the size that the last collection found in training
		debug.SetMemoryLimit(before)
		debug.SetGCPercent(percent)
		bounded.Store(false)
	}
}
