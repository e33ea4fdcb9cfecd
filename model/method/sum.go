// This file is the sum of random features and a kernel, which learns what the features leave.

package method

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
)

// Sum is the operator F + G, G what was learned of the residuals of F. One of them is random features, the other kernel
// ridge regression; the order is that with the smaller leave-one-out error. Features that know something of the
// operator leave a remainder for the kernel that is small; others may find what the kernel has too few pairs for, since
// a feature that is a function costs one number.
type Sum struct {
	First, Second Operator
	leaveOneOut   float64
}

// Sums learns by these features and by a kernel. What is known is what either has learned from the pairs before.
func Sums(r Random, known ...Operator) Method {
	return Method{Name: config.Sum, Title: "features + kernel", Most: kernelMethod.Most, suits: still,
		Bytes: func(pairs dataset.Pairs, o Options) float64 {
			bytes := kernelMethod.Bytes(pairs, o)
			if pairs.Count() >= correctionPairs && correctable(r.Fine) {
				bytes += correctionBytes(pairs.Count(), pairs.Outputs.Values())
			}
			return bytes
		},
		train: func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
			var features, kernel Operator
			for _, k := range known {
				switch k := k.(type) {
				case Features:
					features = k
				default:
					if r, ok := Unscaled(k).(*KernelRidge); ok && r.left.Count > 0 && o.units.none() { // as the sum
						kernel = k
					}
				}
			}
			var err error
			if features == nil {
				if features, err = r.Method().Train(ctx, pairs, o); err != nil {
					return nil, err
				}
			}
			if kernel == nil {
				if kernel, err = kernelMethod.Train(ctx, pairs, o); err != nil {
					return nil, err
				}
			}
			var rest remainder
			score := features.LeaveOneOut()
			if score == 0 { // it is not known where lambda is given
				if rest, err = residuals(ctx, features, pairs, o.Workers); err != nil {
					return nil, err
				}
				score = rest.training
			}
			sum, err := addTo(ctx, kernel, r, pairs, o)
			if err != nil || score > mostBehind*kernel.LeaveOneOut() {
				return operator(sum, err)
			}
			if rest.of == nil {
				if rest, err = residuals(ctx, features, pairs, o.Workers); err != nil {
					return nil, err
				}
			}
			other, err := addKernelTo(ctx, rest, pairs, o)
			if err != nil || other.leaveOneOut < sum.LeaveOneOut() {
				return operator(other, err)
			}
			return sum, nil
		}}
}

// addTo trains what is added to a kernel: a correction, or features of the inputs alone if there is none.
func addTo(ctx context.Context, kernel Operator, r Random, pairs dataset.Pairs, o Options) (Operator, error) {
	if corrects(pairs) {
		corrected, err := correct(ctx, kernel, pairs, o)
		if err != nil {
			return nil, err
		}
		if len(corrected.steps) > 0 {
			return commuting(corrected, o.Symmetry), nil
		}
	}
	return operator(addFeaturesTo(ctx, kernel, r, pairs, o))
}

// mostBehind is how many times the error of the kernel features may have to be tried as what comes first.
const mostBehind = 1.5

// addKernelTo trains a kernel on what features leave of their training pairs. The leave-one-out error is the kernel's,
// relative to the outputs, times the factor by which that of the features is above their training error: they have seen
// the pairs, if only with a number for each feature.
func addKernelTo(ctx context.Context, features remainder, pairs dataset.Pairs, o Options) (*Sum, error) {
	kernel, err := kernelRelativeTo(ctx, features.Pairs, pairs.Outputs, o)
	if err != nil {
		return nil, err
	}
	return &Sum{features.of, kernel, features.optimism() * kernel.LeaveOneOut()}, nil
}

