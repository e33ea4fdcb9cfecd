// Package countdown provides a context for tests that ends after a given number of calls of Err. So tests reach every
// place where a computation can be cancelled, independent of the speed of the machine.
package countdown

import (
	"context"
	"sync/atomic"
)

// Context ends after a number of calls of Err; other methods do not count. It is safe for concurrent use.
type Context struct {
	context.Context
	looks, end atomic.Int64
}

// After returns a context whose Err is nil for the first looks calls.
func After(looks int) *Context {
	c := &Context{Context: context.Background()}
	c.end.Store(int64(looks))
	return c
}

// Err returns context.Canceled after the given number of calls.
func (c *Context) Err() error {
	if c.looks.Add(1) > c.end.Load() {
		return context.Canceled
	}
	return nil
}

// Looks returns the number of calls of Err.
func (c *Context) Looks() int { return int(c.looks.Load()) }
