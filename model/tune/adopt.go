// This file puts what a search found into other configurations.

package tune

import "rfm/config"

// Adopt is a configuration with the features and the regularisation of another one of the same problem, but its own number
// of features and of those that they are chosen from.
func Adopt(c, from config.Config) config.Config {
	for _, k := range c.Keys() {
		if !Varies(k) {
			continue
		}
		if err := k.Set(&c, k.Text(from)); err != nil {
			panic("tune: " + err.Error()) // a valid configuration has valid values
		}
	}
	return c
}

// Varies reports whether a search may change a parameter.
func Varies(k config.Key) bool {
	switch k.Name {
	case "features.count", "features.pool", "features.theta_file":
		return false
	case "train.lambda", "train.relative", "train.choice":
		return true
	}
	return k.Group() == "features"
}
