package trained

import (
	"fmt"

	"rfm/model/learn/feature"
	"rfm/model/learn/random"
	"rfm/model/learn/rfm"
	"rfm/solver/num/activation"
	"rfm/solver/space/grid"
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
		all[fmt.Sprintf("%s, %v", d.Name(), d.Aspect)] = Model{Operator: &random.Features{Map: mapped(f),
			Offset: functionsOn(d, points, 1, 7).Data, OffsetPoints: points,
			Solution: rfm.Solution{Alpha: eighths(m, 5), Rank: m, Eigenvalues: eighths(m, 6)}}, Problem: "fields", Grid: points,
			Version: "1",
			Config:  "problem = \"fields\"\n"}
	}
	return all
}
