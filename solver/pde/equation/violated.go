// This file finds initial values that do not satisfy the conditions.

package equation

import (
	"math"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// violated returns a condition on the interval that the initial values of the first inputs do not satisfy; nil if there is
// none. Solutions are smooth there only after a while, and take more polynomials and steps.
func (s *evolution) violated() *condition {
	const share = 1e-3 // of the size of the terms
	if s.domain.Dims == 2 || s.Steady() {
		return nil
	}
	w := newEndsWorker(s, new(resolution))
	p, start := w.at(spaceSizes(1)[2])
	a := grid.NewBatch(s.domain, s.Points, block)
	s.draws.Draw(a, s.Seed, draw.InputTrain, 0)
	w.begin(p, start, a) // evaluates the initial values
	x := p.axes[0]
	for k := range s.conditions {
		c := &s.conditions[k]
		if s.isVelocity(c.field) || c.hasFlux() || c.field == 0 && start.lacks {
			continue
		}
		for l := range block {
			sum := -c.value.evaluate(p.on(sidePoint{side: c.side, lane: l}))
			size := math.Abs(sum) + 1e-9
			unresolved := 0.0 // the highest fifth of the coefficients
			for _, t := range c.terms {
				row := x.atEnd(t.op.x, c.far)
				for j := range x.n {
					coefficient := 0.0
					for i := range x.n {
						coefficient += x.coefficients.At(j, i) * start.values[t.field][i*block+l]
					}
					part := t.c * row[j] * coefficient
					sum += part
					size += math.Abs(part)
					if 5*j >= 4*x.n {
						unresolved += math.Abs(part)
					}
				}
			}
			if math.Abs(sum) > share*size+unresolved {
				return c
			}
		}
	}
	return nil
}
