//go:build ignore

// Program man writes the manual page: go run .ci/package/man.go VERSION > rfm.1
package main

import (
	"os"

	"rfm/tui/command"
)

func main() { command.Manual(os.Stdout, os.Args[1]) }
