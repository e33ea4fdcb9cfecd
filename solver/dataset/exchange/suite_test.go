// This file holds the tests that every format passes. A new format, or a new form of one, is one entry in samples.

package exchange

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/pythontest"
)

// sample is a file that a program of Python writes.
type sample struct {
	file    string
	modules []string
	// program writes the file with the arrays a (60 x 40) and u (60 x 40), which exist, or with others, and leaves in
	// the dictionary truth what the reader must find, by the reader's names.
	program string
	loose   bool // numbers without a checksum: changed bits cannot be found
}

var (
	withNumPy   = []string{"numpy"}
	withSciPy   = []string{"numpy", "scipy.io"}
	withH5py    = []string{"numpy", "h5py"}
	withNetCDF  = []string{"numpy", "netCDF4"}
	withTorch   = []string{"numpy", "torch"}
	withPandas  = []string{"numpy", "pandas"}
	commonStart = `
import numpy as np
r = np.random.default_rng(5); n, K = 60, 40; x = np.linspace(0, 1, K)
a = r.normal(size=(n, 4)) @ np.cos(np.pi * np.outer(np.arange(4), x)); u = np.cumsum(a**2, 1) / K
truth = {"a": a, "u": u}
`
	commonEnd = `
np.savez("truth.npz", **{k: np.asarray(v, dtype="f8") for k, v in truth.items()})
`
)

// samples lists the forms of all formats.
var samples = slices.Concat(numpySamples, hdf5Samples, netcdfSamples, classicSamples, torchSamples, matlabSamples, tableSamples)

var numpySamples = []sample{
	{"plain.npz", withNumPy, `np.savez("plain.npz", a=a, u=u.astype(">f4")); truth["u"] = u.astype("f4")`, false},
	{"packed.npz", withNumPy, `np.savez_compressed("packed.npz", a=np.asfortranarray(a), u=u)`, false},
	{"one.npy", withNumPy, `np.save("one.npy", a); truth = {"-": a}`, true},
	{"complex.npz", withNumPy, `
z = a + 1j * u; l = np.empty(60, dtype=object)
for i in range(60): l[i] = z[i]
np.savez("complex.npz", z=z, f=np.asfortranarray(z.astype(">c8")), l=l, one=z[0, 0])
both = lambda z: np.stack([z.real, z.imag], -1)
truth = {"z": both(z), "f": both(z.astype("c8")), "l": both(z), "one": both(z[0, 0])}`, true},
	{"objects.npz", withNumPy, `
X = np.empty(2, dtype=object); X[0] = a.astype("f4"); X[1] = x[:, None]
np.savez("objects.npz", X=X, y=u); truth = {"X[0]": a.astype("f4"), "X[1]": x[:, None], "y": u}`, false},
	{"list.npy", withNumPy, `
X = np.empty(60, dtype=object)
for i in range(60): X[i] = np.asfortranarray(a[i].reshape(8, 5))
np.save("list.npy", X); truth = {"-": a.reshape(60, 8, 5)}`, true},
	{"long.npz", withNumPy, `
b = np.repeat(a, 20, 1); X = np.empty(60, dtype=object)
for i in range(60): X[i] = b[i]
np.savez_compressed("long.npz", a=X); truth = {"a": b}`, false},
	{"dicts.npz", withNumPy, `
X = np.empty(60, dtype=object)
for i in range(60): X[i] = {"a": a[i], "u": u[i], "nu": i / 7}
np.savez("dicts.npz", d=X); truth = {"d.*.a": a, "d.*.u": u, "d.*.nu": np.arange(60) / 7}`, false},
	{"dict.npz", withNumPy, `np.savez("dict.npz", d={"a": a, "u": u}, note="x"); truth = {"d.a": a, "d.u": u}`, false},
}

func h5(name, options, datasets string) sample {
	return sample{name, withH5py, fmt.Sprintf("import h5py\nh = h5py.File(%q, 'w'%s)\n%s\nh.close()", name, options, datasets), true}
}

func bothH5(name, options, dataset string) sample {
	return h5(name, options, fmt.Sprintf("for k, v in truth.items(): h.create_dataset(k, data=v, %s)", dataset))
}

const manyChunks = `
b = np.arange(3000 * 7, dtype="f8").reshape(3000, 7)
truth = {"b": b}
`

