// Package countdown has a context for tests: it ends when a computation has looked at it a given number of times, so
// that every place where that can be cancelled is reached, whatever the speed of the machine.
package countdown

import (
	"context"
	"math"
	"sync/atomic"
)

// Context ends after some looks. It may be used by several goroutines at once; only Err counts.
type Context struct {
	context.Context
	looks, end atomic.Int64
}

// After is a context whose Err is nil for the first looks calls.
func After(looks int) *Context {
	c := &Context{Context: context.Background()}
	c.end.Store(int64(looks))
	return c
}

// Never is a context that does not end, and counts.
func Never() *Context { return After(math.MaxInt) }

// Err is context.Canceled after the given number of calls.
func (c *Context) Err() error {
	if c.looks.Add(1) > c.end.Load() {
		return context.Canceled
	}
	return nil
}

// Looks is the number of calls of Err.
func (c *Context) Looks() int { return int(c.looks.Load()) }
