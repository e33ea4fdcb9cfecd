// This file computes radial kernels of points, and solves for pairs with them, in parts of functions that a symmetry
// decouples.

package kernel

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/learn/expansion"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/model/trained/codec"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/num/activation"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// Profile names the function p of a kernel k(a, a') = p(d(a, a') / Length). Smoother ones learn smoother operators from
// fewer pairs:
//
//	Matern 5/2          (1 + sqrt5 s + 5/3 s^2) exp(-sqrt5 s)
//	rational quadratic  1 / (1 + s^2 / 2)
//	Gaussian            exp(-s^2 / 2)
type Profile string

// The profiles.
const (
	matern   Profile = ""
	rational Profile = "rational"
	gaussian Profile = "gaussian"
)

// profiles lists all profiles in the order in which searches try them.
var profiles = []Profile{matern, rational, gaussian}

// profileTable holds the names of profiles in sentences, and their functions of squared distances.
var profileTable = map[Profile]struct {
	name   string
	radial activation.Radial
}{
	matern:   {name: "Matern 5/2", radial: activation.Matern},
	rational: {name: "rational quadratic", radial: activation.Rational},
	gaussian: {name: "Gaussian", radial: activation.Gaussian},
}

func (p Profile) String() string { return profileTable[p].name }

// valid returns an error unless a profile of a model file exists.
func (p Profile) valid() error {
	if p.String() == "" {
		return codec.Bad("has the kernel profile %q, want rational, gaussian or none for Matern 5/2", string(p))
	}
	return nil
}

// apply replaces numbers by the values of the profile at squared distances, in units of the length scale: the numbers
// plus a constant, which rounding may leave negative.
func (p Profile) apply(x []float64, constant float64) {
	var shift [8]float64 // one for each lane of the vectors
	for lane := range shift {
		shift[lane] = constant
	}
	profileTable[p].radial.Apply(x, &shift)
}

// pointsOf returns the points y in rows of a matrix as columns (-2 y, |y|^2), whose products with (z, 1) are the
// squared distances |z - y|^2 less |z|^2.
func pointsOf(rows *mat.Dense) *linalg.Panels {
	n, modes := rows.Dims()
	p := linalg.NewPanels(modes+1, n)
	column := make([]float64, modes+1)
	for i := range n {
		y := rows.RawRowView(i)
		floats.ScaleTo(column[:modes], -2, y)
		column[modes] = floats.Dot(y, y)
		p.SetColumn(i, column)
	}
	return p
}

// kernels passes the kernels p(d) of points in columns, z followed by 1 and |z|^2, and of others, see pointsOf: those
// of one point after the other, from column first(point) on. take may change them; it is called from several
// goroutines. It returns ctx.Err() if ctx is done.
func (p Profile) kernels(ctx context.Context, z, others *linalg.Panels, workers int, first func(point int) int,
	take func(point int, kernels []float64)) error {
	modes := others.Rows() - 1
	products := linalg.NewRectangle(z.Cols(), others.Cols())
	err := products.AddProduct(ctx, z, others, modes+1, workers)
	if err != nil {
		return err
	}
	return parallel.For(ctx, workers, z.Cols(), func(_, i int) error {
		kernels := products.Row(i)[first(i):]
		square := z.At(modes+1, i) // |z|^2
		p.apply(kernels, square)
		take(i, kernels)
		return nil
	})
}

// fromFirst asks for the kernels of a point with all others.
func fromFirst(int) int { return 0 }

// parts is the kernel of decoupled parts of functions, for the pairs and their images under motions.
type parts struct {
	*kernelProblem
	decoupled
	profile Profile
	sources [][]int    // of the motions
	points  *mat.Dense // of the images under all motions, one set of pairs after the other
}

// order returns the order of the kernel matrix of a part.
func (k parts) order() int { return k.Count() * k.rows }

func (k parts) Blocks() int { return len(k.signs) }

func (k parts) Together(int) int { return ridge.Together(k.order(), 1) }

// Targets returns the parts of the outputs, and of their images with axes exchanged.
func (k parts) Targets(part int) []float64 {
	n := k.Count()
	size := k.Outputs.Values()
	signs := k.signs[part]
	all := make([]float64, k.rows*n*size) // (rows n) x size, row-major
	for motion, from := range k.sources {
		row := motion % k.rows
		weight := signs[motion/k.rows] / float64(len(signs))
		images := all[row*n*size:]
		for i := range n {
			sum := images[i*size:][:size]
			expansion.AddMoved(sum, weight, k.Outputs.At(i), from)
		}
	}
	return all
}

