// This file contains the radial functions of kernels.

package method

import (
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

// radial maps profiles to their functions of squared distances; Matern is the default.
var radial = map[Profile]activation.Radial{matern: activation.Matern, rational: activation.Rational,
	gaussian: activation.Gaussian}

// apply replaces numbers by the values of the profile at squared distances, in units of the length scale: the numbers
// plus a constant, which rounding may leave negative.
func (p Profile) apply(x []float64, constant float64) {
	radial[p].Apply(x, &[8]float64{constant, constant, constant, constant, constant, constant, constant, constant})
}
