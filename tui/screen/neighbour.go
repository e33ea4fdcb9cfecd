// This file steps through the values of a configuration key with the arrow keys.

package screen

import (
	"rfm/config"
)

// neighbour is the next smaller (direction -1) or larger (+1) sensible value of a key, and whether there is one.
func neighbour(k config.Key, c config.Config, direction int) (string, bool) {
	return k.Neighbour(c, direction)
}
