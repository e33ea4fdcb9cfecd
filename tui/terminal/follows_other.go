//go:build !unix

package terminal

import (
	"os"
	"time"
)

// follows reports that nothing can be read yet: consoles report keys, not their bytes.
func follows(*os.File, time.Duration) bool { return false }
