package screen

import (
	"context"
	"runtime/debug"
	"testing"

	"rfm/config"
	"rfm/model/show/paper"
	"rfm/tui/screen/form"
	studied "rfm/tui/screen/paper"
	"rfm/tui/screen/tour"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// Tests hold little and allocate much: collecting garbage less often saves a sixth of their time.
var _ = debug.SetGCPercent(400)

// Options are the options of session and shell that tests set.
type Options struct {
	Config     config.Config
	Workers    int
	Runs, Name string
	Load       func(ctx context.Context, name string) (config.Config, error)
	Theme      theme.Options
	Suspends   bool
	Start      bool // on the first page
}

// parts returns the options as arguments of New.
func (o Options) parts() (session.Options, shell.Options) {
	return session.Options{Config: o.Config, Workers: o.Workers, Runs: o.Runs, Name: o.Name, Load: o.Load,
			Start: o.Start},
		shell.Options{Theme: o.Theme, Suspends: o.Suspends}
}

// model returns the interface with these options.
func (o Options) model() *shell.Model {
	sitting, drawing := o.parts()
	return New(sitting, drawing, paper.NewTour(1))
}

func newPerson(t *testing.T, o Options) *person {
	sitting, drawing := o.parts()
	return personAt(t, sitting, drawing, func(s *session.Session, d *ui.Dialogs) []ui.Screen {
		return append(all(s, d), tour.New(s, d, paper.NewTour(1)))
	})
}

// studies returns the screen of the paper.
func (p *person) studies() *studied.Screen { return p.M.Screens[3].(*studied.Screen) }

// configure returns the configuration screen.
func (p *person) configure() *form.Screen { return p.M.Screens[0].(*form.Screen) }

// selected fails unless a parameter is selected on the configuration screen.
func (p *person) selected(name string) {
	p.T.Helper()
	if got := p.configure().Page().Heading; got != name {
		p.T.Errorf("%q is selected, not %q", got, name)
	}
}

// begins presses a key without waiting for any command that it starts.
func (p *person) begins(name string) { p.Send(keyPress(name)) }

// preset loads a preset by its name.
func preset(_ context.Context, name string) (config.Config, error) { return config.PresetByName(name) }
