package screen

import (
	"math"
	"path/filepath"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/tui/tuitest"
)

// pairsWithOthers writes a file of pairs with arrays whose names do not tell what they are.
func pairsWithOthers(t *testing.T) string {
	t.Helper()
	const count, points = 40, 24
	one := func(shift float64) npy.Array {
		a := npy.Array{Shape: []int{count, points}}
		for i := range count {
			for x := range points {
				at := float64(x) / (points - 1)
				a.Data = append(a.Data, math.Cos(math.Pi*at)*math.Sin(float64(i*i)+shift)+math.Cos(float64(i*(i+3))+shift)*at)
			}
		}
		return a
	}
	return arraytest.NPZ(t, filepath.Join(t.TempDir(), "pairs.npz"), map[string]npy.Array{"first": one(0), "second": one(1),
		"weights": one(2)})
}

// The screen says how a file is read before anything runs, and reads it again as soon as a setting of the data changes.
func TestTheReadingOfAFileIsShownAndChanged(t *testing.T) {
	file := pairsWithOthers(t)
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 1, Load: learn})
	p.Resize(120, 40)
	p.Press("o")
	p.Type(file)
	p.Press("enter")
	p.Settle()
	p.See("how the file is read", "40 pairs of functions", "this is a guess", "not used: weights (40, 24)",
		"otherwise: input array second, output array first")
	p.selected("data.train_file") // on which enter begins to type, and below which the reading stands
	found := p.S.Draft.Config()
	if found.Data.Input != "first" || found.Data.Output != "second" {
		t.Fatalf("%s -> %s", found.Data.Input, found.Data.Output)
	}
	p.Visit("data.input")
	p.Press("enter")
	p.Type("weights")
	p.Press("enter")
	p.Settle()
	p.See("inputs weights, outputs", "not used: first (40, 24)")
	if c := p.S.Draft.Config(); c.Data.Axes != "nx->nx" || c.Data.Grid != 24 || c.Data.Train != 32 {
		t.Errorf("axes %q, grid %d, %d pairs", c.Data.Axes, c.Data.Grid, c.Data.Train)
	}
	p.Visit("data.axes")
	p.Press("enter")
	p.Type("xn->xn")
	p.Press("enter")
	p.Settle()
	p.See("24 pairs of", "(K, count)")
	if c := p.S.Draft.Config(); c.Data.Input != "weights" || c.Data.Train != 20 {
		t.Errorf("input %s, %d pairs", c.Data.Input, c.Data.Train)
	}
	p.Visit("data.output")
	p.Press("enter")
	p.Type("zz")
	p.Press("enter")
	p.Settle()
	p.See(`has no array "zz"`)
	for p.S.Draft.CanUndo() && p.S.Draft.Config() != found {
		p.Press("u")
		p.Settle()
	}
	if p.S.Draft.Config() != found {
		t.Errorf("the changes are not taken back: %+v", p.S.Draft.Config().Data)
	}
	p.See("inputs first, outputs")
}

// A pair of several channels says which one is drawn.
func TestPairsNameTheirChannel(t *testing.T) {
	const count, points = 12, 16
	input := npy.Array{Shape: []int{count, points}}
	output := npy.Array{Shape: []int{count, points, 2}}
	for i := range count {
		for x := range points {
			value := math.Sin(float64(i+1) * float64(x) / points)
			input.Data = append(input.Data, value)
			output.Data = append(output.Data, value*value, -value)
		}
	}
	file := filepath.Join(t.TempDir(), "two.npz")
	arraytest.NPZ(t, file, map[string]npy.Array{"a": input, "u": output})
	c, err := learn(t.Context(), file)
	noError(t, err)
	p := newPerson(t, Options{Config: c, Workers: 1})
	p.Press("2", "enter")
	p.See("training pair 1 of", "channel 1 of 1 in, 1 of 2 out")
}
