// Walks through the screens, from testdata/walks.txt.

package screen

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/store"
	"rfm/tui/session"
	"rfm/tui/tuitest"
)

func TestWalks(t *testing.T) {
	for _, w := range walks(t, "walks.txt") {
		t.Run(w.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			p := newPerson(t, w.options)
			p.follow(w.steps)
			p.S.Leave()
		})
	}
}

// A walk is a list of steps, and where it begins.
type walk struct {
	name    string
	options Options
	steps   []string
}

// walks reads walks from a file of testdata.
func walks(t *testing.T, file string) (list []walk) {
	text, err := os.ReadFile(filepath.Join("testdata", file))
	noError(t, err)
	for _, part := range strings.Split(string(text), "\n== ")[1:] {
		lines := strings.Split(strings.TrimSpace(part), "\n")
		name, differs, _ := strings.Cut(lines[0], ": ")
		list = append(list, walk{name, walker(t, strings.Fields(differs)), lines[1:]})
	}
	return list
}

// follow carries out the steps of a walk.
func (p *person) follow(steps []string) {
	p.T.Helper()
	for _, step := range steps {
		if p = p.step(step); p.T.Failed() {
			p.T.Fatalf("%s:\n%s", step, p.Screen())
		}
	}
}

// walker returns the options that the words of a walk describe: a preset, settings, and where it begins.
func walker(t *testing.T, words []string) Options {
	o := Options{Config: tuitest.Tiny(t), Workers: 2, Load: learn}
	for _, word := range words {
		switch word {
		case "start":
			o.Start, o.Config = true, config.Presets()[0].Config
		case "preset":
			o.Config = config.Presets()[0].Config
		case "darcy":
			o.Config = tinyDarcy(t)
		case "runs":
			o.Runs = "runs"
		default:
			if strings.Contains(word, "=") {
				o.Config = tuitest.With(t, o.Config, word)
			} else {
				o.Config = tuitest.Of(t, word)
			}
		}
	}
	return o
}

// step carries out a line of a walk, and returns the person of the next one.
func (p *person) step(line string) *person {
	p.T.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	words, texts := strings.Fields(rest), strings.Split(rest, " | ")
	expect := func(ok bool) {
		if !ok {
			p.T.Errorf("the screen is %s, the preset %s, leaving %t", p.S.Shown(), p.S.Draft.Version().Source, p.Left)
		}
	}
	switch verb {
	case "press":
		p.Press(words...)
	case "begin":
		p.begins(rest)
	case "start":
		p.Begin(rest)
	case "type":
		p.Type(rest)
	case "hold", "free":
		p.Hold = verb == "hold"
	case "set":
		p.Set(words...)
	case "visit":
		p.Visit(rest)
	case "size":
		width, _ := strconv.Atoi(words[0])
		height, _ := strconv.Atoi(words[1])
		p.Resize(width, height)
	case "see":
		p.See(texts...)
	case "miss":
		expect(!slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(p.Screen(), text) }))
	case "foot":
		lines := strings.Split(strings.TrimSpace(p.Screen()), "\n")
		expect(strings.HasPrefix(strings.TrimSpace(lines[len(lines)-1]), rest))
	case "at":
		p.selected(rest)
	case "on":
		expect(p.S.Shown() == rest)
	case "source":
		expect(p.S.Draft.Version().Source == rest)
	case "list": // instead of the stored runs
		p.Send(session.Listed(someRuns()))
	case "study":
		p.studies().Keep(inventedStudy())
		p.Send(nil)
	case "timed":
		p.timed()
	case "tab":
		p.open(rest)
	case "end", "broken": // the next stage ends, or all jobs from now on do, in an error
		err := errors.New(rest)
		if rest == context.Canceled.Error() {
			err = context.Canceled
		}
		if p.Before = func(context.Context, session.Job) error { return err }; verb == "end" {
			p.Run(p.S.Runner.Begin(false))
			p.Settle()
		}
	case "mended":
		p.Before = nil
	case "opening": // does not wait for the error that it does not exist
		p.S.Runner.Open(store.Entry{Path: rest})
		p.Send(nil)
	case "file":
		name, text, _ := strings.Cut(rest, " ")
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			p.T.Fatal(err)
		}
	case "pairs":
		writeOwn(p.T, rest)
	case "holds", "absent":
		name, text, _ := strings.Cut(rest, " ")
		content, err := os.ReadFile(name)
		expect((err == nil) == (verb == "holds") && strings.Contains(string(content), text))
	case "paste":
		p.Send(tea.PasteMsg{Content: rest})
		p.Settle()
	case "value":
		name, text, _ := strings.Cut(rest, " ")
		key, err := p.S.Draft.Config().Lookup(name)
		expect(err == nil && key.Text(p.S.Draft.Config()) == text)
	case "left": // as by a signal: the program ends, whatever runs
		p.leave()
		expect(p.S.Interrupted() == (rest == "interrupted") && p.S.Runner.Lost() == (rest == "lost"))
	case "told":
		told := p.S.Epilogue()
		expect((told == "") == (rest == ""))
		for _, text := range texts {
			expect(strings.Contains(told, text))
		}
	case "leaves", "stays":
		expect(p.Left == (verb == "leaves"))
	case "again": // another session with the same runs
		p.leave()
		p = newPerson(p.T, walker(p.T, append(words, "runs")))
		p.list()
	default:
		p.T.Fatalf("a walk has no step %q", verb)
	}
	return p
}
