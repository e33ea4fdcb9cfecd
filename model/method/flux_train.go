// This file fits the permeabilities between points to pairs, by Gauss-Newton steps.

package method

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"rfm/model/linalg"
	"rfm/solver/darcy"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

const (
	// fluxPairs bounds the pairs that are looked at: a few dozen numbers need no more.
	fluxPairs = 256
	// fluxTolerance is that of solves: far below what a grid on which fluxes have to be fitted is wrong by.
	fluxTolerance = 1e-4
	// fluxSteps bounds the Gauss-Newton steps of a law, and fluxHalvings how often one is halved.
	fluxSteps, fluxHalvings = 4, 4
	// fluxRidge is relative to the mean of the diagonal.
	fluxRidge = 1e-6
	// fluxGain is the share of the error that a step must take away if another one is to follow.
	fluxGain = 1e-3
)

// laws are what the leave-one-out error chooses from, each with those before: by how many points around a face, and by
// products of how many.
var laws = [...]struct{ points, degree int }{{2, 2}, {around, 2}, {around, around}}

// orbits are the subsets of so many points, up to a size, that reflections of a face take to each other: y for x, and
// one side for the other.
func orbits(points, degree int) [][]int {
	swap := func(s, first, second int) int { // pairs of bits by turns
		return s&^(3<<first|3<<second) | s>>first&3<<second | s>>second&3<<first
	}
	var all [][]int
	seen := [masks]bool{}
	for s := range 1 << points {
		if seen[s] || bits.OnesCount(uint(s)) > degree {
			continue
		}
		var orbit []int
		for _, t := range []int{s, s&0x15<<1 | s>>1&0x15} {
			for _, image := range []int{t, swap(t, 2, 4)} {
				if !seen[image] {
					seen[image], orbit = true, append(orbit, image)
				}
			}
		}
		all = append(all, orbit)
	}
	return all
}

// numbers are those that were fitted.
func (c *Law) numbers() int {
	count := 0
	for _, orbit := range orbits(around, around) {
		if c[orbit[0]] != 0 {
			count++
		}
	}
	return count
}

// FitFluxes fits a Flux to pairs of fields on the closed square: the law with the least leave-one-out error of those
// with a few numbers. Each is fitted by least squares of relative errors, on pairs that are drawn if there are many.
// The leave-one-out error is that of the equation linearised at the fit, and exact for it. Errors: those of
// Method.Train; a *fault.Data also if an input is not positive, or an output far from zero on the boundary.
func FitFluxes(ctx context.Context, pairs dataset.Pairs, o Options) (*Flux, error) {
	if err := checkFluxes(pairs); err != nil {
		return nil, err
	}
	if n := pairs.Count(); n > fluxPairs {
		pairs = pairs.Take(draw.Permutation(o.Seed, purposeSearch, n)[:fluxPairs])
	}
	sizes, err := norms(pairs.Outputs)
	if err != nil {
		return nil, err
	}
	low, high := math.Inf(1), 0.0
	for _, v := range pairs.Inputs.Data {
		low, high = min(low, v), max(high, v)
	}
	f := Flux{place: placeOf(pairs), Closure: Closure{Centre: math.Log(low*high) / 2, Scale: math.Log(high/low) / 2,
		Tolerance: fluxTolerance}}
	if f.Scale == 0 {
		f.Scale = 1
	}
	p := &fluxProblem{pairs, sizes, o.Workers}
	if err := p.begin(ctx, &f); err != nil {
		return nil, err
	}
	var best *Flux
	for _, law := range laws {
		if err := p.fit(ctx, &f, orbits(law.points, law.degree)); err != nil {
			return nil, err
		}
		if best == nil || f.leaveOneOut < best.leaveOneOut {
			fitted := f
			best = &fitted
		}
	}
	if !grid.Finite(best.leaveOneOut) {
		return nil, &fault.Numerical{Where: "fitted fluxes", What: "numbers cannot be fitted to these pairs",
			Do: "choose another train.method"}
	}
	return best, nil
}

// checkFluxes returns a *fault.Data if the pairs cannot be solutions of the equation.
func checkFluxes(pairs dataset.Pairs) error {
	if err := check(pairs); err != nil {
		return err
	}
	if err := darcy.CheckPermeabilities("training inputs", pairs.Inputs); err != nil {
		return err
	}
	const noise = 0.5 // what is far below may be an error of measurement
	r := pairs.Outputs.Points
	inside := make([]float64, r*r)
	for i := range pairs.Count() {
		most, edge := 0.0, 0.0
		copy(inside, pairs.Outputs.At(i))
		clearBoundary(inside, r)
		for x, v := range pairs.Outputs.At(i) {
			most, edge = max(most, math.Abs(v)), max(edge, math.Abs(v-inside[x]))
		}
		if edge > noise*most {
			return &fault.Data{Where: fmt.Sprintf("training output %d", i),
				What: fmt.Sprintf("is up to %.3g on the boundary, where this method needs 0", edge),
				Do:   "choose another train.method"}
		}
	}
	return nil
}

