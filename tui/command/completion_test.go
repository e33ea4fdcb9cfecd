// What the shell is told, and the manual page.

package command

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rfm/model/machine"
	"rfm/tui/golden"
)

// completed are the completions of a command line, without descriptions.
func completed(t *testing.T, args ...string) []string {
	t.Helper()
	code, out, errors := call(t, nil, append([]string{"__complete"}, args...)...)
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, errors)
	}
	var list []string
	for line := range strings.SplitSeq(strings.TrimSpace(out), "\n") {
		word, _, _ := strings.Cut(line, "\t")
		if !strings.HasPrefix(word, ":") {
			list = append(list, word)
		}
	}
	return list
}

func TestCompletions(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"mine.toml", "pairs.npz", "notes.txt"} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join("runs", "first"), 0o755); err != nil {
		t.Fatal(err)
	}
	slash := string(filepath.Separator)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "darcy"}, "darcy darcy-tuned darcy-quick"},
		{[]string{"run", "m"}, "mine.toml"},
		{[]string{"run", "nav"}, "navier-stokes"},
		{[]string{"run", "x"}, ""},
		{[]string{"run", "pai"}, "pairs.npz"},
		{[]string{"run", "ru"}, "runs" + slash},
		{[]string{"run", "runs" + slash}, "runs" + slash + "first" + slash},
		{[]string{"run", "quick", ""}, ""},
		{[]string{"run", "--set", "train.g"}, "train.grid="},
		{[]string{"run", "--set", "viscosity"}, ""},
		{[]string{"run", "--set", "burgers.v"}, "burgers.viscosity="},
		{[]string{"run", "darcy", "--set", "burgers.v"}, ""},
		{[]string{"run", "darcy", "--set", "darcy.face="}, "darcy.face=arithmetic darcy.face=harmonic"},
		{[]string{"--set", "seed="}, "seed=1"},
		{[]string{"run", "--color", ""}, "auto always never"},
		{[]string{"reproduce", "burgers-s"}, "burgers-seeds burgers-sample burgers-semigroup"},
		{[]string{"completion", "z"}, "zsh"},
		{[]string{"dem"}, "demo"},
	} {
		if got := strings.Join(completed(t, c.args...), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
}

func TestShellsGetTheirCode(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish", "powershell"} {
		code, out, errors := call(t, nil, "completion", name)
		if code != exitDone || !strings.Contains(out, "rfm") || !strings.Contains(out, "__complete") {
			t.Errorf("%s: exit code %d, %d bytes: %s", name, code, len(out), errors)
		}
		if shell, err := exec.LookPath(name); err == nil && name != "powershell" {
			cmd := exec.Command(shell, "-n")
			cmd.Stdin = strings.NewReader(out)
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s does not read its code: %v: %s", name, err, text)
			}
		}
	}
	for _, args := range [][]string{{"csh"}, {}, {"bash", "zsh"}} {
		code, out, errors := call(t, nil, with([]string{"completion"}, args...)...)
		if code != exitUsage || out != "" || !strings.Contains(errors, "completion") && !strings.Contains(errors, "bash") {
			t.Errorf("%q: exit code %d: %s%s", args, code, out, errors)
		}
	}
}

func TestManualPageHasEveryCommandAndExitCode(t *testing.T) {
	var written strings.Builder
	Manual(&written, "1.2.3")
	page, a := written.String(), &app{}
	for _, c := range a.root().Commands() {
		if c.IsAvailableCommand() && !strings.Contains(page, ".SH RFM "+strings.ToUpper(c.Name())) {
			t.Errorf("the page lacks %s", c.Name())
		}
	}
	for _, e := range exitMeanings {
		if !strings.Contains(strings.Join(strings.Fields(page), " "), e.meaning) {
			t.Errorf("the page lacks exit code %d", e.code)
		}
	}
	if instructions := machine.Instructions(); strings.Contains(page, instructions) {
		t.Errorf("the page depends on the processor: it says %s", instructions)
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	cmd := exec.Command(groff, "-man", "-Tascii", "-ww", "-z")
	cmd.Stdin = strings.NewReader(page)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v: %s", err, out)
	}
}

// docs/commands.md is the help of all commands.
func TestPageOfCommandsIsUpToDate(t *testing.T) {
	var page strings.Builder
	writeMarkdown(&page, chapters(newApp(streams{out: io.Discard, err: io.Discard}, nil).root()))
	golden.Compare(t, filepath.Join("..", "..", "docs", "commands.md"),
		"# Commands\n\n*The help of all commands; `go test ./tui/command -update` renews this page.*\n"+page.String()+
			"\nNext: [settings](configuration.md).\n")
}