var hdf5Samples = []sample{
	bothH5("plain.h5", "", ""),
	bothH5("lzf.h5", "", "chunks=(7, 11), compression='lzf', shuffle=True"),
	bothH5("lzf-fletcher.h5", "", "chunks=(7, 11), compression='lzf', fletcher32=True"),
	bothH5("fletcher.h5", "", "chunks=(7, 11), fletcher32=True"),
	bothH5("all.h5", "", "chunks=(7, 11), compression='gzip', shuffle=True, fletcher32=True"),
	bothH5("latest.h5", ", libver='latest'", "chunks=(7, 11), compression='gzip'"),
	bothH5("grow.h5", ", libver='latest'", "chunks=(8, 11), maxshape=(None, 40), compression='gzip'"),
	bothH5("grow-second.h5", ", libver='latest'", "chunks=(8, 11), maxshape=(60, None)"),
	bothH5("grow-both.h5", ", libver='latest'", "chunks=(8, 11), maxshape=(None, None), fletcher32=True"),
	bothH5("limit.h5", ", libver='latest'", "chunks=(8, 11), maxshape=(100, 90)"),
	bothH5("grow-limit.h5", ", libver='latest'", "chunks=(8, 11), maxshape=(None, 90)"),
	h5("grow-much.h5", ", libver='latest'", manyChunks+"h.create_dataset('b', data=b, chunks=(1, 7), maxshape=(None, 7))"),
	h5("grow-wide.h5", ", libver='latest'", manyChunks+"h.create_dataset('b', data=b, chunks=(1, 2), maxshape=(None, 7), compression='gzip')"),
	h5("grow-trees.h5", ", libver='latest'", manyChunks+"h.create_dataset('b', data=b, chunks=(1, 2), maxshape=(None, None))"),
	h5("pages.h5", ", libver='latest'", manyChunks+"h.create_dataset('b', data=b, chunks=(1, 2))"),
	h5("single.h5", ", libver='latest'", "h.create_dataset('a', data=a, chunks=(60, 40), compression='gzip')\nh.create_dataset('u', data=u, chunks=(60, 40))"),
	h5("early.h5", ", libver='latest'", `
p = h5py.h5p.create(h5py.h5p.DATASET_CREATE); p.set_chunk((7, 11)); p.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
for k, v in truth.items():
    d = h5py.h5d.create(h.id, k.encode(), h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((60, 40)), p); d.write(h5py.h5s.ALL, h5py.h5s.ALL, v)`),
	h5("unwritten.h5", "", `
d = h.create_dataset("b", (60, 40), chunks=(7, 11), fillvalue=2.5); d[10:20, 5:9] = 7
h.create_dataset("never", (60, 40), fillvalue=1); h.create_dataset("none", (60, 40), chunks=(7, 40))
truth = {k: h[k][()] for k in h}`),
	h5("unwritten-grow.h5", ", libver='latest'", `
d = h.create_dataset("b", (3000, 7), chunks=(1, 7), maxshape=(None, 7), fillvalue=2.5); d[2500:2700] = 7; d[3] = 1
truth = {k: h[k][()] for k in h}`),
	bothH5("be.h5", "", "dtype='>f8'"),
	h5("half.h5", "", "h['a'] = a.astype('f2'); h['i'] = np.arange(60, dtype='>i2'); truth = {'a': a.astype('f2'), 'i': np.arange(60)}"),
	h5("named-type.h5", "", "h['t'] = np.dtype('f4')\nfor k, v in truth.items(): h.create_dataset(k, data=v, dtype=h['t'])\ntruth = {k: v.astype('f4') for k, v in truth.items()}"),
	h5("compact.h5", "", `
p = h5py.h5p.create(h5py.h5p.DATASET_CREATE); p.set_layout(h5py.h5d.COMPACT)
d = h5py.h5d.create(h.id, b"b", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((40,)), p); d.write(h5py.h5s.ALL, h5py.h5s.ALL, x)
truth = {"b": x}`),
	h5("references.h5", "", `
g = h.create_group("parts"); z = h.create_dataset("all", (60,), dtype=h5py.ref_dtype)
for i in range(60): d = g.create_dataset("p%s" % "abcdefghij"[i % 10] + "x" * (i // 10), data=a[i][:, None]); z[i] = d.ref
truth = {"all": a}`),
	h5("groups.h5", "", `
for i in range(60): g = h.create_group('run_%02d' % i); g['a'] = a[i]; g['u'] = u[i]; g['grid/x'] = x; g['cells'] = np.arange(12).reshape(4, 3)
truth = {'run_*/a': a, 'run_*/u': u, 'run_*/grid/x': x, 'run_*/cells': np.arange(12).reshape(4, 3)}`),
	h5("complex.h5", "", `
z = a + 1j * u; h["z"] = z; h.create_dataset("c", data=z.astype("c8"), chunks=(7, 10), compression="gzip", shuffle=True)
h["m"] = z.view([("real", "f8"), ("imag", "f8")]); h["b"] = z.astype(">c16")
truth = {k: np.stack([z.real, z.imag], -1) for k in "zmb"}; c = z.astype("c8"); truth["c"] = np.stack([c.real, c.imag], -1)`),
	h5("seeds.h5", "", "for i in range(60): h['%04d/a' % i] = a[i]; h['%04d/u' % i] = u[i]\ntruth = {'*/a': a, '*/u': u}"),
}

