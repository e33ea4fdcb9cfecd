// This file says which signals end the program in good order.

package command

import (
	"context"
	"os/signal"
	"slices"
	"time"
)

// oneSignal is how long signals count as one: timeout sends one to the process and one to its group, a closing terminal
// and its shell do so, too.
const oneSignal = 500 * time.Millisecond

// untilSignal is a context that ends with the first signal that asks the program to leave; another one later ends the
// process at once. Signals that were ignored when the program started stay so: those of nohup, and of jobs in the
// background.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	heard := slices.DeleteFunc(slices.Clone(leavingSignals), signal.Ignored)
	if len(heard) == 0 { // no list would mean all signals
		return context.WithCancel(ctx)
	}
	ctx, stop := signal.NotifyContext(ctx, heard...)
	context.AfterFunc(ctx, func() { time.AfterFunc(oneSignal, stop) })
	return ctx, stop
}
