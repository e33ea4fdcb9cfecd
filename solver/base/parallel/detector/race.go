//go:build race

package detector

// watches reports whether the race detector is on.
const watches = true
