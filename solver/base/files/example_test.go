package files_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"rfm/solver/base/files"
)

// A file appears whole or not at all: after an error the earlier content is there.
func ExampleWrite() {
	directory, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(directory)
	name := filepath.Join(directory, "result.txt")
	if err := files.WriteFile(name, []byte("first")); err != nil {
		fmt.Println(err)
		return
	}
	err = files.Write(name, func(w io.Writer) error {
		if _, err := io.WriteString(w, "sec"); err != nil {
			return err
		}
		return errors.New("the power is gone")
	})
	content, _ := os.ReadFile(name)
	fmt.Printf("%s (%v)\n", content, err != nil)
	// Output:
	// first (true)
}
