//go:build race

package detector

// watches reports whether the race detector does.
const watches = true
