// This file knows files of other formats by their first bytes, and the lines of Python that convert them.

package exchange

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/npy"
)

// foreign is a format that is not read.
type foreign struct {
	start   string // of a file
	what    string
	modules string   // of Python, besides numpy
	lines   []string // of Python, which convert the file, see pythonLines
	advice  string   // in place of lines
}

// pythonLines returns the lines of Python that convert a file. NAME stands for the name of the file, STEM for the
// beginning of that of the new one.
func pythonLines(name, modules string, lines ...string) string {
	base := filepath.Base(name)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	if strings.EqualFold(filepath.Ext(base), ".npz") { // which must not be written while it is read
		stem += "-plain"
	}
	text := "convert it in Python:\n  import numpy"
	if modules != "" {
		text += ", " + modules
	}
	replacer := strings.NewReplacer(
		"NAME", strconv.Quote(base),
		"STEM-plain.npy", strconv.Quote(stem+"-plain.npy"),
		"STEM.npz", strconv.Quote(stem+".npz"),
		"STEM-plain.csv", strconv.Quote(stem+"-plain.csv"),
		"STEM.csv", strconv.Quote(stem+".csv"),
		"STEM.nc", strconv.Quote(stem+".nc"),
	)
	for _, line := range lines {
		text += "\n  " + replacer.Replace(line)
	}
	return text
}

// Lines of Python that several formats need.
const (
	asTable   = "t.to_csv(STEM.csv, index=False)"
	takeCells = "cells = {'cells': m.cells_dict[k] for k in ('triangle', 'quad', 'tetra') if k in m.cells_dict}"
)

var (
	ofMesh = []string{
		"m = meshio.read(NAME)",
		takeCells,
		"numpy.savez(STEM.npz, points=m.points, **cells, **m.point_data)",
	}
	ofTecplot = []string{ // of which the lines of numbers are a table, zone after zone
		"rows = [line.split() for line in open(NAME) if line.strip()[:1] in tuple('+-.0123456789')]",
		"numpy.savetxt(STEM.csv, numpy.array(rows, float), delimiter=',')",
	}
	ofUTF16 = []string{
		"open(STEM-plain.csv, 'w', encoding='utf-8').write(open(NAME, encoding='utf-16').read())",
	}
	ofImage = []string{
		"numpy.savez(STEM.npz, image=imageio.v3.imread(NAME))",
	}
)

// foreignFormats lists formats by their first bytes.
var foreignFormats = []foreign{
	{
		start:   "PAR1",
		what:    "a Parquet file",
		modules: "pandas",
		lines:   []string{"t = pandas.read_parquet(NAME)", asTable},
	},
	{
		start:   "ARROW1",
		what:    "a Feather file",
		modules: "pandas",
		lines:   []string{"t = pandas.read_feather(NAME)", asTable},
	},
	{
		start:   "\xd0\xcf\x11\xe0",
		what:    "a spreadsheet, or another file of old Office programs",
		modules: "pandas",
		lines:   []string{"t = pandas.read_excel(NAME)", asTable},
	},
	{start: "# vtk DataFile", what: "a VTK file of a mesh", modules: "meshio", lines: ofMesh},
	{start: "$MeshFormat", what: "a mesh of Gmsh", modules: "meshio", lines: ofMesh},
	{
		start:   "GRIB",
		what:    "a GRIB file",
		modules: "xarray",
		lines:   []string{"xarray.open_dataset(NAME, engine='cfgrib').to_netcdf(STEM.nc)"},
	},
	{
		start:   "\x0e\x03\x13\x01",
		what:    "an HDF4 file",
		modules: "pyhdf.SD",
		lines: []string{
			"d = pyhdf.SD.SD(NAME)",
			"numpy.savez(STEM.npz, **{k: d.select(k)[:] for k in d.datasets()})",
		},
	},
	{
		start:   "SIMPLE  =",
		what:    "a FITS file",
		modules: "astropy.io.fits",
		lines:   []string{"numpy.savez(STEM.npz, a=astropy.io.fits.getdata(NAME).astype(float))"},
	},
	{start: "II*\x00", what: "an image (TIFF)", modules: "imageio.v3", lines: ofImage},
	{start: "MM\x00*", what: "an image (TIFF)", modules: "imageio.v3", lines: ofImage},
	{start: "\x89PNG", what: "an image (PNG)", modules: "imageio.v3", lines: ofImage},
	{start: "TITLE", what: "a table of Tecplot", lines: ofTecplot},
	{start: "VARIABLES", what: "a table of Tecplot", lines: ofTecplot},
	{start: "\xff\xfe", what: "a text in UTF-16", lines: ofUTF16},
	{start: "\xfe\xff", what: "a text in UTF-16", lines: ofUTF16},
	{start: "\x1f\x8b", what: "compressed by gzip", advice: "unpack it: gunzip NAME"},
	{start: "BZh", what: "compressed by bzip2", advice: "unpack it: bunzip2 NAME"},
	{start: "\xfd7zXZ", what: "compressed by xz", advice: "unpack it: unxz NAME"},
	{start: "\x28\xb5\x2f\xfd", what: "compressed by zstd", advice: "unpack it: unzstd NAME"},
}

