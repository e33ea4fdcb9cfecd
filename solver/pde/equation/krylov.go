// This file solves the linear systems of Newton's method on the square, by generalised minimal residuals (Saad & Schultz
// 1986), preconditioned with the part of the equation that is diagonal in the modes.

package equation

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// mostKrylov bounds the dimension of the space in which a solution is sought.
const mostKrylov = 150

// krylov is the search for the solutions of linear systems, one for each function of a block, in the spaces that the
// residuals span.
type krylov struct {
	basis    [][]float64          // orthonormal, each size x block
	problems [block]*leastSquares // whose solutions are coefficients of the basis
	sizes    [block]float64       // norms of the right-hand sides
}

// iterate solves J step = residual for all functions at once, up to a relative residual.
func (n *newton) iterate(ctx context.Context, step, v, residual []float64, relative float64) error {
	precondition := n.newPreconditioner(v)
	first := make([]float64, len(residual))
	precondition.apply(first, residual)
	k := newKrylov(first)
	image := make([]float64, len(residual))
	for range mostKrylov {
		if err := ctx.Err(); err != nil {
			return err
		}
		n.budget.spend(n.workOfStep())
		last := k.basis[len(k.basis)-1]
		n.derivative(image, v, last)
		next := make([]float64, len(residual))
		precondition.apply(next, image)
		k.extend(next)
		if k.isSolved(relative) {
			k.combine(step)
			return nil
		}
	}
	k.combine(step)
	const tolerable = 1e-3 // because the next step of Newton's method corrects it
	if worst := k.worst(); worst > tolerable {
		return &stuck{worst}
	}
	return nil
}

// newKrylov begins with right-hand sides, size x block, which become the first of the basis.
func newKrylov(right []float64) *krylov {
	k := &krylov{sizes: normsOf(right)}
	divide(right, k.sizes)
	k.basis = [][]float64{right}
	for l, size := range k.sizes {
		k.problems[l] = newLeastSquares(size)
	}
	return k
}

// divide divides each function of a block by a number; by 0 the function becomes 0.
func divide(u []float64, by [block]float64) {
	var factors [block]float64
	for l, d := range by {
		if d > 0 {
			factors[l] = 1 / d
		}
	}
	for row := 0; row < len(u); row += block {
		ofRow := (*[block]float64)(u[row:])
		for l, factor := range factors {
			ofRow[l] *= factor
		}
	}
}

// innerProducts returns the inner product of each function of a block with that of another.
func innerProducts(u, v []float64) (sums [block]float64) {
	for row := 0; row < len(u); row += block {
		ofU := (*[block]float64)(u[row:])
		ofV := (*[block]float64)(v[row:])
		for l, x := range ofU {
			sums[l] += x * ofV[l]
		}
	}
	return sums
}

// subtractMultiples subtracts from each function of a block a multiple of that of another.
func subtractMultiples(u []float64, by [block]float64, v []float64) {
	for row := 0; row < len(u); row += block {
		ofU := (*[block]float64)(u[row:])
		ofV := (*[block]float64)(v[row:])
		for l, c := range by {
			ofU[l] -= c * ofV[l]
		}
	}
}

// extend adds the image of the last of the basis to it, made orthonormal by the modified method of Gram and Schmidt.
func (k *krylov) extend(image []float64) {
	var column [][block]float64 // of the Hessenberg matrices: inner products with the basis, then norms
	for _, b := range k.basis {
		inner := innerProducts(b, image)
		subtractMultiples(image, inner, b)
		column = append(column, inner)
	}
	norms := normsOf(image)
	column = append(column, norms)
	for l, p := range k.problems {
		own := make([]float64, len(column))
		for j := range column {
			own[j] = column[j][l]
		}
		p.add(own)
	}
	divide(image, norms)
	k.basis = append(k.basis, image)
}

// isSolved reports whether all residuals are small, relative to the right-hand sides.
func (k *krylov) isSolved(relative float64) bool {
	for l, p := range k.problems {
		isSmall := p.residual() <= relative*k.sizes[l]+1e-300
		if !isSmall {
			return false
		}
	}
	return true
}

// worst returns the largest residual, relative to the right-hand side.
func (k *krylov) worst() float64 {
	worst := 0.0
	for l, p := range k.problems {
		if k.sizes[l] > 0 {
			worst = math.Max(worst, p.residual()/k.sizes[l])
		}
	}
	return worst
}

// combine writes the solutions to step.
func (k *krylov) combine(step []float64) {
	clear(step)
	for l, p := range k.problems {
		for j, c := range p.solution() {
			b := k.basis[j]
			for i := l; i < len(step); i += block {
				step[i] += c * b[i]
			}
		}
	}
}

// stuck is the error of an iteration that does not converge.
type stuck struct{ residual float64 }

// Error implements error.
func (e *stuck) Error() string {
	return fmt.Sprintf("is not found: the equation, linearised, keeps %.1g of its residual after %d steps; it may have no unique solution",
		e.residual, mostKrylov)
}

// leastSquares is the problem of least squares of an iteration, by Givens rotations.
type leastSquares struct {
	columns [][]float64 // of the triangle
	cos     []float64
	sin     []float64
	right   []float64
}

// newLeastSquares returns the problem of no columns yet, with a right-hand side of that size along the first axis.
func newLeastSquares(size float64) *leastSquares {
	return &leastSquares{right: []float64{size}}
}

