package printable

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestAShellReadsWhatWasQuoted(t *testing.T) {
	directory := t.TempDir()
	for _, word := range []string{
		"", "plain", "runs/20260102-030405-burgers-1a2b3c4d~2", "a b", "x;touch PWNED #", "$(touch PWNED)", "`touch PWNED`",
		`it's "quoted"`, `back\slash`,
		"~", "~root", "*", "[a-z]", "{a,b}", "a=b", "=ls", "a=b=c", "!x", "&", "|", "<", ">", "(", ")", "-n", "--", "#",
		"ü 漢", "%s%d", "x\x1b]52;c;\a%s", "two\nlines", "\xff\xfe'", "\u202e", "\t",
	} {
		shell := exec.Command("sh", "-c", "printf '<%s>' "+Quote(word)+"; printf '<%s>' "+Path(word))
		shell.Dir = directory
		path := word
		if len(word) > 0 && word[0] == '-' {
			path = "./" + word
		}
		out, err := shell.CombinedOutput()
		if want := "<" + word + "><" + path + ">"; err != nil || string(out) != want {
			t.Errorf("%s: %q, want %q, %v", Quote(word), out, want, err)
		}
		if !Is(Quote(word)) {
			t.Errorf("%q cannot be printed", Quote(word))
		}
	}
	if _, err := os.Lstat(filepath.Join(directory, "PWNED")); err == nil {
		t.Error("a word was run")
	}
}

func TestPlainWordsStayAsTheyAre(t *testing.T) {
	for _, word := range []string{"runs/x", "data.input=a", "file-1.npz"} {
		if Quote(word) != word {
			t.Errorf("%s becomes %s", word, Quote(word))
		}
	}
}
