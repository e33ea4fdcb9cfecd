// This file makes features know places: without it they commute with translations, or with reflections of a closed
// domain.

package feature

import (
	"context"

	"rfm/config"
	"rfm/model/setup"
	"rfm/solver/draw"
	"rfm/solver/fft"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// Places are random functions of x alone that make a feature
//
//	phi_j(a)(x) = (1 + M_j(x)) sigma( ... + B_j(x) ),
//
// Gaussian with mean zero. A kernel of such features is one of the inputs times one of the places: M and B say how far
// what is learned at a place is believed at another. Boundaries need them. The zero Places are none.
type Places struct {
	Profile    grid.Batch // B_j, on the grid of theta; without values: none
	Modulation grid.Batch // M_j
}

// The streams of places.
const (
	purposeProfile    draw.Purpose = "theta-profile"
	purposeModulation draw.Purpose = "theta-modulation"
)

// placeAlpha is the regularity of places: that of theta for own data.
const placeAlpha = 3.5

// drawPlaces draws those of the configuration for so many features on the grid with so many points along an axis; B_j
// and M_j from streams of their own. The error is ctx's.
func drawPlaces(ctx context.Context, c config.Config, seed uint64, count, points int) (Places, error) {
	measure := placeMeasure(setup.Domain(c), c.Features.Places)
	of := func(deviation float64, purpose draw.Purpose) (grid.Batch, error) {
		if deviation == 0 {
			return grid.Batch{}, nil
		}
		_, out := c.Channels()
		functions := grid.NewBatch(measure.Domain().With(out), points, count)
		draws := measure.On(points)
		for j := range count {
			draws.Draw(functions.Range(j, 1).Split(), seed, purpose, j*out)
			if err := ctx.Err(); err != nil {
				return grid.Batch{}, err
			}
		}
		scale := deviation / measure.Deviation()
		for i := range functions.Data {
			functions.Data[i] *= scale
		}
		return functions, nil
	}
	profile, err := of(c.Features.Profile, purposeProfile)
	if err != nil {
		return Places{}, err
	}
	modulation, err := of(c.Features.Modulation, purposeModulation)
	return Places{profile, modulation}, err
}

// placeMeasure is the measure of functions of x alone with an inverse length scale.
func placeMeasure(d grid.Domain, tau float64) grf.Measure {
	return thetaMeasure(d, config.Features{Tau: tau, Alpha: placeAlpha, Axis: grf.AxisNormalised})
}

// given reports whether there are functions.
func given(functions grid.Batch) bool { return functions.Count > 0 }

// placed reports whether there are any.
func (p Places) placed() bool { return given(p.Profile) || given(p.Modulation) }

// each are the places with both functions changed.
func (p Places) each(change func(grid.Batch) (grid.Batch, error)) (Places, error) {
	for _, functions := range []*grid.Batch{&p.Profile, &p.Modulation} {
		if given(*functions) {
			var err error
			if *functions, err = change(*functions); err != nil {
				return Places{}, err
			}
		}
	}
	return p, nil
}

// restrict takes them to a coarser grid.
func (p Places) restrict(points int) (Places, error) {
	return p.each(func(b grid.Batch) (grid.Batch, error) { return b.Restrict(points) })
}

// to takes them to any grid.
func (p Places) to(points int) (Places, error) {
	return p.each(func(b grid.Batch) (grid.Batch, error) { return resample.To(b, points) })
}

// take are those of the features with the given indices.
func (p Places) take(indices []int) Places {
	p, _ = p.each(func(b grid.Batch) (grid.Batch, error) { return b.Take(indices), nil })
	return p
}

// panels are the functions of a group of features, at the distinct points, in two panels of four: plus is added to
// each.
func panels(t transform, functions grid.Batch, g int, plus float64) [2][]float64 {
	if !given(functions) {
		return [2][]float64{}
	}
	var panels [2][]float64
	for half := range panels {
		channels := functions.Domain.Width()
		panels[half] = make([]float64, fft.Lanes*channels*t.rows())
		for l := range fft.Lanes {
			if j := GroupSize*g + half*fft.Lanes + l; j < functions.Count {
				for c, split := 0, functions.Range(j, 1).Split(); c < channels; c++ {
					for x, v := range t.distinct(split.At(c)) {
						panels[half][fft.Lanes*(c*t.rows()+x)+l] = plus + v
					}
				}
			}
		}
	}
	return panels
}

// groupPlaces are the places of a group on a grid.
type groupPlaces struct{ profile, modulation [2][]float64 }

// addTo adds the profiles to arguments of sigma.
func (p *groupPlaces) addTo(panels [2][]float64) {
	for half, profile := range p.profile {
		panel := panels[half]
		for i, v := range profile {
			panel[i] += v
		}
	}
}

// modulate multiplies half a group of features.
func (p *groupPlaces) modulate(half int, panel []float64) {
	for i, v := range p.modulation[half] {
		panel[i] *= v
	}
}

// centredDot subtracts the means from four features, with weights of points that may be nil, and writes their products
// with the target to sums.
func centredDot(panel, mean, target []float64, sums *[fft.Lanes]float64) {
	var means [fft.Lanes]float64
	for x, w := range mean {
		for l := range means {
			means[l] += w * panel[fft.Lanes*x+l]
		}
	}
	for x, y := range target {
		p := panel[fft.Lanes*x : fft.Lanes*x+fft.Lanes]
		for l := range means {
			p[l] -= means[l]
			sums[l] += p[l] * y
		}
	}
}
