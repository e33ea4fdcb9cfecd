package interchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/setup"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

// A short additional axis of outputs holds channels, a long one times.
func TestChannelsAndTimes(t *testing.T) {
	for _, test := range []struct {
		shape []int
		times int
		want  string
	}{{[]int{40, 32, 32, 2}, 0, "u"}, {[]int{40, 2, 32, 32}, 0, "u"}, {[]int{40, 32, 32, 20}, 0, "u[:, :, :, -1]"},
		{[]int{40, 32, 32, 2}, 2, "u[:, :, :, -1]"}} {
		arrays := []exchange.Member{{Name: "a", Shape: []int{40, 32, 32}},
			{Name: "u", Shape: test.shape}, {Name: "t", Shape: []int{test.times}}}
		all := evolved(&exchange.File{Members: arrays}, arrays[:2])
		if len(all) != 1 || all[0].input != "a" || all[0].output != test.want {
			t.Errorf("%v: %+v", test.shape, all)
		}
	}
}

func TestWordsOfNames(t *testing.T) {
	for name, want := range map[string][]string{
		"": nil, "a": {"a"}, "x_train": {"x", "train"}, "train/x": {"train", "x"},
		"data.npz/xTrain": {"data", "npz", "x", "train"},
		"__A1b":           {"a", "b"}, "größe": {"gr", "e"}, "NaN": {"na", "n"}, "\xff\xfeu\xff": {"u"},
	} {
		if got := words(name); !slices.Equal(got, want) {
			t.Errorf("words of %q are %q, want %q", name, got, want)
		}
	}
	long := strings.Repeat("a", 60000) // copying a name of this length for every letter took minutes
	copies := testing.AllocsPerRun(1, func() {
		if got := words(long); len(got) != 1 || got[0] != long {
			t.Error("a long word is not one")
		}
	})
	if copies > 10 {
		t.Errorf("%g allocations for one long word", copies)
	}
}

// The file stays open while its arrays are tried: the bytes read grow with their number, not with its square.
func TestArraysAreTriedInOneOpenFile(t *testing.T) {
	bytesRead := func(arrays int) int64 {
		var archive bytes.Buffer
		w := npz.NewWriter(&archive)
		for i := range arrays {
			if err := w.Array(fmt.Sprintf("d%d", i), npy.Array{Shape: []int{1}, Data: []float64{1}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		content := &counter{in: bytes.NewReader(archive.Bytes())}
		f, err := exchange.OpenContent(t.Context(), "many.npz", content, int64(archive.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if name, ok := inputArray(t.Context(), f); ok {
			t.Errorf("%q is an input", name)
		}
		return content.bytes
	}
	if few, many := bytesRead(20), bytesRead(200); many > 15*few {
		t.Errorf("%d bytes are read of 20 arrays, %d of 200", few, many)
	}
}

type counter struct {
	in    io.ReaderAt
	bytes int64
}

func (c *counter) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.in.ReadAt(p, at)
	c.bytes += int64(n)
	return n, err
}

// Exports describe the grids of functions: the centres of cells, or the points of a torus that repeat.
func TestExportsDescribeTheirGrids(t *testing.T) {
	for _, test := range []struct {
		keys        []string
		first, last float64
		axes        int
		says        string
	}{
		{[]string{"data.endpoint=centres", "data.grid=16"}, 1. / 32, 31. / 32, 1, "centres of cells"},
		{[]string{"data.boundary=periodic", "data.grid=17"}, 0, 1, 1, "repeat the first"},
		{[]string{"data.endpoint=included", "data.grid=17", "data.columns=33"}, 0, 1, 2, "closed rectangle"},
	} {
		c, err := config.PresetByName(config.Fields)
		if err != nil {
			t.Fatal(err)
		}
		c.Data.TrainFile = "a.npz"
		for _, key := range test.keys {
			if err := config.Assign(&c, key); err != nil {
				t.Fatal(err)
			}
		}
		of := content{config: c}
		of.include(group{arrays: []array{{}}}, "", c.Data.Grid)
		all := of.groups[0].arrays[1:]
		x := all[0].Data
		if len(all) != test.axes || x[0] != test.first || x[len(x)-1] != test.last ||
			!strings.Contains(rowsOf(setup.Domain(c)), test.says) {
			t.Errorf("%v: %v, %s", test.keys, all, rowsOf(setup.Domain(c)))
		}
	}
}

// Tables in the form of exports, inputs and outputs side by side, are read as pairs; fields keep their shape.
func TestTablesOfExportsAreReadBack(t *testing.T) {
	const n, K = 24, 33
	pairs := array{"pairs", "", npy.Array{Shape: []int{n, 2 * K}}}
	for i := range n * 2 * K {
		x := 2 * math.Pi * float64(i%K) / (K - 1)
		pairs.Data = append(pairs.Data, math.Sin(x+float64(i/K))+math.Cos(2*x+float64(i/K)*float64(i/K)))
	}
	write := func(a array) string {
		t.Helper()
		var b bytes.Buffer
		name := filepath.Join(t.TempDir(), a.name+".csv")
		if err := errors.Join(a.csv(&b), os.WriteFile(name, b.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		return name
	}
	c, err := Learn(t.Context(), write(pairs))
	if err != nil || c.Data.Input != "[:, :33]" || c.Data.Output != "[:, 33:]" || c.Data.Grid != K {
		t.Errorf("%+v, %v", c.Data, err)
	}
	fields := array{"a_test", "", npy.Array{Shape: []int{2, 3, 4}}}
	for i := range 24 {
		fields.Data = append(fields.Data, 1/float64(i+1))
	}
	f, err := exchange.Open(t.Context(), write(fields))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if a, err := f.Array("a_test"); err != nil || !slices.Equal(a.Shape, fields.Shape) ||
		!slices.Equal(a.Data, fields.Data) {
		t.Errorf("%v, %v", a, err)
	}
}
