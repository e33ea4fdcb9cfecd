// This file is `rfm --version`.

package command

import (
	"fmt"
	"strings"

	"rfm/model/store"
)

// versionLine is what --version prints after the name of the program: the version, and in brackets the commit that it
// was built from, its date, the Go release, the platform, the instructions that the compiler may use and those that the
// kernels use, as far as they are known.
func versionLine(p store.Program) string {
	var about []string
	for _, text := range []string{p.Revision, p.Date, p.Go, p.Platform, p.Target, p.SIMD} {
		if text != "" {
			about = append(about, text)
		}
	}
	return fmt.Sprintf("%s (%s)", p.Version, strings.Join(about, ", "))
}
