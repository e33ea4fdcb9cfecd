package command

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// completed returns the completions of a command line, without descriptions.
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
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "darcy"}, "darcy darcy-tuned darcy-quick"},
		{[]string{"run", "m"}, "mine.toml"},
		{[]string{"run", "nav"}, "navier-stokes"},
		{[]string{"run", "x"}, ""},
		{[]string{"run", "pai"}, "pairs.npz"},
		{[]string{"run", "quick", ""}, ""},
		{[]string{"run", "--set", "train.g"}, "train.grid="},
		{[]string{"run", "--set", "viscosity"}, ""},
		{[]string{"run", "--set", "burgers.v"}, "burgers.viscosity="},
		{[]string{"run", "darcy", "--set", "burgers.v"}, ""},
		{[]string{"run", "darcy", "--set", "darcy.face="}, "darcy.face=arithmetic darcy.face=harmonic"},
		{[]string{"--set", "seed="}, "seed=1"},
		{[]string{"export", "--format", ""}, "npz npy csv"},
		{[]string{"completion", "z"}, "zsh"},
		{[]string{"dem"}, "demo"},
	} {
		if got := strings.Join(completed(t, c.args...), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
	for _, item := range []string{"burgers-seeds", "seeds", "burgers"} { // shells choose among them
		if list := completed(t, "reproduce", "bur"); !slices.Contains(list, item) {
			t.Errorf("%s is not among %v", item, list)
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
}
