// Package studies computes and keeps the results of the paper's studies, for their screen and tabs of the evaluation.
package studies

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/paper"
	"rfm/model/report"
	"rfm/tui/keys"
	"rfm/tui/later"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// Library holds the results of studies, quick ones and those of the paper's sizes.
type Library struct {
	session *session.Session
	whole   bool    // show the paper's sizes rather than quick ones
	left    string  // describes the studies that leaving has interrupted, and how to resume them
	now     Overall // progress of the job
	shelves [2]*shelf
}

// shelf holds the results of one size. A job fills it while the screen reads it.
type shelf struct {
	session *paper.Session
	mutex   sync.Mutex
	overall Overall // without Elapsed and Now
	results map[string]paper.Result
}

// NewLibrary returns an empty library.
func NewLibrary(s *session.Session) *Library {
	l := &Library{session: s}
	s.AtEnd(func() (string, bool) { return l.left, l.left != "" })
	for i, quick := range []bool{true, false} {
		l.shelves[i] = &shelf{session: paper.NewSession(paper.Options{Quick: quick, Seed: 1, Workers: s.Workers()}),
			results: map[string]paper.Result{}}
	}
	return l
}

// shelf returns the shelf of the chosen size.
func (l *Library) shelf() *shelf { return l.of(l.whole) }

// of returns the shelf of a size.
func (l *Library) of(whole bool) *shelf {
	if whole {
		return l.shelves[1]
	}
	return l.shelves[0]
}

// Overall is the progress over all studies of a job.
type Overall struct {
	Wanted      string // name of the request
	Done, Total int    // studies
	begun       time.Time
	Elapsed     time.Duration
	Now         paper.Progress // of the study in progress
}

// count records how many of the studies are done.
func (h *shelf) count(o Overall) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.overall = o
}

// look returns the progress of the job.
func (h *shelf) look() Overall {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	o := h.overall
	o.Elapsed, o.Now = time.Since(o.begun), h.session.Progress()
	return o
}

// Fraction returns the part that is done, every study counted alike.
func (o Overall) Fraction() float64 {
	inner := float64(o.Now.Done) / float64(max(1, o.Now.Total))
	if o.Now.Draws > 0 {
		inner = (float64(o.Now.Draw-1) + inner) / float64(o.Now.Draws)
	}
	return min(1, (float64(o.Done)+max(0, inner))/float64(max(1, o.Total)))
}

// lines returns the request, a bar of the whole with the remaining time, and in grey the inner step.
func (o Overall) lines(on look.Look, width int) []string {
	th, f := on.Theme, o.Fraction()
	which := fmt.Sprintf("study %d of %d", min(o.Done+1, o.Total), o.Total)
	if st, err := paper.Select([]string{o.Now.Stage}); err == nil && o.Now.Stage != "" {
		which += ", " + st[0].Title
	}
	if o.Now.Draws > 0 {
		which += fmt.Sprintf(", draw %d of %d", o.Now.Draw, o.Now.Draws)
	}
	times := report.Duration(o.Elapsed.Seconds())
	const enough = 0.02 // to extrapolate from
	if f > enough {
		times += ", about " + report.Duration(o.Elapsed.Seconds()*(1-f)/f) + " left"
	}
	inner := o.Now.Unit
	if o.Now.Total > 0 {
		inner += fmt.Sprintf(" %d of %d", o.Now.Done, o.Now.Total)
	}
	if inner != "" {
		inner += ", " + report.Duration(o.Now.Elapsed().Seconds())
	}
	return []string{layout.Cut(th.Title.Render(o.Wanted), width), layout.Cut(which, width),
		layout.Cut(plot.Progress(f, max(8, width/3), th)+" "+times, width), layout.Cut(th.Muted.Render(inner), width)}
}

// Keep puts a result of the chosen size into the library.
func (l *Library) Keep(r paper.Result) { l.shelf().keep(r) }

// Get returns the result of a study in the chosen size, if it is there.
func (l *Library) Get(name string) (r paper.Result, done bool) { return l.shelf().get(name) }

// Resize returns the command that switches between the two sizes, unless one is being computed, which stays in view.
func (l *Library) Resize(key keys.Key) ui.Command {
	return ui.Command{Key: key, Word: "size", Help: "quick size, or the paper's", Why: l.session.Occupied(),
		Do: ui.Now(func() { l.whole = !l.whole })}
}

// get returns the result of a study, if it is there.
func (h *shelf) get(name string) (r paper.Result, done bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	r, done = h.results[name]
	return r, done
}

// keep puts a result on the shelf.
func (h *shelf) keep(r paper.Result) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.results[r.Name] = r
}

// compute runs the wanted studies and those that they need, unless they are on the shelf or in the directory. It stores
// results in both; an empty directory means none.
func (h *shelf) compute(ctx context.Context, wanted []paper.Study, directory string) error {
	var missing []paper.Study
	for _, st := range paper.Schedule(wanted) {
		if _, done := h.get(st.Name); !done {
			missing = append(missing, st)
		}
	}
	now := Overall{Wanted: "all studies", Total: len(missing), begun: time.Now()}
	if len(wanted) == 1 {
		now.Wanted = wanted[0].Title
	}
	h.count(now)
	var d *paper.Directory // nil stores nothing
	if directory != "" {
		var err error
		if d, err = paper.OpenDirectory(directory); err != nil {
			return err
		}
	}
	return h.session.Reproduce(ctx, missing, d, func(o paper.Outcome) error {
		h.keep(o.Result)
		now.Done++
		h.count(now)
		return nil
	})
}

// Load reads stored results of both sizes. It reads nothing if runs are not stored.
func (l *Library) Load() tea.Cmd {
	if l.session.Directory() == "" {
		return nil
	}
	var all []tea.Cmd
	for _, whole := range []bool{false, true} {
		h := l.of(whole)
		all = append(all, func() tea.Msg {
			directory := paper.Directory{Path: paper.DirectoryName(!whole)}
			if _, err := os.Stat(directory.Path); err != nil {
				return nil // no study was made here
			}
			stored := h.session.Stored(&directory)
			return later.Then(func() tea.Cmd {
				for _, r := range stored {
					h.keep(r)
				}
				return nil
			})
		})
	}
	return tea.Batch(all...)
}

// Job is the name of the job of studies.
const Job = "paper"

// Running returns the name of the study that is being computed; empty if none is.
func (l *Library) Running() string {
	if !l.session.Runs(Job) {
		return ""
	}
	return l.shelf().session.Progress().Stage
}

// Compute starts a job for the studies that have no result yet.
func (l *Library) Compute(wanted []paper.Study) tea.Cmd {
	h, directory := l.shelf(), ""
	if l.session.Directory() != "" {
		directory = paper.DirectoryName(!l.whole)
	}
	return l.session.Run(session.Job{Name: Job, Seen: func() { l.now = h.look() },
		Work: func(ctx context.Context) error { return h.compute(ctx, wanted, directory) },
		Done: func(error) tea.Cmd {
			if o := h.look(); l.session.Leaving() && directory != "" && 0 < o.Done && o.Done < o.Total {
				l.left = fmt.Sprintf("%d of %d studies are done, in %s; the same key computes the others, and so does `rfm "+
					"reproduce --out %s`", o.Done, o.Total, directory, directory)
				if !l.whole {
					l.left = strings.TrimSuffix(l.left, "`") + " --quick`"
				}
			}
			return nil
		}})
}