// addFeaturesTo trains features on what the kernel misses of every output when it learns from all other pairs. The
// leave-one-out error is what then remains, relative to the outputs, with the same factor.
func addFeaturesTo(ctx context.Context, kernel Operator, r Random, pairs dataset.Pairs, o Options) (*Sum, error) {
	left := pairs.With(Unscaled(kernel).(*KernelRidge).left)
	r.Fine, r.Finest, r.Summed = left, pairs.Inputs.Points, nil
	r.Config.Train.Choice = config.LeaveOneOut
	features, err := r.Method().Train(ctx, left, Options{Workers: o.Workers, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	rest, err := residuals(ctx, features, left, o.Workers)
	if err != nil {
		return nil, err
	}
	remains := 0.0
	domain := pairs.Outputs.Domain
	zero := make([]float64, pairs.Outputs.Values())
	for i := range rest.Count() {
		remains += math.Sqrt(domain.Distance2(rest.Outputs.At(i), zero)/domain.Distance2(pairs.Outputs.At(i), zero)) /
			float64(rest.Count())
	}
	return &Sum{kernel, features, rest.optimism() * remains}, nil
}

// remainder is the training pairs of an operator with what it leaves of their outputs.
type remainder struct {
	dataset.Pairs
	of       Operator
	training float64 // its expected relative error on them
}

func residuals(ctx context.Context, o Operator, pairs dataset.Pairs, workers int) (remainder, error) {
	predictions, err := o.Predict(ctx, pairs.Inputs, workers, nil)
	if err != nil {
		return remainder{}, err
	}
	measured, err := rfm.Measure(predictions, pairs.Outputs)
	if err != nil {
		return remainder{}, err
	}
	rest := pairs.With(pairs.Outputs.Minus(predictions))
	return remainder{rest, o, measured.ExpectedRelative}, nil
}

// optimism is the factor, at least 1, by which the operator's leave-one-out error is above its training error.
func (r remainder) optimism() float64 {
	if l := r.of.LeaveOneOut(); l > 0 && r.training > 0 {
		return max(1, l/r.training)
	}
	return 1
}

// Domain is one of Operator.
func (s *Sum) Domain() grid.Domain { return s.First.Domain() }

// Channels is one of Operator.
func (s *Sum) Channels() (in, out int) { return s.First.Channels() }

// Finest is one of Operator.
func (s *Sum) Finest() int { return max(s.First.Finest(), s.Second.Finest()) }

// String is one of Operator.
func (s *Sum) String() string {
	return fmt.Sprintf("%v, and for what that leaves %v", s.First, s.Second)
}

// LeaveOneOut is one of Operator.
func (s *Sum) LeaveOneOut() float64 { return s.leaveOneOut }

// Cost is one of Operator.
func (s *Sum) Cost(points int) float64 { return s.First.Cost(points) + s.Second.Cost(points) }

// Bytes is one of Operator.
func (s *Sum) Bytes(points int) float64 { return max(s.First.Bytes(points), s.Second.Bytes(points)) }

// Predict is one of Operator.
func (s *Sum) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	sum, err := s.First.Predict(ctx, inputs, workers, nil)
	if err != nil {
		return grid.Batch{}, err
	}
	second, err := s.Second.Predict(ctx, inputs, workers, progress)
	for x, v := range second.Data {
		sum.Data[x] += v
	}
	return sum, err
}

// Check is one of Operator.
func (s *Sum) Check() error {
	if err := s.First.Check(); err != nil {
		return err
	}
	if err := s.Second.Check(); err != nil {
		return err
	}
	if s.First.Domain() != s.Second.Domain() || !grid.Finite(s.leaveOneOut) || s.leaveOneOut < 0 {
		return feature.Unusable("is a sum of operators on different domains")
	}
	return nil
}

// part is what model files say of one of the two; their arrays have names that begin with its own.
type part struct {
	Kind   string          `json:"kind"`
	Left   float64         `json:"leave_one_out"`
	Lambda float64         `json:"lambda,omitempty"`
	Rank   int             `json:"rank,omitempty"`
	Map    json.RawMessage `json:"map"`
}

// sumScalars is what model files say of a sum beside arrays: of both parts, or of one and its correction.
type sumScalars struct {
	First      part              `json:"first"`
	Second     *part             `json:"second,omitempty"`
	Correction *correctedScalars `json:"correction,omitempty"`
}

const firstPart, secondPart = "first_", "second_"

// Encode is one of Operator.
func (s *Sum) Encode() (string, any, []npy.Named) {
	first, arrays := encodePart(s.First, firstPart)
	second, more := encodePart(s.Second, secondPart)
	return config.Sum, sumScalars{First: first, Second: &second}, append(arrays, more...)
}

func encodePart(o Operator, prefix string) (part, []npy.Named) {
	kind, scalars, arrays := o.Encode()
	for i := range arrays {
		arrays[i].Name = prefix + arrays[i].Name
	}
	text, err := json.Marshal(scalars)
	if err != nil {
		panic("method: scalars of " + kind + ": " + err.Error()) // numbers and words
	}
	p := part{Kind: kind, Left: o.LeaveOneOut(), Map: text}
	if f, ok := Unscaled(o).(Features); ok {
		p.Lambda, p.Rank = f.Solution.Lambda, f.Solution.Rank
	}
	return p, arrays
}

// partStored is the arrays and scalars of one of the two.
type partStored struct {
	feature.Stored
	prefix  string
	scalars []byte
}

// Scalars is one of feature.Stored.
func (p partStored) Scalars(v any) error {
	d := json.NewDecoder(bytes.NewReader(p.scalars))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return feature.Unusable(fmt.Sprintf("has parameters that are not those of its part: %v", err))
	}
	return nil
}

