// Editing on the configuration screen.

package screen

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/solver/dataset/filetest"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
)

var noError = filetest.NoError

func TestEveryParameterOfEveryProblemIsListed(t *testing.T) {
	problems := config.Problems()
	if testing.Short() {
		problems = problems[:2]
	}
	for _, problem := range problems {
		c := tuitest.Of(t, problem, "data.train=8", "data.test=4", "features.count=8")
		p := newPerson(t, Options{Config: c, Workers: 2})
		p.Resize(60, 15)
		for _, k := range c.Keys() {
			p.Visit(k.Name)
			p.selected(k.Name)
			want := "key " + k.Name
			if c.Validate() != nil { // what to do about the missing file stands in place of the key
				first := strings.Fields(k.About(c))
				want = strings.Join(first[:min(3, len(first))], " ")
			}
			if text := strings.Join(strings.Fields(p.Screen()), " "); !strings.Contains(text, want) {
				t.Errorf("%s is not explained:\n%s", k.Name, p.Screen())
			}
		}
	}
}

// Nothing moves while a number is typed, or while keys change a parameter that becomes longer.
func TestNothingMovesWhileValuesChange(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t, "nu=1"), Workers: 2})
	p.Resize(80, 24)
	lineOf := func(text string) int {
		before, _, _ := strings.Cut(p.Screen(), text)
		return strings.Count(before, "\n")
	}
	columnOf := func(text string) int {
		before, _, _ := strings.Cut(p.Screen(), text)
		return len([]rune(before[strings.LastIndex(before, "\n")+1:]))
	}
	p.Visit("data.train")
	axis := lineOf("└")
	p.Press("enter")
	if got := lineOf("└"); got != axis {
		t.Errorf("the axis moved from line %d to line %d:\n%s", axis, got, p.Screen())
	}
	p.Press("esc")
	p.Visit("equation.parameters.nu")
	next := columnOf("initial")
	p.Press("left")
	if got := columnOf("initial"); got != next {
		t.Errorf("the next parameter moved from column %d to column %d:\n%s", next, got, p.Screen())
	}
}

func TestPreviewFollowsWhatIsTyped(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2})
	input := func() string {
		before, _, _ := strings.Cut(p.Screen(), "3 and 4 of 4") // the pictures
		_, picture, _ := strings.Cut(before, "an input a")
		return regexp.MustCompile(`(?m)^.{34}`).ReplaceAllString(picture, "")
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

// A file that is still being read after cancelling changes nothing, and is not read to its end.
func TestCancelledOpenChangesNothing(t *testing.T) {
	begun, arrived := make(chan context.Context, 2), make(chan struct{})
	load := func(ctx context.Context, name string) (config.Config, error) {
		begun <- ctx
		<-arrived
		return config.PresetByName("darcy")
	}
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2, Load: load})
	p.Press("o", "x")
	p.begins("enter")
	ctx := <-begun
	p.begins("esc")
	p.begins("s") // another question is open when the file arrives
	close(arrived)
	p.Settle()
	p.See("save the configuration as")
	if p.S.Draft.Config() != tuitest.Tiny(t) || ctx.Err() == nil {
		t.Errorf("the configuration is of %s, the context has %v", p.S.Draft.Config().Problem, ctx.Err())
	}
}

// In every dialog in which text is typed, keys that write or edit belong to the text: no command takes them.
func TestNoCommandTakesALetter(t *testing.T) {
	text := []string{"space", "backspace", "delete", "left", "right"}
	for name, press := range map[string][]string{"a value": {"enter"}, "a filter": {"/"}, "a file": {"s"},
		"the filter of presets": {"p", "/"}, "the filter of the help": {"?", "/"}, "the filter of commands": {":"}} {
		p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2})
		p.Visit("data.train")
		p.Press(press...)
		if p.Type("a"); p.D.Top() == nil {
			t.Fatalf("%s: no dialog is open", name)
		}
		for _, c := range ui.Offers(p.D.Top().Commands()) {
			for _, key := range append(c.Key.Also(), string(c.Key)) {
				if c.Do != nil && (len(key) == 1 || slices.Contains(text, key)) {
					t.Errorf("%s: %s does something else than write", name, key)
				}
			}
		}
	}
}

