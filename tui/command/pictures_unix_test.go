// Pictures go to terminals that say that they show them, and nothing of them to others.

//go:build unix

package command

import (
	"strings"
	"testing"
)

// Questions that a program asks a terminal, beginnings of what it sends with a picture, and the cell that shows one.
const (
	asksName    = "\x1b[>"
	asksPicture = "a=q"
	anySequence = "\x1b_G"
	sendsOne    = "\x1b_Ga=T,U=1,f=100,q=2,i=16,"
	cell        = "\U0010EEEE"
)

func TestPicturesAreForTerminalsThatShowThem(t *testing.T) {
	for name, test := range map[string]struct {
		environ  []string
		answers  map[string]string
		args     []string
		pictures bool
	}{
		"kitty": {[]string{"TERM=xterm-kitty"}, map[string]string{asksName: "\x1bP>|kitty(0.40.0)\x1b\\",
			asksPicture: "\x1b_Gi=31;OK\x1b\\"}, nil, true},
		"kitty, never": {[]string{"TERM=xterm-kitty"}, map[string]string{asksName: "\x1bP>|kitty(0.40.0)\x1b\\",
			asksPicture: "\x1b_Gi=31;OK\x1b\\"}, []string{"--pictures", "never"}, false},
		"no placeholders": {nil, map[string]string{asksName: "\x1bP>|WezTerm 2024\x1b\\",
			asksPicture: "\x1b_Gi=31;OK\x1b\\"}, nil, false},
		"cannot": {[]string{"TERM=xterm-ghostty"}, map[string]string{asksName: "\x1bP>|ghostty 1.2\x1b\\",
			asksPicture: "\x1b_Gi=31;EINVAL:no\x1b\\"}, nil, false},
		"silent":          {nil, nil, nil, false},
		"tmux":            {[]string{"TERM=tmux-256color", "TMUX=/tmp/t,1,0"}, nil, nil, false},
		"console":         {[]string{"TERM=linux"}, nil, nil, false},
		"tmux, on demand": {[]string{"TMUX=/tmp/t,1,0"}, nil, []string{"--pictures", "kitty"}, true},
	} {
		if testing.Short() && name != "kitty" && name != "tmux" {
			continue // each is a program
		}
		cmd := program(t, t.TempDir(), append([]string{"--set", "problem=darcy", "--set", "data.grid=33", "--set",
			"train.grid=17"}, test.args...)...)
		cmd.Env = append(append(cmd.Env, "TMUX=", "COLORTERM="), test.environ...)
		l := connect(t, cmd, test.answers)
		l.until("the first map", func() bool { return strings.Contains(l.text(), "an input a") })
		if test.pictures {
			l.until(name+": a cell of a picture", func() bool { return strings.Contains(l.text(), cell) })
		}
		l.press("q")
		<-l.ended
		_ = l.cmd.Wait() // however it ended
		text := l.text()
		if !test.pictures {
			if strings.Contains(text, cell) || strings.Contains(strings.ReplaceAll(text, "\x1b_Gi=31", ""), anySequence) {
				t.Errorf("%s: it was sent a picture", name)
			}
			if asked := strings.Contains(text, anySequence); asked && name != "cannot" {
				t.Errorf("%s: it was asked for pictures", name)
			}
			continue
		}
		text = strings.ReplaceAll(text, "\x1b\x1b", "\x1b") // as tmux passes it on
		sent, shown := strings.Index(text, sendsOne), strings.Index(text, cell)
		if sent < 0 || sent > shown {
			t.Errorf("%s: the picture is sent at %d, and shown at %d", name, sent, shown)
		}
		if !strings.Contains(text[shown:], "\x1b_Ga=d,d=I,q=2,i=16") {
			t.Errorf("%s: the picture is not taken back in the end", name)
		}
	}
}