// Has is one of feature.Stored.
func (p partStored) Has(name string) bool { return p.Stored.Has(p.prefix + name) }

// Array is one of feature.Stored.
func (p partStored) Array(name string, dimensions int) (npy.Array, error) {
	return p.Stored.Array(p.prefix+name, dimensions)
}

func readSum(leaveOneOut float64, s feature.Stored) (Operator, error) {
	var scalars sumScalars
	if err := s.Scalars(&scalars); err != nil {
		return nil, err
	}
	first, err := scalars.First.read(s, firstPart)
	if err != nil {
		return nil, err
	}
	if scalars.Correction != nil {
		c, err := readCorrected(first, *scalars.Correction, leaveOneOut, s)
		if err != nil {
			return nil, err
		}
		return readSymmetrised(c, s)
	}
	if scalars.Second == nil {
		return nil, feature.Unusable("is a sum of one part")
	}
	second, err := scalars.Second.read(s, secondPart)
	if err != nil {
		return nil, err
	}
	return &Sum{first, second, leaveOneOut}, nil
}

// read reads one of the two.
func (p part) read(s feature.Stored, prefix string) (Operator, error) {
	stored := partStored{s, prefix, p.Map}
	if p.Kind == kernelMethod.Name {
		kernel, err := readKernel(p.Left, stored)
		if err != nil {
			return nil, err
		}
		return ReadUnits(kernel, stored)
	}
	f, err := ReadFeatures(p.Kind, rfm.Solution{Lambda: p.Lambda, Rank: p.Rank, LeaveOneOut: p.Left}, stored)
	if err != nil {
		return nil, err
	}
	return ReadUnits(f, stored)
}

// NumPy is one of Operator.
func (s *Sum) NumPy(points int) (imports, program string) {
	imports, first := s.First.NumPy(points)
	more, second := s.Second.NumPy(points)
	if first == "" || second == "" {
		return "", ""
	}
	return imports + more, takePart("first", firstPart) + first + "before = u\n" + takePart("second", secondPart) +
		second + "u = before + u\n"
}

// takePart is the part of a program that takes one of the two out of a file: inputs, whole and parts are what was there
// before.
func takePart(name, prefix string) string {
	begin := "whole, parts, inputs = model, p, a\n"
	if prefix != firstPart {
		begin = "a = inputs\n"
	}
	return begin + fmt.Sprintf("model = {k[%d:]: whole[k] for k in whole if k.startswith(%q)}\np = parts[%q][\"map\"]\n",
		len(prefix), prefix, name)
}
