//go:build !unix

package command

// suspends reports whether ctrl+z can be undone.
func suspends() bool { return false }
