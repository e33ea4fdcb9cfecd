// This file shows how the file of the draft is read as pairs.

package form

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/show/interchange"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/theme"
)

// account tells how the file of the draft is read as pairs, which is found out in the background whenever a setting of
// the data changes.
type account struct {
	latest[interpreted]
	file  string   // that was read; empty before the first
	facts []string // about the reading, the pairs first
	err   error    // why the file is not read with these settings
	key   string   // the setting that was changed last, if the file is not read with it
}

// follow reads the file of the draft again unless that has been done. What follows from the file, such as grids and
// numbers of pairs, becomes part of the draft.
func (a *account) follow(s *session.Session) tea.Cmd {
	draft := s.Draft.Version()
	if !draft.Config.Of().Files || draft.Config.Data.TrainFile == "" {
		a.cancel()
		a.file = ""
		return nil
	}
	const longest = 30 * time.Second
	return a.want(draft.Config.DataOnly(), longest, func(ctx context.Context) interpreted {
		c, told, facts, err := interchange.Reading(ctx, draft.Config, draft.Read, draft.Told)
		err = inTime(ctx, err, "'rfm show FILE' has more patience")
		return interpreted{
			draft:  draft,
			config: c,
			told:   told,
			facts:  facts,
			err:    err,
		}
	})
}

// An interpreted is the reading of the file of a draft.
type interpreted struct {
	draft  session.Version
	config config.Config // that follows from the file
	told   string        // see session.Version
	facts  []string
	err    error
}

// take takes over a reading.
func (a *account) take(got interpreted, s *session.Session) {
	a.file = got.draft.Config.Data.TrainFile
	a.facts = nil
	for _, fact := range got.facts {
		a.facts = append(a.facts, asRows(fact, got.config))
	}
	a.err = got.err
	a.key = firstChanged(got.draft)
	if got.err == nil && s.Draft.Reread(got.draft, got.config, got.told) {
		a.of = got.config.DataOnly()
	}
}

// wrong returns the error of the reading of a configuration's file, as one of a setting; nil if there is none.
func (a *account) wrong(c config.Config) *config.Error {
	if a.err == nil || a.file == "" || a.of != c.DataOnly() {
		return nil
	}
	var setting *config.Error
	if errors.As(a.err, &setting) {
		return setting
	}
	k, err := c.Lookup(a.key)
	if err != nil {
		return nil
	}
	wrong := &config.Error{
		Key:     a.key,
		Value:   k.Text(c),
		Problem: a.err.Error(),
	}
	var data *fault.Data
	if errors.As(a.err, &data) {
		wrong.Problem = data.What
		wrong.Suggestion = data.Do
	}
	return wrong
}

// firstChanged returns the key of the first setting of the data that was changed since the file was read; that of the file
// if none was.
func firstChanged(d session.Version) string {
	for _, k := range d.Config.Keys() {
		isOfData := strings.HasPrefix(k.Name, "data.")
		isSet := k.Text(d.Config) != ""
		if isOfData && isSet && !k.Same(d.Config, d.Read) {
			return k.Name
		}
	}
	return trainFile
}

// words describes the reading in place of a preset's description; empty if nothing is known yet.
func (a *account) words() string {
	if a.err != nil || a.file == "" {
		return ""
	}
	return strings.Join(a.facts, "; ")
}

// pictures returns the reading as a text among the pictures.
func (a *account) pictures(th theme.Theme) []page.Picture {
	if a.file == "" {
		return nil
	}
	draw := func(width, height int) string {
		lines := layout.Head(a.lines(th, width), width, height)
		return layout.Fit(strings.Join(lines, "\n"), width, height)
	}
	return []page.Picture{{Name: accountName, Draw: draw}}
}

// accountName is the name of the picture of an account.
const accountName = "how the file is read"

// lines returns why the file cannot be read, and what is known of it. What may be otherwise stands out.
func (a *account) lines(th theme.Theme, width int) []string {
	title := layout.Cut(accountName, width)
	lines := []string{th.Title.Render(title)}
	if a.err != nil {
		why := asRows(printable.Text(a.err.Error()), a.of)
		lines = append(lines, layout.Styled(th.Bad, layout.Wrap(why, width))...)
	}
	for _, fact := range a.facts {
		style := th.Value
		if isDoubtful(fact) {
			style = th.Warn
		}
		lines = append(lines, layout.Styled(style, layout.Wrap(fact, width))...)
	}
	return lines
}

// isDoubtful reports whether a fact says that something was guessed or left out.
func isDoubtful(fact string) bool {
	isGuess := strings.Contains(fact, "guess")
	isUnused := strings.HasPrefix(fact, "not used") || strings.Contains(fact, "left out")
	return isGuess || isUnused
}
