package manual

import (
	"bytes"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// program is a small command tree.
func program() *cobra.Command {
	root := &cobra.Command{Use: "prog", Short: "Do things", Long: "Does things.\n.hidden start, 'quotes' and back\\slash.\n\nTable:\n  a   1\n  b   2", Version: "1.0"}
	root.Flags().Bool("fast", false, "be fast")
	child := &cobra.Command{Use: "run [FILE]", Short: "Run it", Example: "  prog run x\n  prog run -n 3", Run: func(*cobra.Command, []string) {}}
	child.Flags().IntP("number", "n", 7, "how often")
	secret := &cobra.Command{Use: "secret", Hidden: true, Run: func(*cobra.Command, []string) {}}
	root.AddCommand(child, secret)
	return root
}

func written(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, program(), []Section{{"exit status", []Entry{{"0", "done"}, {"75", "interrupted – go on"}}}}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestPage(t *testing.T) {
	text := written(t)
	for _, want := range []string{
		".TH PROG 1 \"\" \"prog 1.0\" \"User Commands\"\n", "prog \\- do things\n", "\\&.hidden start, \\(aqquotes\\(aq and back\\eslash.\n",
		".PP\n.nf\n  a   1\n  b   2\n.fi\n", ".SS prog run [FILE]\n", ".TP\n\\fB\\-n\\fR, \\fB\\-\\-number\\fR \\fIint\\fR\nhow often (default: 7)\n",
		".nf\n  prog run x\n  prog run \\-n 3\n.fi\n", ".SH EXIT STATUS\n.TP\n0\ndone\n", "interrupted \\[u2013] go on\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "secret") {
		t.Error("the page shows a hidden command")
	}
}

func TestMarkdown(t *testing.T) {
	var out bytes.Buffer
	if err := Markdown(&out, program(), []Section{{"exit status", []Entry{{"0", "done | over"}}}}); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		"\nTable:\n\n```\n  a   1\n  b   2\n```\n", "| `--fast` | be fast |\n", "\n## prog run\n\nRun it.\n\n```\nprog run [FILE]\n```\n",
		"| `-n`, `--number int` | how often (default: 7) |\n", "\nExamples:\n\n```\n  prog run x\n  prog run -n 3\n```\n",
		"\n## Exit status\n\n| | |\n|---|---|\n| `0` | done \\| over |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "secret") {
		t.Error("the page shows a hidden command")
	}
}

func TestGroffFindsNothingWrong(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	cmd := exec.Command(groff, "-man", "-Tascii", "-ww", "-z")
	cmd.Stdin = strings.NewReader(written(t))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}

func TestFailureToWriteIsReturned(t *testing.T) {
	full := errors.New("full")
	for _, write := range []func(io.Writer, *cobra.Command, []Section) error{Write, Markdown} {
		if err := write(failing{full}, program(), nil); !errors.Is(err, full) {
			t.Errorf("error %v", err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
