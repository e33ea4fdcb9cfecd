package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"rfm/solver/pythontest"
	"rfm/tui/tuitest"
)

// ellipsis is the line of a transcript that stands for lines that the page leaves out.
const ellipsis = "..."

// varying are texts of outputs that differ between machines and calls. A page shows one of them.
var varying = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^(generate|train|evaluate|compare|search): .*(\n  .*)*$`), // progress
	regexp.MustCompile(`(?m)^equal solve.*$`),                                         // the fastest solve depends on the machine
	regexp.MustCompile(`differ from the\s+reference by\s+[0-9.e+-]+`),
	regexp.MustCompile(`(?m)^(machine|terminal) .*(\n  .*)*`),
	regexp.MustCompile(`,\s+([0-9.]+\s+min\s+)?[0-9.]+\s+m?s\s+of\s+it\s+for\s+the\s+choice`),
	regexp.MustCompile(`on \d+\s+workers?, [-\w]+`),
	regexp.MustCompile(`[0-9.]+\s+times\s+(slower|faster)`),
	regexp.MustCompile(`\b([0-9.]+(\s+(min|ms|s))?\s+to\s+)?[0-9.]+\s+(min(\s+[0-9]+\s+s)?|ns|us|ms|s|h|B|KiB|MiB|GiB)\b`),
	regexp.MustCompile(`after [0-9.]+ (thousand|million|billion)? ?(whole )?(evaluations|predictions)`),
}

// lastDigits are those in which processors differ.
var lastDigits = regexp.MustCompile(`([0-9]\.[0-9]{5})[0-9]{5,}`)

// plain returns the words of an output, without those that vary.
func plain(lines []string) string {
	text := lastDigits.ReplaceAllString(strings.Join(lines, "\n"), "$1")
	for _, v := range varying {
		text = v.ReplaceAllString(text, "~")
	}
	text = strings.ReplaceAll(text, "~", " ")
	return strings.Join(strings.Fields(text), " ")
}

// A block is a fenced part of a page: its language and its lines.
type block struct {
	language string
	lines    []string
}

// blocksOf splits a page into its fenced blocks and the text around them, whose language is empty. Fences belong to the text.
func blocksOf(page string) (all []block) {
	now := block{}
	for _, line := range strings.Split(page, "\n") {
		language, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && now.language == "":
			all = append(all, block{"", append(now.lines, line)})
			now = block{language: language + " "}
		case isFence:
			now.language = strings.TrimSpace(now.language)
			all = append(all, now)
			now = block{lines: []string{line}}
		default:
			now.lines = append(now.lines, line)
		}
	}
	return append(all, now)
}

// fileName matches the first line of a block that is a file.
var fileName = regexp.MustCompile(`^# ([-\w]+\.(?:toml|csv|py))$`)

// name returns the name of the file that the block is, from a comment in its first line; empty if it is none.
func (b block) name() string {
	if b.language == "" || len(b.lines) == 0 {
		return ""
	}
	found := fileName.FindStringSubmatch(b.lines[0])
	if found == nil {
		return ""
	}
	return found[1]
}

// writeFile writes the block to a file if it is one.
func (b block) writeFile(t *testing.T, directory string) {
	t.Helper()
	if name := b.name(); name != "" {
		content := strings.Join(b.lines[1:], "\n") + "\n"
		noError(t, os.WriteFile(filepath.Join(directory, name), []byte(content), 0o600))
	}
}

// Blocks of pages with the language console are transcripts: commands behind "$ ", each with what it prints, except for
// lines that an ellipsis stands for and for times. Blocks of Python are programs that succeed. Blocks whose first line
// is a comment with the name of a file are files. All run in their order, in one directory for each page.
func TestPagesShowWhatIsPrinted(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	if runtime.GOOS == "windows" {
		t.Skip("transcripts are those of a Unix shell")
	}
	pages, err := filepath.Glob(filepath.Join(sourceRoot, "docs", "*.md"))
	noError(t, err)
	ran := 0
	for _, page := range append(pages, filepath.Join(sourceRoot, "README.md")) {
		text, err := os.ReadFile(page)
		noError(t, err)
		blocks := blocksOf(string(text))
		if !slices.ContainsFunc(blocks, func(b block) bool { return b.language == "console" }) {
			continue
		}
		ran++
		t.Run(filepath.Base(page), func(t *testing.T) { runPage(t, page, blocks) })
	}
	if ran < 4 {
		t.Errorf("%d pages with transcripts", ran)
	}
}

// runPage runs the blocks of a page and compares what they print with the page.
func runPage(t *testing.T, page string, blocks []block) {
	directory := t.TempDir()
	spring, err := os.ReadFile(filepath.Join(sourceRoot, "docs", "spring.csv"))
	noError(t, err)
	noError(t, os.Mkdir(filepath.Join(directory, "docs"), 0o777))
	noError(t, os.WriteFile(filepath.Join(directory, "docs", "spring.csv"), spring, 0o600))
	environ := commandsOnPath(t, slices.ContainsFunc(blocks, func(b block) bool { return b.language == "python" }))
	for i, b := range blocks {
		switch {
		case b.language == "console":
			blocks[i].lines = runTranscript(t, directory, environ, b.lines)
		case b.language == "python" && b.name() == "":
			t.Run("python", func(t *testing.T) {
				pythontest.RunWith(t, modulesOf(b.lines), directory, strings.Join(b.lines, "\n"))
			})
		default:
			b.writeFile(t, directory)
		}
	}
	var lines []string
	for _, b := range blocks {
		lines = append(lines, b.lines...)
	}
	tuitest.Compare(t, page, strings.Join(lines, "\n"))
}

