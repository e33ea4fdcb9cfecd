// This file chooses settings that nobody has given for an equation that was typed, as rfm run --equation does.

package form

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/tui/session"
)

// lasting is the settings with which the first inputs of an equation have solutions, and why they have none without.
type lasting struct {
	settings []engine.Remedy
	why      string
}

// choosing looks for settings of an equation in the background, once for each equation.
type choosing struct {
	latest[lasting]
	asked  map[config.Config]bool // what was looked for: a choice that somebody takes back is not made again
	chosen map[string]string      // the values that were chosen, by key
	why    string                 // the reason of the last choice
}

func newChoosing() *choosing {
	return &choosing{
		asked:  map[config.Config]bool{},
		chosen: map[string]string{},
	}
}

// follow looks for settings of a draft with an equation of its own, unless that has been done. It waits while others compute.
func (l *choosing) follow(now session.Version, busy bool) tea.Cmd {
	const longest = time.Hour // because the search counts its work
	c := now.Config
	of := c.DataOnly()
	isTyped := c.Equation.Text != "" && c.Equation.Text != now.Base.Equation.Text
	isAsked := l.asked[of] || l.of == of // now
	if !isTyped || busy || isAsked {
		return nil
	}
	given := map[string]bool{}
	for _, k := range c.Keys() {
		given[k.Name] = !k.Same(c, now.Base) && !l.has(k, c)
	}
	return l.want(of, longest, func(ctx context.Context) lasting {
		settings, why := engine.Lasting(ctx, c, func(key string) bool { return given[key] })
		return lasting{settings: settings, why: why}
	})
}

// has reports whether the value of a key was chosen and has not changed since.
func (l *choosing) has(k config.Key, of config.Config) bool {
	value := l.chosen[k.Name]
	return value != "" && value == k.Text(of)
}
