// This file tells the versions of MAT-files apart, and what to do about those that are not read.

package mat

import (
	"encoding/binary"

	"rfm/solver/fault"
)

// Version is a kind of file.
type Version string

// The versions; all but Level5 are refused.
const (
	Level5 Version = "MATLAB 5" // MAT-file of versions 6 and 7
	Level4 Version = "MATLAB 4" // MAT-file of version 4
	Other  Version = ""         // none of these; also MATLAB 7.3, which is HDF5
)

// Recognise tells the version from the first 128 bytes of a file, or all if it has fewer.
func Recognise(start []byte) Version {
	if len(start) >= headerBytes {
		var order binary.ByteOrder = binary.LittleEndian
		mark := string(start[126:128])
		if mark == "MI" {
			order = binary.BigEndian
		}
		if (mark == "IM" || mark == "MI") && order.Uint16(start[124:]) == 0x0100 {
			return Level5
		}
	}
	if level4(start, binary.LittleEndian) || level4(start, binary.BigEndian) {
		return Level4
	}
	return Other
}

// level4 says whether the five numbers that a version 4 variable begins with make sense, and a name follows.
func level4(start []byte, order binary.ByteOrder) bool {
	const fixed = 20
	if len(start) < fixed+2 {
		return false
	}
	word := func(i int) int { return int(int32(order.Uint32(start[4*i:]))) }
	kind, rows, columns, imaginary, name := word(0), word(1), word(2), word(3), word(4)
	machine, reserved, precision, class := kind/1000, kind/100%10, kind/10%10, kind%10
	if kind < 0 || machine > 4 || reserved != 0 || precision > 5 || class > 2 || rows < 0 || columns < 0 ||
		imaginary>>1 != 0 || name < 2 || name > 64 {
		return false
	}
	text := start[fixed:min(len(start), fixed+name-1)]
	for _, c := range text {
		if !('0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c == '_') {
			return false
		}
	}
	return true
}

// refusal is what to say about a file that is not Level5.
func (v Version) refusal(where string) error {
	if v == Level4 {
		return &fault.Data{Where: where, What: "is a MAT-file of version 4; Level 5 files are read",
			Do: "in MATLAB: load it and save('name.mat', '-v7'), or in Python: scipy.io.savemat('name.mat', " +
				"scipy.io.loadmat('old.mat', appendmat=False))"}
	}
	return &fault.Data{Where: where, What: "is not a MAT-file", Do: "write it with MATLAB's save or scipy.io.savemat"}
}