func (k parts) Gram(ctx context.Context, first, count, workers int) ([]*linalg.Symmetric, error) {
	values := make([]*linalg.Symmetric, count)
	for q := range values {
		values[q] = linalg.NewSymmetric(k.order())
	}
	for image := range k.signs[0] {
		err := k.add(ctx, values, first, image, workers)
		if err != nil {
			return nil, err
		}
	}
	return values, nil
}

// stripRows is the number of rows of kernel matrices whose inner products are known at the same time.
const stripRows = 256

// add adds the share of one image of the points to the kernels of the parts from first on.
func (k parts) add(ctx context.Context, values []*linalg.Symmetric, first, image, workers int) error {
	n := values[0].Order()
	moved := pointsOf(k.image(image))
	for from := 0; from < n; from += stripRows {
		end := min(from+stripRows, n)
		strip := linalg.RowsOf(k.points, from, end)
		z := expansion.ColumnsOf(strip.RawMatrix())
		diagonal := func(i int) int { return from + i }
		add := func(i int, kernels []float64) {
			floats.AddConst(1, kernels)
			for q, matrix := range values {
				sign := k.signs[first+q][image]
				floats.AddScaled(matrix.Row(from+i), sign, kernels)
			}
		}
		err := k.profile.kernels(ctx, z, moved, workers, diagonal, add)
		if err != nil {
			return err
		}
	}
	return nil
}

// image returns the points moved by an element of the group that the parts' signs belong to.
func (k parts) image(image int) *mat.Dense {
	n := k.order()
	return linalg.RowsOf(k.points, image*n, (image+1)*n)
}

// someOf returns a copy of some rows of a matrix.
func someOf(m *mat.Dense, rows []int) *mat.Dense {
	some := mat.NewDense(len(rows), m.RawMatrix().Cols, nil)
	for r, i := range rows {
		some.SetRow(r, m.RawRowView(i))
	}
	return some
}

// landmarks is the kernel of parts of pairs that are all, and of some of these.
type landmarks struct {
	parts
	all parts
}

func (k landmarks) All(part int) []float64 { return k.all.Targets(part) }

func (k landmarks) Inputs() (rows []int) {
	n := k.all.Count()
	for row := range k.rows {
		for _, i := range k.all.marks {
			rows = append(rows, row*n+i)
		}
	}
	return rows
}

