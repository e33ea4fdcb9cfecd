// The interface's reactions to keys.

package screen

import (
	"fmt"
	"strings"
	"testing"
)

func TestEnterOnlyLeadsToAnEvaluatedModel(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: t.TempDir(), Name: "first"})
	p.See("an input a", "enter generate")
	p.Press("enter")
	p.See("generate done", "training pair 1 of 40", "enter train")
	p.Press("enter")
	p.See("train done", "of 48", "eigenvalues of G", "enter evaluate")
	p.Press("enter")
	p.Resize(120, 40)
	p.See("expected relative", "median of 24", "first")
	if text := p.S.Epilogue(); !strings.Contains(text, "expected relative test error 0.") ||
		!strings.Contains(text, "first") {
		t.Errorf("epilogue %q", text)
	}
}

func TestSamplesAreBrowsedByError(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.Press("ctrl+r", "home")
	errors := p.S.Experiment().Evaluation().Test
	p.See("best of 24", fmt.Sprintf("error %.4f", errors.Ascending[0]))
	p.Press("left")
	p.See("best of 24")
	p.Press("right")
	p.See("2 of 24", fmt.Sprintf("error %.4f", errors.Ascending[1]))
	p.Press("end")
	p.See("worst of 24", fmt.Sprintf("error %.4f", errors.Ascending[23]))
	p.Press("m")
	p.See("median of 24")
}

func TestFailureIsShownAndCanBeRepaired(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "viscosity=1e-6"), Workers: 2})
	p.Press("ctrl+r")
	p.See("equation solver", "generate is not complete")
	p.Press("1")
	p.Set("viscosity=0.01")
	p.Press("ctrl+r")
	p.See("expected relative")
	if strings.Contains(p.Screen(), "equation solver") {
		t.Error("the old failure is still shown")
	}
}

func TestChangedConfigurationStartsAgainAndKeepsData(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.Press("ctrl+r")
	before, _ := p.S.Experiment().Pairs()
	p.Press("1")
	p.Set("features.count=24")
	p.See("enter generate")
	p.Press("enter")
	p.See("the pairs are reused")
	after, _ := p.S.Experiment().Pairs()
	if &before.Inputs.Data[0] != &after.Inputs.Data[0] {
		t.Error("data were made again although only m has changed")
	}
	p.Press("enter")
	p.See("of 24")
}
