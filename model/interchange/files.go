// This file reads and writes the files that a person names: pictures, configurations, scripts.

package interchange

import (
	"os"

	"rfm/solver/fault"
	"rfm/solver/files"
)

// Save makes a file with the given content appear, whole or not at all; one that is there is replaced. The error is a
// *fault.Data that says what to do then.
func Save(name string, content []byte, do string) error {
	return fault.Unwritten(name, files.WriteFile(name, content), do)
}

// Read is the content of a regular file of at most limit bytes. The error is a *fault.Data that says what to do then.
func Read(name string, limit int64, do string) ([]byte, error) {
	text, err := files.ReadFile(name, limit)
	if err != nil {
		return nil, &fault.Data{Where: name, What: "cannot be read", Err: err, Do: do}
	}
	return text, nil
}

// Readable is nil if name is a directory, or a regular file that can be opened; else the error says why not.
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
