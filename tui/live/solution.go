package live

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/chart"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/theme"
	"rfm/tui/widget"
)

// Solution is one solution of an equation given as text, computed in the background. A wrong equation keeps the last
// picture.
type Solution struct {
	latest
	field report.Field // of the last valid equation; no values before the first
	err   error        // of the latest equation
}

// longestSolution is the time limit of a computation.
const longestSolution = 5 * time.Second

// Follow solves the equation of a configuration unless it has the solution.
func (l *Solution) Follow(c config.Config) tea.Cmd {
	if c.Equation.Text == "" {
		l.cancel()
		return nil
	}
	return l.want(c.DataOnly(), longestSolution, func(ctx context.Context) func() {
		field, err := engine.Picture(ctx, c)
		return func() { l.take(field, err) }
	})
}

// take shows a solution, or keeps the last one and the error.
func (l *Solution) take(field report.Field, err error) {
	if l.err = err; err == nil {
		l.field = field
	}
	if errors.Is(err, context.DeadlineExceeded) {
		l.err = fmt.Errorf("the picture of a solution takes more than %v: a larger equation.tolerance or a smaller "+
			"equation.time makes it faster", longestSolution)
	}
}

// Computing reports whether a computation is in progress.
func (l *Solution) Computing() bool { return l.stop != nil }

// Err returns the error of the latest equation; nil if it has none. A *config.Error has the place in the text.
func (l *Solution) Err() error { return l.err }

// Seen returns the values that Pictures depends on, for keys of caches.
func (l *Solution) Seen() any {
	if len(l.field.Values) == 0 {
		return l.err
	}
	return [2]any{&l.field.Values[0], l.err}
}

// Pictures returns the last solution, grey if the equation is not valid any more.
func (l *Solution) Pictures(on look.Look) []widget.Picture {
	if len(l.field.Values) == 0 {
		return nil
	}
	if l.err == nil {
		return []widget.Picture{chart.FieldPicture(on, l.field)}
	}
	plain, grey := on, l.field
	o := on.Theme.Options
	o.NoColor = true
	plain.Theme = theme.New(o)
	grey.Title = "before: " + grey.Title
	return []widget.Picture{{Name: grey.Title, Map: true, Draw: func(width, height int) string {
		text := ansi.Strip(chart.Field(plain, grey, width, height))
		return strings.Join(layout.Styled(on.Theme.Muted, text), "\n")
	}}}
}