// inXML are formats of XML, by a word near their beginning.
var inXML = []foreign{
	{start: "<VTKFile", what: "a VTK file of a mesh", modules: "meshio", lines: ofMesh},
	{
		start:   `<Grid Name="TimeSeries_meshio"`, // whose HDF5 file has arrays without names
		what:    "an XDMF file of a series on a mesh",
		modules: "meshio",
		lines: []string{
			"r = meshio.xdmf.TimeSeriesReader(NAME).__enter__()",
			"points, blocks = r.read_points_cells()",
			"steps = [r.read_data(k)[1] for k in range(r.num_steps)]",
			"cells = {'cells': b.data for b in blocks if b.type in ('triangle', 'quad', 'tetra')}",
			"numpy.savez(STEM.npz, points=points, **cells, **{k: numpy.stack([s[k] for s in steps]) for k in steps[0]})",
		},
	},
	{
		start:  "<Xdmf",
		what:   "an XDMF file, which describes arrays in an HDF5 file",
		advice: "name the .h5 file beside it",
	},
}

// refused returns the error of a file of a format that is not read.
func (k foreign) refused(name string) error {
	advice := strings.ReplaceAll(k.advice, "NAME", filepath.Base(name))
	if advice == "" {
		advice = pythonLines(name, k.modules, k.lines...)
	}
	return fault.Bad(name, advice, "is %s, which is not read", k.what)
}

// foreignTo returns the error of a file that begins with start if it has one of these formats, or nil.
func foreignTo(name string, start []byte) error {
	for _, k := range foreignFormats {
		if bytes.HasPrefix(start, []byte(k.start)) {
			return k.refused(name)
		}
	}
	isXML := bytes.HasPrefix(bytes.TrimLeft(start, " \r\n\t\ufeff"), []byte("<"))
	for _, k := range inXML {
		if isXML && bytes.Contains(start, []byte(k.start)) {
			return k.refused(name)
		}
	}
	if len(start) > 9 && start[8] == '{' && start[7] == 0 { // the length of a header in JSON, then the header
		return safetensors.refused(name)
	}
	const magic = "ustar"
	if len(start) > 262 && string(start[257:262]) == magic {
		remedy := "unpack it, and name the directory: tar xf " + filepath.Base(name)
		return fault.Bad(name, remedy, "is a tar archive")
	}
	return nil
}

var safetensors = foreign{
	what:    "a safetensors file",
	modules: "safetensors.numpy",
	lines:   []string{"numpy.savez(STEM.npz, **safetensors.numpy.load_file(NAME))"},
}

