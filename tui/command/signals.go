// This file defines which signals end the program in good order.

package command

import (
	"context"
	"os/signal"
	"slices"
	"time"
)

// oneSignal is the time within which signals count as one: timeout sends one to the process and one to its group, and
// so do a closing terminal and its shell.
const oneSignal = 500 * time.Millisecond

// untilSignal returns a context that ends with the first signal that asks the program to leave; a later one ends the
// process at once. Signals that were ignored when the program started, as by nohup or for background jobs, stay
// ignored.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	heard := slices.DeleteFunc(slices.Clone(leavingSignals), signal.Ignored)
	if len(heard) == 0 { // an empty list would mean all signals
		return context.WithCancel(ctx)
	}
	ctx, stop := signal.NotifyContext(ctx, heard...)
	context.AfterFunc(ctx, func() { time.AfterFunc(oneSignal, stop) })
	return ctx, stop
}
