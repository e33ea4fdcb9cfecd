package exchange

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rfm/solver/base/fault"
	"rfm/solver/pythontest"
)

// refusedFiles are files that are not read, with what their printed line of Python must make.
var refusedFiles = []struct {
	file    string
	modules []string
	program string // writes the file, and leaves in truth what is to be found in the new one
	made    string // the new file
}{
	{"scale.h5", []string{"numpy", "h5py"}, `
import h5py
with h5py.File("scale.h5", "w") as h:
    for k in truth: h.create_dataset(k, data=np.round(truth[k], 3), chunks=(7, 10), scaleoffset=5)
    truth = {k: h[k][()] for k in "au"}`, "scale.npz"},
	{"virtual.h5", []string{"numpy", "h5py"}, `
import h5py
with h5py.File("part.h5", "w") as h: h["a"] = a; h["u"] = u
with h5py.File("virtual.h5", "w") as h:
    for k in truth:
        l = h5py.VirtualLayout((n, K), "f8"); l[:] = h5py.VirtualSource("part.h5", k, (n, K)); h.create_virtual_dataset(k, l)`, "virtual.npz"},
	{"link.h5", []string{"numpy", "h5py"}, `
import h5py
with h5py.File("part.h5", "w") as h: h["a"] = a; h["u"] = u
with h5py.File("link.h5", "w") as h: h["a"] = h5py.ExternalLink("part.h5", "/a"); h["u"] = h5py.ExternalLink("part.h5", "/u")`, "link.npz"},
	{"complex.npy", []string{"numpy"}, `np.save("complex.npy", (a + 1j * u).astype("clongdouble")); truth = {"-": np.stack([a, u], -1)}`, "complex-plain.npy"},
	{"complex.npz", []string{"numpy"}, `np.savez("complex.npz", z=(a + 1j * u).astype("clongdouble"), u=u); truth = {"z": np.stack([a, u], -1), "u": u}`, "complex-plain.npz"},
	{"records.npy", []string{"numpy"}, `
t = np.zeros((n, K), dtype=[("a", "f4"), ("u", "f8")]); t["a"] = a; t["u"] = u; np.save("records.npy", t); truth = {"a": a.astype("f4"), "u": u}`, "records.npz"},
	{"complex.h5", []string{"numpy", "h5py"}, `
import h5py
with h5py.File("complex.h5", "w") as h:
    h["z"] = a + 1j * u; h["u"] = u
    t = h.create_dataset("t", (n,), dtype=[("i", "i4"), ("v", "f8")]); t["v"] = u[:, 0]
truth = {"z": np.stack([a, u], -1), "u": u, "t.v": u[:, 0]}`, "complex.npz"},
	{"frame.pkl", []string{"numpy", "pandas"}, `
import pandas as pd
pd.DataFrame({"a": list(a), "u": list(u)}).to_pickle("frame.pkl")`, "frame.npz"},
	{"numbers.pkl", []string{"numpy", "pandas"}, `
import pandas as pd
pd.DataFrame(np.hstack([a, u]), columns=["a_%d" % i for i in range(K)] + ["u_%d" % i for i in range(K)]).to_pickle("numbers.pkl")`, "numbers.csv"},
	{"object.json", []string{"numpy"}, `
import json
json.dump({k: truth[k].tolist() for k in truth}, open("object.json", "w"))`, "object.npz"},
	{"samples.json", []string{"numpy"}, `
import json
json.dump([{"a": list(a[i]), "u": list(u[i])} for i in range(n)], open("samples.json", "w"))`, "samples.npz"},
	{"lists.json", []string{"numpy"}, `
import json
json.dump(np.stack([a, u], 1).tolist(), open("lists.json", "w")); truth = {"-": np.stack([a, u], 1)}`, "lists-plain.npy"},
	{"samples.jsonl", []string{"numpy"}, `
import json
with open("samples.jsonl", "w") as f:
    for i in range(n): f.write(json.dumps({"a": list(a[i]), "u": list(u[i])}) + "\n")`, "samples.npz"},
	{"old.mat", []string{"numpy", "scipy.io"}, `
import scipy.io
scipy.io.savemat("old.mat", truth, format="4")`, "old.npz"},
	{"sparse.npz", []string{"numpy", "scipy.sparse"}, `
import scipy.sparse
a[abs(a) < 1] = 0; scipy.sparse.save_npz("sparse.npz", scipy.sparse.csr_matrix(a)); truth = {"a": a}`, "sparse-plain.npz"},
	{"wide.csv", []string{"numpy"}, `
open("wide.csv", "w", encoding="utf-16").write("\n".join([",".join(k + str(i) for k in "au" for i in range(K))] + [",".join(map(repr, map(float, v))) for v in np.hstack([a, u])]))`, "wide-plain.csv"},
	{"lists.csv", []string{"numpy", "pandas"}, `
import pandas as pd
pd.DataFrame({"a": [list(map(float, v)) for v in a], "u": [list(map(float, v)) for v in u]}).to_csv("lists.csv")`, "lists.npz"},
	{"molten.csv", []string{"numpy", "pandas"}, `
import pandas as pd
t = pd.DataFrame([(i, x[j], a[i, j], u[i, j]) for i in range(n) for j in range(K)], columns=["run", "x", "a", "u"])
t.melt(["run", "x"]).to_csv("molten.csv", index=False)`, "molten-wide.csv"},
	{"zones.dat", []string{"numpy"}, `
with open("zones.dat", "w") as f:
    f.write('TITLE = "runs"\nVARIABLES = "x", "a", "u"\n')
    for i in range(n): f.write('ZONE T="%d" I=%d\n' % (i, K)); np.savetxt(f, np.c_[x, a[i], u[i]])
truth = {"a": a, "u": u}`, "zones.csv"},
	{"runs.csv", []string{"numpy", "pandas"}, `
import pandas as pd
t = pd.DataFrame([(i, x[j], a[i, j], u[i, j]) for i in range(n) for j in range(K)], columns=["run", "x", "a", "u"])
t.drop(index=[K + 3, 5 * K]).to_csv("runs.csv", index=False, sep=";", decimal=","); k = [i for i in range(n) if i not in (1, 5)]
truth = {"a": a[k], "u": u[k]}`, "runs-complete.csv"},
	{"table.parquet", []string{"numpy", "pandas", "pyarrow"}, `
import pandas as pd
pd.DataFrame(np.hstack([a, u]), columns=["a_%d" % i for i in range(K)] + ["u_%d" % i for i in range(K)]).to_parquet("table.parquet")`, "table.csv"},
	{"table.xlsx", []string{"numpy", "pandas", "openpyxl"}, `
import pandas as pd
pd.DataFrame(np.hstack([a, u]), columns=["a_%d" % i for i in range(K)] + ["u_%d" % i for i in range(K)]).to_excel("table.xlsx", index=False)`, "table.csv"},
	{"store.zarr", []string{"numpy", "zarr"}, `
import zarr
g = zarr.open("store.zarr", mode="w")
for k in truth: g[k] = truth[k]`, "store.npz"},
	{"series.xdmf", []string{"numpy", "meshio", "h5py"}, `
import meshio
with meshio.xdmf.TimeSeriesWriter("series.xdmf") as w:
    w.write_points_cells(np.c_[x, x * x, 0 * x], [("triangle", np.arange(3)[None])])
    for i in range(n): w.write_data(float(i), point_data={"a": a[i], "u": u[i]})`, "series.npz"},
	{"mesh.vtu", []string{"numpy", "meshio"}, `
import meshio
meshio.Mesh(np.hstack([a[:, :2], 0 * a[:, :1]]), [("vertex", np.arange(n)[:, None])], point_data={"T": u[:, 0]}).write("mesh.vtu"); truth = {"T": u[:, 0]}`, "mesh.npz"},
}

