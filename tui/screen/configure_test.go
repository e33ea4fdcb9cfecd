// Editing on the configuration screen.

package screen

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rfm/config"
)

func TestEveryParameterOfEveryProblemIsListed(t *testing.T) {
	problems := config.Problems()
	if testing.Short() {
		problems = problems[:2]
	}
	for _, problem := range problems {
		c := of(t, problem, "data.train=8", "data.test=4", "features.count=8")
		p := newPerson(t, Options{Config: c, Workers: 2})
		p.Resize(60, 15)
		for _, k := range c.Keys() {
			p.Visit(k.Name)
			p.selected(k.Name)
			if text := strings.Join(strings.Fields(p.Screen()), " "); !strings.Contains(text, "key "+k.Name) {
				t.Errorf("%s is not explained:\n%s", k.Name, p.Screen())
			}
		}
	}
}

// Values change by arrows and, after enter, by typing; wrong and cancelled ones are not kept. Digits are commands until
// then. Undo takes back one change at a time, and reset restores the preset's values.
func TestValuesAreEdited(t *testing.T) {
	next := config.Presets()[0].Config.Data.Train
	for _, test := range []struct {
		at, keys string
		train    int // data.train afterwards, 40 at first
		says     string
	}{
		{"data.train", "enter 3 2 enter", 32, "32"},
		{"data.train", "enter 3 2 enter enter 0 enter", 32, "must be a whole number"},
		{"data.train", "enter 3 2 enter enter 0 esc", 32, "32"},
		{"data.train", "enter 3 2 enter backspace", 40, "40"},
		{"data.train", "right", 80, "80"},
		{"data.train", "5 1", 40, "40"},
		{"data.train_file", "5 1", 40, "40"},
		{"train.lambda", "5 1", 40, "40"},
		{"data.train", "right down right home backspace", 40, "preset"},
		{"data.train", "home right", next, "burgers"},
		{"data.train", "enter 9 9 enter right u", 99, "99"},
		{"data.train", "enter 9 9 enter home right u", 99, "99"},
		{"data.train", "enter 9 9 enter home right u u", 40, "40"},
		{"data.train", "enter 9 9 enter / c h a n g e d enter", 99, "›99"},
	} {
		p := newPerson(t, Options{Config: tiny(t), Workers: 2})
		p.Visit(test.at)
		p.Press(strings.Fields(test.keys)...)
		if n := p.S.Config().Data.Train; n != test.train || !strings.Contains(p.Screen(), test.says) {
			t.Errorf("%s %s: n = %d, want %d and %q:\n%s", test.at, test.keys, n, test.train, test.says, p.Screen())
		}
		if n := p.S.Config().Data.Train; n == 40 && p.S.Config() != tiny(t) {
			t.Errorf("%s %s: other values have changed: %+v", test.at, test.keys, p.S.Config())
		}
	}
}

func TestPreviewFollowsWhatIsTyped(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	input := func() string {
		before, _, _ := strings.Cut(p.Screen(), "2 of 3") // the picture
		_, picture, _ := strings.Cut(before, "an input a")
		return regexp.MustCompile(`(?m)^.{39}`).ReplaceAllString(picture, "")
	}
	p.Press("v")
	p.See("an input a")
	p.Visit("input.tau")
	before := input()
	p.Press("enter", "3")
	if input() == before {
		t.Error("the preview is that of before")
	}
	p.Press("x") // 3x is not a number: the last valid preview would show another value
	p.See("must be a number")
	p.Press("esc")
	if input() != before {
		t.Error("the preview is not that of the configuration again")
	}
}

func TestConfigurationsAreSavedAndLoaded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "own.toml")
	load := func(_ context.Context, name string) (config.Config, error) {
		text, err := os.ReadFile(name)
		if err != nil {
			return config.Config{}, err
		}
		return config.Parse(text)
	}
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Load: load})
	p.Visit("data.train")
	p.Press("right", "s")
	p.Press(slices.Repeat([]string{"backspace"}, 40)...)
	p.Type(name)
	p.Press("enter")
	p.See("saved as")
	saved := p.S.Config()
	p.Press("right", "s", "enter") // the name is still there
	p.See("exists already; enter overwrites it")
	p.Press("esc", "o", "enter")
	p.See("opened")
	if d := p.S.Draft(); d.Config != saved || d.Base != saved || d.File != name {
		t.Errorf("loaded %+v", d)
	}
}

// A file that is still being read after cancelling changes nothing, and is not read to its end.
func TestCancelledOpenChangesNothing(t *testing.T) {
	begun, arrived := make(chan context.Context, 2), make(chan struct{})
	load := func(ctx context.Context, name string) (config.Config, error) {
		begun <- ctx
		<-arrived
		return config.PresetByName("darcy")
	}
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Load: load})
	p.Press("o", "x")
	p.begins("enter")
	ctx := <-begun
	p.begins("esc")
	p.begins("s") // another question is open when the file arrives
	close(arrived)
	p.Settle()
	p.See("save the configuration as")
	if p.S.Config() != tiny(t) || ctx.Err() == nil {
		t.Errorf("the configuration is of %s, the context has %v", p.S.Config().Problem, ctx.Err())
	}
}
