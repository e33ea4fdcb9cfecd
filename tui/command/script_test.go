package command

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Each script of testdata/script is a session of somebody who uses the program: commands, their files, what they print.
// The format is described by `go doc github.com/rogpeppe/go-internal/testscript`. A command that must fail has a ! in
// front of it; stdout and stderr are regular expressions for what the last one has printed.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
	})
}