// fluxProblem is the pairs to which laws are fitted.
type fluxProblem struct {
	dataset.Pairs
	sizes   []float64 // L2 norms of the outputs
	workers int
}

// each visits every pair with working memory for a solver that solves to a tolerance.
func (p *fluxProblem) each(ctx context.Context, f *Flux, visit func(s *fluxSpace, i int) error) error {
	return parallel.With(ctx, p.workers, p.Count(), f.newSpace, visit)
}

// begin takes geometric means and the number to which the source would have to be equal. Errors: a *fault.Data if it is
// not positive, the solver's.
func (p *fluxProblem) begin(ctx context.Context, f *Flux) error {
	products := make([][2]float64, p.Count())
	domain := p.Outputs.Domain
	err := p.each(ctx, f.prepare(), func(s *fluxSpace, i int) error {
		u, size := p.Outputs.Like(1), p.sizes[i]
		err := f.solve(ctx, u.At(0), p.Inputs.At(i), s, fmt.Sprintf("training input %d", i))
		products[i] = [2]float64{domain.Inner(u.At(0), p.Outputs.At(i)) / (size * size), domain.Inner(u.At(0),
			u.At(0)) / (size * size)}
		return err
	})
	if err != nil {
		return err
	}
	var sums [2]float64
	for _, product := range products {
		sums[0], sums[1] = sums[0]+product[0], sums[1]+product[1]
	}
	if !(sums[0] > 0) {
		return &fault.Data{Where: "training outputs",
			What: "are not solutions of -div(k grad u) = 1 times any positive number",
			Do:   "choose another train.method"}
	}
	f.Law[0] = math.Log(sums[1] / sums[0])
	return nil
}

// sums are those of a Gauss-Newton step: of J'J, a row after the other, of J'(u - F(a)), and of |u - F(a)|^2, all
// relative to |u|^2.
type fluxSums struct {
	normal, gradient []float64
	square           float64
}

func (s *fluxSums) add(other fluxSums, sign float64) {
	for i, v := range other.normal {
		s.normal[i] += sign * v
	}
	for i, v := range other.gradient {
		s.gradient[i] += sign * v
	}
	s.square += sign * other.square
}

// fit changes the law to the best with these terms, with the leave-one-out error; +Inf if there is none.
func (p *fluxProblem) fit(ctx context.Context, f *Flux, terms [][]int) error {
	f.leaveOneOut = math.Inf(1)
	for range fluxSteps {
		parts, err := p.linearise(ctx, f.prepare(), terms)
		if failed(err) {
			return nil
		}
		if err != nil {
			return err
		}
		whole := fluxSums{make([]float64, len(terms)*len(terms)), make([]float64, len(terms)), 0}
		for _, part := range parts {
			whole.add(part, 1)
		}
		if f.leaveOneOut, err = leaveOutFluxes(ctx, f.Law, whole, parts, terms); err != nil {
			return err
		}
		step, err := whole.step(ctx, f.Law, terms)
		if err != nil || step == nil {
			return err
		}
		further, err := p.improve(ctx, f, terms, step, whole.square)
		if err != nil || !further {
			return err
		}
	}
	return nil
}

// improve changes the law by the step, or a part of it. It reports whether it is worth going on.
func (p *fluxProblem) improve(ctx context.Context, f *Flux, terms [][]int, step []float64, square float64) (bool,
	error) {
	before, share := f.Law, 1.0
	for range fluxHalvings {
		for k, orbit := range terms {
			for _, s := range orbit {
				f.Law[s] = before[s] + share*step[k]/float64(len(orbit))
			}
		}
		now, err := p.square(ctx, f.prepare())
		if err != nil {
			return false, err
		}
		if now < square {
			return now < (1-fluxGain)*square, nil
		}
		share /= 2
	}
	f.Law = before
	return false, nil
}

// failed reports whether a solver gave up.
func failed(err error) bool { return err != nil && fault.BlamesInput(err) }

