// This file implements `rfm demo`, the guided tour.

package command

import (
	"context"
	"errors"
	"runtime"

	"github.com/spf13/cobra"

	"rfm/model/machine"
	"rfm/model/paper"
	"rfm/tui/demo"
)

func (a *app) demoCommand() *cobra.Command {
	var (
		seed uint64
		data string
		loop bool
	)
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show a guided tour of three minutes",
		Long: `Explains the random feature model step by step, each with one equation and one picture: Brownian bridges, Burgers'
equation, Darcy flow, and a search for better features, computed while the tour runs. With --data it ends with your own
pairs. Space stops it, the arrow keys turn pages, s shows notes for a speaker.`,
		Example: `  rfm demo
  rfm demo --data pairs.npz                    ends with a model of your data
  rfm demo --loop                              again and again`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !a.drawable() {
				return a.refuse(cmd)
			}
			plan := paper.NewTour(seed)
			if data != "" {
				own, err := paper.OwnData(cmd.Context(), data)
				if err != nil {
					return err
				}
				own.Seed = seed
				plan.Own = &own
			}
			workers := machine.Workers(a.workers)
			defer runtime.GOMAXPROCS(makeRoom(workers))
			m := demo.New(demo.Options{Plan: plan, Workers: workers, Theme: a.appearance(), Loop: loop,
				Suspends: suspends()})
			defer m.Close()
			if _, err := a.perform(cmd.Context(), m); err != nil {
				if ctxErr := cmd.Context().Err(); ctxErr != nil {
					return ctxErr
				}
				if errors.Is(err, errHangUp) {
					return context.Canceled
				}
				return err
			}
			return m.Err()
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "root of every random stream")
	cmd.Flags().StringVar(&data, "data", "", "`FILE` of your own pairs, for the end of the tour")
	cmd.Flags().BoolVar(&loop, "loop", false, "begin again after the last scene")
	a.flags.share(cmd, "workers")
	return cmd
}
