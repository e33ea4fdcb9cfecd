package method

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// garbage is the factor of Method.Bytes for memory that is free and not yet collected.
const garbage = 1.2

// spare is memory in bytes for all else, such as stacks: more than small trainings need.
const spare = 64 << 20

// bounded is true while the runtime has a limit of bound.
var bounded atomic.Bool

// bound has garbage collected often enough that the heap grows by no more than the given bytes, if possible: else it
// would grow to twice the size of all that is in use. The first of nested or concurrent calls counts. It returns a
// function that ends the limit.
func bound(bytes float64) (end func()) {
	if bytes == 0 || !bounded.CompareAndSwap(false, true) {
		return func() {}
	}
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, int64(now.HeapAlloc)+int64(bytes)+spare))
	return func() {
		runtime.GC() // else the heap may grow to twice the size that the last collection found in training
		debug.SetMemoryLimit(before)
		bounded.Store(false)
	}
}
