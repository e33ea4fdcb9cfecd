package fault

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"rfm/solver/base/printable"
)

func TestNamesAndContentsAreShownNotObeyed(t *testing.T) {
	hostile := "x\x1b]52;c;cHg=\a\u009b2J\xff"
	for _, err := range []error{
		&Data{Where: hostile + "\nerror: forged", What: hostile, Err: errors.New(hostile), Do: hostile},
		&Data{Where: hostile, Err: errors.New(hostile)},
		&Numerical{Where: hostile, What: hostile, Do: hostile},
	} {
		if text := err.Error(); !printable.Is(text) || !strings.Contains(text, `\u001b]52;c;cHg=\u0007\u009b2J\xff`) {
			t.Errorf("%q", text)
		}
	}
	recipe := &Data{Where: "file", What: "needs a recipe", Do: "type\n  this"}
	if !strings.HasSuffix(recipe.Error(), "type\n  this") {
		t.Errorf("%q: a recipe has lines", recipe)
	}
}

// An error names its file once, even if its cause names it as well. The name of another file belongs to the cause and
// stays.
func TestPathsAreToldOnce(t *testing.T) {
	for where, want := range map[string]string{"file": "file cannot be read: no",
		"run": "run cannot be read: open file: no"} {
		err := &Data{Where: where, What: "cannot be read", Err: &fs.PathError{Op: "open", Path: "file",
			Err: errors.New("no")}}
		if got := err.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
