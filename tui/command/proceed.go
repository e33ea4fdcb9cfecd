// This file opens runs that may be in use.

package command

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/store"
)

// doubt says why opening a run takes long, if it does.
func (a *app) doubt(path string) {
	if text := store.Doubt(path); text != "" {
		fmt.Fprintln(a.err, text)
	}
}

// proceed goes on with the run that is called so, or begins it.
func (a *app) proceed(ctx context.Context, c config.Config, o engine.Options) (*engine.Experiment, error) {
	if a.flags.name != "" {
		a.doubt(filepath.Join(a.flags.runs, a.flags.name))
	}
	return engine.Continue(ctx, a.flags.runs, a.flags.name, c, time.Now(), o)
}
