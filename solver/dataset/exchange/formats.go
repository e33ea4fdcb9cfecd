// This file registers the formats that are read, and opens a file of each.

package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/csv"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/hdf5"
	"rfm/solver/dataset/mat"
	"rfm/solver/dataset/netcdf"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/dataset/pickle"
	"rfm/solver/dataset/torch"
)

// format is a format that is read. A new one is an entry in formats, and its forms are samples in the tests.
type format struct {
	name       string
	extensions []string // of its files, without the dot
	// open sets kind and members of a file that begins with start; ok is false if it has another format.
	open func(f *File, start []byte) (ok bool, err error)
}

// formats lists the formats in the order in which they are tried: text is the last, since it may be anything.
var formats = []format{
	{
		name:       "NumPy's .npy",
		extensions: []string{"npy"},
		open:       (*File).openNPY,
	},
	{
		name:       "NumPy's .npz, PyTorch's .pt",
		extensions: []string{"npz", "pt", "pth"},
		open:       (*File).openArchive,
	},
	{
		name:       "netCDF",
		extensions: []string{"nc"},
		open:       (*File).openNetCDF,
	},
	{
		name:       "HDF5 (MATLAB 7.3, netCDF-4)",
		extensions: []string{"mat", "h5", "hdf5", "hdf", "nc", "nc4"},
		open:       (*File).openHDF5,
	},
	{
		name:       "MATLAB's .mat",
		extensions: []string{"mat"},
		open:       (*File).openMAT,
	},
	{
		name:       "PyTorch's .pt before 1.6",
		extensions: []string{"pt", "pth"},
		open:       (*File).openOldTorch,
	},
	{
		name:       "pickles of arrays",
		extensions: []string{"pkl", "pickle"},
		open:       (*File).openPickle,
	},
	{
		name: "configurations in TOML",
		open: (*File).openTOML,
	},
	{
		name:       "tables of numbers",
		extensions: []string{"csv", "tsv", "txt", "dat", "xy", "raw"},
		open:       (*File).openTable,
	},
}

// Extensions returns the extensions of data files, without the dot.
func Extensions() (all []string) {
	for _, format := range formats {
		for _, extension := range format.extensions {
			if !slices.Contains(all, extension) {
				all = append(all, extension)
			}
		}
	}
	return all
}

func (f *File) openNPY(start []byte) (ok bool, err error) {
	if !bytes.HasPrefix(start, []byte("\x93NUMPY")) {
		return false, nil
	}
	f.Kind = NPY
	b, err := npy.BlockOf(f.Name, npy.Whole(f, f.Size))
	if err == nil {
		f.Members = pickle.Arrays(b, f.Name, "", false)
	}
	return true, err
}

// openArchive opens a zip archive: of NumPy, or of PyTorch.
func (f *File) openArchive(start []byte) (ok bool, err error) {
	const (
		first = "PK\x03\x04" // the beginning of an archive
		empty = "PK\x05\x06" // that of one without members
	)
	if !bytes.HasPrefix(start, []byte(first)) && !bytes.HasPrefix(start, []byte(empty)) {
		return false, nil
	}
	r, err := npz.NewReader(f, f.Size, f.Name)
	if err != nil {
		return true, err
	}
	members, isTorch, err := torch.Read(r, f.Name)
	if isTorch {
		f.Kind = Torch
		f.Members = members
		return true, err
	}
	if slices.Contains(r.Others, "xl/workbook.xml") {
		return true, spreadsheet.refused(f.Name)
	}
	if isSparse(r.Arrays) {
		return true, sparse.refused(f.Name)
	}
	isModel := slices.Contains(r.Others, "meta.json")
	if len(r.Arrays) == 0 && len(r.Others) > 0 && !isModel {
		return true, fault.Bad(
			f.Name,
			"unpack it, and name the directory: unzip "+filepath.Base(f.Name)+" -d DIRECTORY",
			"is an archive of other files than arrays of NumPy, such as %q", printable.Cut(r.Others[0], 40),
		)
	}
	f.Kind = NPZ
	for _, name := range r.Arrays {
		arrays, err := r.Members(name)
		if err != nil {
			return true, err
		}
		f.Members = append(f.Members, arrays...)
	}
	for _, name := range r.Others {
		if name == "meta.json" {
			f.Kind = Model
		}
		f.Members = append(f.Members, npy.Member{
			Name:    name,
			Type:    "file",
			Refused: fault.Bad(npy.Place(f.Name, name), "name an array", "is not an array"),
		})
	}
	return true, nil
}

func (f *File) openNetCDF(start []byte) (ok bool, err error) {
	f.Kind = NetCDF
	f.Members, ok, err = netcdf.Read(f, f.Size, f.Name, start)
	return ok, err
}

