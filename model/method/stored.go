// This file contains operators in model files. docs/runs.md documents the parts of a file for its readers.

package method

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/codec"
	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/solver/grid"
)

// stored is an operator in a model file.
type stored interface {
	codec.Part
	operator() (Operator, error)
}

// Kinds returns the parts of model files: feature maps and operators.
func Kinds() codec.Kinds {
	all := feature.Kinds()
	for _, empty := range []func() codec.Part{
		func() codec.Part { return new(featuresFile) }, func() codec.Part { return new(affineFile) },
		func() codec.Part { return new(multiplierFile) }, func() codec.Part { return new(kernelFile) },
		func() codec.Part { return new(equivariantFile) }, func() codec.Part { return new(layerFile) },
		func() codec.Part { return new(correctedFile) }, func() codec.Part { return new(symmetricFile) },
		func() codec.Part { return new(scaledFile) }, func() codec.Part { return new(shearedFile) },
	} {
		all[empty().Kind()] = empty
	}
	return all
}

// Decode reads an operator from the JSON text and the arrays of a model file. The error is a *fault.Data.
func Decode(text []byte, arrays codec.Arrays) (Operator, error) {
	p, err := codec.Decode(text, Kinds(), arrays)
	if err != nil {
		return nil, err
	}
	return operatorOf(p)
}

// operatorOf returns the operator that a part stores.
func operatorOf(p codec.Part) (Operator, error) {
	s, ok := p.(stored)
	if !ok {
		return nil, codec.Bad("has the kind %q where an operator is expected", p.Kind())
	}
	return s.operator()
}

// placeFile is the stored form of a place.
type placeFile struct {
	codec.Grid
	LeaveOneOut float64 `json:"leave_one_out"`
}

func (p place) file() placeFile {
	return placeFile{codec.GridOf(p.domain, p.points, p.in, p.out), p.leaveOneOut}
}

func (p placeFile) place() place {
	d, _ := p.Domain() // Sizes has checked the file
	in, out := p.Channels()
	return place{domain: d, in: in, out: out, points: p.Points, leaveOneOut: p.LeaveOneOut}
}

// Sizes implements codec.Part.
func (p placeFile) Sizes() (map[string][]int, error) {
	if !grid.Finite(p.LeaveOneOut) || p.LeaveOneOut < 0 {
		return nil, codec.Bad("has the leave-one-out error %g", p.LeaveOneOut)
	}
	return p.Grid.Sizes()
}

// featuresFile is a Features in a model file: F(a) = (1/m) sum_j alpha_j phi_j(a) + offset.
type featuresFile struct {
	Lambda       float64    `json:"lambda"`
	Rank         int        `json:"rank"`
	LeaveOneOut  float64    `json:"leave_one_out"` // 0: unknown
	Map          codec.Part `json:"map"`
	Alpha        []float64  `json:"alpha" shape:"features"`
	Eigenvalues  []float64  `json:"eigenvalues,omitempty" shape:"kept"` // of the Gram matrix
	OffsetPoints int        `json:"offset_points,omitempty"`            // along the first axis of the grid of the offset
	Offset       []float64  `json:"offset,omitempty" shape:"offset_grid"`
}

// Kind implements codec.Part.
func (*featuresFile) Kind() string { return config.RandomFeatures }

// Sizes implements codec.Part.
func (p *featuresFile) Sizes() (map[string][]int, error) {
	m, ok := p.Map.(feature.Stored)
	if !ok {
		return nil, codec.Bad("has the kind %q where a feature map is expected", p.Map.Kind())
	}
	if !grid.Finite(p.Lambda, p.LeaveOneOut) || min(p.Lambda, p.LeaveOneOut) < 0 || p.Rank < 0 {
		return nil, codec.Bad("has lambda = %g, the leave-one-out error %g and the rank %d", p.Lambda, p.LeaveOneOut, p.Rank)
	}
	d, err := m.Domain()
	if err != nil || p.OffsetPoints == 0 {
		return nil, err
	}
	_, out := m.Channels()
	if _, err = codec.GridOf(d, p.OffsetPoints, 1, out).Domain(); err != nil {
		return nil, err
	}
	return map[string][]int{"offset_grid": d.With(out).Shape(p.OffsetPoints)}, nil
}

// Stored implements Operator.
func (f Features) Stored() codec.Part {
	s := f.Solution
	p := &featuresFile{Lambda: s.Lambda, Rank: s.Rank, LeaveOneOut: s.LeaveOneOut, Map: f.Map.Stored(), Alpha: s.Alpha,
		Eigenvalues: s.Eigenvalues, Offset: f.Offset}
	if f.Offset != nil {
		p.OffsetPoints, _ = f.outputs().Points(len(f.Offset))
	}
	return p
}