// square is the sum of |u - F(a)|^2/|u|^2; +Inf if the equation cannot be solved.
func (p *fluxProblem) square(ctx context.Context, f *Flux) (float64, error) {
	squares := make([]float64, p.Count())
	err := p.each(ctx, f, func(s *fluxSpace, i int) error {
		u := p.Outputs.Like(1)
		err := f.solve(ctx, u.At(0), p.Inputs.At(i), s, fmt.Sprintf("training input %d", i))
		squares[i] = p.Outputs.Domain.Distance2(u.At(0), p.Outputs.At(i)) / (p.sizes[i] * p.sizes[i])
		return err
	})
	if failed(err) {
		return math.Inf(1), nil
	}
	sum := 0.0
	for _, v := range squares {
		sum += v
	}
	return sum, err
}

// linearise computes the sums of every pair: J has a solve for each term.
func (p *fluxProblem) linearise(ctx context.Context, f *Flux, terms [][]int) ([]fluxSums, error) {
	all, V, r := make([]fluxSums, p.Count()), f.values(), f.points
	err := p.each(ctx, f, func(s *fluxSpace, i int) error {
		u, label := p.Outputs.Like(1), fmt.Sprintf("training input %d", i)
		if err := f.solve(ctx, u.At(0), p.Inputs.At(i), s, label); err != nil {
			return err
		}
		rhs, slopes := grid.NewBatch(f.domain, r, len(terms)), grid.NewBatch(f.domain, r, len(terms))
		f.sensitivities(rhs, u.At(0), s, terms)
		for k := range terms {
			clearBoundary(rhs.At(k), r)
			if err := s.SolveFaces(ctx, slopes.At(k), rhs.At(k), label); err != nil {
				return err
			}
		}
		unit := 1 / (p.sizes[i] * p.sizes[i])
		missed := make([]float64, V)
		for x, v := range p.Outputs.At(i) {
			missed[x] = v - u.Data[x]
		}
		sums := fluxSums{make([]float64, len(terms)*len(terms)), make([]float64, len(terms)),
			unit * f.domain.Inner(missed, missed)}
		for k := range terms {
			sums.gradient[k] = unit * f.domain.Inner(slopes.At(k), missed)
			for j := range k + 1 {
				product := unit * f.domain.Inner(slopes.At(k), slopes.At(j))
				sums.normal[k*len(terms)+j], sums.normal[j*len(terms)+k] = product, product
			}
		}
		all[i] = sums
		return nil
	})
	return all, err
}

// sensitivities add what a change of each term does to the balance of fluxes of u.
func (f *Flux) sensitivities(rhs grid.Batch, u []float64, s *fluxSpace, terms [][]int) {
	east, south := s.Faces()
	eachFace(f.points, func(face face) {
		var products Law
		products[0] = 1
		for i, x := range face.points() {
			for t := range 1 << i {
				products[t|1<<i] = products[t] * s.l[x]
			}
		}
		flow := face.of(east, south)[face.x] * (u[face.x] - u[face.y])
		for k, orbit := range terms {
			sum := 0.0
			for _, t := range orbit {
				sum += products[t]
			}
			sum *= flow / float64(len(orbit))
			to := rhs.At(k)
			to[face.x] -= sum
			to[face.y] += sum
		}
	})
}

// step solves for the change of the numbers of a law, with a ridge that holds all but the source; nil if that cannot be
// done. The error is ctx's.
func (s *fluxSums) step(ctx context.Context, law Law, terms [][]int) ([]float64, error) {
	p := len(terms)
	system, x, mean := linalg.NewSymmetric(p), append([]float64(nil), s.gradient...), 0.0
	for k := range p {
		mean += s.normal[k*p+k] / float64(p)
	}
	for k, orbit := range terms {
		copy(system.Row(k), s.normal[k*p+k:(k+1)*p])
		if orbit[0] == 0 {
			continue
		}
		number := law[orbit[0]] * float64(len(orbit))
		system.Row(k)[0] += fluxRidge * mean
		x[k] -= fluxRidge * mean * number
	}
	factor, err := linalg.Factor(ctx, system, 0, 1)
	if err != nil {
		return nil, ctx.Err()
	}
	factor.Solve(x)
	return x, nil
}

// leaveOutFluxes is the mean error at each pair of what is fitted to the others, by one step.
func leaveOutFluxes(ctx context.Context, law Law, whole fluxSums, parts []fluxSums, terms [][]int) (float64, error) {
	p, total := len(terms), 0.0
	for _, part := range parts {
		whole.add(part, -1)
		step, err := whole.step(ctx, law, terms)
		whole.add(part, 1)
		if err != nil {
			return 0, err
		}
		if step == nil {
			return math.Inf(1), nil
		}
		square := part.square
		for k, d := range step {
			square -= 2 * d * part.gradient[k]
			for j, e := range step {
				square += d * e * part.normal[k*p+j]
			}
		}
		total += math.Sqrt(max(0, square)) / float64(len(parts))
	}
	return total, nil
}
