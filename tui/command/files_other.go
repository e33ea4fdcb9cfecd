//go:build !unix

package command

// checkFiles finds nothing wrong: there is no limit of open files.
func checkFiles() error { return nil }