func nc(name, program string) sample {
	return sample{name, withNetCDF, `
import netCDF4
h = netCDF4.Dataset(` + fmt.Sprintf("%q", name) + `, "w"); h.createDimension("sample", n); h.createDimension("x", K)
def filled(v): return np.ma.filled(v[:].astype("f8"), np.nan)
` + program + `
h.close()`, true}
}

var netcdfSamples = []sample{
	nc("packed.nc", `
truth = {}
for k, v in (("a", a), ("u", u)):
    w = h.createVariable(k, "i2", ("sample", "x"), zlib=True, fill_value=-32768); w.scale_factor = abs(v).max() / 30000; w.add_offset = 2.0
    w[:] = np.ma.masked_where(v > v.max() - 0.1, v); truth[k] = filled(w)`),
	nc("fills.nc", `
d = h.createVariable("d", "f4", ("sample", "x")); d[:30] = a[:30]
i = h.createVariable("i", "i4", ("sample", "x")); i[30:] = np.arange(30 * K).reshape(30, K)
m = h.createVariable("m", "f8", ("sample", "x")); m.missing_value = -9999.9; m[:] = np.where(a > 1, -9999.9, a)
truth = {k: filled(h[k]) for k in "dim"}`),
	nc("range.nc", `
v = h.createVariable("v", "i2", ("sample", "x")); v.valid_range = np.array([-100, 100], "i2"); v[:] = np.round(100 * a)
w = h.createVariable("w", "i1", ("sample", "x")); w._Unsigned = "true"; w.scale_factor = 0.5; w.set_auto_maskandscale(False); w[:] = (np.arange(n * K) % 256).astype("u1").view("i1").reshape(n, K)
truth = {"v": filled(v), "w": (np.arange(n * K) % 256).reshape(n, K) * 0.5}`),
	nc("many-attributes.nc", `
v = h.createVariable("v", "f4", ("sample", "x"), fletcher32=True, zlib=True)
for i in range(20): v.setncattr("note%d" % i, "text " * i)
v.scale_factor = 2.0; v[:] = a; truth = {"v": filled(v)}`),
}

// classic writes a netCDF file of a classic format.
func classic(name, format, program string) sample {
	return sample{name, withNetCDF, `
import netCDF4
h = netCDF4.Dataset(` + fmt.Sprintf("%q, 'w', format=%q", name, format) + `)
h.createDimension("n", n); h.createDimension("x", K); h.createDimension("m", None); h.title = "a title"
def filled(v): return np.ma.filled(v[:].astype("f8"), np.nan)
` + program + `
truth = {k: filled(h[k]) for k in h.variables if h[k].dtype.kind in "fiu"}
h.close()`, true}
}

const plainClassic = `
for k, v in (("a", a), ("u", u.astype("f4"))): h.createVariable(k, v.dtype, ("n", "x"))[:] = v
h.createVariable("x", "f8", ("x",))[:] = x; h.createVariable("one", "i4")[...] = 7`

