package headless

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/solver/fault"
)

// desk is a stage that shows the keys that were pressed.
type desk struct {
	keys  []string
	size  string
	fixed bool
}

func (d *desk) Send(msg tea.Msg) { d.keys = append(d.keys, msg.(tea.KeyPressMsg).String()) }

func (d *desk) screen() string { return "keys:  " + strings.Join(d.keys, " ") + "\nend" }

func (d *desk) resize(w, h int) bool {
	d.size = fmt.Sprintf("%dx%d", w, h)
	return !d.fixed
}

func parsed(t *testing.T, text string) script {
	t.Helper()
	s, err := parse(strings.NewReader(text), "s.txt")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestKeysArriveAsTheTerminalGivesThem(t *testing.T) {
	d := &desk{}
	s := parsed(t, "# a comment\n\nkey enter space up ? ctrl+c shift+tab +\ntype 1e-3 x\n")
	if err := s.play(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	want := []string{"enter", "space", "up", "?", "ctrl+c", "shift+tab", "+", "1", "e", "-", "3", "space", "x"}
	if !slices.Equal(d.keys, want) {
		t.Errorf("keys %q, want %q", d.keys, want)
	}
}

func TestTextsAndTimes(t *testing.T) {
	for text, want := range map[string]step{
		"until train done":        {verb: until, text: "train done", time: untilTime},
		"until train done 5s":     {verb: until, text: "train done", time: 5 * time.Second},
		`until "for 2s" 100ms`:    {verb: until, text: "for 2s", time: 100 * time.Millisecond},
		`until "for 2s"`:          {verb: until, text: "for 2s", time: untilTime},
		"expect 12 s":             {verb: expect, text: "12 s", time: expectTime},
		"expect took 12s":         {verb: expect, text: "took 12s", time: expectTime},
		`expect say "yes" or not`: {verb: expect, text: `say "yes" or not`, time: expectTime},
		"wait 1m30s":              {verb: wait, time: 90 * time.Second},
		"resize 120x40":           {verb: resize, width: 120, height: 40},
	} {
		got := parsed(t, text).steps[0]
		want.line = 1
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

func TestMistakesNameTheirLine(t *testing.T) {
	for _, text := range []string{"press enter", "key", "key entr", "type", "wait", "wait long", "wait -1s", "until",
		"expect", "resize 80", "resize 0x24", "resize 80x24x3", "resize 99999x2"} {
		_, err := parse(strings.NewReader("key a\n"+text+"\n"), "s.txt")
		var data *fault.Data
		if !errors.As(err, &data) || !strings.Contains(err.Error(), "s.txt, line 2: ") ||
			!strings.Contains(err.Error(), "expected: ") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func TestUnmetExpectationShowsTheScreen(t *testing.T) {
	d := &desk{}
	err := parsed(t, "key a b\nexpect keys: a b\nuntil nothing 10ms\n").play(t.Context(), d)
	var unmet *Unmet
	if !errors.As(err, &unmet) || unmet.Want != "nothing" || unmet.Where != "s.txt, line 3" || unmet.Screen != d.screen() {
		t.Errorf("error %v", err)
	}
}

func TestResizeNeedsAVirtualTerminal(t *testing.T) {
	d := &desk{}
	s := parsed(t, "resize 100x30")
	if err := s.play(t.Context(), d); err != nil || d.size != "100x30" {
		t.Errorf("size %s, error %v", d.size, err)
	}
	var data *fault.Data
	if err := s.play(t.Context(), &desk{fixed: true}); !errors.As(err, &data) {
		t.Errorf("error %v on a terminal with a size of its own", err)
	}
}

func TestCancelledScriptStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	begin := time.Now()
	if err := parsed(t, "wait 1h\nkey a").play(ctx, &desk{}); !errors.Is(err, context.Canceled) ||
		time.Since(begin) > time.Minute {
		t.Errorf("error %v", err)
	}
}
