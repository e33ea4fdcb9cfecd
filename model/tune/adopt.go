// This file copies the result of a search into other configurations.

package tune

import "rfm/config"

// Adopt returns a configuration with the features and the ridge of another one of the same problem, but its own number
// of features and pool. If both take their pairs from one file, it is split as for the search: another seed must not
// test on pairs that the search has seen.
func Adopt(c, from config.Config) config.Config {
	for _, k := range c.Keys() {
		if !k.Tuned {
			continue
		}
		if err := k.Set(&c, k.Text(from)); err != nil {
			panic("tune: " + err.Error()) // a valid configuration has valid values
		}
	}
	if c.Data.Split == 0 && c.Data.TrainFile == from.Data.TrainFile {
		c.Data.Split = from.Data.Split
	}
	return c
}
