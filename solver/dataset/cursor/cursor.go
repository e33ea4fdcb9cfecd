// Package cursor reads the structures of binary files, one number after another. A defect ends the functions that read
// by a panic, which Attempt recovers: they need no error after every number.
package cursor

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Damaged is a defect in the structure of a file.
type Damaged string

func (d Damaged) Error() string { return string(d) }

// end is the value of the panics.
type end struct{ error }

// End ends Attempt with an error; nil if the rest is not needed.
func End(err error) { panic(end{err}) }

// Damage ends Attempt with a defect.
func Damage(format string, values ...any) { End(Damaged(fmt.Sprintf(format, values...))) }

// Attempt calls read, and returns the error that ended it.
func Attempt(read func()) (err error) {
	defer func() {
		value := recover()
		reason, ok := value.(end)
		if value != nil && !ok {
			panic(value)
		}
		err = reason.error
	}()
	read()
	return nil
}

// Cursor takes bytes and numbers from Rest.
type Cursor struct {
	Rest []byte
	Big  bool // numbers have the most significant byte first
}

// Take returns the next n bytes.
func (c *Cursor) Take(n int) []byte {
	if n < 0 || n > len(c.Rest) {
		Damage("ends too early")
	}
	taken := c.Rest[:n]
	c.Rest = c.Rest[n:]
	return taken
}

// Uint returns a number of up to eight bytes.
func (c *Cursor) Uint(bytes int) uint64 {
	var word [8]byte
	copy(word[:], c.Take(bytes))
	if c.Big {
		slices.Reverse(word[:bytes])
	}
	return binary.LittleEndian.Uint64(word[:])
}
