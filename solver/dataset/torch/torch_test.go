package torch

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

var noError = filetest.NoError

func open(t testing.TB, content []byte) ([]npy.Member, error) {
	t.Helper()
	archive, err := npz.NewReader(bytes.NewReader(content), int64(len(content)), "x.pt")
	noError(t, err)
	all, ok, err := Read(archive, "x.pt")
	if !ok {
		t.Fatal("not recognised")
	}
	return all, err
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name)
	noError(t, err)
	return content
}

func TestTensors(t *testing.T) {
	upTo := func(n int, scale float64) (all []float64) {
		for i := range n {
			all = append(all, float64(i)*scale)
		}
		return all
	}
	type array struct {
		shape []int
		data  []float64
	}
	for file, want := range map[string]map[string]array{
		"dict.pt": {
			"x": {[]int{3, 4}, upTo(12, 1)}, "half": {[]int{3, 4}, upTo(12, 1./8)}, "long": {[]int{3, 4}, upTo(12, -1)},
			"columns": {[]int{4, 3}, []float64{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}}, "rest": {[]int{2, 4}, upTo(12, 1)[4:]},
			"list.0": {[]int{1}, []float64{1.5}}, "list.1.u": {[]int{2}, []float64{1, 0}},
		},
		"gaps.pt":   {"x": {[]int{3, 2}, []float64{0, 2, 4, 6, 8, 10}}},
		"single.pt": {"tensor": {[]int{3, 4}, upTo(12, 1)}},
		"state.pth": {"weight": {[]int{3, 4}, upTo(12, 1)}},
	} {
		r, err := open(t, fixture(t, file))
		noError(t, err)
		if len(r) != len(want) {
			t.Errorf("%s: got %v, want %d tensors", file, r, len(want))
		}
		for _, x := range r {
			w := want[x.Name]
			a, err := x.Array()
			got := a.Data
			if !slices.Equal(x.Shape, w.shape) || err != nil {
				t.Errorf("%s, %s: shape %v, %v", file, x.Name, x.Shape, err)
				continue
			}
			for i := range w.data {
				if got[i] != w.data[i] {
					t.Errorf("%s, %s: got %v, %v, want %v", file, x.Name, got, err, w.data)
					break
				}
			}
		}
	}
}

// archive returns a file with a pickle and one storage, "0".
func archive(t testing.TB, pickle, storage []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range map[string][]byte{"a/data.pkl": pickle, "a/data/0": storage} {
		f, err := w.Create(name)
		noError(t, err)
		if _, err := f.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	noError(t, w.Close())
	return b.Bytes()
}

// No code of a file is executed, and files with false sizes are refused.
func TestHostileFilesAreRefused(t *testing.T) {
	nested := []byte("\x80\x02]q\x00h\x00a.") // a list in itself
	wide := []byte("\x80\x02](K\x01e")
	for range 12 { // each list contains the previous one twenty times
		wide = append(wide, "q\x00]("...)
		wide = append(wide, strings.Repeat("h\x00", 20)...)
		wide = append(wide, 'e')
	}
	wide = append(wide, '.')
	const storage = "((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpu"
	tensor := func(rest string) []byte {
		return []byte("\x80\x02ctorch._utils\n_rebuild_tensor_v2\n" + storage + rest)
	}
	for what, test := range map[string]struct {
		pickle []byte
		word   string
	}{
		"INST":          {[]byte("\x80\x02(ios\nsystem\n."), "instruction 0x69"},
		"a cycle":       {nested, "in each other"},
		"a bomb":        {wide, "in each other"},
		"no end":        {[]byte("\x80\x02}"), "too early"},
		"no stack":      {[]byte("\x80\x02."), "empty"},
		"no mark":       {[]byte("\x80\x02t."), "mark"},
		"a long text":   {[]byte("\x80\x02X\xff\xff\xff\xff."), "too early"},
		"a large shape": {tensor("K\x01tQK\x00J\xff\xff\xff\x7fJ\xff\xff\xff\x7f\x86K\x01K\x01\x86tR."), "of shape"},
		"an offset":     {tensor("K\x01tQK\x05K\x01\x85K\x01\x85tR."), "from number 5 of 1"},
	} {
		_, err := open(t, archive(t, test.pickle, nil))
		filetest.Refused(t, what, err, test.word)
	}
	lie := archive(t, tensor("J\x00\x00\x00\x40tQK\x00J\x00\x00\x00\x40\x85K\x01\x85tR."), make([]byte, 8))
	members, err := open(t, lie)
	noError(t, err)
	filetest.Refused(t, "a storage that is smaller than declared", members[0].Refused, "8 bytes are where 4294967296 must be")
	evil, err := open(t, fixture(t, "evil.pt"))
	noError(t, err)
	if len(evil) != 2 || !evil[0].Readable() {
		t.Fatalf("%v, want the tensor beside the object", evil)
	}
	filetest.Refused(t, "os.system", evil[1].Refused, "posix.system would make")
	if _, err := os.Stat("/tmp/torch_was_run"); err == nil {
		t.Error("a pickle was run")
	}
}

func FuzzPickle(f *testing.F) {
	for _, name := range []string{"dict.pt", "state.pth", "evil.pt"} {
		content := fixture(f, name)
		z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			f.Fatal(err)
		}
		in, err := z.File[0].Open()
		if err != nil {
			f.Fatal(err)
		}
		var pickle bytes.Buffer
		if _, err := pickle.ReadFrom(in); err != nil {
			f.Fatal(err)
		}
		f.Add(pickle.Bytes())
	}
	f.Fuzz(func(t *testing.T, pickle []byte) {
		content := archive(t, pickle, make([]byte, 64))
		files, err := npz.NewReader(bytes.NewReader(content), int64(len(content)), "x")
		noError(t, err)
		members, _, err := Read(files, "x")
		for _, m := range members {
			if err == nil && m.Count() < 1<<16 {
				_, _ = m.Array() // must return
			}
		}
	})
}

