package interchange

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/solver/base/fault"
)

// A complete run becomes one page, which is never written over another file.
func TestRunsBecomePages(t *testing.T) {
	run := complete(t, t.TempDir(), burgers(t, "train.method=kernel"))
	name := filepath.Join(t.TempDir(), "burgers.html")
	result, err := ExportPage(t.Context(), run, name)
	noError(t, err)
	text, err := os.ReadFile(name)
	noError(t, err)
	if int64(len(text)) != result.Bytes {
		t.Errorf("%d bytes were written, %d are told", len(text), result.Bytes)
	}
	for _, part := range []string{"u_t = nu*u_xx - u*u_x", "nu = 0.01", "6 inputs that the model has not seen",
		"rfm run quick --set", "SIAM J. Sci. Comput."} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the page does not have %q", part)
		}
	}
	_, err = ExportPage(t.Context(), run, name)
	if !fault.BlamesInput(err) || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("the error over a file that exists is %v", err)
	}

	run = complete(t, t.TempDir(), darcy(t))
	name = filepath.Join(t.TempDir(), "darcy.html")
	_, err = ExportPage(t.Context(), run, name)
	noError(t, err)
	text, err = os.ReadFile(name)
	noError(t, err)
	if !strings.Contains(string(text), "predictor-corrector") {
		t.Error("the page of Darcy has no features of the solver")
	}
}
