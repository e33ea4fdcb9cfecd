// This file takes the digest of files of arrays, by which one sees later whether they have changed.

package exchange

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"rfm/solver/fault"
	"rfm/solver/files"
)

// Digest is what a file was when it was looked at.
type Digest struct {
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"` // of a directory, the latest of its files
	SHA256   string    `json:"sha256"`   // of the content; of a directory, of the names and digests of its files
}

// TakeDigest reads a file, or the files of arrays in a directory, once. Errors are *fault.Data and ctx's.
func TakeDigest(ctx context.Context, name string) (Digest, error) {
	return digest(ctx, name, true)
}

// Differs says how a file is another one than that of which the digest was taken; it is empty if it is the same. The
// content is read only if the size is the same and the time is not. The error is ctx's.
func (d Digest) Differs(ctx context.Context, name string) (how string, err error) {
	now, err := digest(ctx, name, false)
	if err == nil && now.Size == d.Size && !now.Modified.Equal(d.Modified) {
		now, err = digest(ctx, name, true)
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "is not there any more, or cannot be read", nil
	case now.Size != d.Size:
		return fmt.Sprintf("has changed: it had %d bytes and has %d", d.Size, now.Size), nil
	case now.SHA256 != "" && now.SHA256 != d.SHA256:
		return fmt.Sprintf("has changed: its SHA-256 was %.12s and is %.12s", d.SHA256, now.SHA256), nil
	}
	return "", nil
}

// digest leaves the checksum out if the content is not to be read.
func digest(ctx context.Context, name string, content bool) (d Digest, err error) {
	sum := sha256.New()
	if info, failure := os.Stat(name); failure == nil && info.IsDir() {
		paths, err := insideOf(name)
		if err != nil {
			return d, err
		}
		for _, path := range paths {
			one, err := digest(ctx, path, content)
			if err != nil {
				return d, err
			}
			fmt.Fprintf(sum, "%q %s\n", filepath.Base(path), one.SHA256)
			d.Size += one.Size
			if one.Modified.After(d.Modified) {
				d.Modified = one.Modified
			}
		}
	} else {
		f, err := files.Open(name)
		if err != nil {
			return d, &fault.Data{Where: name, What: "cannot be opened", Err: err}
		}
		defer f.Close()
		info, err := f.Stat()
		if err == nil && content {
			_, err = io.Copy(sum, io.NewSectionReader(obedient{ctx, f}, 0, info.Size()))
		}
		switch {
		case ctx.Err() != nil:
			return d, ctx.Err()
		case err != nil:
			return d, fault.Unread(name, err)
		}
		d.Size, d.Modified = info.Size(), info.ModTime().UTC()
	}
	if content {
		d.SHA256 = hex.EncodeToString(sum.Sum(nil))
	}
	return d, nil
}
