// This file finds settings with which an equation that somebody has typed has solutions.

package setup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/pde/equation"
)

// The limits of a search for settings. A trial that needs more steps would need minutes for all pairs. Work is counted and not
// timed, so that a busy machine finds the same settings.
const (
	lastingBlocks = 4 // of inputs; one between sides, where they cost more
	lastingSteps  = 4000
	lastingWork   = 60e9 // of all trials; some six seconds of an idle core
)

// searching is a search for settings with which the first training inputs have solutions.
type searching struct {
	given  func(key string) bool // keys that it must not set
	held   []string              // values that sides hold, by field
	budget *equation.Budget
}

// Lasting returns settings, of keys that are not given, with which the first training inputs of an equation have solutions,
// and why they have none without. It returns none if they have solutions, or if no settings help. Inputs that do not
// satisfy the conditions at the sides are changed first, because their solutions need many functions and steps.
func Lasting(ctx context.Context, c config.Config, given func(key string) bool) (found []Remedy, why string) {
	if c.Problem != config.TextEquation || Check(c) != nil {
		return nil, ""
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	fitting := textEquation(c).Fitting()
	s := searching{
		given: given,
		held:  fitting.Held,
		budget: &equation.Budget{
			Left:  lastingWork,
			Spent: cancel,
		},
	}
	assumed := c.Equation.AssumedInitial()
	if fitting.Input != "" && assumed != "" && !given("equation.initial") {
		fits := Remedy{"equation.initial", fitting.Input + strings.TrimPrefix(assumed, "a")}
		changed := c
		if assignAll(&changed, []Remedy{fits}) == nil && Check(changed) == nil {
			others, _ := s.search(ctx, changed)
			return append([]Remedy{fits}, others...), "drawn functions do not satisfy " + fitting.Missed
		}
	}
	return s.search(ctx, c)
}

// search tries settings in turn.
func (s searching) search(ctx context.Context, c config.Config) (found []Remedy, why string) {
	var ending *equation.Ending
	if !errors.As(s.lasts(ctx, c), &ending) {
		return nil, ""
	}
	isGiven := func(r Remedy) bool { return s.given(r.Key) }
	for _, settings := range combinations(c, ending, s.held) {
		if ctx.Err() != nil {
			break
		}
		changed := c
		if slices.ContainsFunc(settings, isGiven) || assignAll(&changed, settings) != nil || Check(changed) != nil {
			continue
		}
		if s.lasts(ctx, changed) == nil {
			return settings, ending.What
		}
	}
	return nil, ""
}

// lasts solves for the first training inputs. A solution that takes many steps has not failed.
func (s searching) lasts(ctx context.Context, c config.Config) error {
	blocks := lastingBlocks
	if c.Equation.Bounded() || c.Equation.Steady() {
		blocks = 1
	}
	return textEquation(c).Try(ctx, blocks, lastingSteps, s.budget)
}

// assignAll changes a configuration by all settings.
func assignAll(c *config.Config, settings []Remedy) error {
	for _, r := range settings {
		if err := config.Assign(c, r.Key+"="+r.Value); err != nil {
			return err
		}
	}
	return nil
}

// combinations returns settings that may help a solution that ends, single ones first.
func combinations(c config.Config, ending *equation.Ending, held []string) (all [][]Remedy) {
	kinds := [][]Remedy{otherInitials(c, ending, held), smootherInputs(c), shorterTimes(c, ending)}
	for _, kind := range kinds {
		for _, r := range kind {
			all = append(all, []Remedy{r})
		}
	}
	for i, kind := range kinds {
		for _, other := range kinds[i+1:] {
			for _, r := range kind {
				for _, s := range other {
					all = append(all, []Remedy{r, s})
				}
			}
		}
	}
	return all
}

// otherInitials returns initial values in place of those that are assumed: positive ones, for diffusion that vanishes with
// the field, for depths and for quotients, and small ones if a field grows. They begin with the values that sides hold.
func otherInitials(c config.Config, ending *equation.Ending, held []string) (all []Remedy) {
	assumed := c.Equation.AssumedInitial()
	if assumed == "" || ending.Time > 0 && ending.Growth == nil && !strings.Contains(assumed, ";") {
		return nil
	}
	if held[0] == "0" && ending.IsInitial() { // initial values vanish at the sides, whatever they are
		return nil
	}
	positive := equation.PositiveInitial(held[0])
	ones := "" // of the other fields
	for _, value := range held[1:] {
		if value == "" || value == "0" {
			value = "1"
		}
		ones += "; " + value
	}
	zeros := strings.TrimPrefix(assumed, "a")
	values := []string{positive + zeros}
	if ending.Growth != nil {
		values = []string{"0.1 + 0.1*tanh(a)" + zeros, "0.1*tanh(a)" + zeros}
	}
	if ones != "" {
		values = append(values, positive+ones)
	}
	for _, value := range values {
		all = append(all, Remedy{"equation.initial", value})
	}
	return all
}

// smootherInputs returns finer grids and smoother inputs.
func smootherInputs(c config.Config) (all []Remedy) {
	const smooth = 8
	if c.Equation.Dims < 2 {
		all = append(all, Remedy{"data.grid", fmt.Sprint(2*(c.Data.Grid-1) + 1)})
	}
	if c.Input.Alpha < smooth {
		all = append(all, Remedy{"input.alpha", fmt.Sprint(smooth)})
	}
	return all
}

// shorterTimes returns times at which a solution still exists.
func shorterTimes(c config.Config, ending *equation.Ending) (all []Remedy) {
	if c.Equation.Steady() || ending.IsInitial() {
		return nil
	}
	whole := c.Equation.Time
	if ending.Time > 0.2*whole {
		all = append(all, Remedy{"equation.time", fmt.Sprintf("%.2g", 0.9*ending.Time)})
	}
	for _, part := range []float64{0.3, 0.1, 0.03, 0.01, 0.001} {
		all = append(all, Remedy{"equation.time", fmt.Sprintf("%.2g", part*whole)})
	}
	return all
}
