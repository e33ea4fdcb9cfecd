// This file tells the versions of MAT-files apart, and what to do about those that are not read.

package mat

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"

	"rfm/solver/fault"
)

// Version is a kind of file.
type Version string

// The versions; all but Level5 are refused.
const (
	Level5  Version = "MATLAB 5"   // MAT-file of versions 6 and 7
	Level4  Version = "MATLAB 4"   // MAT-file of version 4
	HDF5    Version = "HDF5"       // hierarchical data format, whoever wrote it
	HDF5MAT Version = "MATLAB 7.3" // the same with MATLAB's header
	Other   Version = ""           // none of these
)

const hdf5Signature = "\x89HDF\r\n\x1a\n"

// Recognise tells the version from the first 128 bytes of a file, or all if it has fewer.
func Recognise(start []byte) Version {
	if bytes.HasPrefix(start, []byte(hdf5Signature)) {
		return HDF5
	}
	if len(start) >= headerBytes {
		var order binary.ByteOrder = binary.LittleEndian
		mark := string(start[126:128])
		if mark == "MI" {
			order = binary.BigEndian
		}
		if mark == "IM" || mark == "MI" {
			switch order.Uint16(start[124:]) {
			case 0x0100:
				return Level5
			case 0x0200:
				return HDF5MAT
			}
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
	if kind < 0 || machine > 4 || reserved != 0 || precision > 5 || class > 2 || rows < 0 || columns < 0 || imaginary>>1 != 0 || name < 2 || name > 64 {
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
	// HDF5 keeps MATLAB's arrays with their axes in the opposite order. Names in it are not known here: all arrays are taken.
	recipe := func(transpose string) string {
		return fmt.Sprintf(`convert it in Python, then look at it with rfm inspect:
  import h5py, numpy
  f, arrays = h5py.File(%q), {}
  f.visititems(lambda name, d: arrays.update({name.replace("/", "_"): d[()]%s}) if isinstance(d, h5py.Dataset) and d.dtype.kind in "fiub" else None)
  numpy.savez(%q, **arrays)`, filepath.Base(where), transpose, strings.TrimSuffix(filepath.Base(where), filepath.Ext(where))+".npz")
	}
	switch v {
	case HDF5MAT:
		return &fault.Data{Where: where, What: "is a MATLAB 7.3 file, which is HDF5; Level 5 files are read", Do: recipe(".T") + "\n  or in MATLAB: save('name.mat', 'a', 'u', '-v7')"}
	case HDF5:
		return &fault.Data{Where: where, What: "is an HDF5 file, which is not read", Do: recipe("")}
	case Level4:
		return &fault.Data{Where: where, What: "is a MAT-file of version 4; Level 5 files are read", Do: "in MATLAB: load it and save('name.mat', '-v7'), or in Python: scipy.io.savemat('name.mat', scipy.io.loadmat('old.mat', appendmat=False))"}
	}
	return &fault.Data{Where: where, What: "is not a MAT-file", Do: "write it with MATLAB's save or scipy.io.savemat"}
}