// linesForJSON returns the lines of Python that convert a text in JSON with the given start: one object with arrays, a list
// of objects or of arrays, or an object in each line. They are nil for other texts.
func linesForJSON(name string, start []byte) []string {
	const (
		ofSamples = "d = {k: [s[k] for s in samples] for k in samples[0]}"
		save      = "numpy.savez(STEM.npz, **{k: numpy.array(v) for k, v in d.items()})"
	)
	tokens := json.NewDecoder(bytes.NewReader(start))
	first, err := tokens.Token()
	if err != nil {
		return nil
	}
	second, err := tokens.Token()
	if err != nil {
		return nil
	}
	_, isKey := second.(string)
	_, isNumber := second.(float64)
	isInLines := slices.Contains([]string{"jsonl", "ndjson"}, extensionOf(name))
	switch {
	case first == json.Delim('{') && isInLines:
		return []string{"samples = [json.loads(line) for line in open(NAME)]", ofSamples, save}
	case first == json.Delim('{') && (isKey || second == json.Delim('}')):
		return []string{"d = json.load(open(NAME))", save}
	case first == json.Delim('[') && second == json.Delim('{'):
		return []string{"samples = json.load(open(NAME))", ofSamples, save}
	case first == json.Delim('[') && (isNumber || second == json.Delim('[')):
		return []string{"numpy.save(STEM-plain.npy, numpy.array(json.load(open(NAME))))"}
	}
	return nil
}

// oldMATLAB is the format of files of MATLAB 4, which have no mark by which they are known.
var oldMATLAB = foreign{
	what:    "a file of MATLAB 4, or none of MATLAB",
	modules: "scipy.io",
	lines: []string{
		"d = scipy.io.loadmat(NAME)",
		"numpy.savez(STEM.npz, **{k: v for k, v in d.items() if not k.startswith('_')})",
	},
}

// sparse is the format of a matrix of SciPy in an archive.
var sparse = foreign{
	what:    "a sparse matrix of SciPy",
	modules: "scipy.sparse",
	lines:   []string{"numpy.savez(STEM.npz, a=scipy.sparse.load_npz(NAME).toarray())"},
}

// isSparse reports whether an archive holds the arrays of a sparse matrix of SciPy.
func isSparse(arrays []string) bool {
	has := func(name string) bool { return slices.Contains(arrays, name) }
	return has("format") && has("shape") && has("data")
}

// isOfFortran reports whether a file begins with a record of Fortran, between two marks with its length.
func (f *File) isOfFortran(start []byte) bool {
	const mark = 4 // bytes
	if len(start) < 2*mark {
		return false
	}
	length := int64(binary.LittleEndian.Uint32(start))
	if length == 0 || length > f.Size-2*mark {
		return false
	}
	end := make([]byte, mark)
	_, err := f.ReadAt(end, mark+length)
	return (err == nil || err == io.EOF) && bytes.Equal(end, start[:mark])
}

// spreadsheet is the format of an archive with a workbook in it.
var spreadsheet = foreign{
	what:    "a spreadsheet",
	modules: "pandas",
	lines:   []string{"t = pandas.read_excel(NAME)", asTable},
}

// meshExtensions are those of meshes that meshio reads.
var meshExtensions = []string{"vtu", "vtk", "vtp", "msh"}

// meshesIn returns the extension of the files of meshes in a directory, without the dot; empty if there are none.
func meshesIn(path string) string {
	for _, extension := range meshExtensions {
		found, err := filepath.Glob(filepath.Join(path, "*."+extension))
		if err == nil && len(found) > 0 {
			return extension
		}
	}
	return ""
}

// refusedMeshes returns the error of a directory of meshes.
func refusedMeshes(path, extension string) error {
	lines := []string{
		"convert them in Python:",
		"import meshio, numpy, pathlib",
		fmt.Sprintf("for f in pathlib.Path(%q).glob('*.%s'):", path, extension),
		"  m = meshio.read(f)",
		"  " + takeCells,
		"  numpy.savez(f.with_suffix('.npz'), points=m.points, **cells, **m.point_data)",
	}
	return fault.Bad(path, strings.Join(lines, "\n  "), "is a directory of .%s files of meshes, which are not read", extension)
}