// commandsOnPath returns an environment in which rfm is this program and, if a page needs it, python3 has NumPy.
func commandsOnPath(t *testing.T, python bool) []string {
	t.Helper()
	bin := t.TempDir()
	self, err := os.Executable()
	noError(t, err)
	noError(t, os.Symlink(self, filepath.Join(bin, "rfm")))
	if python {
		interpreter, err := exec.LookPath(pythontest.Interpreter(t))
		noError(t, err)
		noError(t, os.WriteFile(filepath.Join(bin, "python3"), []byte("#!/bin/sh\nexec "+interpreter+" \"$@\"\n"), 0o700))
	}
	environ := append(os.Environ(), "COMMAND_TEST_MAIN=1", "LANG=C.UTF-8", "PATH="+bin+":"+os.Getenv("PATH"))
	return append(environ, pythontest.OneThread...)
}

// modulesOf returns the modules that a program of Python imports, and NumPy.
func modulesOf(lines []string) []string {
	names := []string{"numpy"}
	for _, line := range lines {
		found := regexp.MustCompile(`^(?:import|from) (\w+)`).FindStringSubmatch(line)
		if found != nil && found[1] != "rfm" && !slices.Contains(names, found[1]) {
			names = append(names, found[1])
		}
	}
	return names
}

// runTranscript runs the commands of a transcript and returns it with what they print now. Lines that differ only by what
// varies stay as they are.
func runTranscript(t *testing.T, directory string, environ, shown []string) (now []string) {
	t.Helper()
	for len(shown) > 0 {
		line := shown[0]
		next := 1 + slices.IndexFunc(shown[1:], func(s string) bool { return strings.HasPrefix(s, "$ ") })
		if next == 0 {
			next = len(shown)
		}
		below := shown[1:next]
		shown = shown[next:]
		command, isCommand := strings.CutPrefix(line, "$ ")
		if !isCommand {
			t.Fatalf("a transcript begins with %q, not with a command", line)
		}
		if lacksTool(command) {
			t.Logf("not run, because a program is missing: %s", command)
			now = append(append(now, line), below...)
			continue
		}
		run := exec.CommandContext(t.Context(), "sh", "-c", command)
		run.Dir, run.Env = directory, environ
		printed, err := run.CombinedOutput()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Fatal(err)
		}
		if err != nil && !strings.Contains(string(printed), "error: ") {
			t.Errorf("%s: %v\n%s", command, err, printed)
		}
		now = append(now, line)
		now = append(now, renewed(below, strings.Split(strings.TrimRight(string(printed), "\n"), "\n"))...)
	}
	return now
}

// lacksTool reports whether a command needs jq, and this machine has none.
func lacksTool(command string) bool {
	if !strings.Contains(command, "| jq ") {
		return false
	}
	_, err := exec.LookPath("jq")
	return err != nil
}

// renewed returns the lines below a command of a transcript as they are printed now: as they were shown, if they differ
// only by what varies, or else as many lines before and after the ellipsis as before.
func renewed(shown, printed []string) []string {
	cut := slices.Index(shown, ellipsis)
	if cut < 0 {
		if plain(shown) == plain(printed) {
			return shown
		}
		return withoutProgress(printed)
	}
	head, tail := shown[:cut], shown[cut+1:]
	if all := plain(printed); strings.HasPrefix(all, plain(head)) && strings.HasSuffix(all, plain(tail)) {
		return shown
	}
	printed = withoutProgress(printed)
	before := min(len(head), len(printed))
	after := min(len(tail), len(printed)-before)
	return slices.Concat(printed[:before], []string{ellipsis}, printed[len(printed)-after:])
}

// withoutProgress leaves out lines of progress, which a terminal overwrites.
func withoutProgress(lines []string) []string {
	text := varying[0].ReplaceAllString(strings.Join(lines, "\n"), "~")
	return strings.Split(strings.ReplaceAll(text, "~\n", ""), "\n")
}

// Lines before and after the ellipsis of a transcript are those of the output, up to times and line breaks.
func TestTranscriptsLeaveOutLines(t *testing.T) {
	printed := []string{"train: 50%", "error 0.5, 3", "  s", "b", "c", "last 0.4"}
	for _, c := range []struct{ shown, want []string }{
		{[]string{"error 0.5, 12 s", "...", "last 0.4"}, []string{"error 0.5, 12 s", "...", "last 0.4"}},
		{[]string{"error 0.6, 12 s", "...", "last 0.4"}, []string{"error 0.5, 3", "...", "last 0.4"}},
		{[]string{"...", "last 0.5"}, []string{"...", "last 0.4"}},
		{[]string{"error 0.5, 1 s", "b"}, printed[1:]},
		{nil, printed[1:]},
	} {
		if got := renewed(c.shown, printed); !slices.Equal(got, c.want) {
			t.Errorf("%q became %q, want %q", c.shown, got, c.want)
		}
	}
}
