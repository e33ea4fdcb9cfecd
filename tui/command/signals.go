// This file says which signals end the program in good order.

package command

import (
	"context"
	"os/signal"
	"slices"
)

// untilSignal is a context that ends with the first signal that asks the program to leave; the next one ends the process at
// once. Signals that were ignored when the program started stay so: those of nohup, and of jobs in the background.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	heard := slices.DeleteFunc(slices.Clone(leavingSignals), signal.Ignored)
	if len(heard) == 0 { // no list would mean all signals
		return context.WithCancel(ctx)
	}
	ctx, stop := signal.NotifyContext(ctx, heard...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
