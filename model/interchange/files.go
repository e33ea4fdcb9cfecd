// This file reads and writes files named by the user: pictures, configurations, scripts.

package interchange

import (
	"os"

	"rfm/solver/fault"
	"rfm/solver/files"
)

// Save writes a file with the given content atomically, and replaces an existing one. The error is a *fault.Data with
// the advice do.
func Save(name string, content []byte, do string) error {
	return fault.Unwritten(name, files.WriteFile(name, content), do)
}

// Readable returns nil if name is a directory, or a regular file that can be opened, and otherwise the reason.
func Readable(name string) error {
	if info, err := os.Stat(name); err != nil || info.IsDir() {
		return err
	}
	f, err := files.Open(name)
	if err != nil {
		return err
	}
	return f.Close()
}
