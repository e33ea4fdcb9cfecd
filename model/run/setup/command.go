package setup

import (
	"rfm/config"
	"rfm/solver/base/printable"
)

// Command returns the command that runs a configuration: that of the preset which it is a variation of, or of the file of
// pairs; empty if there is none.
func Command(c config.Config) string {
	preset, assignments := c.FromPreset()
	if preset == "" {
		if c.Data.TrainFile == "" {
			return ""
		}
		return "rfm run " + printable.Path(c.Data.TrainFile)
	}
	command := "rfm run " + preset
	for _, a := range assignments {
		command += " --set " + printable.Quote(a)
	}
	return command
}