var classicSamples = []sample{
	classic("three.nc", "NETCDF3_CLASSIC", plainClassic+`
h.createVariable("text", "S1", ("n",))[:] = b"y"; h.createVariable("i", "i2", ("n",))[:] = np.arange(n); h.createVariable("b", "i1", ("x",))[:] = np.arange(K)`),
	classic("offset.nc", "NETCDF3_64BIT_OFFSET", plainClassic),
	classic("five.nc", "NETCDF3_64BIT_DATA", plainClassic+`
h.createVariable("q", "u8", ("n",))[:] = np.arange(n); h.createVariable("w", "i8", ("n", "x"))[:] = np.round(1000 * a)`),
	classic("records.nc", "NETCDF3_CLASSIC", `
v = h.createVariable("a", "f4", ("m", "x")); i = h.createVariable("i", "i2", ("m",)); w = h.createVariable("u", "f8", ("m", "x"))
v[:] = a; w[:] = u; i[:] = np.arange(n); h.createVariable("x", "f8", ("x",))[:] = x`),
	classic("one-record.nc", "NETCDF3_64BIT_OFFSET", `h.createVariable("i", "i2", ("m", "x"))[:] = np.round(100 * a[:, :39].repeat(2, 1)[:, :K])`),
	classic("odd-record.nc", "NETCDF3_CLASSIC", `h.createVariable("b", "i1", ("m",))[:] = np.arange(101)`),
	classic("records-five.nc", "NETCDF3_64BIT_DATA", `h.createVariable("a", "f8", ("m", "x"))[:] = a; h.createVariable("u", "f4", ("m", "x"))[:] = u`),
	classic("packed-three.nc", "NETCDF3_CLASSIC", `
v = h.createVariable("v", "i2", ("n", "x"), fill_value=-999); v.scale_factor = 2.0**-10; v.add_offset = 1.0; v[:] = np.ma.masked_where(a > 1, a)
d = h.createVariable("d", "f4", ("n", "x")); d[:30] = a[:30]
w = h.createVariable("w", "i1", ("n", "x")); w._Unsigned = "true"; w.set_auto_maskandscale(False); w[:] = (np.arange(n * K) % 256).astype("u1").view("i1").reshape(n, K)
w.set_auto_maskandscale(True)`),
	{"scipy.nc", withSciPy, `
import scipy.io
h = scipy.io.netcdf_file("scipy.nc", "w"); h.createDimension("m", None); h.createDimension("x", K)
h.createVariable("a", "f8", ("m", "x"))[:] = a; h.createVariable("u", "f4", ("m", "x"))[:] = u; h.close(); truth["u"] = u.astype("f4")`, true},
}

