//go:build !unix

package files

const (
	noFollow = 0
	noWait   = 0
)
