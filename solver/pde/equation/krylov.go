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

// iterate solves J step = residual for all functions at once.
func (n *newton) iterate(ctx context.Context, step, v, residual []float64) error {
	const relative = 1e-11
	precondition := n.preconditioner(v)
	var basis [][]float64
	first := make([]float64, len(residual))
	precondition(first, residual)
	sizes := normsOf(first)
	divide := func(u []float64, by [block]float64) {
		for i := range u {
			if d := by[i%block]; d > 0 {
				u[i] /= d
			} else {
				u[i] = 0
			}
		}
	}
	divide(first, sizes)
	basis = append(basis, first)
	var problems [block]*leastSquares
	for l := range problems {
		problems[l] = newLeastSquares(sizes[l])
	}
	image := make([]float64, len(residual))
	for k := range mostKrylov {
		if err := ctx.Err(); err != nil {
			return err
		}
		n.derivative(image, v, basis[k])
		next := make([]float64, len(residual))
		precondition(next, image)
		columns := make([][block]float64, 0, k+2)
		for _, b := range basis { // modified Gram-Schmidt
			var inner [block]float64
			for i, x := range b {
				inner[i%block] += x * next[i]
			}
			for i, x := range b {
				next[i] -= inner[i%block] * x
			}
			columns = append(columns, inner)
		}
		norms := normsOf(next)
		columns = append(columns, norms)
		done := true
		for l, p := range problems {
			column := make([]float64, len(columns))
			for j := range columns {
				column[j] = columns[j][l]
			}
			p.add(column)
			done = done && p.residual() <= relative*sizes[l]+1e-300
		}
		divide(next, norms)
		basis = append(basis, next)
		if done {
			n.combine(step, basis, &problems)
			return nil
		}
	}
	n.combine(step, basis, &problems)
	worst := 0.0
	for l, p := range problems {
		if sizes[l] > 0 {
			worst = math.Max(worst, p.residual()/sizes[l])
		}
	}
	if worst > 1e-3 {
		return &stuck{worst}
	}
	return nil
}

// stuck is the error of an iteration that does not converge.
type stuck struct{ residual float64 }

// Error implements error.
func (e *stuck) Error() string {
	return fmt.Sprintf("is not found: the equation, linearised, keeps %.1g of its residual after %d steps; it may have no unique solution",
		e.residual, mostKrylov)
}

// combine writes the solutions in the spaces of the basis.
func (n *newton) combine(step []float64, basis [][]float64, problems *[block]*leastSquares) {
	clear(step)
	for l, p := range problems {
		for j, c := range p.solution() {
			for i := l; i < len(step); i += block {
				step[i] += c * basis[j][i]
			}
		}
	}
}

// leastSquares is the problem of least squares of an iteration, by Givens rotations.
type leastSquares struct {
	columns [][]float64 // of the triangle
	cos     []float64
	sin     []float64
	right   []float64
}

func newLeastSquares(size float64) *leastSquares { return &leastSquares{right: []float64{size}} }

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

// preconditioner returns the inverse of the part of the derivative that is diagonal in the modes: the linear part, the mean
// of diffusion that depends on the solution or a coefficient, and the mean reaction.
func (n *newton) preconditioner(v []float64) func(out, in []float64) {
	extra := make([]float64, n.size*block)
	values := make([]float64, block*n.n)
	evaluate := func(p poly) (means [block]float64) {
		own := n.newPlan()
		own.compute(p, values)
		own.toPoints(n.views(v, n.coefficient))
		n.average(values)
		copy(means[:], values[:block])
		return means
	}
	for f := range n.Fields {
		field := n.fields[f]
		columns := 1
		if len(field.bases) == 2 {
			columns = field.bases[1].modes()
		}
		add := func(factor poly, of func(x, y int) float64) {
			if len(factor) == 0 {
				return
			}
			means := evaluate(factor)
			for k := range field.modes {
				value := of(k/columns, k%columns)
				for l, c := range means {
					extra[(field.first+k)*block+l] += c * value
				}
			}
		}
		for axis, b := range field.bases {
			var diffusion poly
			for _, q := range n.explicit[f] {
				diffusion = diffusion.plus(q.diffusivity(f, axis))
			}
			inside := b.inside(2)
			add(diffusion, func(x, y int) float64 {
				mode := [2]int{x, y}[axis]
				return inside.At(mode, mode)
			})
		}
		var reaction poly
		for _, q := range n.explicit[f] {
			if q.op == (operator{}) {
				reaction = reaction.plus(poly{q.term}.by(single(&atom{kind: fieldAtom, index: f}, 0)[0].key))
			}
		}
		add(reaction, func(int, int) float64 { return 1 })
	}
	return func(out, in []float64) {
		for _, part := range n.parts {
			size := len(part.fields)
			system := mat.NewDense(size, size, nil)
			right := mat.NewVecDense(size, nil)
			solution := mat.NewVecDense(size, nil)
			for k := range part.modes {
				for l := range block {
					for i, row := range part.fields {
						at := (n.fields[row].first+k)*block + l
						for j := range part.fields {
							entry := 0.0
							if symbol := part.symbol[i][j]; symbol != nil {
								entry = symbol[k]
							}
							if i == j {
								entry += extra[at]
							}
							system.Set(i, j, entry)
						}
						right.SetVec(i, in[at])
					}
					if size == 1 {
						d := system.At(0, 0)
						if math.Abs(d) < 1e-8 {
							d = 1
						}
						solution.SetVec(0, right.AtVec(0)/d)
					} else if solution.SolveVec(system, right) != nil {
						solution.CopyVec(right)
					}
					for i, row := range part.fields {
						out[(n.fields[row].first+k)*block+l] = solution.AtVec(i)
					}
				}
			}
		}
	}
}
