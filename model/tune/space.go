// This file defines the search space: the keys of a configuration that vary, and their ranges.

package tune

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"rfm/config"
)

// A dimension is a real parameter of the features with its range.
type dimension struct {
	key       string
	low, high float64
	log       bool // searched on a logarithmic scale
}

// A space is the parameters of a problem's features. A point of it has one coordinate in [0, 1] for each dimension.
type space struct {
	of         config.Config // a configuration that has these parameters
	dimensions []dimension
	kinds      config.Key // the choice between kinds of features that are searched separately; nameless for one kind
	toggles    []toggle   // other choices, changed one at a time
}

// A toggle is a choice with its values.
type toggle struct {
	config.Key
	values []string
}

// newSpace returns the space of a configuration's feature map, from its keys.
func newSpace(c config.Config) space {
	s := space{of: c}
	for _, late := range []bool{false, true} {
		for _, k := range c.Keys() {
			switch tried, ok := k.Search(c); {
			case !ok || tried.Late != late:
			case tried.Apart:
				s.kinds = k
			case tried.Values != nil:
				values := tried.Values
				if own := k.Text(c); !slices.Contains(values, own) {
					values = append(slices.Clone(values), own) // the initial value
				}
				s.toggles = append(s.toggles, toggle{k, values})
			default:
				s.dimensions = append(s.dimensions, dimension{k.Name, tried.Low, tried.High, tried.Log})
			}
		}
	}
	return s
}

func (s space) key(name string) config.Key {
	k, err := s.of.Lookup(name)
	if err != nil {
		panic("tune: " + err.Error())
	}
	return k
}

// digits is the number of significant digits of a parameter, so that the configuration file holds the evaluated values.
const digits = 4

// value returns the parameter at coordinate u of dimension d; coordinates outside [0, 1] are clamped.
func (d dimension) value(u float64) string {
	u = min(1, max(0, u))
	v := d.low + u*(d.high-d.low)
	if d.log {
		v = d.low * math.Pow(d.high/d.low, u)
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}

// coordinate returns the inverse of value, cut to [0, 1].
func (d dimension) coordinate(v float64) float64 {
	u := (v - d.low) / (d.high - d.low)
	if d.log {
		u = math.Log(max(v, d.low)/d.low) / math.Log(d.high/d.low)
	}
	return min(1, max(0, u))
}

// configuration returns the initial configuration with the parameters of the place.
func (s space) configuration(start config.Config, p Place) config.Config {
	c := start
	set := func(k config.Key, text string) {
		if err := k.Set(&c, text); err != nil {
			panic("tune: " + err.Error()) // ranges are inside those of the keys
		}
	}
	if s.kinds.Name != "" {
		set(s.kinds, p.Choices[s.kinds.Name])
	}
	for _, t := range s.toggles {
		set(t.Key, p.Choices[t.Name])
	}
	for i, d := range s.dimensions {
		set(s.key(d.key), d.value(p.Coordinates[i]))
	}
	return c
}

// nearest returns the place closest to a configuration whose argument of the activation has the given root mean square.
func (s space) nearest(c config.Config, rms float64) Place {
	p := Place{Choices: map[string]string{}}
	if s.kinds.Name != "" {
		p.Choices[s.kinds.Name] = s.kinds.Text(c)
	}
	for _, t := range s.toggles {
		p.Choices[t.Name] = t.Text(c)
		if !slices.Contains(t.values, p.Choices[t.Name]) {
			p.Choices[t.Name] = t.values[0]
		}
	}
	for _, d := range s.dimensions {
		v, err := strconv.ParseFloat(s.key(d.key).Text(c), 64)
		if err != nil {
			panic("tune: " + err.Error())
		}
		switch {
		case d.key == "features.rms":
			v = rms
		case d.key == "features.window" && v == 0: // none
			v = d.high
		}
		p.Coordinates = append(p.Coordinates, d.coordinate(v))
	}
	return p
}

// chosen returns the place with another value of a choice.
func (p Place) chosen(key, value string) Place {
	p.Choices = maps.Clone(p.Choices)
	p.Choices[key] = value
	return p
}

// distance is infinite between places with different choices, else Euclidean.
func (p Place) distance(q Place) float64 {
	if !maps.Equal(p.Choices, q.Choices) {
		return math.Inf(1)
	}
	sum := 0.0
	for i, u := range p.Coordinates {
		sum += (u - q.Coordinates[i]) * (u - q.Coordinates[i])
	}
	return math.Sqrt(sum)
}