// equationAt returns a person on the row of the equation of a preset, at a terminal size.
func equationAt(t *testing.T, name string, width, height int) *person {
	t.Helper()
	p := newPerson(t, Options{Config: tuitest.Of(t, name, "data.train=8", "data.test=4", "features.count=8"), Workers: 1})
	p.Resize(width, height)
	p.Press("down", "down")
	p.selected("equation.text")
	return p
}

// underlined returns a letter as the place of an error is drawn.
func underlined(letter string) string {
	return theme.New(theme.Options{}).Bad.Underline(true).Render(letter)
}

// solution returns the picture of a solution on a screen.
func solution(screen string) (text string) {
	from := -1
	for line := range strings.SplitSeq(screen, "\n") {
		if before, _, found := strings.Cut(line, "u(x, t)"); found {
			from = ansi.StringWidth(before)
		}
		if from >= 0 && strings.Count(text, "\n") < 6 {
			text += ansi.Cut(line, from, from+21) + "\n"
		}
	}
	return text
}

// An equation is typed next to its solution. A wrong one keeps the picture and marks the place of the error; names
// become settings while they are typed.
func TestEquationIsTypedBesideItsSolution(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		p := equationAt(t, "equation", size[0], size[1])
		p.See("u_t = nu*u_xx - u*u_x")
		p.See("u(x, t)")
		picture := solution(p.Screen())
		p.Press("enter", "end")
		p.Type(" - r*u")
		p.See(" r 1 ?") // a value that is assumed
		for range "r*u" {
			p.Press("backspace")
		}
		p.Type("uxx")
		for _, want := range []string{"before: u(x, t)", "before: ", "error 0.", "line 1, column 25: uxx", "write u_xx for a"} {
			p.See(want)
		}
		if !strings.Contains(p.M.View().Content, underlined("u")) {
			t.Errorf("the place of the error is not marked in the text:\n%s", p.Screen())
		}
		p.Press("enter") // wrong texts can be kept, but nothing is computed from them
		p.See("before: u(x, t)")
		p.Press("u")
		if got := solution(p.Screen()); got != picture {
			t.Errorf("undone the picture is\n%s\nnot\n%s", got, picture)
		}
		p.Set("nu=0.1")
		if solution(p.Screen()) == picture || strings.Contains(p.Screen(), "before:") {
			t.Errorf("nu changes nothing:\n%s", p.Screen())
		}
	}
}

// Settings that nobody has given are chosen for an equation that was typed, once, and not over those that somebody has set.
func TestTypedEquationsGetSettingsWithWhichTheyLast(t *testing.T) {
	p := equationAt(t, "equation", 120, 40)
	before := p.S.Draft.Config().Equation.Time
	p.Set("equation.text=u_t = u_xx")
	p.See("chosen: T = 0.3; u takes it back")
	if got := p.S.Draft.Config().Equation.Time; got != 0.3 {
		t.Errorf("the time is %g, want 0.3", got)
	}
	p.Send(session.Selected{Parameter: "equation.time"})
	p.See("chosen: T = 0.3, because")
	p.Press("u")
	if got := p.S.Draft.Config().Equation.Time; got != before {
		t.Errorf("taken back the time is %g, want %g", got, before)
	}
	p.Set("equation.time=2", "equation.text=u_t = 2*u_xx")
	if got := p.S.Draft.Config().Equation.Time; got != 2 {
		t.Errorf("the time was set to 2 and is %g", got)
	}
}

// The solution of an equation that has changed in the meantime is not shown.
func TestSolutionGivesWay(t *testing.T) {
	p := equationAt(t, "kdv", 120, 40)
	d := p.S.Draft.Version()
	for _, text := range []string{"u_t = -u*u_x - u_xxx", "u_t = uxx", "u_t = nu*u_xx", "u_t = u_xx"} { // too fast
		noError(t, config.Assign(&d.Config, "equation.text="+text))
		p.S.Draft.Edit(d)
		p.begins("end")
	}
	p.Settle()
	last, fresh := p.Screen(), newPerson(t, Options{Config: d.Config, Workers: 1})
	fresh.Resize(120, 40)
	if got, want := solution(last), solution(fresh.Screen()); got != want || !strings.Contains(got, "u(x, t)") {
		t.Errorf("the solution is\n%s\nnot\n%s", got, want)
	}
}