// linesOfPython matches the lines after "in Python:".
var linesOfPython = regexp.MustCompile(`(?s)in Python:\n(  .*)$`)

// The printed lines of Python of each refused file run as they stand, and make a file with the same numbers.
func TestPrintedRemediesWork(t *testing.T) {
	for _, refused := range refusedFiles {
		t.Run(refused.file, func(t *testing.T) {
			directory := t.TempDir()
			pythontest.RunWith(t, refused.modules, directory, commonStart+refused.program+commonEnd)
			text := remedy(t, filepath.Join(directory, refused.file))
			lines := linesOfPython.FindStringSubmatch(text)
			if lines == nil {
				t.Fatalf("no lines of Python in %q", text)
			}
			program := strings.ReplaceAll("\n"+lines[1], "\n  ", "\n")
			pythontest.RunWith(t, refused.modules, directory, program)
			truth := opened(t, filepath.Join(directory, "truth.npz"))
			sample{file: refused.made}.readExactly(t, directory, truth)
		})
	}
}

// remedy returns the advice for a file that is not read, or whose first array is not.
func remedy(t *testing.T, name string) string {
	t.Helper()
	f, err := Open(t.Context(), name)
	if err == nil {
		defer f.Close()
		for _, m := range f.Members {
			err = errors.Join(err, m.Refused)
			if err != nil {
				err = m.Refused
				break
			}
		}
	}
	var data *fault.Data
	if !errors.As(err, &data) {
		t.Fatalf("%s is not refused: %v", name, err)
	}
	return data.Do
}

// Files of known formats are called by their names, and never of a format that is not supported.
func TestForeignFilesAreNamed(t *testing.T) {
	directory := t.TempDir()
	for _, k := range slices.Concat(foreignFormats, inXML) {
		path := filepath.Join(directory, "file.bin")
		noError(t, os.WriteFile(path, []byte(k.start+strings.Repeat("x", 600)), 0o600))
		_, err := Open(t.Context(), path)
		if err == nil || !strings.Contains(err.Error(), "is "+k.what) || strings.Contains(err.Error(), "NAME") || strings.Contains(err.Error(), "STEM") {
			t.Errorf("%q: got %v, want \"is %s\" and no NAME or STEM in the remedy", k.start, err, k.what)
		}
	}
	zarr := filepath.Join(directory, "a.zarr")
	noError(t, os.Mkdir(zarr, 0o700))
	noError(t, os.WriteFile(filepath.Join(zarr, ".zgroup"), []byte("{}"), 0o600))
	if _, err := Open(t.Context(), zarr); err == nil || !strings.Contains(err.Error(), "store of Zarr") {
		t.Errorf("zarr: %v", err)
	}
}
