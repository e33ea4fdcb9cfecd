// Esc stops every job at once.

//go:build unix

package screen

import (
	"regexp"
	"syscall"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/tui/session"
	"rfm/tui/tuitest"
)

// processorTime returns the processor time of this process so far, on all cores together.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	noError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// pace returns the processor time of a fixed sum, also under the race detector: some 20 ms on a usual machine.
func pace(t *testing.T) time.Duration {
	before, values := processorTime(t), make([]float64, 1000)
	for i := range 10_000_000 {
		values[i%1000] = 0.5*values[(i+1)%1000] + 1
	}
	return processorTime(t) - before
}

// The time to stop is measured as processor time and compared with the pace of the machine just after. A machine that
// others use may be slower in between: a real defect fails each time.
func TestEscapeIsObeyedAtOnce(t *testing.T) {
	at := func(stage string) func(*person) bool {
		return func(p *person) bool { e := p.S.Runner.Experiment(); return e != nil && e.Progress().Stage == stage }
	}
	shows := func(pattern string) func(*person) bool {
		what := regexp.MustCompile(pattern)
		return func(p *person) bool { return what.MatchString(p.Screen()) }
	}
	studied, searched := shows("[1-9] of [0-9]+ draws,"), shows("[1-9][0-9]* models,")
	large := func(assignments ...string) config.Config {
		return tuitest.With(t, tuitest.Tiny(t, "data.grid=257", "train.grid=65", "data.train=48", "data.test=4"),
			assignments...)
	}
	many := func(assignments ...string) config.Config { // pairs that take little time
		return large(append([]string{"data.grid=65", "nu=0.1", "tolerance=1e-3"}, assignments...)...)
	}
	for name, c := range map[string]struct {
		config config.Config
		first  []string // keys that are carried out to their end
		key    string   // starts the job
		there  func(*person) bool
	}{
		"generating":      {large("data.train=8192", "data.grid=4097", "tolerance=1e-9"), nil, "ctrl+r", at(engine.Generating)},
		"generating maps": {tinyDarcy(t, "data.train=512", "data.grid=257"), nil, "ctrl+r", at(engine.Generating)},
		"training":        {large("features.count=4096"), nil, "ctrl+r", at(engine.Training)},
		"solving":         {large("features.count=1536"), nil, "ctrl+r", at(engine.Solving)},
		"choosing":        {large("features.count=1024", "choice=loo"), nil, "ctrl+r", at(engine.Choosing)},
		"evaluating": {many("features.count=512", "data.test=4096"), []string{"2", "enter", "enter"}, "ctrl+r",
			at(engine.Evaluating)},
		"comparing": {many("features.count=32", "data.train=2048", "baselines=yes"), nil, "ctrl+r", at(engine.Comparing)},
		"a study":   {large(), []string{"4"}, "ctrl+r", studied},
		"a search":  {large(), []string{"5"}, "ctrl+r", searched},
	} {
		for attempt := 1; ; attempt++ {
			took := stopped(t, name, Options{Config: c.config, Workers: 2}, c.first, c.key, c.there)
			most := max(300*time.Millisecond, 15*pace(t))
			if t.Logf("%-16s %v of %v", name, took, most); took <= most {
				break
			}
			if attempt == 4 {
				t.Errorf("%s goes on for %v of a core after esc", name, took)
				break
			}
		}
	}
}

// stopped starts a job by a key after others, stops it once there reports true, and returns the processor time until it
// has ended.
func stopped(t *testing.T, name string, o Options, first []string, key string, there func(*person) bool) time.Duration {
	t.Helper()
	p := newPerson(t, o)
	p.Press(first...)
	p.Begin(key)
	p.Until(name, func() bool { return there(p) })
	if !there(p) {
		t.Fatalf("%s: ended before it was there: %v", name, p.S.Runner.Failure())
	}
	time.Sleep(20 * time.Millisecond) // into the middle of it
	before := processorTime(t)
	p.Press("esc") // and waits for the end
	took := processorTime(t) - before
	if err := p.S.Runner.Failure(); err != nil && !session.IsCancelled(err) {
		t.Errorf("%s: %v", name, err)
	}
	noError(t, p.M.Close())
	return took
}
