//go:build !unix

package durable

// syncDirectory does nothing where directories cannot be synced: the file system orders the rename itself.
func syncDirectory(string) error { return nil }
