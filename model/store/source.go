// This file reads configurations from presets and files.

package store

import (
	"fmt"
	"os"
	"strings"

	"rfm/config"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Configuration returns the preset called source, or reads source if it looks like a file name. The result is not
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

// ReadConfig reads a configuration file. The result is not validated. The error is a *fault.Data, or one of
// config.Parse with the name of the file.
func ReadConfig(name string) (config.Config, error) {
	const most = 1 << 20 // far more than config.Parse accepts
	text, err := files.ReadFile(name, most)
	if err != nil {
		return config.Config{}, &fault.Data{Where: name, What: "cannot be read", Err: err,
			Do: "give a preset, a configuration file or a file of pairs"}
	}
	c, err := config.Parse(text)
	if err != nil {
		return c, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}
