package trained

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"rfm/model/activation"
	"rfm/model/feature"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/solver/grid"
)

// functionsOn returns functions on a grid of any domain, which wrap if it is periodic.
func functionsOn(d grid.Domain, points, count, seed int) grid.Batch {
	b := grid.BatchOf(d, points, eighths(count*d.Values(points), seed))
	for i := 0; i < count && d.Periodic; i++ {
		d.Wrap(b.At(i))
	}
	return b
}

// everywhere returns models of features, one on each domain, centred and not.
func everywhere() map[string]Model {
	all := map[string]Model{}
	sigma, _ := activation.ByName("tanh")
	for i, d := range grid.Domains() {
		points, m := 12+1-d.Intervals(1), 8
		f := feature.Spectral{Filter: feature.Filter{Delta: 0.0625, Beta: 3}, Activation: sigma, Gain: 4, Bias: eighths(m, 1),
			M: m, Centred: i%2 == 0,
			Theta: functionsOn(d, points, m, 2)}
		if f.Motions = d.Reflections(d.Periodic); d.Square() && !d.Periodic {
			f.Motions = d.Motions()
		}
		all[fmt.Sprintf("%s, %v", d.Name(), d.Aspect)] = Model{Operator: method.Features{Map: f,
			Offset: functionsOn(d, points, 1, 7).Data, OffsetPoints: points,
			Solution: rfm.Solution{Alpha: eighths(m, 5), Rank: m, Eigenvalues: eighths(m, 6)}}, Problem: "fields", Grid: points,
			Version: "1",
			Config:  "problem = \"fields\"\n"}
	}
	return all
}

func TestModelsOnEveryDomainAreReadAsTheyWereWritten(t *testing.T) {
	all := everywhere()
	for name, m := range all {
		read, err := Read(bytes.NewReader(written(t, m)), int64(len(written(t, m))))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, points := range []int{m.Grid, m.Grid + 12, m.Grid + 4} { // the last one is interpolated
			if !m.Domain().Exists(points) {
				continue
			}
			inputs := functionsOn(m.Inputs(), points, 2, 4)
			if !slices.Equal(predict(t, read, inputs).Data, predict(t, m, inputs).Data) {
				t.Errorf("%s: on %s what was read predicts something else", name, m.Domain().Grid(points))
			}
		}
	}
}
