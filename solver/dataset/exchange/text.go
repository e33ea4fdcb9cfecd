package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"unicode/utf8"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/csv"
	"rfm/solver/dataset/npy"
)

// maxText is the size of text files that are read whole. Configurations and reports are far smaller.
const maxText = 1 << 22

// openText detects the kind of a text file that begins with start, and reads tables.
func (f *File) openText(start []byte) error {
	unknown := fault.Bad(f.Name, "convert it in Python: numpy.savez('pairs.npz', a=..., u=...)",
		"has a format that is not supported: neither .npy, .npz, MATLAB .mat, HDF5, PyTorch, TOML nor a table of numbers")
	switch {
	case len(start) > 9 && start[8] == '{' && start[7] == 0: // the length of a header in JSON, then the header
		return fault.Bad(f.Name, npy.Recipe("safetensors.numpy", "safetensors.numpy.load_file(NAME)", "v")(f.Name),
			"is a safetensors file, which is not read")
	case f.Size == 0:
		return fault.Bad(f.Name, "", "is empty")
	case bytes.IndexByte(start, 0) >= 0:
		return unknown
	}
	if f.Size <= maxText {
		content := make([]byte, f.Size)
		if _, err := f.ReadAt(content, 0); err != nil && err != io.EOF {
			return fault.Unread(f.Name, err)
		}
		switch {
		case !utf8.Valid(content): // a table may have names in another encoding
		case json.Valid(content):
			return fault.Bad(f.Name, "if its lists are numbers, "+
				npy.Recipe("json", "json.load(open(NAME))", "numpy.array(v)")(f.Name), "is JSON, which is not read")
		case config.IsTOML(content):
			f.Kind = TOML
			return nil
		}
	}
	table, err := csv.Read(f, f.Size, f.Name)
	if err != nil || table == nil {
		return cmp.Or(err, error(unknown))
	}
	f.Kind = CSV
	f.Members = table.Members()
	return nil
}

// unpickle is advice for pickles of other objects than arrays.
var unpickle = npy.Recipe("pickle", `pickle.load(open(NAME, "rb"))`, "numpy.asarray(v)")