var torchSamples = []sample{
	{"views.pt", withTorch, `
import torch
big = torch.zeros(60, 2, 40); big[:, 0] = torch.tensor(a); big[:, 1] = torch.tensor(u)
three = torch.arange(24.).reshape(2, 3, 4)
d = {"a": big[:, 0], "u": big[:, 1], "t": big[:, 1].T, "every": big[::7, 1, 3::5], "axes": three.permute(2, 0, 1), "expand": three[0, 1].expand(5, 4),
     "windows": torch.tensor(x).unfold(0, 7, 2), "one": big[3:4, :1, ::2], "scalar": big[5, 1, 7], "empty": big[:0, 1]}
torch.save(d, "views.pt"); truth = {k: v.numpy() for k, v in d.items()}`, false},
	{"types.pt", withTorch, `
import torch
d = {k: torch.tensor(100 * a).to(getattr(torch, k)) for k in ("bfloat16", "float16", "float64", "int16", "int32", "int64")}
d["part"] = d["bfloat16"][::3, 1::2]
torch.save(d, "types.pt"); truth = {k: v.double().numpy() for k, v in d.items()}`, false},
	{"complex.pt", withTorch, `
import torch
z = torch.complex(torch.tensor(a), torch.tensor(u)); d = {"z": z, "part": z.T[1::3, ::2], "c": z.to(torch.complex64), "list": [z[i] for i in range(60)]}
torch.save(d, "complex.pt"); truth = {k: torch.view_as_real(d[k]).numpy() for k in ("z", "part", "c")}
truth["list.*"] = torch.view_as_real(z).numpy()`, false},
	{"set.pt", withTorch, `
import torch
torch.save(torch.utils.data.TensorDataset(torch.tensor(a), torch.tensor(u)), "set.pt"); truth = {"tensors.0": a, "tensors.1": u}`, false},
	{"old.pt", withTorch, `
import torch
big = torch.zeros(60, 2, 40); big[:, 0] = torch.tensor(a); big[:, 1] = torch.tensor(u)
d = {"a": torch.tensor(a, requires_grad=True), "u": torch.tensor(u).to(torch.bfloat16), "view": big[:, 1], "turned": big[:, 0].T, "c": torch.tensor(a).to(torch.complex64),
     "windows": torch.tensor(x).unfold(0, 7, 2), "empty": big[:0, 1], "list": [torch.arange(5), torch.tensor(x > 0.5)], "numpy": u, "name": "words", "model": torch.nn.Linear(3, 2).state_dict()}
torch.save(d, "old.pt", _use_new_zipfile_serialization=False)
truth = {k: d[k].detach().double().numpy() for k in ("a", "u", "view", "turned", "windows", "empty")}
truth.update({"list.0": np.arange(5), "list.1": x > 0.5, "numpy": u, "model.weight": d["model"]["weight"].numpy()})`, true},
	{"old-one.pt", withTorch, `
import torch
torch.save(torch.tensor(a), "old-one.pt", _use_new_zipfile_serialization=False); truth = {"tensor": a}`, true},
	{"dicts.pt", withTorch, `
import torch
torch.save([{"a": torch.tensor(a[i]), "u": torch.tensor(u[i]), "nu": 0.1 * i, "step": i} for i in range(n)], "dicts.pt")
truth = {"*.a": a, "*.u": u, "*.nu": 0.1 * np.arange(n), "*.step": np.arange(n)}`, false},
	{"checkpoint.pt", withTorch, `
import torch
m = torch.nn.Linear(3, 2)
torch.save({"x": torch.tensor(a), "y": u, "model": m.state_dict(), "opt": torch.optim.Adam(m.parameters()).state_dict(), "p": torch.nn.Parameter(torch.tensor(x)), "c": torch.tensor(x).to(torch.complex64)}, "checkpoint.pt")
truth = {"x": a, "y": u, "p": x, "model.weight": m.weight.detach().numpy()}`, false},
}

var matlabSamples = []sample{
	{"plain.mat", withSciPy, `import scipy.io; scipy.io.savemat("plain.mat", truth)`, true},
	{"packed.mat", withSciPy, `import scipy.io; scipy.io.savemat("packed.mat", truth, do_compression=True)`, false},
	matFile("complex", `
z = a + 1j * u; l = np.empty((1, 60), object); both = np.stack([a, u], -1)
for i in range(60): l[0, i] = z[i]
d = {"z": z, "w": np.round(z), "c": z.astype("c8"), "s": {"z": z}, "l": l}
c = z.astype("c8"); truth = {"z": both, "w": np.round(both), "c": np.stack([c.real, c.imag], -1), "s.z": both, "l": both}`),
	{"plain-complex.mat", withSciPy, `import scipy.io; scipy.io.savemat("plain-complex.mat", {"z": a + 1j * u}); truth = {"z": np.stack([a, u], -1)}`, true},
	matFile("struct", `d = {"data": {"input": a, "output": u, "meta": {"dx": 0.5, "name": "beam"}}, "e": np.zeros((0, 3))}
truth = {"data.input": a, "data.output": u, "data.meta.dx": [[0.5]], "e": np.zeros((0, 3))}`),
	matFile("cells", `
f, y, two = np.empty((1, 60), object), np.empty((60, 1), object), np.empty((1, 2), object)
for i in range(60): f[0, i] = a[i][:, None]; y[i, 0] = u[i].reshape(8, 5)
two[0, 0] = a; two[0, 1] = u
d = {"f": f, "y": y, "two": two}; truth = {"f": a, "y": u.reshape(60, 8, 5), "two{1}": a, "two{2}": u}`),
	matFile("structarray", `
d = {"runs": np.array([(a[i], {"u": u[i].astype("f4")}) for i in range(60)], dtype=[("f", object), ("out", object)])}
truth = {"runs.f": a, "runs.out.u": u.astype("f4")}`),
}