// openOldTorch opens a file of PyTorch before 1.6.
func (f *File) openOldTorch(start []byte) (ok bool, err error) {
	f.Kind = Torch
	f.Members, ok, err = torch.ReadOld(f, f.Size, f.Name, start)
	return ok, err
}

func (f *File) openHDF5(start []byte) (ok bool, err error) {
	f.Kind = HDF5
	if bytes.HasPrefix(start, []byte("MATLAB")) {
		f.Kind = MAT73
	}
	f.Members, ok, err = hdf5.Read(f, f.Size, f.Name, start)
	return ok, err
}

func (f *File) openMAT(start []byte) (ok bool, err error) {
	f.Kind = MAT
	f.Members, ok, err = mat.Read(f, f.Size, f.Name, start)
	return ok, err
}

// openPickle finds the arrays of NumPy in a pickle.
func (f *File) openPickle(start []byte) (ok bool, err error) {
	if !pickle.Begins(start) {
		return false, nil
	}
	f.Kind = Pickle
	whole := func() (io.Reader, error) { return io.NewSectionReader(f, 0, f.Size), nil }
	value, err := pickle.Load(io.NewSectionReader(f, 0, f.Size))
	if err == nil {
		stream := pickle.Stream{Where: f.Name, Open: whole}
		f.Members, err = stream.All(value)
		f.Members = append(f.Members, pickle.Numbers(value)...)
	}
	var damaged cursor.Damaged
	if errors.As(err, &damaged) {
		return true, fault.Bad(f.Name, unpickle(f.Name), "is a pickle of Python's, which is never run; it %v", damaged)
	}
	return true, npy.Broken(f.Name, err)
}

// unpickle is advice for pickles of other objects than arrays.
var unpickle = npy.Recipe("pickle", `pickle.load(open(NAME, "rb"))`, "numpy.asarray(v)")

// openTOML recognises a configuration, and refuses what begins as text and is none.
func (f *File) openTOML(start []byte) (ok bool, err error) {
	if err := foreignTo(f.Name, start); err != nil {
		return true, err
	}
	if lines := linesForJSON(f.Name, start); lines != nil {
		return true, foreign{what: "JSON", modules: "json", lines: lines}.refused(f.Name)
	}
	const maxText = 1 << 22 // bytes: configurations and reports are far smaller
	if f.Size == 0 || f.Size > maxText || bytes.IndexByte(start, 0) >= 0 {
		return false, nil
	}
	content := make([]byte, f.Size)
	if _, err := f.ReadAt(content, 0); err != nil && err != io.EOF {
		return true, fault.Unread(f.Name, err)
	}
	switch {
	case !utf8.Valid(content): // a table may have names in another encoding
		return false, nil
	case config.IsTOML(content):
		f.Kind = TOML
		return true, nil
	}
	return false, nil
}

func (f *File) openTable(start []byte) (ok bool, err error) {
	if f.Size == 0 || bytes.IndexByte(start, 0) >= 0 {
		return false, nil
	}
	table, err := csv.Read(f, f.Size, f.Name)
	if err != nil || table == nil {
		return false, err
	}
	f.Kind = CSV
	f.Members = table.Members()
	return true, nil
}

// unknown returns the error of a file of no format that is read.
func (f *File) unknown(start []byte) error {
	if f.Size == 0 {
		return fault.Bad(f.Name, "copy or write the file again", "is empty")
	}
	if extensionOf(f.Name) == "mat" {
		return oldMATLAB.refused(f.Name)
	}
	if f.isOfFortran(start) {
		return fault.Bad(
			f.Name,
			"read its records by scipy.io.FortranFile in Python, and save them: numpy.savez('pairs.npz', a=..., u=...)",
			"has records as Fortran writes them without a format, which say nothing about shapes",
		)
	}
	if bytes.IndexByte(start, 0) >= 0 {
		return fault.Bad(
			f.Name,
			"if these are numbers alone, give them a shape in Python, with COUNT for that of functions: "+
				fmt.Sprintf("numpy.save('a.npy', numpy.fromfile(%q).reshape(COUNT, -1))", filepath.Base(f.Name)),
			"has bytes of none of the formats that are read",
		)
	}
	switch extensionOf(f.Name) {
	case "toml":
		return fault.Bad(f.Name, "`rfm run FILE.toml` says in which line", "is not valid TOML")
	case "csv", "tsv":
		const remedy = "write a function in each row: numpy.savetxt('a.csv', a, delimiter=',')"
		return fault.Bad(f.Name, remedy, "has no rows of numbers")
	}
	var names []string
	for _, format := range formats {
		names = append(names, format.name)
	}
	last := len(names) - 1
	return fault.Bad(
		f.Name,
		"convert it in Python: numpy.savez('pairs.npz', a=..., u=...)",
		"has none of the formats that are read: %s and %s", strings.Join(names[:last], ", "), names[last],
	)
}