// add adds a column of the Hessenberg matrix.
func (p *leastSquares) add(column []float64) {
	k := len(p.columns)
	for i := range k {
		a := column[i]
		b := column[i+1]
		column[i] = p.cos[i]*a + p.sin[i]*b
		column[i+1] = -p.sin[i]*a + p.cos[i]*b
	}
	r := math.Hypot(column[k], column[k+1])
	cos := 1.0
	sin := 0.0
	if r > 0 {
		cos = column[k] / r
		sin = column[k+1] / r
	}
	column[k] = r
	p.cos = append(p.cos, cos)
	p.sin = append(p.sin, sin)
	p.columns = append(p.columns, column[:k+1])
	last := p.right[k]
	p.right[k] = cos * last
	p.right = append(p.right, -sin*last)
}

// residual returns the norm of the residual.
func (p *leastSquares) residual() float64 { return math.Abs(p.right[len(p.right)-1]) }

// solution returns the coefficients of the basis.
func (p *leastSquares) solution() []float64 {
	x := make([]float64, len(p.columns))
	for i := len(x) - 1; i >= 0; i-- {
		sum := p.right[i]
		for j := i + 1; j < len(x); j++ {
			sum -= p.columns[j][i] * x[j]
		}
		if d := p.columns[i][i]; math.Abs(d) > 1e-300 {
			x[i] = sum / d
		}
	}
	return x
}

// preconditioner is the inverse of the part of the derivative that is diagonal in the modes: the linear part, the mean of
// diffusion that depends on the solution or a coefficient, and the mean reaction.
type preconditioner struct {
	*newton
	means    []float64 // of diffusion and reaction, by mode, size x block
	inverses []inverseOfPart
}

// inverseOfPart is the inverse for a part, by row and column: numbers by mode, modes x block.
type inverseOfPart [maxField][maxField][]float64

// newPreconditioner returns the preconditioner at a state.
func (n *newton) newPreconditioner(v []float64) *preconditioner {
	p := &preconditioner{newton: n, means: n.newState()}
	for f := range n.Fields {
		for axis, b := range n.fields[f].bases {
			var diffusion poly
			for _, q := range n.explicit[f] {
				diffusion = diffusion.plus(q.diffusivity(f, axis, 2))
			}
			second := b.inside(2)
			p.add(f, v, diffusion, func(mode [2]int) float64 { return second.At(mode[axis], mode[axis]) })
		}
		var reaction poly
		for _, q := range n.explicit[f] {
			if q.op == (operator{}) {
				reaction = reaction.plus(poly{q.term}.by(fieldKey(f, operator{})))
			}
		}
		p.add(f, v, reaction, func([2]int) float64 { return 1 })
	}
	for _, part := range p.parts {
		p.inverses = append(p.inverses, p.inverseOf(part))
	}
	return p
}

// add adds the mean of a coefficient at a state, times a number for each mode, to the means of a field.
func (p *preconditioner) add(f int, v []float64, coefficient poly, factor func(mode [2]int) float64) {
	if len(coefficient) == 0 {
		return
	}
	values := p.newBlock()
	own := p.newPlan()
	own.compute(coefficient, values)
	own.toPoints(p.views(v, p.coefficient))
	p.average(values)
	means := values[:block] // the same at all points
	field := p.fields[f]
	ofField := field.of(p.means)
	for k := range field.modes {
		value := factor(field.modeOf(k))
		ofMode := ofField[k*block : (k+1)*block]
		for l, mean := range means {
			ofMode[l] += mean * value
		}
	}
}

// inverseOf returns the inverse for a part. Modes whose system is singular have the identity.
func (p *preconditioner) inverseOf(part part) (inverse inverseOfPart) {
	size := len(part.fields)
	if size == 1 {
		inverse[0][0] = p.inverseOfField(part)
		return inverse
	}
	for i := range size {
		for j := range size {
			inverse[i][j] = make([]float64, part.modes*block)
		}
	}
	system := mat.NewDense(size, size, nil)
	for k := range part.modes {
		for l := range block {
			for i, row := range part.fields {
				at := (p.fields[row].first+k)*block + l
				p.setRow(system, part, i, k, p.means[at])
			}
			invert(system)
			for i := range size {
				for j := range size {
					inverse[i][j][k*block+l] = system.At(i, j)
				}
			}
		}
	}
	return inverse
}

// inverseOfField is inverseOf for a single field.
func (p *preconditioner) inverseOfField(part part) []float64 {
	const least = 1e-8 // below it, a mode is as good as not determined
	symbol := part.symbol[0][0]
	means := p.fields[part.fields[0]].of(p.means)
	inverse := make([]float64, len(means))
	for i, mean := range means {
		entry := mean
		if symbol != nil {
			entry += symbol[i/block]
		}
		if math.Abs(entry) < least {
			entry = 1
		}
		inverse[i] = 1 / entry
	}
	return inverse
}

// apply writes the product with a state to out.
func (p *preconditioner) apply(out, in []float64) {
	clear(out)
	for at, part := range p.parts {
		for i, row := range part.fields {
			to := p.fields[row].of(out)
			for j, column := range part.fields {
				from := p.fields[column].of(in)
				for k, c := range p.inverses[at][i][j] {
					to[k] += c * from[k]
				}
			}
		}
	}
}

// setRow sets row i of the system of a mode: the symbol, with a mean added on the diagonal.
func (p *preconditioner) setRow(system *mat.Dense, part part, i, mode int, mean float64) {
	for j := range part.fields {
		entry := 0.0
		if symbol := part.symbol[i][j]; symbol != nil {
			entry = symbol[mode]
		}
		if i == j {
			entry += mean
		}
		system.Set(i, j, entry)
	}
}

// invert inverts the system of a mode. One that is singular becomes the identity.
func invert(system *mat.Dense) {
	var inverse mat.Dense
	if err := inverse.Inverse(system); err != nil {
		size, _ := system.Dims()
		system.Copy(identityMatrix(size))
		return
	}
	system.Copy(&inverse)
}
