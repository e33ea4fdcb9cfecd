package files

import (
	"fmt"
	"time"
)

// Stamp holds the size and the modification time of a file, to detect later changes without reading the file as a
// checksum would.
type Stamp struct {
	Size     int64     `json:"size"` // bytes
	Modified time.Time `json:"modified"`
}

// TakeStamp returns the stamp of a file. It returns the error of os.Stat.
func TakeStamp(name string) (Stamp, error) {
	info, err := system.Stat(name)
	if err != nil {
		return Stamp{}, err
	}
	return Stamp{info.Size(), info.ModTime().UTC()}, nil
}

// Differs describes how a file differs from its stamp; the result is empty if it does not differ.
func (s Stamp) Differs(name string) string {
	now, err := TakeStamp(name)
	switch {
	case err != nil:
		return "is not there any more, or cannot be read"
	case now.Size != s.Size:
		return fmt.Sprintf("has changed: it had %d bytes and has %d", s.Size, now.Size)
	case !now.Modified.Equal(s.Modified):
		return fmt.Sprintf("has changed: it was written at %s, and again at %s", s.Modified.Format(time.RFC3339Nano),
			now.Modified.Format(time.RFC3339Nano))
	}
	return ""
}