func matFile(name, program string) sample {
	return sample{name + ".mat", withSciPy, "import scipy.io\n" + program + fmt.Sprintf("\nscipy.io.savemat(%q, d, do_compression=True)", name+".mat"), false}
}

var tableSamples = []sample{
	{"names.csv", withPandas, `
import pandas as pd
pd.DataFrame(np.hstack([a, u]), columns=["a_%d" % i for i in range(K)] + ["u_%d" % i for i in range(K)]).to_csv("names.csv")`, true},
	{"units.csv", withPandas, `
import pandas as pd
t = pd.DataFrame(np.hstack([a, u]), columns=["F_%d [N]" % i for i in range(K)] + ["d_%d (mm)" % i for i in range(K)]); t.iloc[3, 5] = np.nan
t.to_csv("units.csv", index=False, sep=";", decimal=","); truth = {"F": t.values[:, :K], "d": u}`, true},
	{"lines.csv", withPandas, `
import pandas as pd
pd.DataFrame([(i, x[j], a[i, j], u[i, j]) for i in range(n) for j in range(K)], columns=["sample", "x", "force", "disp"]).to_csv("lines.csv", index=False)
truth = {"force": a, "disp": u}`, true},
	{"shuffled.csv", withPandas, `
import pandas as pd
t = pd.DataFrame([("run-%02d" % i, a[i, j], x[j], u[i, j]) for i in range(n) for j in range(K)], columns=["run", "force", "x", "disp"])
t.iloc[r.permutation(n * K)].groupby("run", sort=False).apply(lambda g: g).to_csv("shuffled.csv", index=False)
order = list(pd.read_csv("shuffled.csv").run.drop_duplicates()); k = [int(name[-2:]) for name in order]
truth = {"force": a[k], "disp": u[k]}`, true},
	{"fortran.dat", withNumPy, `
open("fortran.dat", "w").write("% written by Fortran\n% in 1977\n" + "\n".join("  ".join(("%.16E" % v).replace("E", "D") for v in w) for w in a) + "\n")
truth = {"-": a}`, true},
}

// written writes the samples that need the same modules with one Python, each in a directory of its own, and returns
// these. What the reader must find is in truth.npz, where a dash stands for an empty name.
func written(t *testing.T, some []sample) (directories []string) {
	t.Helper()
	root := t.TempDir()
	script := "import os, numpy as np\n"
	for i, s := range some {
		directory := filepath.Join(root, fmt.Sprint(i))
		noError(t, os.Mkdir(directory, 0o700))
		directories = append(directories, directory)
		script += fmt.Sprintf("os.chdir(%q)\nexec(%q, {})\n", directory, commonStart+s.program+commonEnd)
	}
	pythontest.RunWith(t, some[0].modules, root, script)
	return directories
}

// Every array has exactly the values that the library of its format reads, and damage is found.
func TestEveryFormat(t *testing.T) {
	for len(samples) > 0 {
		first := samples[0]
		alike := slices.IndexFunc(samples, func(s sample) bool { return !slices.Equal(s.modules, first.modules) })
		if alike < 0 {
			alike = len(samples)
		}
		group := samples[:alike]
		samples = samples[alike:]
		t.Run(strings.Join(first.modules, "+"), func(t *testing.T) {
			for i, directory := range written(t, group) {
				t.Run(group[i].file, func(t *testing.T) {
					truth := opened(t, filepath.Join(directory, "truth.npz"))
					group[i].readExactly(t, directory, truth)
					group[i].findDamage(t, directory, truth)
				})
			}
		})
	}
}

func (s sample) readExactly(t *testing.T, directory string, truth *File) {
	f := opened(t, filepath.Join(directory, s.file))
	for _, want := range truth.Members {
		expected, err := want.Array()
		noError(t, err)
		m := f.Member(strings.TrimSuffix(want.Name, "-"))
		got, err := m.Array()
		if err != nil || !slices.Equal(got.Shape, expected.Shape) {
			t.Errorf("%q: shape %v, want %v, %v", want.Name, got.Shape, expected.Shape, err)
			continue
		}
		for i, v := range got.Data {
			if v != expected.Data[i] && !(math.IsNaN(v) && math.IsNaN(expected.Data[i])) {
				t.Errorf("%q: number %d is %v, want %v", want.Name, i, v, expected.Data[i])
				break
			}
		}
		checkParts(t, m, got)
	}
}