func (p *featuresFile) operator() (Operator, error) {
	m := len(p.Alpha)
	if p.Rank > m || len(p.Eigenvalues) > m {
		return nil, codec.Bad("has the rank %d and %d eigenvalues for %d coefficients", p.Rank, len(p.Eigenvalues), m)
	}
	random, err := p.Map.(feature.Stored).Trained(m)
	return Features{Map: random, Offset: p.Offset, Solution: rfm.Solution{Alpha: p.Alpha, Lambda: p.Lambda, Rank: p.Rank,
		Eigenvalues: p.Eigenvalues, LeaveOneOut: p.LeaveOneOut}}, err
}

// expansionFile is the stored form of u = constant + sum_j phi_j(z) coefficients_j with z = (a - mean) components.
type expansionFile struct {
	placeFile
	Mean         []float64  `json:"mean" shape:"inputs"`
	Components   *mat.Dense `json:"components" shape:"inputs modes"`
	Constant     []float64  `json:"constant" shape:"outputs"`
	Coefficients *mat.Dense `json:"coefficients" shape:"terms outputs"`
}

func (e *expansion) file() expansionFile {
	return expansionFile{e.place.file(), e.mean, dense(e.components), e.constant, dense(e.coefficients)}
}

func (p expansionFile) expansion() expansion {
	return expansion{place: p.place(), coordinates: coordinates{p.Mean, inRows(p.Components)}, constant: p.Constant,
		coefficients: inRows(p.Coefficients)}
}

// affineFile is an Affine in a model file: phi_j(z) = z_j.
type affineFile struct {
	expansionFile
	Ridge float64 `json:"ridge"`
}

// Kind implements codec.Part.
func (*affineFile) Kind() string { return "affine" }

// Stored implements Operator.
func (a *Affine) Stored() codec.Part { return &affineFile{a.file(), a.Ridge} }

func (p *affineFile) operator() (Operator, error) {
	_, modes := p.Components.Dims()
	if terms, _ := p.Coefficients.Dims(); terms != modes {
		return nil, codec.Bad("has %d coefficients for %d components", terms, modes)
	}
	return (&Affine{p.expansion(), p.Ridge}).prepare(), nil
}

// multiplierFile is a Multiplier in a model file: u_k = c_k a_k, k = 0, 1, ... to half the number of intervals.
type multiplierFile struct {
	placeFile
	Ridge   float64   `json:"ridge"`
	Factors []float64 `json:"multiplier" shape:"wavenumbers 2"` // real and imaginary part
}

// Kind implements codec.Part.
func (*multiplierFile) Kind() string { return "multiplier" }

// Sizes implements codec.Part.
func (p *multiplierFile) Sizes() (map[string][]int, error) {
	all, err := p.placeFile.Sizes()
	if at := p.place(); err == nil && (at.domain != grid.Torus || at.in*at.out > 1) {
		err = codec.Bad("has a multiplier of %s, want periodic functions of one variable and channel", at.domain.Name())
	}
	if err != nil {
		return nil, err
	}
	all["wavenumbers"] = []int{(p.Points-1)/2 + 1}
	return all, nil
}

// Stored implements Operator.
func (m *Multiplier) Stored() codec.Part {
	p := &multiplierFile{placeFile: m.file(), Ridge: m.Ridge}
	for _, c := range m.factors {
		p.Factors = append(p.Factors, real(c), imag(c))
	}
	return p
}

func (p *multiplierFile) operator() (Operator, error) {
	factors := make([]complex128, len(p.Factors)/2)
	for k := range factors {
		factors[k] = complex(p.Factors[2*k], p.Factors[2*k+1])
	}
	return &Multiplier{p.place(), p.Ridge, factors}, nil
}

// kernelFile is a KernelRidge in a model file: phi_j(z) = k(z, points_j).
type kernelFile struct {
	expansionFile
	Parameters
	Coordinates *mat.Dense `json:"coordinates" shape:"terms modes"` // of the pairs and their images
}

// Kind implements codec.Part.
func (*kernelFile) Kind() string { return config.KernelRidge }

// Sizes implements codec.Part.
func (p *kernelFile) Sizes() (map[string][]int, error) {
	all, err := p.placeFile.Sizes()
	if err != nil {
		return nil, err
	}
	if d, _ := p.Domain(); p.Symmetry < 0 || p.Symmetry >= groups(d) {
		return nil, codec.Bad("has the symmetry %d, want one of %d", p.Symmetry, groups(d))
	}
	all["modes"] = []int{p.Modes}
	return all, p.Profile.valid()
}

