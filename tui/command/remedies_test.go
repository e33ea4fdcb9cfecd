package command

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rfm/solver/pythontest"
)

// refusedFiles are files that are not read as they are, with the programs that write them. The advice that is printed is
// followed to the end: its lines of Python run, its settings are given, and a model is trained.
var refusedFiles = []struct {
	file    string
	modules []string // of Python, besides NumPy
	program string
	made    string // by the lines of Python; empty if settings are advised
}{
	{"times.npz", nil, `np.savez("times.npz", input=a, output=a[:, :, None, None, None] * np.ones((n, 24, 9, 3, 4)))`, ""},
	{"first.npz", nil, `np.savez("first.npz", input=a, output=a[:, None, None, :, None] * np.ones((n, 4, 3, 24, 9)))`, ""},
	{"volumes.npz", nil, `v = a[:, :12, None, None] * np.ones((n, 12, 12, 12)); np.savez("volumes.npz", a=v, u=v**2)`, ""},
	{"flows.npz", nil, `v = a[:, :12, None, None] * np.ones((n, 12, 12, 12)); np.savez("flows.npz", a=v, u=v[..., None] * np.ones(3))`, ""},
	{"channels.npz", nil, `np.savez("channels.npz", a=r.normal(size=(n, 1, 12)) * a[:, :, None], u=u)`, ""},
	{"fill.npz", nil, `v = u.copy(); v[3, 5] = v[7, 1] = -9999; np.savez("fill.npz", a=a, u=v)`, ""},
	{"land.npz", nil, `v = u.copy(); v[:, 9:12] = 1e20; np.savez("land.npz", a=a, u=v)`, ""},
	{"smooth.npz", nil, `
s = np.sin(3 * x[:, None] + 2 * x[None]) + np.cos(5 * x[:, None] * x[None]); np.savez("smooth.npz", a=s, u=s**2)`, ""},
	{"unequal.npz", nil, `np.savez("unequal.npz", a=a, u=u[:30])`, ""},
	{"long.npz", nil, `v = np.repeat(a[:6, :8], 300, 1)[:, :, None] * np.ones(16); np.savez("long.npz", a=v + r.normal(size=(6, 1, 1)), u=v)`, ""},
	{"complex.npz", nil, `np.savez("complex.npz", a=(a + 1j * u).astype("clongdouble"), u=u)`, "complex-plain.npz"},
	{"long-double.npz", nil, `np.savez("long-double.npz", a=a.astype("longdouble"), u=u)`, "long-double-plain.npz"},
	{"words.npz", nil, `np.savez("words.npz", a=a.astype(str), u=u)`, "words-plain.npz"},
	{"records.npy", nil, `
t = np.zeros((n, 24), dtype=[("a", "f4"), ("u", "f8")]); t["a"] = a; t["u"] = u; np.save("records.npy", t)`, "records.npz"},
	{"plain.json", nil, `import json; json.dump({"a": a.tolist(), "u": u.tolist()}, open("plain.json", "w"))`, "plain.npz"},
	{"lengths.h5", []string{"h5py"}, `
import h5py
with h5py.File("lengths.h5", "w") as h:
    d = h.create_dataset("a", (n,), dtype=h5py.vlen_dtype("f8")); h["u"] = u
    for i in range(n): d[i] = a[i]`, "lengths.npz"},
	{"records.h5", []string{"h5py"}, `
import h5py
with h5py.File("records.h5", "w") as h: h["d"] = np.stack([a, u], -1).view([("a", "f8"), ("u", "f8")])[..., 0]`, "records.npz"},
	{"scaled.h5", []string{"h5py"}, `
import h5py
with h5py.File("scaled.h5", "w") as h:
    for k, v in (("a", a), ("u", u)): h.create_dataset(k, data=v, chunks=(7, 10), scaleoffset=8)`, "scaled.npz"},
	{"frame.pkl", []string{"pandas"}, `
import pandas as pd
pd.DataFrame({"a": list(a), "u": list(u)}).to_pickle("frame.pkl")`, "frame.npz"},
	{"lines.csv", []string{"pandas"}, `
import pandas as pd
pd.DataFrame([(i, x[j], a[i, j], u[i, j]) for i in range(n) for j in range(24)], columns=["run", "x", "a", "u"]).drop(index=[7, 99]).to_csv("lines.csv", index=False)`,
		"lines-complete.csv"},
}

const refusedStart = `
import numpy as np
r = np.random.default_rng(3); n = 40; x = np.linspace(0, 1, 24)
a = r.normal(size=(n, 4)) @ np.cos(np.pi * np.outer(np.arange(4), x)); u = a + 0.3 * a**2
`

var (
	advisedPython   = regexp.MustCompile(`(?s)in Python:\n(  .*)$`)
	advisedSettings = regexp.MustCompile(`(?:--set |set |and )((?:data|train)\.\w+) ?= ?('[^']*'|[^ ;,\n]+)`)
)

// What is printed for a file that is not read is followed literally, and then a model is trained.
func TestRemediesAreFollowedToTheEnd(t *testing.T) {
	for _, refused := range refusedFiles {
		t.Run(refused.file, func(t *testing.T) {
			t.Chdir(t.TempDir())
			modules := append([]string{"numpy"}, refused.modules...)
			pythontest.RunWith(t, modules, ".", refusedStart+refused.program)
			train := []string{"--set", "train.method=linear", "--no-save", "-q"}
			code, _, failure := call(t, nil, append([]string{"run", refused.file}, train...)...)
			if code != exitData {
				t.Fatalf("exit code %d: %s", code, failure)
			}
			next := []string{"run", refused.file}
			if lines := advisedPython.FindStringSubmatch(failure); lines != nil {
				program := strings.ReplaceAll("\n"+lines[1], "\n  ", "\n")
				pythontest.RunWith(t, modules, ".", program)
				if _, err := os.Stat(refused.made); err != nil {
					t.Fatalf("%v, after\n%s", err, program)
				}
				next[1] = refused.made
			} else if refused.made != "" {
				t.Fatalf("there are no lines of Python in %q", failure)
			}
			given := map[string]bool{}
			for _, setting := range advisedSettings.FindAllStringSubmatch(failure, -1) {
				if !given[setting[1]] { // of several values for a setting, the first
					next = append(next, "--set", setting[1]+"="+strings.Trim(setting[2], "'"))
				}
				given[setting[1]] = true
			}
			if len(next) == 2 && refused.made == "" {
				t.Fatalf("there is nothing to follow in %q", failure)
			}
			gives(t, exitDone, "test error", slices.Concat(next, train)...)
		})
	}
}
