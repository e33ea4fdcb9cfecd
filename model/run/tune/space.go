package tune

import (
	"hash/fnv"
	"math"
	"slices"
	"strconv"

	"rfm/config"
)

// A Place is a point of the search space, a coordinate in [0, 1] for each dimension; nil is the initial configuration.
type Place []float64

// A dimension is a parameter of the features with its range.
type dimension struct {
	config.Key
	values    []string // of a choice; nil for a number
	low, high float64
	log       bool // searched on a logarithmic scale
}

// newSpace returns the dimensions of a configuration's feature map, from its keys.
func newSpace(c config.Config) (space []dimension) {
	for _, k := range c.Keys() {
		s, ok := k.Search(c)
		if !ok {
			continue
		}
		d := dimension{k, s.Values, s.Low, s.High, s.Log}
		if own := k.Text(c); d.values != nil && !slices.Contains(d.values, own) {
			d.values = append(slices.Clone(d.values), own)
		}
		space = append(space, d)
	}
	return space
}

// digits is the number of significant digits of a parameter, so that the configuration file holds the evaluated values.
const digits = 4

// value returns the parameter at coordinate u; coordinates outside [0, 1] are clamped.
func (d dimension) value(u float64) string {
	u = min(1, max(0, u))
	if d.values != nil {
		return d.values[min(len(d.values)-1, int(u*float64(len(d.values))))]
	}
	v := d.low + u*(d.high-d.low)
	if d.log {
		v = d.low * math.Pow(d.high/d.low, u)
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}

// coordinate returns the inverse of value, cut to [0, 1]; for a choice the middle of its interval.
func (d dimension) coordinate(text string) float64 {
	if d.values != nil {
		return (float64(slices.Index(d.values, text)) + 0.5) / float64(len(d.values))
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("tune: " + err.Error()) // the text of a number
	}
	switch {
	case v == 0 && d.Name == "features.rms": // a gain is given
		v = 1
	case v == 0 && d.Name == "features.window": // none
		v = d.high
	}
	u := (v - d.low) / (d.high - d.low)
	if d.log {
		u = math.Log(max(v, d.low)/d.low) / math.Log(d.high/d.low)
	}
	return min(1, max(0, u))
}

// configuration returns a configuration with the parameters of a place.
func configuration(space []dimension, start config.Config, p Place) config.Config {
	c := start
	for i, u := range p {
		err := space[i].Set(&c, space[i].value(u))
		if err != nil {
			panic("tune: " + err.Error()) // ranges are inside those of the keys
		}
	}
	return c
}

// nearest returns the place closest to a configuration.
func nearest(space []dimension, c config.Config) (p Place) {
	for _, d := range space {
		p = append(p, d.coordinate(d.Text(c)))
	}
	return p
}

// fingerprint returns an integer below 2^52 that tells a place from others, to the last bit of its coordinates.
func (p Place) fingerprint() float64 {
	sum := fnv.New64a()
	for _, u := range p {
		sum.Write(strconv.AppendUint(nil, math.Float64bits(u), 16))
	}
	return float64(sum.Sum64() >> 12)
}
