// This file contains the radial functions of kernels.

package method

import (
	"math"

	"rfm/model/activation"
	"rfm/model/codec"
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

// String returns the name in sentences.
func (p Profile) String() string {
	return map[Profile]string{matern: "Matern 5/2", rational: "rational quadratic", gaussian: "Gaussian"}[p]
}

// valid returns an error unless a profile of a model file exists.
func (p Profile) valid() error {
	if p.String() == "" {
		return codec.Bad("has the kernel profile %q, want rational, gaussian or none for Matern 5/2", string(p))
	}
	return nil
}

// apply replaces squared distances, in units of the length scale, by values of the profile plus a constant. work has at
// least the same length.
func (p Profile) apply(squares, work []float64, constant float64) {
	switch work = work[:len(squares)]; p {
	case rational:
		for i, d := range squares {
			squares[i] = constant + 1/(1+max(0, d)/2)
		}
	case gaussian:
		for i, d := range squares {
			work[i] = -max(0, d) / 2
		}
		lessOne.Apply(work)
		for i, v := range work {
			squares[i] = constant + (1 + v)
		}
	default:
		for i, d := range squares {
			s := math.Sqrt(5 * max(0, d))
			squares[i], work[i] = s, -s
		}
		lessOne.Apply(work)
		for i, s := range squares {
			squares[i] = constant + (1+s+s*s/3)*(1+work[i])
		}
	}
}

// lessOne computes exp(s) - 1 for s < 0.
var lessOne, _ = activation.ByName("elu")