// A flipped bit in the numbers is found: the archive has a checksum of each storage.
func TestDamagedNumbersAreFound(t *testing.T) {
	content := fixture(t, "single.pt")
	members, err := open(t, content)
	noError(t, err)
	before, err := members[0].Array()
	noError(t, err)
	number := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(before.Data[5])))
	at := bytes.LastIndex(content, number)
	if at < 0 {
		t.Fatal("the numbers are not where the test expects them")
	}
	content[at] ^= 1
	members, err = open(t, content)
	noError(t, err)
	a, err := members[0].Array()
	if err == nil {
		t.Errorf("read %v without an error", a.Data)
	}
	filetest.Refused(t, "a flipped bit", err, "checksum")
}

// PyTorch keeps with a tensor that its numbers, or its imaginary parts, have the opposite sign in the storage.
func TestConjugateAndNegativeTensors(t *testing.T) {
	storage := binary.LittleEndian.AppendUint64(nil, math.Float64bits(3))
	storage = binary.LittleEndian.AppendUint64(storage, math.Float64bits(-4))
	tensor := func(class, count, bits string) []byte {
		return []byte("\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\n" + class + "\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK" +
			count + "tQK\x00K" + count + "\x85K\x01\x85\x89}" + bits + "tR.")
	}
	const (
		conjugate = "}X\x04\x00\x00\x00conj\x88s"
		negative  = "}X\x03\x00\x00\x00neg\x88s"
	)
	for _, test := range []struct {
		name   string
		pickle []byte
		want   []float64
	}{
		{"as stored", tensor("ComplexDoubleStorage", "\x01", "}"), []float64{3, -4}},
		{"conjugate", tensor("ComplexDoubleStorage", "\x01", conjugate), []float64{3, 4}},
		{"negative", tensor("ComplexDoubleStorage", "\x01", negative), []float64{-3, 4}},
		{"real numbers", tensor("DoubleStorage", "\x02", negative), []float64{-3, 4}},
	} {
		members, err := open(t, archive(t, test.pickle, storage))
		noError(t, err)
		a, err := members[0].Array()
		if err != nil || !slices.Equal(a.Data, test.want) {
			t.Errorf("%s: %v, %v, want %v", test.name, a.Data, err, test.want)
		}
	}
}
