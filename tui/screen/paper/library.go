package paper

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
	"rfm/tui/later"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/session"
)

// library holds the results of studies of one size. A job fills it while the screen reads it.
type library struct {
	session *paper.Session
	whole   bool // the paper's sizes rather than quick ones
	mutex   sync.Mutex
	overall overall // without elapsed and now
	results map[string]paper.Result
}

func newLibrary(whole bool, workers int) *library {
	return &library{whole: whole, results: map[string]paper.Result{},
		session: paper.NewSession(paper.Options{Quick: !whole, Seed: 1, Workers: workers})}
}

// directory returns the directory of stored results.
func (l *library) directory() string { return paper.DirectoryName(!l.whole) }

// size describes the sizes of the studies.
func (l *library) size() string {
	if l.whole {
		return "the paper's size"
	}
	return "quick size"
}

// get returns the result of a study, if it is there.
func (l *library) get(name string) (r paper.Result, done bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	r, done = l.results[name]
	return r, done
}

// keep puts a result into the library.
func (l *library) keep(r paper.Result) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.results[r.Name] = r
}

// overall is the progress over all studies of a job.
type overall struct {
	wanted      string // name of the request
	done, total int    // studies
	begun       time.Time
	elapsed     time.Duration
	now         paper.Progress // of the study in progress
}

// count records how many of the studies are done.
func (l *library) count(o overall) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.overall = o
}

// look returns the progress of the job.
func (l *library) look() overall {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	o := l.overall
	o.elapsed, o.now = time.Since(o.begun), l.session.Progress()
	return o
}

// fraction returns the part that is done, every study counted alike.
func (o overall) fraction() float64 {
	inner := float64(o.now.Done) / float64(max(1, o.now.Total))
	if o.now.Draws > 0 {
		inner = (float64(o.now.Draw-1) + inner) / float64(o.now.Draws)
	}
	return min(1, (float64(o.done)+max(0, inner))/float64(max(1, o.total)))
}

// lines returns the request, a bar of the whole with the remaining time, and in grey the inner step.
func (o overall) lines(on look.Look, width int) []string {
	th, f := on.Theme, o.fraction()
	which := fmt.Sprintf("study %d of %d", min(o.done+1, o.total), o.total)
	if st, err := paper.Select([]string{o.now.Stage}); err == nil && o.now.Stage != "" {
		which += ", " + st[0].Title
	}
	if o.now.Draws > 0 {
		which += fmt.Sprintf(", draw %d of %d", o.now.Draw, o.now.Draws)
	}
	times := report.Duration(o.elapsed.Seconds())
	const enough = 0.02 // to extrapolate from
	if f > enough {
		times += ", about " + report.Duration(o.elapsed.Seconds()*(1-f)/f) + " left"
	}
	return []string{layout.Cut(th.Title.Render(o.wanted), width), layout.Cut(which, width),
		layout.Cut(plot.Progress(f, max(8, width/3), th)+" "+times, width),
		layout.Cut(th.Muted.Render(o.now.Activity()), width)}
}

// compute runs the wanted studies and those that they need, unless they are in the library or stored. It keeps results
// in both; stored results need a directory of runs.
func (l *library) compute(ctx context.Context, wanted []paper.Study, stored bool) error {
	var missing []paper.Study
	for _, st := range paper.Schedule(wanted) {
		if _, done := l.get(st.Name); !done {
			missing = append(missing, st)
		}
	}
	now := overall{wanted: "all studies", total: len(missing), begun: time.Now()}
	if len(wanted) == 1 {
		now.wanted = wanted[0].Title
	}
	l.count(now)
	var d *paper.Directory // nil stores nothing
	if stored {
		var err error
		if d, err = paper.OpenDirectory(l.directory()); err != nil {
			return err
		}
	}
	return l.session.Reproduce(ctx, missing, d, func(o paper.Outcome) error {
		l.keep(o.Result)
		now.done++
		l.count(now)
		return nil
	})
}

// load returns the command that reads stored results.
func (l *library) load() tea.Cmd {
	return func() tea.Msg {
		directory := paper.Directory{Path: l.directory()}
		if _, err := os.Stat(directory.Path); err != nil {
			return nil // no study was made here
		}
		stored := l.session.Stored(&directory)
		return later.Then(func() tea.Cmd {
			for _, r := range stored {
				l.keep(r)
			}
			return nil
		})
	}
}

// load reads stored results of both sizes. It reads nothing if runs are not stored.
func (p *Screen) load() tea.Cmd {
	if p.session.Directory() == "" {
		return nil
	}
	return tea.Batch(p.libraries[0].load(), p.libraries[1].load())
}

// running returns the name of the study that is being computed; empty if none is.
func (p *Screen) running() string {
	if !p.session.Runs(job) {
		return ""
	}
	return p.library().session.Progress().Stage
}

// compute starts a job for the studies that have no result yet.
func (p *Screen) compute(wanted []paper.Study) tea.Cmd {
	l, stored := p.library(), p.session.Directory() != ""
	return p.session.Run(session.Job{Name: job, Seen: func() { p.now = l.look() },
		Work: func(ctx context.Context) error { return l.compute(ctx, wanted, stored) },
		Done: func(error) tea.Cmd {
			if o := l.look(); p.session.Leaving() && stored && 0 < o.done && o.done < o.total {
				p.left = fmt.Sprintf("%d of %d studies are done, in %s; the same key computes the others, and so does `rfm "+
					"reproduce --out %s`", o.done, o.total, l.directory(), l.directory())
				if !l.whole {
					p.left = strings.TrimSuffix(p.left, "`") + " --quick`"
				}
			}
			return nil
		}})
}
