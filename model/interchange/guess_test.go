package interchange

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

// Outputs with one short axis more than the inputs have channels there, and times where it is long.
func TestChannelsAndTimes(t *testing.T) {
	for _, test := range []struct {
		shape []int
		times int
		want  string
	}{{[]int{40, 32, 32, 2}, 0, "u"}, {[]int{40, 2, 32, 32}, 0, "u"}, {[]int{40, 32, 32, 20}, 0, "u[:, :, :, -1]"},
		{[]int{40, 32, 32, 2}, 2, "u[:, :, :, -1]"}} {
		arrays := []exchange.Member{{Name: "a", Shape: []int{40, 32, 32}, Readable: true},
			{Name: "u", Shape: test.shape, Readable: true}, {Name: "t", Shape: []int{test.times}, Readable: true}}
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
	long := strings.Repeat("a", 60000) // a name may be that long: copying it for every letter took minutes
	copies := testing.AllocsPerRun(1, func() {
		if got := words(long); len(got) != 1 || got[0] != long {
			t.Error("a long word is not one")
		}
	})
	if copies > 10 {
		t.Errorf("%g allocations for one long word", copies)
	}
}

// The file stays open while its arrays are tried: what is read grows with their number, not with its square.
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
