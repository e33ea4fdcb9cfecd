package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"rfm/solver/fault"
)

// file makes a .npy file by hand.
func file(version byte, dict string, payload []byte) []byte {
	var b bytes.Buffer
	b.WriteString(magic)
	b.Write([]byte{version, 0})
	if version == 1 {
		binary.Write(&b, binary.LittleEndian, uint16(len(dict)))
	} else {
		binary.Write(&b, binary.LittleEndian, uint32(len(dict)))
	}
	b.WriteString(dict)
	b.Write(payload)
	return b.Bytes()
}

func encode(order binary.ByteOrder, width int, values ...float64) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if width == 4 {
			binary.Write(&b, order, float32(v))
		} else {
			binary.Write(&b, order, v)
		}
	}
	return b.Bytes()
}

func read(text []byte) (Array, error) { return Read(bytes.NewReader(text), int64(len(text))) }

func TestReadTypesAndOrders(t *testing.T) {
	c := Array{Shape: []int{2, 3}, Data: []float64{1, 2, 3, 4, 5, 6}}
	fortran := []float64{1, 4, 2, 5, 3, 6}
	little, big := binary.LittleEndian, binary.BigEndian
	for name, text := range map[string][]byte{
		"f8":                               file(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n", encode(little, 8, c.Data...)),
		"f4":                               file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", encode(little, 4, c.Data...)),
		"big f8":                           file(2, "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3), }\n", encode(big, 8, c.Data...)),
		"big f4":                           file(3, "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }\n", encode(big, 4, c.Data...)),
		"fortran":                          file(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }\n", encode(little, 8, fortran...)),
		"fortran f4":                       file(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n", encode(little, 4, fortran...)),
		"any order of keys, no last comma": file(1, `{"shape":(2,3),"fortran_order":False,"descr":"<f8"}`, encode(little, 8, c.Data...)),
	} {
		if got, err := read(text); err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for _, want := range []Array{
		{Shape: []int{}, Data: []float64{math.Pi}},
		{Shape: []int{0, 5}, Data: []float64{}},
		{Shape: []int{3}, Data: []float64{1, math.Inf(-1), 5e-324}},
		{Shape: []int{1, 2, 2}, Data: []float64{1, 2, 3, 4}},
	} {
		var b bytes.Buffer
		if err := Write(&b, want); err != nil {
			t.Fatal(err)
		}
		if (b.Len()-8*len(want.Data))%64 != 0 {
			t.Errorf("shape %v: header of %d bytes is not aligned", want.Shape, b.Len()-8*len(want.Data))
		}
		if got, err := read(b.Bytes()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	}
}

func TestFortranOrderOfThreeIndices(t *testing.T) {
	shape := []int{2, 3, 4}
	want := Array{Shape: shape, Data: make([]float64, 24)}
	var stored []float64
	for k := range shape[2] {
		for j := range shape[1] {
			for i := range shape[0] {
				v := float64(100*i + 10*j + k)
				stored = append(stored, v)
				want.Data[(i*shape[1]+j)*shape[2]+k] = v
			}
		}
	}
	got, err := read(file(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3, 4), }", encode(binary.LittleEndian, 8, stored...)))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestRefusals(t *testing.T) {
	good := func(dict string) []byte { return file(1, dict, encode(binary.LittleEndian, 8, 1, 2, 3)) }
	for name, test := range map[string]struct {
		text []byte
		want string
	}{
		"empty":            {nil, "not a .npy file"},
		"other file":       {[]byte("PK\x03\x04 something else"), "not a .npy file"},
		"version":          {file(9, "{}", nil), "version 9.0"},
		"truncated header": {[]byte(magic + "\x01\x00\xff\x00{"), "truncated in its header"},
		"huge header":      {[]byte(magic + "\x02\x00\xff\xff\xff\xff"), "header of 4294967295 bytes"},
		"truncated":        {good("{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }"), "truncated"},
		"too long":         {good("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"), "too long"},
		"huge shape":       {good("{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807, 9223372036854775807), }"), "too large"},
		"large shape":      {good("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }"), "truncated"},
		"negative shape":   {good("{'descr': '<f8', 'fortran_order': False, 'shape': (-3,), }"), "malformed"},
		"missing key":      {good("{'descr': '<f8', 'fortran_order': False, }"), "malformed"},
		"key twice":        {good("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (3,), }"), "malformed"},
		"rest":             {good("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), } x"), "malformed"},
		"integers":         {good("{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }"), `"<i8"`},
		"complex":          {good("{'descr': '<c16', 'fortran_order': False, 'shape': (3,), }"), `"<c16"`},
		"records":          {good("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }"), "records"},
	} {
		_, err := read(test.text)
		var data *fault.Data
		if !errors.As(err, &data) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want *fault.Data with %q", name, err, test.want)
		}
	}
}

func TestReadFileNamesTheFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "broken.npy")
	if err := os.WriteFile(name, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{name, name + ".missing", filepath.Dir(name)} {
		if _, err := ReadFile(n); err == nil || !strings.HasPrefix(err.Error(), n+": ") {
			t.Errorf("got %v", err)
		}
	}
	_, err := ReadFile(name + ".missing")
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v does not wrap the cause", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 1), }", encode(binary.LittleEndian, 8, 1, 2, 3)))
	f.Add(file(2, "{'descr': '>f4', 'fortran_order': False, 'shape': (), }", encode(binary.BigEndian, 4, 1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a, err := read(text)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 2*uint64(len(text))+1<<20 {
			t.Fatalf("%d bytes allocated for a file of %d", used, len(text))
		}
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, a); err != nil {
			t.Fatal(err)
		}
		again, err := read(b.Bytes())
		if err != nil || !reflect.DeepEqual(a.Shape, again.Shape) || len(a.Data) != len(again.Data) {
			t.Fatalf("%v became %v, %v", a.Shape, again.Shape, err)
		}
	})
}
