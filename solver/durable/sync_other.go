//go:build !unix

package durable

// SyncDirectory does nothing where directories cannot be synced: the file system orders the rename itself.
func SyncDirectory(string) error { return nil }
