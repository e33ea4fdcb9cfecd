//go:build !unix

package experiment

// syncDirectory does nothing where directories cannot be synced: the file system orders the rename itself.
func syncDirectory(string) error { return nil }
