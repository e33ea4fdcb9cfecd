// This file implements `rfm --version`.

package command

import (
	"fmt"
	"strings"

	"rfm/model/store"
)

// versionLine returns the text that --version prints after the name of the program: the version, and in brackets, as
// far as known, the commit of the build, its date, the Go release, the platform, the instructions that the compiler may
// use and the instructions of the kernels.
func versionLine(p store.Program) string {
	var about []string
	for _, text := range []string{p.Revision, p.Date, p.Go, p.Platform, p.Target, p.SIMD} {
		if text != "" {
			about = append(about, text)
		}
	}
	return fmt.Sprintf("%s (%s)", p.Version, strings.Join(about, ", "))
}