func (k landmarks) Cross(ctx context.Context, part int, rows []int, workers int) (*linalg.Rectangle, error) {
	inputs := pointsOf(someOf(k.all.points, rows))
	sum := linalg.NewRectangle(k.order(), len(rows))
	for image, sign := range k.signs[part] {
		z := expansion.ColumnsOf(k.image(image).RawMatrix())
		add := func(i int, kernels []float64) {
			floats.AddConst(1, kernels)
			floats.AddScaled(sum.Row(i), sign, kernels)
		}
		err := k.profile.kernels(ctx, z, inputs, workers, fromFirst, add)
		if err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// kernelProblem holds the data that do not depend on the parameters.
type kernelProblem struct {
	dataset.Pairs
	operator.Base
	inputs *expansion.Basis
	least  int                        // smallest of the groups to choose from
	most   int                        // largest one
	images map[grid.Motion]*mat.Dense // coefficients of the inputs, and of their images: n x modes
	sizes  []float64                  // L2 norms of the outputs
	marks  []int                      // pairs that are landmarks; nil: all
}

// newKernelProblem describes the inputs of pairs, and their images under the groups that a word of data.symmetry
// permits, by coefficients. Principal components have no images.
func newKernelProblem(ctx context.Context, pairs dataset.Pairs, describe expansion.Description, symmetry string,
	workers int) (*kernelProblem, error) {
	sizes, err := operator.Checked(pairs)
	if err != nil {
		return nil, err
	}
	p := &kernelProblem{
		Pairs:  pairs,
		Base:   operator.BaseOf(pairs),
		images: map[grid.Motion]*mat.Dense{},
		sizes:  sizes,
	}
	p.inputs, err = describe(ctx, pairs.Inputs, workers)
	if err != nil {
		return nil, err
	}
	if p.waves() {
		p.least, p.most = groupsOf(pairs, symmetry)
	}
	for _, m := range motionsOf(p.Domain(), p.most) {
		moved := pairs.Inputs.Moved(m)
		p.images[m], err = p.inputs.Coefficients(ctx, moved, workers)
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// waves reports whether coefficients are those of waves.
func (p *kernelProblem) waves() bool { return p.inputs.Frequencies != nil }

// some returns the problem with the first pairs of an order only; the basis stays.
func (p *kernelProblem) some(order []int, pairs int) *kernelProblem {
	if pairs >= p.Count() {
		return p
	}
	rows := order[:pairs]
	part := *p
	part.Pairs = p.Take(rows)
	part.images = map[grid.Motion]*mat.Dense{}
	part.sizes = nil
	part.marks = nil
	for _, i := range rows {
		part.sizes = append(part.sizes, p.sizes[i])
	}
	for m, all := range p.images {
		part.images[m] = someOf(all, rows)
	}
	return &part
}

// solve computes c = (k + Ridge)^-1 u and the leave-one-out residuals of an operator that fit completes. The error is
// ridge.Solve's. All pairs are landmarks unless there are too many, see ridge.SolveLandmarks.
//
// With a symmetry the operator learns from the images of all pairs, and a pair is left out with all of its images. A
// function is a sum of parts, g f_p = p(g) f_p with signs p(g), and of those that the exchange of axes mixes, see
// decoupled. Parts of the outputs have kernels K_p(a, a') = sum_g p(g) k(a, g a') of the pairs alone. The coefficient
// of the image g a_i is g c_i, c_i the sum over the parts.
func (p *kernelProblem) solve(ctx context.Context, q Parameters, workers int) (*KernelRidge, error) {
	n := p.Count()
	size := p.Outputs.Values()
	marks := p
	if p.marks != nil {
		marks = p.some(p.marks, len(p.marks))
	}
	k := &KernelRidge{
		Parameters:  q,
		Coordinates: marks.points(q),
	}
	k.Base = p.Base
	k.Constant = make([]float64, size)
	k.Left = p.Outputs.Like(n)
	c := p.Outputs.Like(marks.Count())
	sources := sourcesOf(p.Domain(), p.Points, q.Symmetry)
	labels := p.Groups
	if labels == nil {
		labels = dataset.First(n)
	}
	show := func(_ int, solved ridge.Solution) {
		addParts(k.Left, solved.Residuals, sources)
		addParts(c, solved.Coefficients, sources)
	}
	for _, d := range decouple(p.Domain(), q.Symmetry) {
		rowLabels := slices.Repeat(labels, d.rows)
		groups := ridge.Labelled(rowLabels, n*d.rows)
		kernel := parts{
			kernelProblem: marks,
			decoupled:     d,
			profile:       q.Profile,
			sources:       sources,
			points:        k.Coordinates,
		}
		var err error
		if marks == p {
			err = ridge.SolveBlocks(ctx, kernel, q.Ridge, groups, workers, show)
		} else {
			all := kernel
			all.kernelProblem = p
			all.points = p.points(q)
			both := landmarks{parts: kernel, all: all}
			err = ridge.SolveLandmarks(ctx, both, q.Ridge, groups, workers, show)
		}
		if err != nil {
			return nil, err
		}
	}
	coefficients := blas64.General{
		Rows:   c.Count,
		Cols:   size,
		Stride: size,
		Data:   c.Data,
	}
	k.Coefficients = linalg.PanelsOf(coefficients)
	k.Error = operator.MeanRelative(k.Left, p.sizes)
	return k, nil
}

// addParts adds parts of functions to their sum: those of the pairs, and those of their images under the exchange of
// axes if there are more, which are moved back.
func addParts(sum grid.Batch, parts []float64, sources [][]int) {
	size := sum.Values()
	for row := range len(parts) / len(sum.Data) {
		own := parts[row*len(sum.Data):]
		for i := range sum.Count {
			part := own[i*size:][:size]
			expansion.AddMoved(sum.At(i), 1, part, sources[row])
		}
	}
}

// points returns the points of the kernel, in units of the length scale: of the pairs under each motion of the group.
func (p *kernelProblem) points(q Parameters) *mat.Dense {
	n := p.Count()
	scales := q.scales(p.inputs)
	motions := motionsOf(p.Domain(), q.Symmetry)
	points := mat.NewDense(n*len(motions), q.Modes, nil)
	for g, m := range motions {
		image := p.images[m]
		for i := range n {
			coefficients := image.RawRowView(i)[:q.Modes]
			floats.MulTo(points.RawRowView(g*n+i), scales, coefficients)
		}
	}
	return points
}
