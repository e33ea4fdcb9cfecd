package files

import (
	"fmt"
	"os"
	"time"
)

// Stamp is the size and the time of the last change of a file, by which one sees later whether it is still the same: a
// checksum would have to read all of it.
type Stamp struct {
	Size     int64     `json:"size"` // bytes
	Modified time.Time `json:"modified"`
}

// TakeStamp looks at a file. The error is that of os.Stat.
func TakeStamp(name string) (Stamp, error) {
	info, err := os.Stat(name)
	if err != nil {
		return Stamp{}, err
	}
	return Stamp{info.Size(), info.ModTime().UTC()}, nil
}

// Differs says in words how a file differs from that of the stamp; it is empty if it does not.
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
