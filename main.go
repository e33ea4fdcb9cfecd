// Command rfm learns solution operators of partial differential equations with random features.
package main

import (
	"os"

	"rfm/tui/command"
)

func main() { os.Exit(command.Main()) }