// Stored implements Operator.
func (k *KernelRidge) Stored() codec.Part {
	return &kernelFile{k.expansion.file(), k.Parameters, rowsOf(k.points)}
}

func (p *kernelFile) operator() (Operator, error) {
	return (&KernelRidge{expansion: p.expansion(), Parameters: p.Parameters, points: pointsOf(p.Coordinates)}).prepare(), nil
}

// equivariantFile is an Equivariant in a model file.
type equivariantFile struct {
	placeFile
	Shape
	Inputs       []float64 `json:"inputs" shape:"pairs grid"`
	Coefficients []float64 `json:"coefficients" shape:"pairs grid"`
}

// Kind implements codec.Part.
func (*equivariantFile) Kind() string { return config.EquivariantKernel }

// Sizes implements codec.Part.
func (p *equivariantFile) Sizes() (map[string][]int, error) {
	all, err := p.placeFile.Sizes()
	at := p.place()
	switch {
	case err != nil:
	case !at.domain.Periodic || at.in*at.out > 1:
		err = codec.Bad("is equivariant under translations of %s, a domain that is not periodic, or has several channels",
			at.domain.Name())
	case !(p.Cutoff > 0 && p.Length > 0 && p.Ridge >= 0 && p.Decay >= 0) || p.Reflection*p.Reflection > 1:
		err = codec.Bad("has the kernel %+v", p.Shape)
	}
	return all, err
}

// Stored implements Operator.
func (e *Equivariant) Stored() codec.Part {
	return &equivariantFile{e.file(), e.Shape, e.inputs.Data, e.coefficients.Data}
}

func (p *equivariantFile) operator() (Operator, error) {
	at := p.place()
	return (&Equivariant{place: at, Shape: p.Shape, inputs: grid.BatchOf(at.domain, at.points, p.Inputs),
		coefficients: grid.BatchOf(at.domain, at.points, p.Coefficients)}).prepare(), nil
}

// symmetricFile is a symmetrised operator in a model file: the mean over motions.
type symmetricFile struct {
	Motions feature.Motions `json:"motions"`
	Of      codec.Part      `json:"of"`
}

// Kind implements codec.Part.
func (*symmetricFile) Kind() string { return "symmetric" }

// Sizes implements codec.Part.
func (p *symmetricFile) Sizes() (map[string][]int, error) { return nil, nil }

// Stored implements Operator.
func (s symmetrised) Stored() codec.Part {
	return &symmetricFile{feature.MotionsOf(s.Motions), s.Operator.Stored()}
}

func (p *symmetricFile) operator() (Operator, error) {
	o, err := operatorOf(p.Of)
	if err != nil {
		return nil, err
	}
	motions, err := p.Motions.On(codec.GridOf(o.Domain(), o.Finest(), 1, 1))
	if in, out := o.Channels(); err == nil && (in*out > 1 || len(motions) < 2) {
		err = codec.Bad("has motions of functions with several channels, or only one")
	}
	return symmetrised{o, feature.Symmetry{Motions: motions}}, err
}

// scaledFile is an operator in units: a = (input - shift)/unit, or the logarithm of the input in place of the input.
type scaledFile struct {
	Log    bool       `json:"log,omitempty"`
	Shift  []float64  `json:"input_shift"` // numbers for each channel
	Input  []float64  `json:"input_unit"`
	Output []float64  `json:"output_unit"`
	Of     codec.Part `json:"of"`
}

// Kind implements codec.Part.
func (*scaledFile) Kind() string { return "scaled" }

// Sizes implements codec.Part.
func (p *scaledFile) Sizes() (map[string][]int, error) {
	for _, unit := range slices.Concat(p.Input, p.Output) {
		if !(unit > 0) || !grid.Finite(unit) {
			return nil, codec.Bad("has the unit %g of a channel", unit)
		}
	}
	if p.Log && len(p.Input) > 1 {
		return nil, codec.Bad("takes logarithms of %d channels, want 1", len(p.Input))
	}
	return nil, nil
}

// Stored implements Operator.
func (s scaled) Stored() codec.Part {
	return &scaledFile{s.Log, s.Shift, s.Input, s.Output, s.Operator.Stored()}
}

func (p *scaledFile) operator() (Operator, error) {
	o, err := operatorOf(p.Of)
	if err != nil {
		return nil, err
	}
	if in, out := o.Channels(); len(p.Shift) != in || len(p.Input) != in || len(p.Output) != out {
		return nil, codec.Bad("has units of %d and %d channels, want %d and %d", len(p.Input), len(p.Output), in, out)
	}
	return scaled{o, Scaling{Log: p.Log, Shift: p.Shift, Input: p.Input, Output: p.Output}}, nil
}
