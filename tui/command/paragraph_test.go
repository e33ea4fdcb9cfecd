package command

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

func TestParagraphsBreakAtBlanksOnly(t *testing.T) {
	path := "runs/" + strings.Repeat("x-", 40)
	if got := paragraph("note: ", "see "+path+" for --much more", 2, helpWidth); got != "note: see\n  "+path+
		"\n  for --much more" {
		t.Errorf("got %q", got)
	}
}

// The text of `rfm run` and `rfm show` fits into 80 columns.
func TestResultsFitIntoTheWidth(t *testing.T) {
	t.Chdir(t.TempDir())
	const n, K = 12, 17
	pairs := npy.Array{Shape: []int{n, K, 2}, Data: make([]float64, n*K*2)} // not one of the usual layouts
	for i := range n {
		for x := range K {
			s := float64(x%(K-1)) / (K - 1)
			v := (1 + float64(i*i%7)) * s * (1 - s) * (1 + float64(i)*s)
			pairs.Data[(i*K+x)*2], pairs.Data[(i*K+x)*2+1] = v, (1+s*(1-s))*v*v+float64(i%3)
		}
	}
	arraytest.NPY(t, "pairs.npy", pairs)
	for _, args := range [][]string{
		{"run", "functions", "--train-data", "pairs.npy", "-m", "8", "--name", "x", "--set", "evaluation.baselines=yes"},
		{"run", "quick", "-n", "40", "--test", "10", "-m", "8", "--no-save", "--no-baselines"},
		{"show", "pairs.npy", "runs/x/model.npz"}, {"show", "runs/x"}, {"check"},
	} {
		code, out, errors := call(t, nil, args...)
		expect(t, code, exitDone, errors)
		for _, line := range strings.Split(out+errors, "\n") {
			if ansi.StringWidth(line) > helpWidth {
				t.Errorf("rfm %s: %d columns: %q", args[0], ansi.StringWidth(line), line)
			}
		}
	}
}
