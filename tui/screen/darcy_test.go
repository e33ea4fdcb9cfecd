// The screens with fields on the unit square.

package screen

import (
	"math"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/engine"
)

func TestBetterRivalsAreMarked(t *testing.T) {
	p := newPerson(t, Options{Config: tinyDarcy(t), Workers: 2})
	p.Press("a")
	p.Resize(120, 40)
	v := p.S.Experiment().Evaluation()
	v.Rivals = []engine.Rival{{Name: "model", Error: 0.04}, {Name: "worse", Error: 0.05}, {Name: "better", Error: 0.03},
		{Name: "truth", Error: math.NaN()}}
	p.See("0.05000 ", "0.03000*", "* better than the trained model")
	v.Rivals = v.Rivals[:2]
	p.Resize(121, 40)
	if strings.Contains(p.Screen(), "*") {
		t.Errorf("something is marked:\n%s", p.Screen())
	}
}

func TestAnotherProblemBringsItsKeysAndPreviews(t *testing.T) {
	p := newPerson(t, Options{Config: config.Presets()[0].Config, Workers: 2})
	p.Press("v", "v", "v", "v")
	p.See("the filter chi(k)", "5 of 5; v: a small model")
	p.Visit("problem")
	p.Press("right")
	if d := p.S.Draft(); d.Config.Problem != config.Darcy || d.Source != config.Darcy || d.Config != d.Base {
		t.Fatalf("problem %s of preset %s", d.Config.Problem, d.Source)
	}
	p.See("16 pairs: error", "1 of 5; v: truth u", "a+")
	if strings.Contains(p.Screen(), "viscosity") {
		t.Error("a key of another problem is listed")
	}
}
