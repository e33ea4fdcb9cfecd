// This file reads configurations from where people keep them.

package store

import (
	"fmt"
	"os"
	"strings"

	"rfm/config"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Configuration is the preset or the configuration file called source; what looks like a file is one. It is not
// validated. The error is a *config.Error or a *fault.Data.
func Configuration(source string) (config.Config, error) {
	if !strings.ContainsAny(source, `/\.`) {
		c, err := config.PresetByName(source)
		if _, missing := os.Stat(source); err == nil || missing != nil {
			return c, err
		}
	}
	return ReadConfig(source)
}

// ReadConfig reads a configuration file. The result is not validated. The error is a *fault.Data, or config.Parse's
// with the name of the file.
func ReadConfig(name string) (config.Config, error) {
	const most = 1 << 20 // config.Parse refuses much shorter ones
	text, err := files.ReadFile(name, most)
	if err != nil {
		return config.Config{}, &fault.Data{Where: name, What: "cannot be read", Err: err,
			Do: "give a preset or a configuration file"}
	}
	c, err := config.Parse(text)
	if err != nil {
		return c, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}