// checkParts compares parts of an array, which are read on their own, with the array.
func checkParts(t *testing.T, m npy.Member, whole npy.Array) {
	t.Helper()
	if len(whole.Shape) != 2 || whole.Shape[0] < 8 || whole.Shape[1] < 3 {
		return
	}
	at := npy.Along(1000, 1)
	at[0] = at[0].Of(3, 4, 2) // rows 3 and 7
	at[1] = at[1].Of(1, 2, 1) // column 1
	part := make([]float64, 1001)
	noError(t, m.Read(part, at, 2))
	columns := whole.Shape[1]
	for i, want := range []float64{whole.Data[3*columns+1], whole.Data[7*columns+1]} {
		if got := part[1000*i]; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%q: part %d is %v, want %v", m.Name, i, got, want)
		}
	}
}

// findDamage checks that damaged files are refused or read otherwise, without a panic, in little memory, and that
// checksums are compared.
func (s sample) findDamage(t *testing.T, directory string, truth *File) {
	content, err := os.ReadFile(filepath.Join(directory, s.file))
	noError(t, err)
	random := rand.New(rand.NewPCG(1, uint64(len(s.file))))
	for i := range 60 {
		mutant := bytes.Clone(content)
		changes := i % 3
		if changes == 0 {
			mutant = mutant[:random.IntN(len(mutant))]
		}
		for range changes {
			mutant[random.IntN(len(mutant))] ^= 1 << random.IntN(8)
		}
		s.checkMutant(t, truth, mutant, i)
	}
}

func (s sample) checkMutant(t *testing.T, truth *File, mutant []byte, number int) {
	t.Helper()
	const most = 24 << 20 // bytes for arrays of 19 kB to 384 kB, at most ten of them
	memory := filetest.Allocated(func() {
		f, err := OpenContent(t.Context(), s.file, bytes.NewReader(mutant), int64(len(mutant)))
		if err != nil {
			return
		}
		for _, m := range f.Members {
			if !m.Readable() || m.Count() > 1<<16 {
				continue
			}
			a, err := m.Array()
			if err != nil || s.loose {
				continue
			}
			wanted := truth.Member(cmp.Or(m.Name, "-"))
			if !wanted.Readable() {
				continue
			}
			expected, err := wanted.Array()
			noError(t, err)
			if !slices.EqualFunc(a.Data, expected.Data, func(a, b float64) bool { return a == b || a != a && b != b }) {
				t.Errorf("mutant %d: %q has other numbers, without an error", number, m.Name)
			}
		}
	})
	if memory > most {
		t.Errorf("mutant %d: %d bytes are allocated", number, memory)
	}
}

// A part of a large array is read without the rest.
func TestPartsOfLargeFilesAreReadAlone(t *testing.T) {
	directory := t.TempDir()
	pythontest.RunWith(t, withH5py, directory, `
import numpy as np, h5py
a = np.arange(2000 * 4096, dtype="f8").reshape(2000, 4096)
np.save("a.npy", a)
with h5py.File("a.h5", "w") as h: h["a"] = a
with h5py.File("chunks.h5", "w") as h: h.create_dataset("a", data=a, chunks=(100, 512))
`)
	for file, most := range map[string]int64{"a.npy": 1 << 20, "a.h5": 1 << 20, "chunks.h5": 8 << 20} {
		content, err := os.Open(filepath.Join(directory, file))
		noError(t, err)
		defer content.Close()
		info, err := content.Stat()
		noError(t, err)
		counted := &counter{in: content}
		f, err := OpenContent(t.Context(), file, counted, info.Size())
		noError(t, err)
		a, err := f.Member(strings.Trim(f.Members[0].Name+"[:10]", " ")).Array()
		noError(t, err)
		if a.Data[9*4096+17] != 9*4096+17 {
			t.Errorf("%s: wrong numbers", file)
		}
		if counted.bytes > most {
			t.Errorf("%s: %d bytes are read for ten rows", file, counted.bytes)
		}
	}
}

// counter counts the bytes that are read.
type counter struct {
	in    *os.File
	bytes int64
}

func (c *counter) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.in.ReadAt(p, at)
	c.bytes += int64(n)
	return n, err
}
