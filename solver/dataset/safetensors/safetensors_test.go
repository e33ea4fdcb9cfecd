package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// file is a file with this header and so many bytes of numbers: 0, 1, 2, ...
func file(header string, count int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	b = append(b, header...)
	for i := range count {
		b = append(b, byte(i))
	}
	return b
}

func open(content []byte) (*Reader, error) {
	return NewReader(bytes.NewReader(content), int64(len(content)), "x.safetensors")
}

func TestTensors(t *testing.T) {
	header := `{"__metadata__":{"format":"pt"},"b":{"dtype":"U8","shape":[2,3],"data_offsets":[4,10]},"a":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]},"c":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[10,12]}}   `
	content := file(header, 12)
	copy(content[8+len(header):], []byte{0x80, 0x3f, 0x40, 0xc0}) // 1 and -3 as bfloat16
	f, err := open(content)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{"a": {1, -3}, "b": {4, 5, 6, 7, 8, 9}} {
		i := slices.IndexFunc(f.Tensors(), func(t Tensor) bool { return t.Name == name })
		x := f.Tensors()[i]
		got := make([]float64, len(want))
		if err := f.Scan(x, npy.Strides(x.Header.Shape), npy.Into(got)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if err := f.Check(f.Tensors()[2]); err == nil || !strings.Contains(err.Error(), "F8_E4M3") {
		t.Error(err)
	}
	if !Recognise(content, int64(len(content))) || Recognise(content, 20) {
		t.Error("not recognised by its beginning")
	}
}

func TestUnusableFilesAreRefused(t *testing.T) {
	for what, content := range map[string][]byte{
		"empty":             {},
		"no header":         binary.LittleEndian.AppendUint64(nil, 1<<62),
		"large header":      append(binary.LittleEndian.AppendUint64(nil, maxHeader+1), make([]byte, maxHeader+1)...),
		"no object":         file("[]", 0),
		"two objects":       file("{}{}", 0),
		"two names":         file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 2),
		"an overlap":        file(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, 3),
		"a gap":             file(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, 3),
		"too few bytes":     file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, 7),
		"too many bytes":    file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 5),
		"a lie":             file(`{"a":{"dtype":"F32","shape":[1099511627776,1099511627776],"data_offsets":[0,4]}}`, 4),
		"a negative size":   file(`{"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}}`, 1),
		"a negative place":  file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[-1,0]}}`, 1),
		"reversed place":    file(`{"a":{"dtype":"X","shape":[1],"data_offsets":[0,-5]}}`, 0),
		"a number for text": file(`{"__metadata__":{"a":1}}`, 0),
	} {
		_, err := open(content)
		var data *fault.Data
		if !errors.As(err, &data) || !strings.HasPrefix(err.Error(), "x.safetensors: ") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(`{"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]},"__metadata__":{}}`, 4))
	f.Fuzz(func(t *testing.T, content []byte) {
		r, err := open(content)
		var data *fault.Data
		if err != nil {
			if !errors.As(err, &data) {
				t.Errorf("%T: %v", err, err)
			}
			return
		}
		for _, x := range r.Tensors() {
			if r.Check(x) == nil {
				r.Scan(x, npy.Strides(x.Header.Shape), npy.Selection{Put: func(npy.Run, []float64) bool { return true }})
			}
		}
	})
}
