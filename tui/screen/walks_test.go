// Walks through the screens, from testdata/walks.txt.

package screen

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rfm/config"
)

func TestWalks(t *testing.T) {
	text, err := os.ReadFile("testdata/walks.txt")
	if err != nil {
		t.Fatal(err)
	}
	walks := strings.Split(string(text), "\n== ")[1:]
	for _, walk := range walks {
		head, steps, _ := strings.Cut(walk, "\n")
		name, differs, _ := strings.Cut(head, ": ")
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			p := newPerson(t, walker(t, strings.Fields(differs)))
			for step := range strings.SplitSeq(strings.Trim(steps, "\n"), "\n") {
				if p.step(step); t.Failed() {
					t.Fatalf("%s:\n%s", step, p.Screen())
				}
			}
			p.S.Leave()
		})
	}
}

// walker returns the options that the words of a walk describe: a preset, settings, and where it begins.
func walker(t *testing.T, words []string) Options {
	o := Options{Config: tiny(t), Workers: 2}
	for _, word := range words {
		switch word {
		case "start":
			o.Start, o.Config = true, config.Presets()[0].Config
		case "preset":
			o.Config = config.Presets()[0].Config
		case "load":
			o.Load = preset
		case "runs":
			o.Runs = "runs"
		default:
			if strings.Contains(word, "=") {
				o.Config = with(t, o.Config, word)
			} else {
				o.Config = of(t, word)
			}
		}
	}
	return o
}

// step carries out a line of a walk.
func (p *person) step(line string) {
	p.T.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	words, texts := strings.Fields(rest), strings.Split(rest, " | ")
	expect := func(ok bool) {
		if !ok {
			p.T.Errorf("the screen is %s, the preset %s, leaving %t", p.S.Shown(), p.S.Draft().Source, p.Left)
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
		expect(p.S.Draft().Source == rest)
	case "leaves", "stays":
		expect(p.Left == (verb == "leaves"))
	default:
		p.T.Fatalf("a walk has no step %q", verb)
	}
}