// isZarr tells whether a directory is a store of Zarr's.
func isZarr(path string) bool {
	for _, name := range []string{".zgroup", ".zarray", "zarr.json"} {
		if isFile(filepath.Join(path, name)) {
			return true
		}
	}
	return false
}

var zarr = foreign{
	what:    "a store of Zarr's",
	modules: "zarr",
	lines: []string{
		"d = zarr.open(NAME, mode='r')",
		"numpy.savez(STEM.npz, **({k: v[:] for k, v in d.arrays()} if hasattr(d, 'arrays') else {'a': d[:]}))",
	},
}

// advise gives the lines of Python for arrays that are no real numbers. Real and imaginary part become channels, since
// the real part alone would be another function.
func (f *File) advise() {
	for i, m := range f.Members {
		var data *fault.Data
		if !errors.As(m.Refused, &data) {
			continue
		}
		modules, lines := f.conversion(m, data.What)
		if lines == nil {
			continue
		}
		f.Members[i].Refused = &fault.Data{
			Where: data.Where,
			What:  data.What,
			Do:    pythonLines(f.Name, modules, lines...),
		}
	}
}

// conversion returns the lines of Python, and the modules that they need, which make real numbers of an array that is
// refused; nil if there are none.
func (f *File) conversion(m npy.Member, refusal string) (modules string, lines []string) {
	isHDF5 := f.Kind == HDF5 || f.Kind == MAT73
	isComplex := strings.HasPrefix(m.Type, "complex")
	isRecords := m.Type == "structured"
	isOther := strings.Contains(refusal, "holds elements of type")
	switch {
	case f.Kind == Pickle && strings.Contains(refusal, "pandas."):
		return "pandas", []string{
			"t = pandas.read_pickle(NAME)",
			"if t.dtypes.iloc[0] == object:",
			"  numpy.savez(STEM.npz, **{str(k): numpy.stack(list(t[k])) for k in t.columns})",
			"else:",
			"  t.to_csv(STEM.csv, index=False)",
		}
	case f.Kind == NPY && isComplex:
		return "", []string{
			"numpy.save(STEM-plain.npy, numpy.load(NAME).astype(complex))",
		}
	case f.Kind == NPY && isRecords:
		return "", []string{
			"a = numpy.load(NAME)",
			"numpy.savez(STEM.npz, **{k: a[k] for k in a.dtype.names})",
		}
	case isHDF5 && strings.Contains(refusal, "compound"):
		return "h5py", []string{
			"d = {}",
			"h5py.File(NAME).visititems(lambda k, v: d.update({k: v[()]}) if hasattr(v, 'dtype') else None)",
			"plain = {k: v for k, v in d.items() if v.dtype.kind in 'fiubc'}",
			"plain.update({k + '.' + c: v[c] for k, v in d.items() for c in v.dtype.names or ()})",
			"numpy.savez(STEM.npz, **plain)",
		}
	case f.Kind == NPZ && isOther:
		return "", []string{
			"d = numpy.load(NAME)",
			"numpy.savez(STEM.npz, **{k: v.astype(float) for k, v in d.items()})",
		}
	case f.Kind == NPY && isOther:
		return "", []string{
			"numpy.save(STEM-plain.npy, numpy.load(NAME).astype(float))",
		}
	case f.Kind == HDF5 && strings.Contains(refusal, "variable length"):
		return "h5py", []string{
			"d = h5py.File(NAME)[\"/\"]",
			"numpy.savez(STEM.npz, **{k: numpy.stack(v[()]) if v.dtype.kind == 'O' else v[()] for k, v in d.items()})",
		}
	case f.Kind == NPZ && isComplex:
		return "", []string{
			"d = numpy.load(NAME)",
			"numpy.savez(STEM.npz, **{k: v.astype(complex) if numpy.iscomplexobj(v) else v for k, v in d.items()})",
		}
	case f.Kind == NPZ && isRecords:
		return "", []string{
			"d = numpy.load(NAME)",
			"numpy.savez(STEM.npz, **{k + '.' + c: v[c] for k, v in d.items() for c in v.dtype.names or ()})",
		}
	}
	return "", nil
}
