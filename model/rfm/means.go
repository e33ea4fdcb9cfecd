package rfm

import (
	"context"
	"math"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/fft"
)

// Means are the means over training samples of features and outputs. Sums that have them are those of a model F(a) +
// c(x) with a function c that is fitted, too, and not regularised: of phi_j(a_i) - (1/n) sum_k phi_j(a_k) and u_i -
// (1/n) sum_k u_k. They are computed in the same pass. With M_k the mean of the first k samples, the rows of sample k+1
// enter the sums as
//
//	sqrt(k/(k+1)) (phi_j(a_(k+1)) - M_k),
//
// an orthogonal transformation (Helmert's) of the rows less their mean, so nothing cancels.
type Means struct {
	samples  int            // that the means are over; -1 after a block that was not finished
	features *linalg.Panels // rows: those of one sample
	outputs  []float64
}

// NewMeans prepares for the features of an evaluator, before any sample.
func NewMeans(e feature.Evaluator) *Means {
	return &Means{features: linalg.NewPanels(e.Points(), e.Count()), outputs: make([]float64, e.Points())}
}

// follow extends the means to the first samples pairs of b if they are shorter: for sums that were stored and are
// resumed.
func (m *Means) follow(ctx context.Context, b *blocks, features *linalg.Panels, samples int) error {
	if m.samples == samples {
		return nil
	}
	m.samples = 0
	for p := range m.features.Count() {
		clear(m.features.Panel(p))
	}
	clear(m.outputs)
	ignored := make([]float64, b.evaluator.Count())
	for first := 0; first < samples; first += b.size {
		if _, err := b.evaluate(ctx, features, ignored, first); err != nil {
			return err
		}
	}
	return nil
}

// takeOutputs transforms the targets of the next samples in place, Points each.
func (m *Means) takeOutputs(targets []float64) {
	rows := len(m.outputs)
	for i := range len(targets) / rows {
		weight, share := helmert(m.samples + i)
		for x, u := range targets[rows*i : rows*(i+1)] {
			d := u - m.outputs[x]
			m.outputs[x] += share * d
			targets[rows*i+x] = weight * d
		}
	}
}

// helmert returns the factor of the row of a sample that k samples precede, and its share of the new mean.
func helmert(k int) (weight, share float64) {
	return math.Sqrt(float64(k) / float64(k+1)), 1 / float64(k+1)
}

// takeFeatures transforms the features of group g for the sample with the given number, in place, and adds their
// products with the transformed target to rhs. Calls for different groups may be concurrent.
func (m *Means) takeFeatures(features *linalg.Panels, row, g, sample int, target, rhs []float64) {
	weight, share := helmert(sample)
	m.eachPanel(features, row, g, func(p int, mean, panel []float64) {
		var s0, s1, s2, s3 float64
		for x, u := range target {
			c, v := (*[fft.Lanes]float64)(mean[fft.Lanes*x:]), (*[fft.Lanes]float64)(panel[fft.Lanes*x:])
			d0, d1, d2, d3 := v[0]-c[0], v[1]-c[1], v[2]-c[2], v[3]-c[3]
			c[0], c[1], c[2], c[3] = c[0]+share*d0, c[1]+share*d1, c[2]+share*d2, c[3]+share*d3
			v[0], v[1], v[2], v[3] = weight*d0, weight*d1, weight*d2, weight*d3
			s0, s1, s2, s3 = s0+u*v[0], s1+u*v[1], s2+u*v[2], s3+u*v[3]
		}
		for l, s := range [fft.Lanes]float64{s0, s1, s2, s3} {
			if j := fft.Lanes*p + l; j < len(rhs) {
				rhs[j] += s
			}
		}
	})
}

// subtract subtracts the means from the features of group g for one sample.
func (m *Means) subtract(features *linalg.Panels, row, g int) {
	m.eachPanel(features, row, g, func(_ int, mean, panel []float64) {
		for x, c := range mean {
			panel[x] -= c
		}
	})
}

// eachPanel visits the panels of a group with the rows of a sample.
func (m *Means) eachPanel(features *linalg.Panels, row, g int, visit func(p int, mean, panel []float64)) {
	const perGroup = feature.GroupSize / fft.Lanes
	for p := perGroup * g; p < min(perGroup*(g+1), m.features.Count()); p++ {
		mean := m.features.Panel(p)
		visit(p, mean, features.Panel(p)[fft.Lanes*row:][:len(mean)])
	}
}

// subset returns the means for the given features alone.
func (m *Means) subset(features []int) *Means {
	if m == nil {
		return nil
	}
	part := &Means{samples: m.samples, features: linalg.NewPanels(len(m.outputs), len(features)), outputs: m.outputs}
	for i, j := range features {
		to, from := part.features.Panel(i/fft.Lanes), m.features.Panel(j/fft.Lanes)
		for x := range m.outputs {
			to[fft.Lanes*x+i%fft.Lanes] = from[fft.Lanes*x+j%fft.Lanes]
		}
	}
	return part
}
